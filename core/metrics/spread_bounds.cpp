// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/spread_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace calibscope {

namespace {

struct GraphPoint
{
    double x = 0.0;
    double y = 0.0;
};

double square(double x)
{
    return x * x;
}

/// The line through two points at x, which lies between them.
double lineAt(const GraphPoint& a, const GraphPoint& b, double x)
{
    return b.x > a.x ? a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) : std::min(a.y, b.y);
}

/// Where the line from the point touches the parabola (x - centre)^2, between both. The point lies
/// on it or below.
GraphPoint touched(const GraphPoint& from, double centre)
{
    const double away = from.x - centre;
    const double root = std::sqrt(std::max(square(away) - from.y, 0.0));
    const double offset = away > 0.0 ? away - root : away + root;
    return {centre + offset, square(offset)};
}

/// e(x) over the interval that holds the values, and the cells that it touches.
class SpreadError
{
public:
    SpreadError(const ValueSpread& values, const Quantizer& quantizer)
        : m_values(values), m_step(quantizer.scale)
    {
        const double slack =
            cellBorderSlack(quantizer, std::max(std::abs(values.low), std::abs(values.high)));
        m_first = quantizer.level(values.low - slack);
        m_last = quantizer.level(values.high + slack);
        m_firstValue = quantizer.value(m_first);
        m_lastValue = quantizer.value(m_last);
    }

    [[nodiscard]] int first() const { return m_first; }
    [[nodiscard]] int last() const { return m_last; }
    [[nodiscard]] double firstValue() const { return m_firstValue; }
    [[nodiscard]] double lastValue() const { return m_lastValue; }
    [[nodiscard]] bool isOneCell() const { return m_first == m_last; }

    [[nodiscard]] double largest() const
    {
        const double ends = std::max(atLow().y, atHigh().y);
        return isOneCell() ? ends : std::max(ends, square(0.5 * m_step));
    }

    /// Convex envelope at the mean.
    [[nodiscard]] double least() const
    {
        const double mean = m_values.mean;
        const std::optional<double> firstCentre = firstInside();
        if (!firstCentre)
            return isOneCell() ? square(mean - m_firstValue) : leastOverPeak();
        const double lastCentre = lastInside();
        if (mean < *firstCentre)
            return leastBeside(atLow(), m_firstValue, *firstCentre);
        return mean > lastCentre ? leastBeside(atHigh(), m_lastValue, lastCentre) : 0.0;
    }

    /// Concave envelope at the mean: over the ends and the borders of cells, between which e is
    /// convex. The borders are equally high.
    [[nodiscard]] double most() const
    {
        std::array<GraphPoint, 4> tops = {atLow(), atHigh()};
        std::size_t count = 2;
        if (!isOneCell()) {
            const double half = 0.5 * m_step;
            tops[count++] = {std::clamp(m_firstValue + half, m_values.low, m_values.high),
                             square(half)};
            tops[count++] = {std::clamp(m_lastValue - half, m_values.low, m_values.high),
                             square(half)};
        }
        double highest = 0.0;
        for (std::size_t left = 0; left < count; ++left)
            for (std::size_t right = 0; right < count; ++right)
                if (tops[left].x <= m_values.mean && m_values.mean <= tops[right].x)
                    highest = std::max(highest, topLineAt(tops[left], tops[right]));
        return highest;
    }

private:
    [[nodiscard]] GraphPoint atLow() const
    {
        return {m_values.low, square(m_values.low - m_firstValue)};
    }
    [[nodiscard]] GraphPoint atHigh() const
    {
        return {m_values.high, square(m_values.high - m_lastValue)};
    }
    [[nodiscard]] double topLineAt(const GraphPoint& left, const GraphPoint& right) const
    {
        return left.x < right.x ? lineAt(left, right, m_values.mean) : std::max(left.y, right.y);
    }

    /// The least of the levels' values in the interval: there e is 0.
    [[nodiscard]] std::optional<double> firstInside() const
    {
        for (const double value : {m_firstValue, m_firstValue + m_step})
            if (value >= m_values.low && value <= m_values.high &&
                (value == m_firstValue || !isOneCell()))
                return value;
        return std::nullopt;
    }
    [[nodiscard]] double lastInside() const
    {
        return m_lastValue <= m_values.high ? m_lastValue : m_lastValue - m_step;
    }

