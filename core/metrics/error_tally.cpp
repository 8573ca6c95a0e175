// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_tally.h"

#include "core/kernels/all_finite.h"
#include "core/kernels/centred_bins.h"
#include "core/kernels/quantized_errors.h"
#include "core/metrics/common_bins.h"
#include "core/stats/count_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::size_t blockValues = 4096;
using Indices = std::array<std::uint32_t, blockValues + kernels::vectorRoom>;

kernels::Halves halvesOf(Rounding rounding)
{
    switch (rounding) {
    case Rounding::HalfEven: return kernels::Halves::ToEven;
    case Rounding::HalfAway: return kernels::Halves::AwayFromZero;
    case Rounding::FloorHalf: return kernels::Halves::Up;
    }
    return kernels::Halves::ToEven;
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

ErrorSums sumsOf(const kernels::QuantizedErrors& errors, std::size_t count)
{
    return {.count = count,
            .clipped = errors.clipped,
            .sumSquares = kernels::folded(errors.squares),
            .sumSquaresQuantized = kernels::folded(errors.squaresQuantized),
            .sumProducts = kernels::folded(errors.products),
            .squaredRounding = kernels::folded(errors.rounding),
            .squaredClipping = kernels::folded(errors.clipping),
            .maxError = *std::ranges::max_element(errors.largest)};
}

/// Calls `use` with the finite values, block by block.
template <typename Use>
void forEachBlock(std::span<const float> values, const Use& use)
{
    std::array<float, blockValues> finite;
    for (std::size_t first = 0; first < values.size(); first += blockValues) {
        const std::span block = values.subspan(first, std::min(blockValues, values.size() - first));
        if (kernels::allFinite(block)) {
            use(block);
            continue;
        }
        const auto end = std::ranges::copy_if(block, finite.begin(), [](float value) {
                             return std::isfinite(value);
                         }).out;
        use(std::span<const float>(finite.begin(), end));
    }
}

}  // namespace

void countInCommonBins(std::span<const float> values, double absMax,
                       std::vector<std::uint64_t>& counts)
{
    const kernels::CentredBins common = CommonBins(absMax).centred();
    CountTables tables(counts, values.size());
    forEachBlock(values, [&](std::span<const float> block) {
        Indices indices;
        kernels::centredBins(block, common, indices);
        tables.add(std::span(indices).first(block.size()));
    });
    tables.finish();
}

ErrorSums& ErrorSums::operator+=(const ErrorSums& other)
{
    count += other.count;
    clipped += other.clipped;
    sumSquares += other.sumSquares;
    sumSquaresQuantized += other.sumSquaresQuantized;
    sumProducts += other.sumProducts;
    squaredRounding += other.squaredRounding;
    squaredClipping += other.squaredClipping;
    maxError = std::max(maxError, other.maxError);
    return *this;
}

ErrorTally::ErrorTally(const Quantizer& quantizerOfValues, double absMaxOfTensor)
    : quantizer(quantizerOfValues),
      absMax(absMaxOfTensor),
      levelCounts(static_cast<std::size_t>(quantizer.highLevel - quantizer.lowLevel) + 1),
      bins(commonBins)
{}

void ErrorTally::add(std::span<const float> values)
{
    addErrors(values);
    countInCommonBins(values, absMax, bins);
}

void ErrorTally::addErrors(std::span<const float> values)
{
    const kernels::Lattice lattice = latticeOf(quantizer);
    CountTables counts(levelCounts, values.size());
    forEachBlock(values, [&](std::span<const float> block) {
        Indices indices;
        sums += sumsOf(kernels::quantizedErrors(block, lattice, indices), block.size());
        counts.add(std::span(indices).first(block.size()));
    });
    counts.finish();
}

void ErrorTally::addErrors(double value, int level, std::uint64_t weight)
{
    const double times = static_cast<double>(weight);
    const double quantized = quantizer.value(level);
    const double error = std::abs(value - quantized);
    const bool isClipped = quantizer.clips(value);
    levelCounts[static_cast<std::size_t>(level - quantizer.lowLevel)] += weight;
    sums += {.count = weight,
             .clipped = isClipped ? weight : 0,
             .sumSquares = times * value * value,
             .sumSquaresQuantized = times * quantized * quantized,
             .sumProducts = times * value * quantized,
             .squaredRounding = isClipped ? 0.0 : times * error * error,
             .squaredClipping = isClipped ? times * error * error : 0.0,
             .maxError = weight > 0 ? error : 0.0};
}

}  // namespace calibscope
