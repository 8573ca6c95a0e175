// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/quantize_options.h"
#include "core/model/tensor_scales.h"

#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

namespace calibscope::test {

/// A single graph with decisions for it: one of the odd things that a model can have. Two tests
/// share them: ours, and a reader in Python (tests/model/read_quantized.py).
struct QuantizeCase
{
    std::string name;
    ::onnx::ModelProto model;
    std::vector<model::TensorScales> scales;
    model::QuantizeOptions options = {};
};

[[nodiscard]] std::vector<QuantizeCase> quantizeCases();
/// The one of that name.
[[nodiscard]] QuantizeCase quantizeCase(const std::string& name);

}  // namespace calibscope::test
