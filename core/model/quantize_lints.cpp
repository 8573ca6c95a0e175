// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quantize_lints.h"

#include "core/base/number_text.h"
#include "core/model/layer_rules.h"
#include "core/model/node_attributes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <string_view>

namespace calibscope::model {

namespace {

constexpr double clippedShareError = 0.1;
constexpr double clippedShareWarning = 1e-3;
constexpr std::uint64_t fewSamples = 8;

/// Why the scales can't be written at all; empty: they can.
std::string unusableScale(const TensorQuantization& given)
{
    if (given.scales.empty() || given.scales.size() != given.zeroPoints.size() ||
        (!given.axis && given.scales.size() != 1))
        return "its scales, zero points and axis do not agree";
    for (const float scale : given.scales)
        if (!isUsableScale(scale))
            return "its scale is " + numberText(static_cast<double>(scale)) +
                   ", which is not above 0 and finite";
    const int end = 1 << (std::max(given.format.bits(), 8) - 1);
    if (given.format.low() < -32768 || given.format.high() > 32767 ||
        std::ranges::any_of(given.zeroPoints, [end](double z) { return z < -end || z >= end; }))
        return "its levels are not within int16, or its zero point is none of its integers";
    return {};
}

/// Why a kernel does not take such an activation; empty: it does.
std::string refusedActivation(const TensorScales& scales, const QuantizeOptions& options)
{
    if (scales.quantization.axis && !options.allowsChannelActivations)
        return "has a scale for each channel; kernels take one for an activation "
               "(--allow-channel-activations writes it)";
    if (!scales.roundsHalfEven)
        return "does not round half to even, as QuantizeLinear does";
    const int bits = scales.quantization.format.bits();
    if (bits != 4 && bits != 8 && bits != 16)
        return "has " + std::to_string(bits) + " bits; QuantizeLinear gives 4, 8 or 16";
    return {};
}

void lintSamples(const TensorScales& scales, Findings& lints)
{
    if (scales.clippedShare > clippedShareWarning) {
        const bool isMuch = scales.clippedShare > clippedShareError;
        lints.push_back(findingOn(
            scales.tensor, isMuch ? FindingLevel::Error : FindingLevel::Warning, "clipped-share",
            numberText(std::round(scales.clippedShare * 1e4) / 1e2) +
                " % of its recorded values are clipped"));
    }
    if (scales.samples > 0 && scales.samples < fewSamples)
        lints.push_back(
            findingOn(scales.tensor, FindingLevel::Warning, "few-samples",
                      "recorded from " + countText(scales.samples, "sample", "samples") + " only"));
}

/// Looks at the layers of a model, one by one.
class LayerLints
{
public:
    LayerLints(const GraphIndex& index, const IndexedConstants& constants, const PairPlan& pairs,
               const std::vector<IntegerWeight>& weights, const FloatLayers& floats,
               Findings& lints)
        : m_index(index), m_constants(constants), m_pairs(pairs), m_floats(floats), m_lints(lints)
    {
        for (const IntegerWeight& weight : weights)
            m_weightUses.insert(weight.uses.begin(), weight.uses.end());
    }

    void lintAll()
    {
        for (std::size_t graph = 0; graph < m_index.graphs().size(); ++graph)
            for (int node = 0; node < m_index.graphs()[graph].proto->node_size(); ++node)
                if (m_floats.contains(graph, node)) {
                    m_lints.push_back(findingOn(m_index.node(graph, node).output(0),
                                                FindingLevel::Note, "chosen-float",
                                                "its layer stays float, as was chosen"));
                } else if (isLayer(m_index.node(graph, node))) {
                    lintOperands({.graph = graph, .node = node, .input = 0});
                    lintNormalization({.graph = graph, .node = node, .input = 1});
                }
    }

private:
    void lintNormalization(const TensorUse& weight)
    {
        const ::onnx::NodeProto& node = m_index.node(weight);
        const bool isConvolution = isOp(node, "Conv") || isOp(node, "ConvTranspose");
        const auto output = m_index.find(weight.graph, node.output(0));
        if (!isConvolution || !output || !m_weightUses.contains(weight))
            return;
        const bool isFolded =
            std::ranges::any_of(m_index.tensors()[*output].uses, [&](const TensorUse& use) {
                return isOp(m_index.node(use), "BatchNormalization");
            });
        if (!isFolded)
            return;
        const IndexedTensor& tensor =
            m_index.tensors()[m_index.find(weight.graph, node.input(1)).value_or(*output)];
        m_lints.push_back(findingOn(
            tensor.name, FindingLevel::Warning, "batch-normalization",
            "`" + std::string(nodeText(node)) +
                "` is followed by BatchNormalization, which a runtime folds into the weight, and "
                "the recorded scales are of the unfolded one: fold it, then record again"));
    }

    void lintOperands(TensorUse use)
    {
        for (use.input = 0; use.input < 2; ++use.input) {
            const ::onnx::NodeProto& node = m_index.node(use);
            const auto tensor = use.input < node.input_size()
                                    ? m_index.find(use.graph, node.input(use.input))
                                    : std::nullopt;
            if (!tensor || m_weightUses.contains(use) || m_pairs.arriving(m_index, use) != nullptr)
                continue;
            const IndexedTensor& operand = m_index.tensors()[*tensor];
            const bool isWeight = m_constants.find(*tensor) != nullptr;
            m_lints.push_back(findingOn(operand.name, FindingLevel::Warning, "float-layer",
                                        std::string("no decision is written for this ") +
                                            (isWeight ? "weight" : "input") + " of `" +
                                            std::string(nodeText(node)) + "`, a " + node.op_type() +
                                            ", which stays float"));
        }
    }

