// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/mse/quantization_error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// The upper end of the values that become a level.
double cellEnd(const Quantizer& quantizer, int level)
{
    return quantizer.scale * (level + 0.5 - quantizer.zeroPoint);
}

/// The values between `low` and `high` that become one level, cut by the clip range.
class Cell
{
public:
    Cell(const HistogramMass& mass, const Range& clip, double low, double high)
        : m_mass(mass),
          m_low(low),
          m_high(high),
          m_clipLow(std::clamp(clip.low, low, high)),
          m_clipHigh(std::clamp(clip.high, m_clipLow, high))
    {}

    /// `before` and `upTo` are the sums below both ends.
    [[nodiscard]] SplitError error(const MassSums& before, const MassSums& upTo, double value) const
    {
        const MassSums low = m_clipLow == m_low ? before : belowOr(m_clipLow, upTo);
        const MassSums high = m_clipHigh == m_low ? before : belowOr(m_clipHigh, upTo);
        return {.rounding = (high - low).squaredDistance(value),
                .clipping =
                    (low - before).squaredDistance(value) + (upTo - high).squaredDistance(value)};
    }

private:
    [[nodiscard]] MassSums belowOr(double x, const MassSums& upTo) const
    {
        return x == m_high ? upTo : m_mass.below(x);
    }

    const HistogramMass& m_mass;
    double m_low;
    double m_high;
    double m_clipLow;
    double m_clipHigh;
};

/// Integral of the squared distance from what a value becomes, from a fixed place to x.
///
/// With u = x / s + z the distance is s d, d = u - round(u), between the outer levels; each whole
/// period of u adds 1/12, the part of one from its beginning (d^3 + 1/8) / 3. Beyond the outer
/// levels the distance is that from their value.
double errorIntegral(const Quantizer& quantizer, double x)
{
    const auto cube = [](double value) { return value * value * value; };
    const double place = x / quantizer.scale + quantizer.zeroPoint;
    const double inside = std::clamp(place, quantizer.lowLevel - 0.5, quantizer.highLevel + 0.5);
    const double period =
        std::clamp<double>(std::nearbyint(inside), quantizer.lowLevel, quantizer.highLevel);
    const double between = period / 12.0 + (cube(inside - period) + 0.125) / 3.0;
    const double integral = cube(quantizer.scale) * between;
    if (place == inside)
        return integral;
    const double border = quantizer.scale * (inside - quantizer.zeroPoint);
    const double value = quantizer.value(place < inside ? quantizer.lowLevel : quantizer.highLevel);
    return integral + (cube(x - value) - cube(border - value)) / 3.0;
}

SplitError errorOfBin(const HistogramMass& mass, std::size_t bin, const Quantizer& quantizer)
{
    const double low = mass.edge(bin);
    const double high = mass.edge(bin + 1);
    if (mass.density() == Density::Centre || !(high > low))
        return errorOfPoints({{.value = mass.density() == Density::Centre ? mass.centre(bin) : low,
                               .count = mass.binCount(bin)}},
                             quantizer);
    const double clipLow = std::clamp(quantizer.clip.low, low, high);
    const double clipHigh = std::clamp(quantizer.clip.high, clipLow, high);
    const auto integral = [&](double from, double to) {
        if (!(to > from))
            return 0.0;
        return std::max(errorIntegral(quantizer, to) - errorIntegral(quantizer, from), 0.0);
    };
    const double density = mass.binCount(bin) / (high - low);
    return {.rounding = density * integral(clipLow, clipHigh),
            .clipping = density * (integral(low, clipLow) + integral(clipHigh, high))};
}

void add(SplitError& sum, const SplitError& further)
{
    sum.rounding += further.rounding;
    sum.clipping += further.clipping;
}

}  // namespace

SplitError quantizationError(const HistogramMass& mass, const Quantizer& quantizer)
{
    const int levels = quantizer.level(mass.edge(mass.bins())) - quantizer.level(mass.edge(0));
    return static_cast<std::size_t>(levels) < mass.bins() ? errorByLevels(mass, quantizer)
                                                          : errorByBins(mass, quantizer);
}

SplitError errorOfPoints(const std::vector<PointMass>& points, const Quantizer& quantizer)
{
    SplitError error;
    for (const auto& [value, count] : points) {
        const double distance = value - quantizer.fakeQuantize(value);
        (quantizer.clips(value) ? error.clipping : error.rounding) += count * distance * distance;
    }
    return error;
}

double leastError(const HistogramMass& mass, const Quantizer& quantizer)
{
    const Range& clip = quantizer.clip;
    if (mass.density() == Density::Centre || cellEnd(quantizer, quantizer.lowLevel) < clip.low ||
        cellEnd(quantizer, quantizer.highLevel - 1) > clip.high)
        return 0.0;
    const double low = mass.below(clip.low).squaredDistance(quantizer.value(quantizer.lowLevel));
    const double high = (mass.ofBins() - mass.below(clip.high))
                            .squaredDistance(quantizer.value(quantizer.highLevel));
    return low + high;
}

SplitError errorByLevels(const HistogramMass& mass, const Quantizer& quantizer)
{
    SplitError error = errorOfPoints(mass.points(), quantizer);
    const int last = quantizer.level(mass.edge(mass.bins()));
    MassSums before;
    double low = -infinite;
    for (int level = quantizer.level(mass.edge(0)); level <= last; ++level) {
        const double high = level == last ? infinite : cellEnd(quantizer, level);
        const MassSums upTo = level == last ? mass.ofBins() : mass.below(high);
        add(error,
            Cell(mass, quantizer.clip, low, high).error(before, upTo, quantizer.value(level)));
        before = upTo;
        low = high;
    }
    return error;
}

SplitError errorByBins(const HistogramMass& mass, const Quantizer& quantizer)
{
    SplitError error = errorOfPoints(mass.points(), quantizer);
    for (std::size_t bin = 0; bin < mass.bins(); ++bin)
        if (mass.binCount(bin) > 0.0)
            add(error, errorOfBin(mass, bin, quantizer));
    return error;
}

}  // namespace calibscope
