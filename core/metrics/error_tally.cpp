// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/error_tally.h"

#include "core/kernels/centred_bins.h"
#include "core/metrics/common_bins.h"
#include "core/metrics/error_blocks.h"
#include "core/stats/count_tables.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

void countInCommonBins(std::span<const float> values, double absMax,
                       std::vector<std::uint64_t>& counts)
{
    const kernels::CentredBins common = CommonBins(absMax).centred();
    CountTables tables(counts, values.size());
    std::array<std::uint32_t, errorBlockValues + kernels::vectorRoom> bins;
    forEachFiniteBlock(values, [&](const kernels::ValueBlock& block) {
        kernels::centredBins(block.values, common, bins);
        tables.add(std::span<const std::uint32_t>(bins).first(block.values.size()));
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
    BlockLevels levels;
    forEachFiniteBlock(values, [&](const kernels::ValueBlock& block) {
        sums += errorsOf(block, sumSquaresOf(block), lattice, sums.maxError, levels);
        counts.add(std::span<const std::uint16_t>(levels).first(block.values.size()));
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