    const GraphIndex& m_index;
    const IndexedConstants& m_constants;
    const PairPlan& m_pairs;
    const FloatLayers& m_floats;
    Findings& m_lints;
    std::set<TensorUse> m_weightUses;
};

void lintTensorRt(const GraphIndex& index, const PairPlan& pairs,
                  const std::vector<IntegerWeight>& weights, const QuantizeOptions& options,
                  Findings& lints)
{
    const auto tell = [&](std::size_t tensor, const std::string& text) {
        lints.push_back(
            findingOn(index.tensors()[tensor].name, FindingLevel::Error, "target", text));
    };
    const int shift = options.activations == ActivationIntegers::UInt8 ? 128 : 0;
    const auto isShifted = [&](double zero) { return zero + shift != 0; };
    for (const PlannedPair& pair : pairs.pairs) {
        if (std::ranges::any_of(pair.scales.quantization.zeroPoints, isShifted))
            tell(pair.tensor, "TensorRT takes no zero point other than 0, in int8");
        if (pair.scales.quantization.format.bits() != 8)
            tell(pair.tensor, "TensorRT takes activations of 8 bits alone");
    }
    for (const IntegerWeight& weight : weights) {
        if (std::ranges::any_of(weight.scales.quantization.zeroPoints,
                                [](double zero) { return zero != 0.0; }))
            tell(weight.tensor, "TensorRT takes no zero point other than 0");
        if (weight.scales.quantization.format.bits() > 8)
            tell(weight.tensor, "TensorRT takes no integers of 16 bits");
        if (std::ranges::find(weight.integers, std::int16_t{-128}) != weight.integers.end())
            tell(weight.tensor,
                 "TensorRT takes no weight at -128; choose a restricted symmetric scheme");
    }
    if (options.biases == BiasStorage::Int32)
        lints.push_back({.id = "target",
                         .level = FindingLevel::Error,
                         .subject = {},
                         .text = "TensorRT takes no int32 biases; leave them float"});
}

/// The first of its level, since it can cost 20 dB and more: what speaks against full 8-bit weights on a
/// processor that nobody knows, or what keeping clear of it costs.
void lintSaturation(const std::vector<IntegerWeight>& weights, const QuantizeOptions& options,
                    Findings& lints)
{
    constexpr int safe = 63;
    const auto has = [](int bits) {
        return [bits](const IntegerWeight& weight) {
            return weight.scales.quantization.format.bits() == bits;
        };
    };
    const auto lint = [&](FindingLevel level, const std::string& text) {
        const auto isNoGraver = [&](const Finding& other) { return other.level <= level; };
        lints.insert(std::ranges::find_if(lints, isNoGraver),
                     {.id = "saturation",
                      .level = level,
                      .subject = {},
                      .text = "x86 processors without VNNI add products of 8-bit weights in 16 "
                              "bits, which saturate: " +
                              text});
    };
    if (std::ranges::any_of(weights, has(8)))
        lint(FindingLevel::Warning, "write --weights-to 63, or set the session option "
                                    "session.x64quantprecision to 1");
    else if (options.mostWeightLevel <= safe && std::ranges::any_of(weights, has(7)))
        lint(FindingLevel::Note, "levels of weights end at 63; where every processor has VNNI, "
                                 "--weights-to 127 is a bit more precise");
}

}  // namespace

bool isWritable(const TensorScales& scales, const QuantizeOptions& options, Findings& lints)
{
    const auto refuse = [&](std::string_view rule, const std::string& text) {
        lints.push_back(findingOn(scales.tensor, FindingLevel::Error, rule, text));
        return false;
    };
    if (const std::string reason = unusableScale(scales.quantization); !reason.empty())
        return refuse("scale", "not written: " + reason);
    if (scales.quantization.roundsWithZeroPoint)
        return refuse(
            "scheme",
            "not written: its zero point is not an integer (affine-real), and integers need "
            "one");
    if (scales.isWeight)
        return true;
    if (const std::string reason = refusedActivation(scales, options); !reason.empty())
        return refuse("scheme", "not written: `" + scales.tensor + "` " + reason);
    if (const int low = scales.quantization.format.low(); low == -scales.quantization.format.high())
        lints.push_back(findingOn(scales.tensor, FindingLevel::Note, "restricted",
                                  "QuantizeLinear goes down to " + std::to_string(low - 1) +
                                      ", so that values below " + std::to_string(low) +
                                      ".5 scales get one more level than decided"));
    lintSamples(scales, lints);
    return true;
}

void lintPlan(const GraphIndex& index, const IndexedConstants& constants, const PairPlan& pairs,
              const std::vector<IntegerWeight>& weights, const FloatLayers& floats,
              const QuantizeOptions& options, Findings& lints)
{
    LayerLints(index, constants, pairs, weights, floats, lints).lintAll();
    if (options.target == TargetRuntime::TensorRt)
        lintTensorRt(index, pairs, weights, options, lints);
    else
        lintSaturation(weights, options, lints);
}

}  // namespace calibscope::model
