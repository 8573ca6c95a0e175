// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_file.h"
#include "core/model/quantized_tensors.h"

#include <span>
#include <string>

namespace onnx {
class ModelProto;
}

namespace calibscope::model {

/// Puts what the model's graphs have in other files into it. `path` is the model's. Throws
/// Error(Input) where data can't be read.
void bringIn(::onnx::ModelProto& model, const std::string& path);
/// The model as the bytes of a file. Throws Error(Input) where they exceed the 2 GiB that one file
/// may have.
[[nodiscard]] std::string modelBytes(const ::onnx::ModelProto& model, const std::string& path);

/// The model with further outputs, to look into it while it runs, as the bytes of a file. Whatever
/// it kept in other files is inside, so that it can be read from any folder. Tensors that are
/// outputs already, or that the main graph does not have, are passed over; those that it has as integers
/// alone, as `inIntegers` tells, are made of these by a DequantizeLinear. Of tensors in `sized` an
/// output sizeName() gives the number of values. Throws Error(Input) where data can't be read, or
/// the whole exceeds the 2 GiB that one file may have.
[[nodiscard]] std::string probedModel(const ModelFile& model, std::span<const std::string> outputs,
                                      std::span<const QuantizedTensor> inIntegers = {},
                                      std::span<const std::string> sized = {});
/// The output that gives the number of a tensor's values.
[[nodiscard]] std::string sizeName(const std::string& tensor);

}  // namespace calibscope::model
