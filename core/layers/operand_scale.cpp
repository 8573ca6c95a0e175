#include "core/layers/operand_scale.h"

#include <algorithm>
#include <cmath>

namespace calibscope::layers {

namespace {

/// One scale, its levels counted from the zero point.
struct CentredLevels
{
    float scale = 1.0F;
    float low = -128.0F;
    float high = 127.0F;
};

/// Adding and taking away 1.5 x 2^23 rounds a float32 below 2^22 half to even, in vector
/// instructions that every processor has; a level is below 2^17.
constexpr float roundingShift = 12582912.0F;

/// Clipping before rounding gives the same, as the ends are whole; NaN stays NaN.
void quantizeRun(std::span<const float> values, const CentredLevels& levels, float* results)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        float level = values[i] / levels.scale;
        level = level < levels.low ? levels.low : level;
        level = level > levels.high ? levels.high : level;
        results[i] = levels.scale * ((level + roundingShift) - roundingShift);
    }
}

void quantizeRealRun(std::span<const float> values, const OperandScale& scale, std::size_t index,
                     float* results)
{
    const float step = scale.scales[index];
    const double zero = scale.zeroPoints[index];
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double level = std::nearbyint(static_cast<double>(values[i] / step) + zero);
        const double kept =
            std::clamp(level, static_cast<double>(scale.low), static_cast<double>(scale.high));
        results[i] = step * static_cast<float>(kept - zero);
    }
}

CentredLevels levelsOf(const OperandScale& scale, std::size_t index)
{
    const double zero = scale.zeroPoints[index];
    return {.scale = scale.scales[index],
            .low = static_cast<float>(scale.low - zero),
            .high = static_cast<float>(scale.high - zero)};
}

}  // namespace

ScaledAxis axisWithin(std::span<const std::uint64_t> shape, int axis)
{
    ScaledAxis result{.run = 1, .channels = shape[static_cast<std::size_t>(axis)]};
    for (std::size_t behind = static_cast<std::size_t>(axis) + 1; behind < shape.size(); ++behind)
        result.run *= shape[behind];
    return result;
}

void fakeQuantize(std::span<const float> values, const OperandScale& scale, const ScaledAxis& axis,
                  std::span<float> results)
{
    const bool isWhole = scale.scales.size() == 1;
    const std::size_t run = isWhole ? values.size() : static_cast<std::size_t>(axis.run);
    for (std::size_t done = 0, channel = 0; done < values.size(); done += run, ++channel) {
        const std::size_t count = std::min(run, values.size() - done);
        const std::size_t index = isWhole ? 0 : channel % scale.scales.size();
        if (scale.hasRealZeroPoint)
            quantizeRealRun(values.subspan(done, count), scale, index, results.data() + done);
        else
            quantizeRun(values.subspan(done, count), levelsOf(scale, index), results.data() + done);
    }
}

}  // namespace calibscope::layers
