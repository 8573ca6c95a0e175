// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The geometry of a layer (Conv, ConvTranspose, Gemm), spelled and valued as ONNX does. What is
/// absent has ONNX's default, but only if isRecorded(): else nothing is known of it.
struct OpGeometry
{
    std::vector<std::int64_t> kernelShape;
    std::vector<std::int64_t> strides;
    std::vector<std::int64_t> pads;  ///< all begins, then all ends
    std::vector<std::int64_t> dilations;
    std::vector<std::int64_t> outputPadding;
    std::vector<std::int64_t> outputShape;
    std::optional<std::int64_t> group = {};
    std::string autoPad;
    std::optional<std::int64_t> transA = {};
    std::optional<std::int64_t> transB = {};
    std::optional<double> alpha = {};
    std::optional<double> beta = {};

    /// Any of it was recorded.
    [[nodiscard]] bool isRecorded() const { return *this != OpGeometry{}; }
    bool operator==(const OpGeometry&) const = default;
};

}  // namespace calibscope
