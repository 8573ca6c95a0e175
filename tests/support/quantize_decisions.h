// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/onnx_graph.h"
#include "tests/support/quantize_cases.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::test {

using model::ActivationIntegers;
using model::BiasStorage;
using model::PairPlaces;
using model::QuantizeOptions;
using model::TensorScales;

inline TensorScales activation(const std::string& name, float scale, int zeroPoint = 0,
                               const std::string& scope = {})
{
    TensorScales scales;
    scales.tensor = name;
    scales.scope = scope;
    scales.dumpName = name;
    scales.quantization.scales = {scale};
    scales.quantization.zeroPoints = {static_cast<double>(zeroPoint)};
    scales.scheme = zeroPoint == 0 ? "symmetric-full" : "affine";
    return scales;
}

inline TensorScales restricted(TensorScales scales)
{
    scales.quantization.format = NumberFormat::integers(-127, 127);
    scales.scheme = "symmetric-restricted";
    return scales;
}

/// A weight's scales: the largest magnitude of each channel by 127.
inline TensorScales weightScales(const std::string& name, const OnnxGraph::Dims& dims,
                                 std::optional<int> axis, const std::string& scope = {})
{
    TensorScales scales = restricted(activation(name, 1.0F, 0, scope));
    scales.isWeight = true;
    scales.quantization.axis = axis;
    const std::vector<float> values = OnnxGraph::values(dims);
    const auto channels =
        axis ? static_cast<std::size_t>(dims[static_cast<std::size_t>(*axis)]) : std::size_t{1};
    std::size_t inner = values.size();
    if (axis) {
        inner = 1;
        for (std::size_t i = static_cast<std::size_t>(*axis) + 1; i < dims.size(); ++i)
            inner *= static_cast<std::size_t>(dims[i]);
    }
    scales.quantization.scales.assign(channels, 0.0F);
    scales.quantization.zeroPoints.assign(channels, 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        float& most = scales.quantization.scales[i / inner % channels];
        most = std::max(most, std::abs(values[i]));
    }
    for (float& scale : scales.quantization.scales)
        scale /= 127.0F;
    return scales;
}

inline QuantizeOptions placedAt(PairPlaces places)
{
    QuantizeOptions options;
    options.places = places;
    return options;
}

inline const OnnxGraph::Dims convDims{3, 2, 2, 2};

/// x -> Conv with w and b -> y, which is the output.
inline OnnxGraph convGraph()
{
    return OnnxGraph()
        .input("x", {1, 2, 5, 5})
        .weight("w", convDims)
        .floats("b", {3}, {0.25F, -0.5F, 1.0F})
        .node("Conv", {"x", "w", "b"}, {"y"})
        .output("y", {1, 3, 4, 4});
}

inline std::vector<TensorScales> convScales()
{
    return {activation("x", 0.05F), weightScales("w", convDims, 0)};
}

inline std::vector<TensorScales> joined(std::vector<TensorScales> scales,
                                        const std::vector<TensorScales>& further)
{
    scales.insert(scales.end(), further.begin(), further.end());
    return scales;
}

/// Adds those with odd weights, inner graphs, and decisions that can't be written.
void addOddCases(std::vector<QuantizeCase>& cases);

}  // namespace calibscope::test
