// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/propagation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

constexpr std::array<std::string_view, 14> rangeKeepingOps{
    "MaxPool",   "GlobalMaxPool", "Concat",  "Reshape", "Flatten",      "Squeeze",      "Unsqueeze",
    "Transpose", "Identity",      "Dropout", "Expand",  "DepthToSpace", "SpaceToDepth", "Tile"};

bool hasRange(const Recipe& recipe, const TensorInfo& tensor, const Consumers& consumers)
{
    if (!tensor.isReadable() || tensor.role == Role::Weight || tensor.role == Role::Bias)
        return false;
    const std::optional<Choice> choice = ownChoice(recipe, tensor, consumers);
    return choice && choice->granularity == Granularity::Tensor;
}

/// Ends of several tensors together. One that is alone is shared, so that a chain takes no more
/// room than its end.
class Union
{
public:
    void add(const RangeEnds::Ends& ends)
    {
        if (!ends || !m_ends)
            m_ends = nullptr;
        else if (m_ends->empty() || m_ends == ends)
            m_ends = ends;
        else if (!ends->empty())
            merge(*ends);
    }
    void add(std::size_t end)
    {
        add(std::make_shared<const std::vector<std::size_t>>(std::vector<std::size_t>{end}));
    }
    [[nodiscard]] const RangeEnds::Ends& ends() const { return m_ends; }

private:
    void merge(const std::vector<std::size_t>& further)
    {
        std::vector<std::size_t> all;
        std::ranges::set_union(*m_ends, further, std::back_inserter(all));
        m_ends = all.size() > mostRangeSources
                     ? nullptr
                     : std::make_shared<const std::vector<std::size_t>>(std::move(all));
    }

    RangeEnds::Ends m_ends = std::make_shared<const std::vector<std::size_t>>();
};

/// The sets of tensors that are on circles with each other, single ones mostly, each after all that
/// its chains lead to. Tarjan, Depth-first search and linear graph algorithms (SIAM J. Comput. 1,
/// 1972), with a stack of its own in place of the recursion.
class Circles
{
public:
    using Graph = std::vector<std::vector<std::size_t>>;

    explicit Circles(const Graph& outputs)
        : m_outputs(outputs), m_number(outputs.size(), unseen), m_lowest(outputs.size(), unseen)
    {}

    template <typename Visit>
    void forEach(const Visit& visit)
    {
        for (std::size_t root = 0; root < m_outputs.size(); ++root)
            if (m_number[root] == unseen)
                walkFrom(root, visit);
    }

private:
    static constexpr std::size_t unseen = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t finished = unseen - 1;  ///< its circle was reported

    struct Step
    {
        std::size_t tensor = 0;
        std::size_t output = 0;  ///< the next one to look at
    };

    void enter(std::size_t tensor)
    {
        m_number[tensor] = m_lowest[tensor] = m_count++;
        m_path.push_back({tensor});
        m_waiting.push_back(tensor);
    }

    template <typename Visit>
    void walkFrom(std::size_t root, const Visit& visit)
    {
        enter(root);
        while (!m_path.empty()) {
            Step& step = m_path.back();
            const std::size_t tensor = step.tensor;
            if (step.output < m_outputs[tensor].size()) {
                const std::size_t output = m_outputs[tensor][step.output++];
                if (m_number[output] == unseen)
                    enter(output);
                else if (m_number[output] != finished)
                    m_lowest[tensor] = std::min(m_lowest[tensor], m_number[output]);
                continue;
            }
            m_path.pop_back();
            if (!m_path.empty())
                m_lowest[m_path.back().tensor] =
                    std::min(m_lowest[m_path.back().tensor], m_lowest[tensor]);
            if (m_lowest[tensor] == m_number[tensor])
                visit(takeCircle(tensor));
        }
    }

    std::vector<std::size_t> takeCircle(std::size_t first)
    {
        const auto from = std::ranges::find(m_waiting.rbegin(), m_waiting.rend(), first).base() - 1;
        std::vector<std::size_t> circle(from, m_waiting.end());
        m_waiting.erase(from, m_waiting.end());
        for (const std::size_t tensor : circle)
            m_number[tensor] = finished;
        return circle;
    }

    const Graph& m_outputs;
    std::vector<std::size_t> m_number;  ///< in the order of the walk
    std::vector<std::size_t> m_lowest;  ///< number that a circle through the tensor leads back to
    std::vector<Step> m_path;
    std::vector<std::size_t> m_waiting;  ///< tensors whose circle is not whole yet
    std::size_t m_count = 0;
};

}  // namespace

bool keepsRange(std::string_view op)
{
    return std::ranges::find(rangeKeepingOps, op) != rangeKeepingOps.end();
}

std::span<const std::string> keptInputs(const TensorInfo& tensor)
{
    const std::span<const std::string> inputs = tensor.inputs;
    if (!keepsRange(tensor.op) || inputs.empty())
        return {};
    return tensor.op == "Concat" ? inputs : inputs.first(1);
}

RangeEnds::RangeEnds(const Recipe& recipe, const Consumers& consumers)
{
    const std::span<const TensorInfo> keepers = consumers.keepers();
    Circles::Graph outputs;
    outputs.reserve(keepers.size());
    for (std::size_t index = 0; index < keepers.size(); ++index) {
        const TensorInfo& keeper = keepers[index];
        outputs.push_back(consumers.keptOutputs(keeper.name));
        std::erase_if(outputs.back(),
                      [&](std::size_t output) { return keepers[output].path == keeper.path; });
        m_hasRange.push_back(hasRange(recipe, keeper, consumers));
        m_keeperAt.emplace(keeper.path, index);
    }
    m_ends.resize(keepers.size());
    std::vector<std::size_t> circleOf(keepers.size(), keepers.size());
    Circles(outputs).forEach([&](const std::vector<std::size_t>& circle) {
        for (const std::size_t tensor : circle)
            circleOf[tensor] = circle.front();
        Union all;
        for (const std::size_t tensor : circle)
            for (const std::size_t output : outputs[tensor]) {
                if (circleOf[output] == circle.front())
                    continue;
                all.add(m_ends[output]);
                if (m_ends[output] && m_ends[output]->empty() && m_hasRange[output])
                    all.add(output);
            }
        for (const std::size_t tensor : circle)
            m_ends[tensor] = all.ends();
    });
}

RangeEnds::Ends RangeEnds::of(const TensorInfo& tensor, const Consumers& consumers) const
{
    if (const auto keeper = m_keeperAt.find(tensor.path); keeper != m_keeperAt.end())
        return m_ends[keeper->second];
    Union all;
    for (const std::size_t output : consumers.keptOutputs(tensor.name)) {
        all.add(m_ends[output]);
        if (m_ends[output] && m_ends[output]->empty() && m_hasRange[output])
            all.add(output);
    }
    return all.ends();
}

std::optional<std::vector<RangeSource>> rangeSources(const Recipe& recipe, const TensorInfo& tensor,
                                                     const Consumers& consumers)
{
    const RangeEnds::Ends ends = consumers.rangeEnds(recipe)->of(tensor, consumers);
    if (!ends)
        return std::nullopt;
    std::vector<RangeSource> sources;
    for (const std::size_t end : *ends) {
        const TensorInfo& keeper = consumers.keepers()[end];
        const Choice own = *ownChoice(recipe, keeper, consumers);
        sources.push_back({.tensor = keeper.name,
                           .path = keeper.path,
                           .calibrator = own.calibrator,
                           .settings = own.settings,
                           .scheme = own.scheme});
    }
    std::ranges::sort(sources, {}, &RangeSource::path);
    return sources;
}

}  // namespace calibscope
