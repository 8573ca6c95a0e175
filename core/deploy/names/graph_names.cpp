// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/names/graph_names.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace calibscope::deploy {

namespace {

constexpr std::string_view separators = "./:_";

/// As dumps have names: "." for "/", no leading dots.
std::string dottedName(std::string_view name)
{
    std::string dotted(name);
    std::ranges::replace(dotted, '/', '.');
    dotted.erase(0, std::min(dotted.find_first_not_of('.'), dotted.size()));
    return dotted;
}

std::string quoted(const std::string& name)
{
    return "`" + name + "`";
}

bool isConstantKind(const TensorInfo& tensor)
{
    return tensor.role == Role::Weight || tensor.role == Role::Bias;
}

using Places = std::vector<std::size_t>;
using PlacesByName = std::unordered_map<std::string_view, Places>;

/// The graph's tensors by their names, and by the names of a dump that theirs end in.
class GraphIndex
{
public:
    GraphIndex(std::span<const TensorInfo> tensors, std::span<const model::GraphTensor> graph)
    {
        for (const TensorInfo& tensor : tensors)
            m_wanted.insert(dottedName(tensor.name));
        std::set<std::size_t> lengths;
        for (const std::string& name : m_wanted)
            lengths.insert(name.size());
        m_dotted.reserve(graph.size());
        for (std::size_t place = 0; place < graph.size(); ++place) {
            m_equal[graph[place].name].push_back(place);
            const std::string& name = m_dotted.emplace_back(dottedName(graph[place].name));
            if (const auto wanted = m_wanted.find(name); wanted != m_wanted.end())
                m_equalDotted[*wanted].push_back(place);
            addEnds(name, place, lengths);
        }
    }

    [[nodiscard]] const Places& equal(const std::string& name) const { return in(m_equal, name); }
    [[nodiscard]] const Places& dots(const std::string& name) const
    {
        return in(m_equalDotted, dottedName(name));
    }
    [[nodiscard]] const Places& ends(const std::string& name) const
    {
        return in(m_ends, dottedName(name));
    }

private:
    static const Places& in(const PlacesByName& places, const std::string& name)
    {
        static const Places none;
        const auto found = name.empty() ? places.end() : places.find(name);
        return found == places.end() ? none : found->second;
    }

    /// Only as many steps as the dump's names have lengths: names of hostile models are long.
    void addEnds(const std::string& name, std::size_t place, const std::set<std::size_t>& lengths)
    {
        for (const std::size_t length : lengths) {
            if (length >= name.size())
                break;
            const std::size_t start = name.size() - length;
            if (length == 0 || separators.find(name[start - 1]) == std::string_view::npos)
                continue;
            const auto wanted = m_wanted.find(std::string_view(name).substr(start));
            if (wanted != m_wanted.end())
                m_ends[*wanted].push_back(place);
        }
    }

    std::set<std::string, std::less<>> m_wanted;  ///< the dump's names, dotted
    std::vector<std::string> m_dotted;            ///< the graph's
    PlacesByName m_equal;
    PlacesByName m_equalDotted;
    PlacesByName m_ends;
};

std::string ruleText(NameRule rule, const std::string& graphName)
{
    switch (rule) {
    case NameRule::Map: return "given by the map";
    case NameRule::Attribute: return "recorded as its graph name";
    case NameRule::Equal: return "the graph has that name";
    case NameRule::Dots: return quoted(graphName) + " with dots for slashes";
    case NameRule::Suffix: return quoted(graphName) + " ends in it";
    case NameRule::Layer: return quoted(graphName) + " has its values, and is taken by its layer";
    }
    return {};
}

class Namer
{
public:
    Namer(std::span<const TensorInfo> tensors, std::span<const model::GraphTensor> graph,
          const GraphNaming& naming)
        : m_tensors(tensors), m_graph(graph), m_naming(naming), m_index(tensors, graph)
    {}

    std::vector<GraphName> names()
    {
        m_names.resize(m_tensors.size());
        for (std::size_t tensor = 0; tensor < m_tensors.size(); ++tensor)
            findCandidates(tensor);
        for (std::size_t tensor = 0; tensor < m_tensors.size(); ++tensor)
            if (isConstantKind(m_tensors[tensor]))
                settleByValue(tensor);
        for (const GraphName& name : m_names)
            if (name.tensor)
                m_scopes.insert(m_graph[*name.tensor].scope);
        for (std::size_t tensor = 0; tensor < m_tensors.size(); ++tensor)
            if (!m_names[tensor].tensor && !m_names[tensor].differs &&
                !m_names[tensor].isByValueAlone)
                settleByScope(tensor);
        refuseTwoForOne();
        return std::move(m_names);
    }

private:
    static bool take(GraphName& name, NameRule rule, const Places& places)
    {
        if (places.empty())
            return false;
        name.rule = rule;
        name.candidates = places;
        return true;
    }

