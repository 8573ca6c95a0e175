// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::model {

/// Scales of a draw are from 1 to below this times the decided ones: a difference that nobody would
/// call another choice, while every rounding comes out anew.
constexpr double mostDrawnFactor = 1.003;

/// The factors of a tensor's scales in a draw: the numbers of SplitMix64, whose state begins with
/// the FNV-1a of 64 bits of the tensor's name, a line feed and the draw's number in decimal; the
/// uppermost 53 bits of each, as a share of 1, are spread over 1 to mostDrawnFactor. They follow
/// from name and number alone, on any machine.
[[nodiscard]] std::vector<double> drawnFactors(std::string_view tensor, std::uint64_t draw,
                                               std::size_t count);

/// A quantized model with other rounding errors.
struct DrawnModel
{
    std::string bytes;          ///< of a file that needs no other
    std::size_t scales = 0;     ///< constants whose scales were multiplied
    std::size_t unchanged = 0;  ///< constants of scales that could not be
};

/// The quantized model with each scale of its pairs and weights, in all graphs, multiplied by a
/// factor of its own (drawnFactors() by the float tensor's name), in float32. Both ends of a pair
/// have the same factors. Integers of a weight are computed anew from the recorded model's values,
/// up to the outermost integers that each channel has. Unchanged are scales
/// - that are not a stored constant of float32, or that anything but QuantizeLinear and
///   DequantizeLinear of up to 16 bits takes, as the scales of biases;
/// - of weights that the recorded model does not hold, or whose integers are not its values rounded
///   to the nearest (by AdaRound, for example): to round these again would be another choice.
/// Throws Error(Input) as probedModel().
[[nodiscard]] DrawnModel drawnModel(const ModelFile& quantized, const ModelFile& recorded,
                                    std::uint64_t draw);

}  // namespace calibscope::model
