// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_blocks.h"

#include "core/kernels/float_ends.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

kernels::Halves halvesOf(Rounding rounding)
{
    switch (rounding) {
    case Rounding::HalfEven: return kernels::Halves::ToEven;
    case Rounding::HalfAway: return kernels::Halves::AwayFromZero;
    case Rounding::FloorHalf: return kernels::Halves::Up;
    }
    return kernels::Halves::ToEven;
}

}  // namespace

void forEachFiniteBlock(std::span<const float> values,
                        const std::function<void(const kernels::ValueBlock&)>& use)
{
    std::array<float, errorBlockValues> room;
    for (std::size_t first = 0; first < values.size(); first += errorBlockValues) {
        std::span finite = values.subspan(first, std::min(errorBlockValues, values.size() - first));
        const kernels::FloatEnds ends = kernels::floatEnds(finite);
        if (ends.finite < finite.size())
            finite = {room.begin(), std::ranges::copy_if(finite, room.begin(), [](float value) {
                                        return std::isfinite(value);
                                    }).out};
        use({.values = finite, .least = ends.least, .greatest = ends.greatest});
    }
}

double sumSquaresOf(const kernels::ValueBlock& block)
{
    return kernels::folded(kernels::squaresOf(block.values));
}

/// Quantizer::level() clamped before it is rounded: the ends are whole numbers, so the order makes
/// no difference.
kernels::Lattice latticeOf(const Quantizer& quantizer)
{
    const double after = quantizer.roundsWithZeroPoint ? 0.0 : quantizer.zeroPoint;
    return {.scale = quantizer.scale,
            .shift = quantizer.roundsWithZeroPoint ? quantizer.zeroPoint : 0.0,
            .low = quantizer.lowLevel - after,
            .high = quantizer.highLevel - after,
            .clipLow = quantizer.clip.low,
            .clipHigh = quantizer.clip.high,
            .halves = halvesOf(quantizer.rounding)};
}

ErrorSums errorsOf(const kernels::ValueBlock& block, double sumSquares,
                   const kernels::Lattice& lattice, double known, BlockLevels& levels)
{
    const kernels::QuantizedErrors errors = kernels::blockErrors(block, lattice, known, levels);
    return {.count = block.values.size(),
            .clipped = errors.clipped,
            .sumSquares = sumSquares,
            .sumSquaresQuantized = kernels::folded(errors.squaresQuantized),
            .sumProducts = kernels::folded(errors.products),
            .squaredRounding = kernels::folded(errors.rounding),
            .squaredClipping = kernels::folded(errors.clipping),
            .maxError = errors.largest};
}

}  // namespace calibscope
