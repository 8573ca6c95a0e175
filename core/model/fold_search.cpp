// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fold_search.h"

#include "core/model/layer_rules.h"
#include "core/model/lift.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace calibscope::model {

namespace {

bool isAnyOf(const ::onnx::NodeProto& node, std::initializer_list<std::string_view> types)
{
    return std::ranges::any_of(types, [&](std::string_view type) { return isOp(node, type); });
}

Fold noFold(std::string why)
{
    Fold fold;
    fold.whyNot = std::move(why);
    return fold;
}

/// Adds what another branch folds into.
void join(Fold& fold, Fold other)
{
    std::ranges::move(other.constants, std::back_inserter(fold.constants));
    std::ranges::move(other.targets, std::back_inserter(fold.targets));
    std::ranges::move(other.tensors, std::back_inserter(fold.tensors));
}

/// The layer that divided channels are for: who takes the tensor, and how many channels it has.
struct FactoredInput
{
    std::string whyNot = {};
    bool areLast = false;    ///< channels are the last axis, or the second one
    std::size_t behind = 0;  ///< axes behind it
    std::uint64_t count = 0;
};

class FoldSearch
{
public:
    FoldSearch(const GraphIndex& index, const IndexedConstants& constants,
               const FactoredInput& input)
        : m_index(index), m_constants(constants), m_areLast(input.areLast), m_behind(input.behind)
    {}

    [[nodiscard]] Fold above(std::size_t tensor, const ChannelPart& part, int depth) const
    {
        const IndexedTensor& made = m_index.tensors()[tensor];
        Fold fold = aboveMade(made, part, depth);
        if (fold.whyNot.empty())
            fold.tensors.insert(fold.tensors.begin(), {.tensor = tensor, .part = part});
        return fold;
    }

private:
    [[nodiscard]] Fold aboveMade(const IndexedTensor& made, const ChannelPart& part,
                                 int depth) const
    {
        constexpr int mostNodes = 64;
        const ::onnx::NodeProto* node = m_index.producer(made);
        if (node == nullptr)
            return noFold("`" + made.name + "` is an input of the graph");
        if (depth > mostNodes)
            return noFold("no constant within " + std::to_string(mostNodes) + " operators");
        if (hasOtherChannels(*node))
            return noFold("`" + std::string(nodeText(*node)) + "`, a " + node->op_type() +
                          ", has its channels on another axis");
        if (isLayer(*node))
            return intoLayer(made, *node, part);
        if (isAnyOf(*node, {"BatchNormalization", "LayerNormalization"}))
            return into(made, *node, {1, 2}, part, 0);
        if (isAnyOf(*node, {"Mul", "Div", "Add", "Sub", "Max", "Min"}) && node->input_size() == 2)
            return throughPair(made, *node, part, depth);
        if (isOp(*node, "Clip"))
            return throughClip(made, *node, part, depth);
        if (isOp(*node, "Concat"))
            return throughConcat(made, *node, part, depth);
        if (isAnyOf(*node,
                    {"Relu", "LeakyRelu", "PRelu", "MaxPool", "AveragePool", "GlobalAveragePool",
                     "GlobalMaxPool", "Resize", "Identity", "Dropout"}) ||
            (isOp(*node, "Pad") && padsWithZero(made, *node)))
            return through(made, *node, 0, part, depth);
        return noFold("`" + std::string(nodeText(*node)) + "`, a " + node->op_type() +
                      ", does not keep factors");
    }

