// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_object.h"
#include "core/quant/tensor_quantization.h"

/// Scales of a tensor in files of JSON.
namespace calibscope::deploy {

/// An object of "low", "high" (the levels), "axis" and "group" where it has them, and "scales", a
/// list of objects of "scale" and "zero_point". Requires integers and whole zero points.
[[nodiscard]] nlohmann::json quantizationJson(const TensorQuantization& quantization);
/// The members of such an object; others are left alone. Throws Error(Input) for levels, scales and
/// zero points that no integers have.
[[nodiscard]] TensorQuantization quantizationFrom(const JsonObject& object);

}  // namespace calibscope::deploy