    void findCandidates(std::size_t place)
    {
        const TensorInfo& tensor = m_tensors[place];
        GraphName& name = m_names[place];
        for (const std::string* key : {&tensor.name, &tensor.path})
            if (const auto given = m_naming.map.find(*key); given != m_naming.map.end()) {
                if (!take(name, NameRule::Map, m_index.equal(given->second)))
                    name.reason =
                        "the map gives " + quoted(given->second) + ", which is not in the graph";
                return;
            }
        const bool isHit = (!tensor.graphName.empty() &&
                            take(name, NameRule::Attribute, m_index.equal(tensor.graphName))) ||
                           take(name, NameRule::Equal, m_index.equal(tensor.name)) ||
                           take(name, NameRule::Dots, m_index.dots(tensor.name)) ||
                           take(name, NameRule::Suffix, m_index.ends(tensor.name));
        if (!isHit)
            name.reason = "is not in the graph";
    }

    [[nodiscard]] std::string toldAs(std::size_t graphTensor) const
    {
        const model::GraphTensor& tensor = m_graph[graphTensor];
        return quoted(tensor.name) + (tensor.scope.empty() ? "" : " in " + quoted(tensor.scope));
    }

    [[nodiscard]] std::string listed(const Places& places) const
    {
        constexpr std::size_t most = 8;
        std::string text;
        for (std::size_t i = 0; i < std::min(places.size(), most); ++i)
            text += (i == 0 ? "" : i + 1 == places.size() ? " or " : ", ") + toldAs(places[i]);
        return places.size() > most
                   ? text + " and " + std::to_string(places.size() - most) + " others"
                   : text;
    }

    void settle(GraphName& name, std::size_t graphTensor, const std::string& how) const
    {
        name.tensor = graphTensor;
        name.reason = ruleText(name.rule, m_graph[graphTensor].name) + how;
        name.candidates.clear();
    }

    [[nodiscard]] ValuesFit fitOf(std::size_t tensor, std::size_t graphTensor) const
    {
        if (m_tensors[tensor].shape != m_graph[graphTensor].shape)
            return ValuesFit::Differ;
        if (!m_naming.fit || !m_naming.graphValues)
            return ValuesFit::Equal;
        return m_naming.fit(tensor, m_naming.graphValues(graphTensor));
    }

    /// Those whose values are the tensor's: the equal ones, or if there are none, those that are
    /// equal once rounded as it was recorded.
    [[nodiscard]] std::pair<ValuesFit, Places> fitting(std::size_t tensor,
                                                       const Places& constants) const
    {
        std::pair<ValuesFit, Places> best{ValuesFit::Differ, {}};
        for (const std::size_t constant : constants) {
            const ValuesFit fit = fitOf(tensor, constant);
            if (fit == ValuesFit::Differ || fit < best.first)
                continue;
            if (fit > best.first)
                best = {fit, {}};
            best.second.push_back(constant);
        }
        return best;
    }

    void settleWeight(GraphName& name, std::size_t tensor, std::size_t graphTensor, ValuesFit fit,
                      std::string how) const
    {
        name.isRounded = fit == ValuesFit::Rounded;
        if (name.isRounded)
            how += "; its values are the model's, rounded to " +
                   std::string(elementText(m_tensors[tensor]));
        settle(name, graphTensor, how);
    }

    void settleByValue(std::size_t tensor)
    {
        GraphName& name = m_names[tensor];
        if (name.candidates.empty()) {
            if (!settleByLayer(tensor))
                hintByValue(tensor);
            return;
        }
        Places constants;
        std::ranges::copy_if(name.candidates, std::back_inserter(constants),
                             [&](std::size_t candidate) { return m_graph[candidate].isConstant; });
        if (constants.empty()) {
            if (name.candidates.size() == 1)
                settle(name, name.candidates.front(),
                       "; the graph computes it when it runs, so its values were not compared");
            return;
        }
        const std::size_t before = constants.size();
        auto [fit, equal] = fitting(tensor, constants);
        if (equal.size() == 1)
            settleWeight(
                name, tensor, equal.front(), fit,
                before == 1 ? "" : "; of " + std::to_string(before) + " the one of equal values");
        else if (!equal.empty())
            name.candidates = std::move(equal);
        else
            differs(name, tensor, std::move(constants));
    }

