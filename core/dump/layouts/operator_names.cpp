// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layouts/operator_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace calibscope::layouts {

namespace {

/// Of ONNX, as recorders write them: the longer ones, which are not one letter from each other.
constexpr std::array<std::string_view, 46> usual{"Attention",
                                                 "AveragePool",
                                                 "BatchNormalization",
                                                 "Bilinear",
                                                 "Clip",
                                                 "Concat",
                                                 "Conv",
                                                 "ConvTranspose",
                                                 "DepthToSpace",
                                                 "Dropout",
                                                 "EmbeddingBag",
                                                 "Flatten",
                                                 "Gather",
                                                 "Gemm",
                                                 "GlobalAveragePool",
                                                 "GlobalMaxPool",
                                                 "GroupNormalization",
                                                 "HardSigmoid",
                                                 "HardSwish",
                                                 "Identity",
                                                 "InstanceNormalization",
                                                 "LayerNormalization",
                                                 "LeakyRelu",
                                                 "LogSoftmax",
                                                 "LSTM",
                                                 "MatMul",
                                                 "MaxPool",
                                                 "Mish",
                                                 "RMSNormalization",
                                                 "ReduceMean",
                                                 "ReduceSum",
                                                 "Reshape",
                                                 "Resize",
                                                 "Sigmoid",
                                                 "Slice",
                                                 "Softmax",
                                                 "Softplus",
                                                 "Softsign",
                                                 "SpaceToDepth",
                                                 "Split",
                                                 "Squeeze",
                                                 "Swish",
                                                 "Tanh",
                                                 "Transpose",
                                                 "Unsqueeze",
                                                 "Upsample"};

/// Others, of ONNX and elsewhere, that are one letter from one of those or from each other.
constexpr std::array<std::string_view, 14> others{"Celu", "Flip",  "Gelu",  "Gemv",  "Less",
                                                  "Loss", "PRelu", "RRelu", "Relu",  "Relu6",
                                                  "Selu", "Silu",  "Slide", "Splice"};

bool isSameLetter(char a, char b)
{
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
}

std::size_t differingLetters(std::string_view a, std::string_view b)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < a.size(); ++at)
        count += isSameLetter(a[at], b[at]) ? 0U : 1U;
    return count;
}

}  // namespace

bool isOneLetterOff(std::string_view name, std::string_view other)
{
    return name.size() == other.size() && differingLetters(name, other) == 1;
}

std::string_view operatorMeant(std::string_view op)
{
    const auto isThis = [&](std::string_view name) {
        return name.size() == op.size() && differingLetters(name, op) == 0;
    };
    if (std::ranges::any_of(others, isThis) || std::ranges::any_of(usual, isThis))
        return {};
    const auto meant = std::ranges::find_if(
        usual, [&](std::string_view name) { return isOneLetterOff(name, op); });
    if (meant != usual.end())
        return *meant;
    constexpr std::string_view relu = "Relu";
    return isOneLetterOff(relu, op) ? relu : std::string_view();
}

}  // namespace calibscope::layouts