    [[nodiscard]] bool hasOtherChannels(const ::onnx::NodeProto& node) const
    {
        return m_areLast
                   ? isAnyOf(node, {"Conv", "ConvTranspose", "BatchNormalization", "MaxPool",
                                    "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "Resize"})
                   : isAnyOf(node, {"MatMul", "Gemm", "LayerNormalization"});
    }

    [[nodiscard]] std::optional<std::size_t> inputOf(const IndexedTensor& made,
                                                     const ::onnx::NodeProto& node, int input) const
    {
        return input < node.input_size() ? m_index.find(made.graph, node.input(input))
                                         : std::nullopt;
    }

    [[nodiscard]] bool isConstant(std::optional<std::size_t> tensor) const
    {
        return tensor && m_constants.find(*tensor) != nullptr;
    }

    [[nodiscard]] bool padsWithZero(const IndexedTensor& made, const ::onnx::NodeProto& node) const
    {
        if (textAttribute(node, "mode", "constant") != "constant")
            return true;
        const auto value = inputOf(made, node, 2);
        return !value || (isConstant(value) &&
                          std::ranges::all_of(m_constants.values(*value),
                                              [](float number) { return number == 0.0F; }));
    }

    /// Adds a constant of the node that made it; says why it can't take factors.
    [[nodiscard]] std::string add(Fold& fold, const IndexedTensor& made,
                                  const ::onnx::NodeProto& node, int input,
                                  const FoldTarget& kind) const
    {
        const std::string& name = node.input(input);
        const auto tensor = inputOf(made, node, input);
        if (!isConstant(tensor))
            return "`" + name + "` is computed at run time";
        const GraphTensor& constant = *m_constants.find(*tensor);
        if (constant.elementType != ElementKind::Float32)
            return "`" + name + "` is not float32";
        const std::size_t rank = constant.shape.size();
        const std::uint64_t channels =
            rank > kind.behind ? constant.shape[rank - 1 - kind.behind] : 1;
        const bool isWeight = kind.kind == FoldTarget::Kind::Weight;
        if (channels != kind.part.count && (isWeight || channels != 1))
            return "`" + name + "` has " + std::to_string(channels) + " channels, not " +
                   std::to_string(kind.part.count);
        if (isWeight && m_index.tensors()[*tensor].uses.size() != 1)
            return "`" + name + "` is taken by others, too";
        fold.constants.push_back(name);
        fold.targets.push_back(kind);
        fold.targets.back().use = {.graph = made.graph, .node = *made.producer, .input = input};
        fold.targets.back().constant = *tensor;
        return {};
    }

    /// Those inputs that there are, all of them constants.
    [[nodiscard]] Fold into(const IndexedTensor& made, const ::onnx::NodeProto& node,
                            std::initializer_list<int> inputs, const ChannelPart& part,
                            std::size_t behind) const
    {
        if (made.output != 0)
            return noFold("`" + made.name + "` is not the first output of its operator");
        Fold fold;
        for (const int input : inputs) {
            if (input >= node.input_size() || node.input(input).empty())
                continue;
            const bool isDivisor = isOp(node, "Div");
            const std::string why =
                add(fold, made, node, input,
                    {.kind = isDivisor ? FoldTarget::Kind::Divisor : FoldTarget::Kind::Factor,
                     .use = {},
                     .behind = behind,
                     .part = part});
            if (!why.empty())
                return noFold(why);
        }
        return fold;
    }

    [[nodiscard]] Fold intoLayer(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                 const ChannelPart& part) const
    {
        const auto weight = inputOf(made, node, 1);
        if (!isConstant(weight))
            return noFold(isOp(node, "MatMul") ? "`" + made.name +
                                                     "` is a product of two activations, or of a "
                                                     "weight in front"
                                               : "`" + node.input(1) + "` is computed at run time");
        if (isOp(node, "ConvTranspose") && intAttribute(node, "group", 1) != 1)
            return noFold("`" + std::string(nodeText(node)) + "` is a ConvTranspose of groups");
        const std::size_t rank = m_constants.find(*weight)->shape.size();
        const auto axis = channelAxisAt(node, 1, rank);
        if (!axis)
            return noFold("`" + node.input(1) + "` is a vector");
        Fold fold;
        const std::string why = add(fold, made, node, 1,
                                    {.kind = FoldTarget::Kind::Weight,
                                     .use = {},
                                     .behind = rank - 1 - static_cast<std::size_t>(*axis),
                                     .part = part});
        if (!why.empty())
            return noFold(why);
        if (isOp(node, "MatMul"))
            return fold;
        Fold bias = into(made, node, {2}, part, 0);
        if (!bias.whyNot.empty())
            return bias;
        join(fold, std::move(bias));
        return fold;
    }

    /// On with an input that nobody else takes.
    [[nodiscard]] Fold through(const IndexedTensor& made, const ::onnx::NodeProto& node, int input,
                               const ChannelPart& part, int depth) const
    {
        const auto before = inputOf(made, node, input);
        if (!before)
            return noFold("`" + std::string(nodeText(node)) + "` has no input");
        if (isOp(node, "Resize") && floatAttribute(node, "extrapolation_value", 0.0F) != 0.0F)
            return noFold("`" + std::string(nodeText(node)) + "` extrapolates with a number");
        const IndexedTensor& taken = m_index.tensors()[*before];
        if (taken.isGraphOutput || taken.uses.size() != 1)
            return noFold("`" + taken.name + "` is taken by others, too");
        return above(*before, part, depth + 1);
    }

    [[nodiscard]] Fold throughPair(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                   const ChannelPart& part, int depth) const
    {
        const bool isFirst = isConstant(inputOf(made, node, 0));
        if (!isFirst && !isConstant(inputOf(made, node, 1)))
            return throughActivations(made, node, part, depth);
        const int constant = isFirst ? 0 : 1;
        if (isFirst && isOp(node, "Div"))
            return throughInverse(made, node, part);
        Fold fold = into(made, node, {constant}, part, m_behind);
        if (isOp(node, "Mul") || isOp(node, "Div") || !fold.whyNot.empty())
            return fold;
        Fold before = through(made, node, 1 - constant, part, depth);
        if (!before.whyNot.empty())
            return before;
        join(fold, std::move(before));
        return fold;
    }

    /// A constant divided by an activation: it takes what a factor does.
    [[nodiscard]] Fold throughInverse(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                      const ChannelPart& part) const
    {
        Fold fold = into(made, node, {0}, part, m_behind);
        for (FoldTarget& target : fold.targets)
            target.kind = FoldTarget::Kind::Factor;
        return fold;
    }

    [[nodiscard]] Fold throughActivations(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                          const ChannelPart& part, int depth) const
    {
        if (isOp(node, "Add") || isOp(node, "Sub") || isOp(node, "Max") || isOp(node, "Min")) {
            Fold all = through(made, node, 0, part, depth);
            Fold second = all.whyNot.empty() ? through(made, node, 1, part, depth) : Fold{};
            if (!second.whyNot.empty())
                return second;
            join(all, std::move(second));
            return all;
        }
        Fold first = through(made, node, 0, part, depth);
        if (isOp(node, "Div"))
            return first;
        Fold second = through(made, node, 1, part, depth);
        if (!first.whyNot.empty())
            return second;
        const bool isSecondShorter =
            second.whyNot.empty() && second.constants.size() < first.constants.size();
        return isSecondShorter ? second : first;
    }

    /// Channels of a tensor, where its graph states its shape or constants on the way up tell.
    [[nodiscard]] std::optional<std::uint64_t> channelsOf(std::size_t tensor, int depth) const
    {
        const IndexedTensor& made = m_index.tensors()[tensor];
        const ::onnx::GraphProto& graph = *m_index.graphs()[made.graph].proto;
        for (const auto* infos : {&graph.value_info(), &graph.input()})
            for (const ::onnx::ValueInfoProto& info : *infos) {
                const auto& dims = info.type().tensor_type().shape().dim();
                const int axis = m_areLast ? dims.size() - 1 : 1;
                if (info.name() == made.name && axis >= 0 && axis < dims.size() &&
                    dims[axis].dim_value() > 0)
                    return static_cast<std::uint64_t>(dims[axis].dim_value());
            }
        constexpr int mostNodes = 64;
        const ::onnx::NodeProto* node = m_index.producer(made);
        if (node == nullptr || depth > mostNodes)
            return std::nullopt;
        const auto shapeAt = [&](int input) -> std::vector<std::uint64_t> {
            const auto constant = inputOf(made, *node, input);
            return isConstant(constant) ? m_constants.find(*constant)->shape
                                        : std::vector<std::uint64_t>{};
        };
        const std::vector<std::uint64_t> shape = shapeAt(1);
        if (isLayer(*node)) {
            const auto axis = shape.empty() ? std::nullopt : channelAxisAt(*node, 1, shape.size());
            return axis ? std::optional(shape[static_cast<std::size_t>(*axis)]) : std::nullopt;
        }
        if (isAnyOf(*node, {"BatchNormalization", "LayerNormalization"}) && !shape.empty())
            return shape.back();
        const auto before = inputOf(made, *node, isConstant(inputOf(made, *node, 0)) ? 1 : 0);
        return before && !isAnyOf(*node, {"Concat", "Reshape", "Transpose", "Slice", "Gather"})
                   ? channelsOf(*before, depth + 1)
                   : std::nullopt;
    }

    [[nodiscard]] Fold throughConcat(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                     const ChannelPart& part, int depth) const
    {
        const std::int64_t axis = intAttribute(node, "axis", 1);
        const auto rank = static_cast<std::int64_t>(m_behind) + 2;
        if (m_areLast && axis != -1)
            return noFold("`" + std::string(nodeText(node)) + "` joins along another axis");
        const bool joinsChannels = m_areLast || axis == 1 || axis + rank == 1;
        std::vector<std::optional<std::uint64_t>> counts;
        std::uint64_t known = 0;
        for (int input = 0; joinsChannels && input < node.input_size(); ++input) {
            const auto before = inputOf(made, node, input);
            counts.push_back(before ? channelsOf(*before, depth) : std::nullopt);
            known += counts.back().value_or(0);
        }
        const auto unknown = std::ranges::count_if(
            counts, [](const std::optional<std::uint64_t>& count) { return !count; });
        if (joinsChannels &&
            (unknown > 1 || known > part.count || (unknown == 0 && known != part.count)))
            return noFold("the channels of what `" + std::string(nodeText(node)) +
                          "` joins are not known");
        Fold all;
        ChannelPart next = part;
        for (int input = 0; input < node.input_size(); ++input) {
            if (joinsChannels)
                next.count = counts[static_cast<std::size_t>(input)].value_or(part.count - known);
            Fold one = through(made, node, input, next, depth);
            if (!one.whyNot.empty())
                return one;
            join(all, std::move(one));
            next.first += joinsChannels ? next.count : 0;
        }
        return all;
    }

    [[nodiscard]] Fold throughClip(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                   const ChannelPart& part, int depth) const
    {
        Fold fold;
        for (const int input : {1, 2}) {
            if (input >= node.input_size() || node.input(input).empty())
                continue;
            const auto bound = inputOf(made, node, input);
            if (isConstant(bound) && m_constants.values(*bound).front() == 0.0F)
                continue;
            const std::string why =
                add(fold, made, node, input,
                    {.kind = FoldTarget::Kind::Bound, .use = {}, .behind = m_behind, .part = part});
            if (!why.empty())
                return noFold(why);
        }
        Fold before = through(made, node, 0, part, depth);
        if (!before.whyNot.empty())
            return before;
        join(fold, std::move(before));
        return fold;
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    bool m_areLast;
    std::size_t m_behind;
};

/// How the layer that takes an activation has its channels.
FactoredInput inputOfLayer(const GraphIndex& index, const IndexedConstants& constants,
                           const TensorUse& use)
{
    const ::onnx::NodeProto& node = index.node(use);
    const auto weight = node.input_size() > 1 ? index.find(use.graph, node.input(1)) : std::nullopt;
    const GraphTensor* constant = weight ? constants.find(*weight) : nullptr;
    const std::string text = "`" + std::string(nodeText(node)) + "`, a " + node.op_type();
    if (use.input != 0 || constant == nullptr)
        return {.whyNot = text + ", does not multiply it by a constant weight"};
    if (constant->elementType != ElementKind::Float32 || constant->shape.size() < 2)
        return {.whyNot = text + ", has no weight of float32"};
    if (index.tensors()[*weight].uses.size() != 1)
        return {.whyNot = "`" + node.input(1) + "`, its weight, is taken by others, too"};
    if (isOp(node, "Gemm") && intAttribute(node, "transA", 0) != 0)
        return {.whyNot = text + ", transposes it"};
    const std::vector<std::uint64_t>& shape = constant->shape;
    const std::size_t rank = shape.size();
    const auto groups = static_cast<std::uint64_t>(intAttribute(node, "group", 1));
    if (isOp(node, "Conv"))
        return {.whyNot = {}, .areLast = false, .behind = rank - 2, .count = shape[1] * groups};
    if (isOp(node, "ConvTranspose"))
        return {.whyNot = {}, .areLast = false, .behind = rank - 2, .count = shape[0]};
    const bool isTransposed = isOp(node, "Gemm") && intAttribute(node, "transB", 0) != 0;
    return {.whyNot = {},
            .areLast = true,
            .behind = 0,
            .count = shape[isTransposed ? rank - 1 : rank - 2]};
}

}  // namespace

Fold foldOf(const GraphIndex& index, const IndexedConstants& constants, std::size_t tensor,
            bool takesMul)
{
    const IndexedTensor& activation = index.tensors()[tensor];
    if (activation.isGraphOutput)
        return noFold("`" + activation.name + "` is an output of the graph");
    const auto areLast = [&](const TensorUse& use) {
        return isAnyOf(index.node(use), {"MatMul", "Gemm"});
    };
    const bool areAllLast = std::ranges::all_of(activation.uses, areLast);
    if (!areAllLast && std::ranges::any_of(activation.uses, areLast))
        return noFold("`" + activation.name + "` has its channels on two axes");
    for (const TensorUse& use : activation.uses) {
        const ::onnx::NodeProto& node = index.node(use);
        if (!isOperand(node, use.input))
            return noFold("`" + std::string(nodeText(node)) + "`, a " + node.op_type() +
                          ", takes it, too");
    }
    if (activation.uses.size() != 1)
        return noFold("`" + activation.name + "` is multiplied by " +
                      std::to_string(activation.uses.size()) + " layers");
    const FactoredInput input = inputOfLayer(index, constants, activation.uses.front());
    if (!input.whyNot.empty())
        return noFold(input.whyNot);
    const ChannelPart part{.first = 0, .count = input.count};
    Fold fold = FoldSearch(index, constants, input).above(tensor, part, 0);
    if (fold.whyNot.empty() || !takesMul || !activation.producer)
        return fold;
    return {.targets = {{.kind = FoldTarget::Kind::Mul,
                         .use = activation.uses.front(),
                         .constant = tensor,
                         .behind = input.behind,
                         .part = part}},
            .tensors = {{.tensor = tensor, .part = part}}};
}

struct ModelFolds::Lifted
{
    explicit Lifted(const ModelFile& model)
        : proto(lifted(model)), index(proto), constants(index, proto, model.path())
    {}

    static ::onnx::ModelProto lifted(const ModelFile& model)
    {
        ::onnx::ModelProto proto = model.proto();
        lift(proto, model.path());
        return proto;
    }

    ::onnx::ModelProto proto;
    GraphIndex index;
    IndexedConstants constants;
};

ModelFolds::ModelFolds(const ModelFile& model) : m_lifted(std::make_unique<const Lifted>(model)) {}
ModelFolds::~ModelFolds() = default;

Fold ModelFolds::of(const std::string& name, bool takesMul) const
{
    for (std::size_t graph = 0; graph < m_lifted->index.graphs().size(); ++graph)
        if (const auto found = m_lifted->index.findIn(graph, name))
            return foldOf(m_lifted->index, m_lifted->constants, *found, takesMul);
    return noFold("it is not in the graph");
}

std::string foldText(const Fold& fold)
{
    if (!fold.whyNot.empty())
        return "no fold: " + fold.whyNot;
    if (fold.isMul())
        return "a Mul in front";
    std::string text = "fold into `" + fold.constants.front() + "`";
    if (fold.constants.size() > 1)
        text += " and " + std::to_string(fold.constants.size() - 1) + " more";
    return text;
}

}  // namespace calibscope::model