    /// Whether the layer is what the recorder wrote as the weight's consumer: its name, or one that
    /// ends in it.
    static bool isLayer(const model::LayerConstant& layer, const TensorInfo& tensor)
    {
        if (!tensor.op.empty() && tensor.op != layer.op)
            return false;
        const std::string wanted = dottedName(tensor.consumer);
        const std::string own = dottedName(layer.node);
        if (wanted.empty() || !own.ends_with(wanted))
            return false;
        return own.size() == wanted.size() ||
               separators.find(own[own.size() - wanted.size() - 1]) != std::string_view::npos;
    }

    /// Exporters put some weights together when the model runs, under names that no recorder has
    /// seen. Two pieces of evidence place them: the layer, and every value.
    bool settleByLayer(std::size_t tensor)
    {
        const TensorInfo& info = m_tensors[tensor];
        GraphName& name = m_names[tensor];
        const bool isGiven = m_naming.map.contains(info.name) || m_naming.map.contains(info.path);
        if (isGiven || !m_naming.fit || !m_naming.graphValues)
            return false;
        Places constants;
        for (const model::LayerConstant& layer : m_naming.layers)
            if (isLayer(layer, info))
                constants.push_back(layer.tensor);
        const auto [fit, equal] = fitting(tensor, constants);
        if (equal.size() != 1)
            return false;
        name.rule = NameRule::Layer;
        settleWeight(name, tensor, equal.front(), fit, "");
        return true;
    }

    /// Which constants have its values, though none has its name. Equal values alone are reported, not
    /// taken: weights may be equal by their initial values.
    void hintByValue(std::size_t tensor)
    {
        const TensorInfo& info = m_tensors[tensor];
        GraphName& name = m_names[tensor];
        if (info.shape.empty() || !m_naming.fit || !m_naming.graphValues)
            return;
        Places constants;
        for (std::size_t place = 0; place < m_graph.size(); ++place)
            if (m_graph[place].isConstant)
                constants.push_back(place);
        name.candidates = fitting(tensor, constants).second;
        if (name.candidates.empty())
            return;
        name.reason += ", but its values are those of " + listed(name.candidates) +
                       " (give its name with --map)";
        name.isByValueAlone = true;
    }

    void differs(GraphName& name, std::size_t tensor, Places constants)
    {
        if (m_naming.takesGraphWeights && constants.size() == 1 &&
            m_graph[constants.front()].shape == m_tensors[tensor].shape) {
            settle(name, constants.front(), "; its values differ, the model's are taken");
            return;
        }
        name.differs = true;
        name.reason = constants.size() == 1
                          ? "differs from the model's: recorded from another version?"
                          : "differs from all that it could be in the model (" + listed(constants) +
                                "): recorded from another version?";
        name.candidates = std::move(constants);
    }

    /// Among the candidates in graphs in which weights were found; else in graphs within these.
    [[nodiscard]] Places inScopesOfWeights(const Places& candidates) const
    {
        Places found;
        std::ranges::copy_if(candidates, std::back_inserter(found), [&](std::size_t candidate) {
            return m_scopes.contains(m_graph[candidate].scope);
        });
        if (!found.empty())
            return found;
        std::ranges::copy_if(candidates, std::back_inserter(found), [&](std::size_t candidate) {
            return std::ranges::any_of(m_scopes, [&](const std::string& scope) {
                return !scope.empty() && m_graph[candidate].scope.starts_with(scope + "/");
            });
        });
        return found;
    }

    void settleByScope(std::size_t tensor)
    {
        GraphName& name = m_names[tensor];
        if (name.candidates.empty())
            return;
        const std::size_t before = name.candidates.size();
        if (before == 1)
            return settle(name, name.candidates.front(), "");
        const Places found = inScopesOfWeights(name.candidates);
        if (found.size() == 1) {
            const std::string& scope = m_graph[found.front()].scope;
            settle(name, found.front(),
                   "; of " + std::to_string(before) + " the one in " +
                       (scope.empty() ? "the main graph" : quoted(scope)) +
                       ", where the weights are");
            return;
        }
        name.reason = "could be " + listed(name.candidates) + " (give its name with --map)";
    }

