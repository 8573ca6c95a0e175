#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Layers' outputs from their operands, as values: what quantizing the operands does to them
/// (resources/docs/layers.md). No files, no names.
namespace calibscope::layers {

/// Scales of an operand as programs apply them (core/quant/integers.h): in float32, one for the
/// tensor or one for each index along an axis.
struct OperandScale
{
    std::vector<float> scales;       ///< finite, above 0
    std::vector<double> zeroPoints;  ///< as many
    std::optional<int> axis;         ///< of the tensor as stored; none: one scale
    int low = -128;                  ///< levels, both included
    int high = 127;
    /// The zero point need not be whole: round(x / s + z) in place of round(x / s) + z.
    bool hasRealZeroPoint = false;

    bool operator==(const OperandScale&) const = default;
};

/// Where the scales of an axis change along a run of values in row-major order.
struct ScaledAxis
{
    std::uint64_t run = 1;       ///< neighbouring values of one index
    std::uint64_t channels = 1;  ///< indices, after which they repeat
};

/// Of that axis of that shape. Requires an axis within the shape.
[[nodiscard]] ScaledAxis axisWithin(std::span<const std::uint64_t> shape, int axis);

/// scale (clip(round-half-even(x / scale) + zero point) - zero point), quotient and product in
/// float32, of each value: what QuantizeLinear and DequantizeLinear of ONNX give. `values` begin at
/// index 0 of the axis. Requires as many results as values.
void fakeQuantize(std::span<const float> values, const OperandScale& scale, const ScaledAxis& axis,
                  std::span<float> results);

}  // namespace calibscope::layers
