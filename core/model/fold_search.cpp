// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fold_search.h"

#include "core/model/layer_rules.h"
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
    return {.constants = {}, .whyNot = std::move(why)};
}

class FoldSearch
{
public:
    /// Channels are the last axis, or the second one.
    FoldSearch(const GraphIndex& index, const IndexedConstants& constants, bool areLast)
        : m_index(index), m_constants(constants), m_areLast(areLast)
    {}

    [[nodiscard]] Fold above(std::size_t tensor, int depth) const
    {
        constexpr int mostNodes = 64;
        const IndexedTensor& made = m_index.tensors()[tensor];
        const ::onnx::NodeProto* node = m_index.producer(made);
        if (node == nullptr)
            return noFold("`" + made.name + "` is an input of the graph");
        if (depth > mostNodes)
            return noFold("no constant within " + std::to_string(mostNodes) + " operators");
        if (hasOtherChannels(*node))
            return noFold("`" + std::string(nodeText(*node)) + "`, a " + node->op_type() +
                          ", has its channels on another axis");
        if (isLayer(*node))
            return intoLayer(made, *node);
        if (isAnyOf(*node, {"BatchNormalization", "LayerNormalization"}))
            return into(made, *node, {1, 2});
        if (isAnyOf(*node, {"Mul", "Div", "Add", "Sub", "Max", "Min"}) && node->input_size() == 2)
            return throughPair(made, *node, depth);
        if (isOp(*node, "Clip"))
            return throughClip(made, *node, depth);
        if (isOp(*node, "Concat"))
            return throughAll(made, *node, depth);
        if (isAnyOf(*node,
                    {"Relu", "LeakyRelu", "PRelu", "MaxPool", "AveragePool", "GlobalAveragePool",
                     "GlobalMaxPool", "Resize", "Identity", "Dropout"}) ||
            (isOp(*node, "Pad") && padsWithZero(made, *node)))
            return through(made, *node, 0, depth);
        return noFold("`" + std::string(nodeText(*node)) + "`, a " + node->op_type() +
                      ", does not keep factors");
    }

private:
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

    /// Those inputs that there are, all of them constants.
    [[nodiscard]] Fold into(const IndexedTensor& made, const ::onnx::NodeProto& node,
                            std::initializer_list<int> inputs) const
    {
        Fold fold;
        for (const int input : inputs) {
            if (input >= node.input_size() || node.input(input).empty())
                continue;
            if (!isConstant(inputOf(made, node, input)))
                return noFold("`" + node.input(input) + "` is computed at run time");
            fold.constants.push_back(node.input(input));
        }
        return fold;
    }

    [[nodiscard]] Fold intoLayer(const IndexedTensor& made, const ::onnx::NodeProto& node) const
    {
        if (isOp(node, "MatMul"))
            return isConstant(inputOf(made, node, 1))
                       ? into(made, node, {1})
                       : noFold("`" + made.name +
                                "` is a product of two activations, or of a "
                                "weight in front");
        return into(made, node, {1, 2});
    }

    /// On with an input that nobody else takes.
    [[nodiscard]] Fold through(const IndexedTensor& made, const ::onnx::NodeProto& node, int input,
                               int depth) const
    {
        const auto before = inputOf(made, node, input);
        if (!before)
            return noFold("`" + std::string(nodeText(node)) + "` has no input");
        const IndexedTensor& taken = m_index.tensors()[*before];
        if (taken.isGraphOutput || taken.uses.size() != 1)
            return noFold("`" + taken.name + "` is taken by others, too");
        return above(*before, depth + 1);
    }

    [[nodiscard]] Fold throughPair(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                   int depth) const
    {
        const bool isFirst = isConstant(inputOf(made, node, 0));
        if (!isFirst && !isConstant(inputOf(made, node, 1)))
            return throughActivations(made, node, depth);
        const int constant = isFirst ? 0 : 1;
        if (isOp(node, "Mul") || isOp(node, "Div"))
            return into(made, node, {constant});
        Fold fold = through(made, node, 1 - constant, depth);
        if (fold.whyNot.empty())
            fold.constants.insert(fold.constants.begin(), node.input(constant));
        return fold;
    }

    [[nodiscard]] Fold throughActivations(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                          int depth) const
    {
        if (isOp(node, "Add") || isOp(node, "Sub") || isOp(node, "Max") || isOp(node, "Min"))
            return throughAll(made, node, depth);
        Fold first = through(made, node, 0, depth);
        if (isOp(node, "Div"))
            return first;
        Fold second = through(made, node, 1, depth);
        if (!first.whyNot.empty())
            return second;
        const bool isSecondShorter =
            second.whyNot.empty() && second.constants.size() < first.constants.size();
        return isSecondShorter ? second : first;
    }

    [[nodiscard]] Fold throughAll(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                  int depth) const
    {
        Fold all;
        for (int input = 0; input < node.input_size(); ++input) {
            Fold one = through(made, node, input, depth);
            if (!one.whyNot.empty())
                return one;
            std::ranges::move(one.constants, std::back_inserter(all.constants));
        }
        return all;
    }

    [[nodiscard]] Fold throughClip(const IndexedTensor& made, const ::onnx::NodeProto& node,
                                   int depth) const
    {
        Fold fold = through(made, node, 0, depth);
        for (const int input : {2, 1}) {
            const bool isGiven = input < node.input_size() && !node.input(input).empty();
            if (!isGiven || !fold.whyNot.empty())
                continue;
            const auto bound = inputOf(made, node, input);
            if (!isConstant(bound))
                return noFold("`" + node.input(input) + "` is computed at run time");
            if (m_constants.values(*bound).front() != 0.0F)
                fold.constants.insert(fold.constants.begin(), node.input(input));
        }
        return fold;
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    bool m_areLast;
};

}  // namespace

Fold foldOf(const GraphIndex& index, const IndexedConstants& constants, std::size_t tensor)
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
    return FoldSearch(index, constants, areAllLast).above(tensor, 0);
}

std::string foldText(const Fold& fold)
{
    if (!fold.whyNot.empty())
        return "no fold: " + fold.whyNot;
    std::string text = "fold into `" + fold.constants.front() + "`";
    if (fold.constants.size() > 1)
        text += " and " + std::to_string(fold.constants.size() - 1) + " more";
    return text;
}

}  // namespace calibscope::model