    /// Of several tensors that lead to one of the graph, only one that a better rule found stays.
    void refuseTwoForOne()
    {
        std::unordered_map<std::size_t, Places> leadTo;
        for (std::size_t tensor = 0; tensor < m_names.size(); ++tensor)
            if (m_names[tensor].tensor)
                leadTo[*m_names[tensor].tensor].push_back(tensor);
        for (const auto& [graphTensor, tensors] : leadTo) {
            if (tensors.size() == 1)
                continue;
            const auto ruleOf = [this](std::size_t tensor) { return m_names[tensor].rule; };
            const NameRule best = ruleOf(*std::ranges::min_element(tensors, {}, ruleOf));
            const bool isOneBest = std::ranges::count(tensors, best, ruleOf) == 1;
            for (const std::size_t tensor : tensors)
                if (!isOneBest || ruleOf(tensor) != best)
                    refuse(tensor, graphTensor, tensors);
        }
    }

    void refuse(std::size_t tensor, std::size_t graphTensor, const Places& all)
    {
        const auto other = std::ranges::find_if(
            all, [tensor](std::size_t candidate) { return candidate != tensor; });
        m_names[tensor].tensor.reset();
        m_names[tensor].candidates = {graphTensor};
        m_names[tensor].reason = "leads to " + toldAs(graphTensor) + ", as " +
                                 quoted(m_tensors[*other].name) +
                                 " does (give its name with --map)";
    }

    std::span<const TensorInfo> m_tensors;
    std::span<const model::GraphTensor> m_graph;
    const GraphNaming& m_naming;
    GraphIndex m_index;
    std::vector<GraphName> m_names;
    std::set<std::string> m_scopes;  ///< of the tensors that were placed by their values
};

/// What a small float holds: 1.f x 2^e.
struct FloatFields
{
    int fractionBits = 0;
    int leastExponent = 0;  ///< of normal values; smaller ones have the same steps
    double most = 0.0;      ///< the greatest finite value
};

constexpr FloatFields binary16{.fractionBits = 10, .leastExponent = -14, .most = 65504.0};
constexpr FloatFields bfloat16{.fractionBits = 7, .leastExponent = -126, .most = 0x1.FEp127};

bool isEqual(float one, float other)
{
    return one == other || (std::isnan(one) && std::isnan(other));
}

std::optional<float> rounded(const FloatFields& fields, float value)
{
    int exponent = 0;  // one above that of 1.f
    static_cast<void>(std::frexp(value, &exponent));
    const int step = std::max(exponent - 1, fields.leastExponent) - fields.fractionBits;
    // Powers of two move no digit; float32's least subnormal over bfloat16's step is a double.
    const double steps = std::nearbyint(std::ldexp(static_cast<double>(value), -step));
    const double nearest = std::ldexp(steps, step);
    if (std::fabs(nearest) > fields.most)
        return std::nullopt;
    return static_cast<float>(nearest);
}

}  // namespace

std::optional<float> roundedTo(ElementKind kind, float value)
{
    const bool isSmall = kind == ElementKind::Float16 || kind == ElementKind::Bfloat16;
    if (!isSmall || !std::isfinite(value) || value == 0.0F)
        return value;
    return rounded(kind == ElementKind::Float16 ? binary16 : bfloat16, value);
}

ValuesFit valuesFit(std::span<const float> recorded, ElementKind kind,
                    std::span<const float> values)
{
    if (recorded.size() != values.size())
        return ValuesFit::Differ;
    auto fit = ValuesFit::Equal;
    for (std::size_t place = 0; place < values.size(); ++place) {
        if (isEqual(recorded[place], values[place]))
            continue;
        const std::optional<float> nearest = roundedTo(kind, values[place]);
        if (!nearest || !isEqual(recorded[place], *nearest))
            return ValuesFit::Differ;
        fit = ValuesFit::Rounded;
    }
    return fit;
}

std::vector<GraphName> graphNames(std::span<const TensorInfo> tensors,
                                  std::span<const model::GraphTensor> graph,
                                  const GraphNaming& naming)
{
    return Namer(tensors, graph, naming).names();
}

std::string whyNoneIsThere(std::span<const TensorInfo> tensors,
                           std::span<const model::GraphTensor> graph,
                           std::span<const GraphName> names)
{
    const auto isPlaced = [](const GraphName& name) { return name.tensor.has_value(); };
    if (tensors.empty() || std::ranges::any_of(names, isPlaced))
        return {};
    const bool isConstant = isConstantKind(tensors.front());
    auto like = std::ranges::find(graph, isConstant, &model::GraphTensor::isConstant);
    if (like == graph.end())
        like = graph.begin();
    return "none of the " + countText(tensors.size(), "tensor", "tensors") + " is in the graph" +
           (graph.empty() ? ", which has none"
                          : "; names look like " + quoted(like->name) + ", the dump's like " +
                                quoted(tensors.front().name));
}

}  // namespace calibscope::deploy