    /// Between an end of the interval and the next level's value: the parabola around that, and, if
    /// the end lies in another cell, the line from there that touches it.
    [[nodiscard]] double leastBeside(const GraphPoint& end, double ownValue, double centre) const
    {
        const double mean = m_values.mean;
        if (ownValue == centre)
            return square(mean - centre);
        const GraphPoint touch = touched(end, centre);
        const bool isBeyond = std::abs(mean - end.x) >= std::abs(touch.x - end.x);
        return isBeyond ? square(mean - centre) : lineAt(end, touch, mean);
    }

    /// From one cell into the next over the border, where e has a peak, without reaching either
    /// level's value.
    [[nodiscard]] double leastOverPeak() const
    {
        const double mean = m_values.mean;
        const GraphPoint low = atLow();
        const GraphPoint high = atHigh();
        const GraphPoint left = touched(high, m_firstValue);
        if (left.x > low.x)
            return mean <= left.x ? square(mean - m_firstValue) : lineAt(left, high, mean);
        const GraphPoint right = touched(low, m_lastValue);
        if (right.x < high.x)
            return mean >= right.x ? square(mean - m_lastValue) : lineAt(low, right, mean);
        return lineAt(low, high, mean);
    }

    ValueSpread m_values;
    double m_step;
    int m_first = 0;
    int m_last = 0;
    double m_firstValue = 0.0;
    double m_lastValue = 0.0;
};

/// Number of values from the least and the greatest share that they can have. Products are rounded:
/// a count is never lost for that.
Range countOf(const ValueSpread& values, double leastShare, double mostShare)
{
    constexpr double slack = 1e-6;
    return {std::clamp(std::ceil(values.count * leastShare - slack), 0.0, values.count),
            std::clamp(std::floor(values.count * mostShare + slack), 0.0, values.count)};
}

/// How many values can lie above x: the mean says how many must, and how many may.
Range countAbove(const ValueSpread& values, double x)
{
    if (x >= values.high)
        return {0.0, 0.0};
    if (x < values.low)
        return {values.count, values.count};
    const double least = (values.mean - x) / (values.high - x);
    const double most = x > values.low ? (values.mean - values.low) / (x - values.low) : 1.0;
    return countOf(values, std::max(least, 0.0), std::min(most, 1.0));
}

Range countBelow(const ValueSpread& values, double x)
{
    return countAbove(
        {.low = -values.high, .high = -values.low, .mean = -values.mean, .count = values.count},
        -x);
}

Range squaresQuantized(const ValueSpread& values, const SpreadError& error)
{
    const double first = square(error.firstValue());
    const double last = square(error.lastValue());
    if (error.last() - error.first() <= 1) {
        const double border = 0.5 * (error.firstValue() + error.lastValue());
        const Range above = error.isOneCell() ? Range{} : countAbove(values, border);
        const double all = values.count * first;
        const double least = all + above.low * (last - first);
        const double most = all + above.high * (last - first);
        return {std::min(least, most), std::max(least, most)};
    }
    const bool holdsZero = error.firstValue() <= 0.0 && error.lastValue() >= 0.0;
    return {holdsZero ? 0.0 : values.count * std::min(first, last),
            values.count * std::max(first, last)};
}

}  // namespace

double cellBorderSlack(const Quantizer& quantizer, double magnitude)
{
    return 0x1p-50 * (magnitude + quantizer.scale * (std::abs(quantizer.zeroPoint) + 1.0));
}

SpreadBounds spreadBounds(const ValueSpread& values, const Quantizer& quantizer)
{
    const SpreadError error(values, quantizer);
    const double atMean = values.count * error.least();
    SpreadBounds bounds{.squaredError = {atMean, error.isOneCell() ? atMean + values.scatter
                                                                   : values.count * error.most()},
                        .sumSquaresQuantized = squaresQuantized(values, error),
                        .maxError = {std::sqrt(error.least()), std::sqrt(error.largest())},
                        .firstLevel = error.first(),
                        .lastLevel = error.last()};
    const Range below = countBelow(values, quantizer.clip.low);
    const Range above = countAbove(values, quantizer.clip.high);
    bounds.clipped = {std::min(below.low + above.low, values.count),
                      std::min(below.high + above.high, values.count)};
    const double most = bounds.squaredError.high;
    bounds.squaredClipping = {0.0, std::min(most, bounds.clipped.high * error.largest())};
    bounds.squaredRounding = {
        0.0, std::min(most, (values.count - bounds.clipped.low) * error.largest())};
    if (bounds.clipped.high == 0.0)
        bounds.squaredRounding = bounds.squaredError;
    if (bounds.clipped.low == values.count)
        bounds.squaredClipping = bounds.squaredError;
    return bounds;
}

}  // namespace calibscope
