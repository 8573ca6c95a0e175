#include "core/recipes/propagation.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace calibscope {

namespace {

constexpr std::array<std::string_view, 14> rangeKeepingOps{
    "MaxPool",   "GlobalMaxPool", "Concat",  "Reshape", "Flatten",      "Squeeze",      "Unsqueeze",
    "Transpose", "Identity",      "Dropout", "Expand",  "DepthToSpace", "SpaceToDepth", "Tile"};

using Tensors = std::set<const TensorInfo*>;

/// Follows range-keeping ops from tensors towards the end of the graph.
class Walk
{
public:
    Walk(const Recipe& recipe, const Consumers& consumers)
        : m_recipe(recipe), m_consumers(consumers)
    {}

    /// Where the chains that begin at that tensor end. A tensor that is being asked already adds
    /// nothing: the chain has come back to it.
    Tensors endsFrom(const TensorInfo& tensor)
    {
        const auto [place, isNew] = m_ends.try_emplace(tensor.path);
        if (!isNew)
            return place->second;
        Tensors ends;
        for (const TensorInfo* output : m_consumers.keptOutputs(tensor.name)) {
            if (output->path == tensor.path)
                continue;
            const Tensors further = endsFrom(*output);
            if (!further.empty())
                ends.insert(further.begin(), further.end());
            else if (hasRange(*output))
                ends.insert(output);
        }
        m_ends[tensor.path] = ends;
        return ends;
    }

private:
    [[nodiscard]] bool hasRange(const TensorInfo& tensor) const
    {
        if (!tensor.isReadable() || tensor.role == Role::Weight)
            return false;
        const std::optional<Choice> choice = ownChoice(m_recipe, tensor, m_consumers);
        return choice && choice->granularity == Granularity::Tensor;
    }

    const Recipe& m_recipe;
    const Consumers& m_consumers;
    std::map<std::string, Tensors> m_ends;  ///< by path; empty while it is being found
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

std::vector<RangeSource> rangeSources(const Recipe& recipe, const TensorInfo& tensor,
                                      const Consumers& consumers)
{
    std::vector<RangeSource> sources;
    for (const TensorInfo* end : Walk(recipe, consumers).endsFrom(tensor)) {
        if (end->path == tensor.path)
            continue;
        const Choice own = *ownChoice(recipe, *end, consumers);
        sources.push_back({.tensor = end->name,
                           .path = end->path,
                           .calibrator = own.calibrator,
                           .settings = own.settings,
                           .scheme = own.scheme});
    }
    std::ranges::sort(sources, {}, &RangeSource::path);
    return sources;
}

}  // namespace calibscope
