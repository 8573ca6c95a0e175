// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/model/quantize_model.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::model {

/// Reads the integers of weights back from a quantized model: what its DequantizeLinear nodes make
/// of them must be the weight of `source` under the scales, or that of `changed` (by scope and name),
/// value for value, in float32. Throws Error(Output), a sentence with the weight's name, where it is
/// not.
void checkIntegers(
    const ::onnx::ModelProto& quantized, std::span<const IntegerTensor> weights,
    const ModelFile& source,
    const std::map<std::pair<std::string, std::string>, std::vector<float>>& changed = {});

}  // namespace calibscope::model
