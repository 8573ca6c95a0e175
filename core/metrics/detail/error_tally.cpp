#include "core/metrics/detail/error_tally.h"

#include "core/metrics/detail/common_bins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

constexpr std::size_t blockValues = 4096;

/// Nearest whole number, ties to even, of |value| < 2^51: adding 1.5 x 2^52 leaves no bits for a
/// fraction. Needs the default rounding mode; std::nearbyint is a call on x86-64 without SSE 4.1.
double nearestEven(double value)
{
    constexpr double noFraction = 0x1.8p52;
    return (value + noFraction) - noFraction;
}

/// As Quantizer::level() rounds, for |value| < 2^51.
template <Rounding rounding>
double rounded(double value)
{
    if constexpr (rounding == Rounding::FloorHalf) {
        const double shifted = value + 0.5;
        const double nearest = nearestEven(shifted);
        return nearest - static_cast<double>(nearest > shifted);  // half of the values: no branch
    }
    const double nearest = nearestEven(value);
    if constexpr (rounding == Rounding::HalfAway) {
        const double rest = value - nearest;  // exact: both are within a half of each other
        if (rest == 0.5 && value > 0.0)
            return nearest + 1.0;
        if (rest == -0.5 && value < 0.0)
            return nearest - 1.0;
    }
    return nearest;
}

/// Quantizer::level() with everything that does not depend on the value worked out before, and
/// clamped before it is rounded: the ends are whole numbers, so the order makes no difference.
struct Lattice
{
    double scale;
    double shift;  ///< added before rounding
    double low;    ///< least and greatest rounded value
    double high;

    explicit Lattice(const Quantizer& quantizer)
        : scale(quantizer.scale), shift(quantizer.roundsWithZeroPoint ? quantizer.zeroPoint : 0.0)
    {
        const double after = quantizer.roundsWithZeroPoint ? 0.0 : quantizer.zeroPoint;
        low = quantizer.lowLevel - after;
        high = quantizer.highLevel - after;
    }
    template <Rounding rounding>
    [[nodiscard]] double place(double x) const
    {
        return rounded<rounding>(std::clamp(x / scale + shift, low, high));
    }
    [[nodiscard]] std::size_t index(double place) const
    {
        return static_cast<std::size_t>(place - low);
    }
    [[nodiscard]] double value(double place) const { return scale * (place - shift); }
};

template <Rounding rounding>
void addBlock(ErrorTally& tally, std::span<const float> values)
{
    const Lattice lattice(tally.quantizer);
    const CommonBins common(tally.absMax);
    const Range clip = tally.quantizer.clip;
    ErrorSums sums;
    for (const float value : values) {
        if (!std::isfinite(value))
            continue;
        const double x = static_cast<double>(value);
        const double place = lattice.place<rounding>(x);
        const double quantized = lattice.value(place);
        const double error = std::abs(x - quantized);
        const bool isClipped = !clip.contains(x);
        ++tally.levelCounts[lattice.index(place)];
        ++tally.bins[common.binOf(x)];
        ++sums.count;
        sums.clipped += isClipped ? 1U : 0U;
        sums.sumSquares += x * x;
        sums.sumSquaresQuantized += quantized * quantized;
        sums.sumProducts += x * quantized;
        (isClipped ? sums.squaredClipping : sums.squaredRounding) += error * error;
        sums.maxError = std::max(sums.maxError, error);
    }
    tally.sums += sums;
}

}  // namespace

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
    for (std::size_t first = 0; first < values.size(); first += blockValues) {
        const std::span block = values.subspan(first, std::min(blockValues, values.size() - first));
        switch (quantizer.rounding) {
        case Rounding::HalfEven: addBlock<Rounding::HalfEven>(*this, block); break;
        case Rounding::HalfAway: addBlock<Rounding::HalfAway>(*this, block); break;
        case Rounding::FloorHalf: addBlock<Rounding::FloorHalf>(*this, block); break;
        }
    }
}

void ErrorTally::add(double value, std::uint64_t weight)
{
    const double times = static_cast<double>(weight);
    const int level = quantizer.level(value);
    const double quantized = quantizer.value(level);
    const double error = std::abs(value - quantized);
    const bool isClipped = quantizer.clips(value);
    levelCounts[static_cast<std::size_t>(level - quantizer.lowLevel)] += weight;
    bins[CommonBins(absMax).binOf(value)] += weight;
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
