// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/estimate.h"

#include "core/metrics/common_bins.h"
#include "core/metrics/divergence.h"
#include "core/metrics/error_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace calibscope {

namespace {

constexpr double unitRoundoff = 0x1p-53;  // relative error of one step in double

void addRange(Range& sum, const Range& other)
{
    sum.low += other.low;
    sum.high += other.high;
}

/// How far apart two ways of summing the same terms may come.
struct SumSlack
{
    double relative = 0.0;  ///< of the sum
    double absolute = 0.0;

    [[nodiscard]] Range around(const Range& sum) const
    {
        return {std::max(sum.low - relative * sum.low - absolute, 0.0),
                sum.high + relative * sum.high + absolute};
    }
};

/// Bounds that are collected spread by spread, before sums of means are added.
struct SpreadSums
{
    Range squaredError;
    Range squaredRounding;
    Range squaredClipping;
    Range clipped;
    Range sumSquaresQuantized;
};

/// Tallies the means of bins under a quantizer, and what may differ from that.
class BoundTally
{
public:
    BoundTally(const Quantizer& quantizer, double absMax)
        : m_tally(quantizer, absMax),
          m_halfCell(0.5 * quantizer.scale - cellBorderSlack(quantizer, absMax))
    {}

    void addKnown(double value, std::uint64_t count)
    {
        const Quantizer& quantizer = m_tally.quantizer;
        m_tally.addErrors(value, quantizer.level(value), count);
    }

    /// Most spreads lie in one cell, all clipped or none: there e(x) is convex, and what their
    /// means give is the least.
    void addSpread(const ValueSpread& values)
    {
        const Quantizer& quantizer = m_tally.quantizer;
        const int level = quantizer.level(values.mean);
        const double quantized = quantizer.value(level);
        const double low = values.low - quantized;
        const double high = values.high - quantized;
        const bool isInCell = (low > -m_halfCell || level == quantizer.lowLevel) &&
                              (high < m_halfCell || level == quantizer.highLevel);
        const Range& clip = quantizer.clip;
        const bool isInside = values.low >= clip.low && values.high <= clip.high;
        const bool isOutside = values.high < clip.low || values.low > clip.high;
        if (!isInCell || (!isInside && !isOutside)) {
            m_uncertain.push_back(&values);
            return;
        }
        m_tally.addErrors(values.mean, level, static_cast<std::uint64_t>(values.count));
        m_mostError = std::max({m_mostError, std::abs(low), std::abs(high)});
        (isInside ? m_spread.squaredRounding : m_spread.squaredClipping).high += values.scatter;
        m_spread.squaredError.high += values.scatter;
    }

    /// To be called once all is added. `sumSquares` is what the values' squares add up to,
    /// `recorded` their common histogram, `relativeSlack` what rounding can move a sum by,
    /// `spreadCount` the number of values in spreads.
    [[nodiscard]] ErrorEstimate finish(const Range& sumSquares, const MassBounds& recorded,
                                       double relativeSlack, double spreadCount)
    {
        const ErrorSums certain = m_tally.sums;
        ErrorBounds bounds{.sumSquares = sumSquares,
                           .maxError = {certain.maxError, std::max(m_mostError, certain.maxError)}};
        const double levels = levelsWithValues();
        m_levelLeast.assign(m_tally.levelCounts.begin(), m_tally.levelCounts.end());
        m_mayCount.resize(m_uncertain.empty() ? 0 : m_tally.levelCounts.size() + 1);
        m_mayHaveValues.resize(m_uncertain.empty() ? 0 : m_tally.levelCounts.size() + 1);
        double furtherLevels = 0.0;
        for (const ValueSpread* values : m_uncertain)
            furtherLevels += addUncertain(*values, bounds.maxError);
        bounds.count = m_tally.sums.count;
        bounds.levelsUsed = {std::max(levels, bounds.count > 0 ? 1.0 : 0.0),
                             std::min(levels + furtherLevels, levelsThatMay())};
        bounds.clipped = sumOf(m_spread.clipped, static_cast<double>(certain.clipped));
        const SumSlack rounding{.relative = relativeSlack};
        bounds.sumSquaresQuantized =
            rounding.around(sumOf(m_spread.sumSquaresQuantized, certain.sumSquaresQuantized));
        boundErrors(bounds, certain, relativeSlack, spreadCount);
        bounds.divergence = divergenceFrom(recorded, relativeSlack);
        return {.tally = std::move(m_tally), .bounds = bounds};
    }

private:
    [[nodiscard]] static Range sumOf(Range range, double certain)
    {
        return {range.low + certain, range.high + certain};
    }
    [[nodiscard]] double levelsWithValues() const
    {
        const auto& counts = m_tally.levelCounts;
        return static_cast<double>(counts.size()) -
               static_cast<double>(std::ranges::count(counts, 0U));
    }

    /// Returns how many levels its values can have.
    double addUncertain(const ValueSpread& values, Range& maxError)
    {
        const Quantizer& quantizer = m_tally.quantizer;
        m_tally.addErrors(values.mean, quantizer.level(values.mean),
                          static_cast<std::uint64_t>(values.count));
        const SpreadBounds own = spreadBounds(values, quantizer);
        addRange(m_spread.squaredError, own.squaredError);
        addRange(m_spread.squaredRounding, own.squaredRounding);
        addRange(m_spread.squaredClipping, own.squaredClipping);
        addRange(m_spread.clipped, own.clipped);
        addRange(m_spread.sumSquaresQuantized, own.sumSquaresQuantized);
        maxError = {std::max(maxError.low, own.maxError.low),
                    std::max(maxError.high, own.maxError.high)};
        ++m_mayHaveValues[indexOf(own.firstLevel)];
        --m_mayHaveValues[indexOf(own.lastLevel) + 1];
        m_mayCount[indexOf(own.firstLevel)] += values.count;
        m_mayCount[indexOf(own.lastLevel) + 1] -= values.count;
        return std::min(values.count, 1.0 + own.lastLevel - own.firstLevel);
    }
    [[nodiscard]] std::size_t indexOf(int level) const
    {
        return static_cast<std::size_t>(level - m_tally.quantizer.lowLevel);
    }
    /// From what each level holds for certain, and may hold; summing masses rounds them.
    [[nodiscard]] Range divergenceFrom(const MassBounds& recorded, double relativeSlack) const
    {
        if (recorded.total == 0.0)
            return {};
        const Quantizer& quantizer = m_tally.quantizer;
        std::vector<double> least(commonBins);
        spreadLevels(m_levelLeast, quantizer, m_tally.absMax, least);
        std::vector<double> most = least;
        if (!m_mayCount.empty()) {
            std::vector<double> further(m_levelLeast.size());
            std::partial_sum(m_mayCount.begin(), m_mayCount.end() - 1, further.begin());
            spreadLevels(further, quantizer, m_tally.absMax, most);
        }
        for (double& mass : least)
            mass -= relativeSlack * mass;
        for (double& mass : most)
            mass = std::min(mass + relativeSlack * mass, recorded.total);
        return smoothedDivergenceBound(recorded, {least, most, recorded.total});
    }
    /// Number of levels that hold values for certain, or may.
    [[nodiscard]] double levelsThatMay() const
    {
        if (m_mayHaveValues.empty())
            return levelsWithValues();
        double levels = 0.0;
        int spreads = 0;
        for (std::size_t index = 0; index < m_tally.levelCounts.size(); ++index) {
            spreads += m_mayHaveValues[index];
            levels += spreads > 0 || m_tally.levelCounts[index] > 0 ? 1.0 : 0.0;
        }
        return levels;
    }

    void boundErrors(ErrorBounds& bounds, const ErrorSums& certain, double relativeSlack,
                     double spreadCount) const
    {
        const double squared = certain.squaredRounding + certain.squaredClipping;
        const SumSlack slack =
            errorSlack(bounds, squared + m_spread.squaredError.high, relativeSlack, spreadCount);
        bounds.squaredError = slack.around(sumOf(m_spread.squaredError, squared));
        bounds.squaredRounding =
            slack.around(sumOf(m_spread.squaredRounding, certain.squaredRounding));
        bounds.squaredClipping =
            slack.around(sumOf(m_spread.squaredClipping, certain.squaredClipping));
        if (bounds.clipped.high == 0.0)
            bounds.squaredClipping = {};  // no rounding where nothing was added
        if (spreadCount > 0.0) {
            const SumSlack ofOne{.absolute =
                                     32.0 * cellBorderSlack(m_tally.quantizer, m_tally.absMax)};
            bounds.maxError = ofOne.around(bounds.maxError);
        }
    }

    /// Distances are rounded by some last places of value and level: d off by r moves the sum of
    /// d^2 by 2 sqrt(sum of d^2) sqrt(sum of r^2) + sum of r^2 at most (Cauchy and Schwarz).
    [[nodiscard]] SumSlack errorSlack(const ErrorBounds& bounds, double squaredError,
                                      double relative, double spreadCount) const
    {
        if (spreadCount == 0.0)
            return {.relative = relative};
        constexpr double steps = 32.0;
        const Quantizer& quantizer = m_tally.quantizer;
        const double shift = quantizer.scale * (std::abs(quantizer.zeroPoint) + 1.0);
        const double rounded =
            steps * unitRoundoff *
            (std::sqrt(bounds.sumSquares.high) + std::sqrt(bounds.sumSquaresQuantized.high) +
             shift * std::sqrt(spreadCount));
        const double distance = std::sqrt(squaredError) + quantizer.scale * std::sqrt(spreadCount);
        return {.relative = relative, .absolute = rounded * (2.0 * distance + rounded)};
    }

    ErrorTally m_tally;
    SpreadSums m_spread;
    std::vector<const ValueSpread*> m_uncertain;
    std::vector<int> m_mayHaveValues;  ///< differences from level to level
    std::vector<double> m_mayCount;    ///< how many, likewise
    std::vector<double> m_levelLeast;  ///< values that each level has for certain
    double m_mostError = 0.0;
    double m_halfCell;
};

}  // namespace

SketchErrors::SketchErrors(const MagnitudeSketch& sketch, const Range& ends)
    : m_absMax(std::max({ends.high, 0.0 - ends.low, 0.0})),
      m_bins(commonBins),
      m_leastBins(commonBins),
      m_mostBins(commonBins)
{
    if (sketch.zeros > 0)
        addKnown(0.0, sketch.zeros);
    for (const SketchBin& bin : sketch.negative)
        add(bin, -1.0, 0.0 - ends.low);
    for (const SketchBin& bin : sketch.positive)
        add(bin, 1.0, ends.high);
}

void SketchErrors::addKnown(double value, std::uint64_t count)
{
    m_known.push_back({.value = value, .count = count});
    countMean(value, count);
    countBetween({value, value}, static_cast<double>(count));
}

void SketchErrors::add(const SketchBin& bin, double sign, double end)
{
    if (bin.count == 1)
        return addKnown(sign * bin.mean(), 1);
    const SketchSpread spread = bin.spread(end);
    if (spread.scatter == 0.0)
        return addKnown(sign * spread.high, bin.count);
    ValueSpread values{.low = bin.lowEdge(),
                       .high = spread.high,
                       .mean = std::clamp(bin.mean(), bin.lowEdge(), spread.high),
                       .count = static_cast<double>(bin.count),
                       .scatter = spread.scatter};
    if (sign < 0.0) {
        std::swap(values.low, values.high);
        values.low = -values.low;
        values.high = -values.high;
        values.mean = -values.mean;
    }
    m_spreads.push_back(values);
    m_spreadCount += values.count;
    m_scatter += values.scatter;
    countMean(values.mean, bin.count);
    countBetween({values.low, values.high}, values.count);
}

/// Values that lie somewhere between those ends.
void SketchErrors::countBetween(const Range& ends, double count)
{
    const CommonBins common(m_absMax);
    const std::size_t first = common.binOf(ends.low);
    const std::size_t last = common.binOf(ends.high);
    if (first == last)
        m_leastBins[first] += count;
    for (std::size_t bin = first; bin <= last; ++bin)
        m_mostBins[bin] += count;
}

void SketchErrors::countMean(double value, std::uint64_t count)
{
    m_count += count;
    m_sumSquares += static_cast<double>(count) * value * value;
    m_bins[CommonBins(m_absMax).binOf(value)] += count;
}

ErrorEstimate SketchErrors::under(const Quantizer& quantizer) const
{
    BoundTally tally(quantizer, m_absMax);
    for (const Known& known : m_known)
        tally.addKnown(known.value, known.count);
    for (const ValueSpread& values : m_spreads)
        tally.addSpread(values);
    // The exact pass adds up blocks of 4096 values in lanes, and then the blocks.
    const double terms = static_cast<double>(m_known.size() + m_spreads.size()) +
                         static_cast<double>(m_count) / 4096.0 + 4096.0;
    const SumSlack slack{.relative = 4.0 * unitRoundoff * terms};
    ErrorEstimate estimate = tally.finish(slack.around({m_sumSquares, m_sumSquares + m_scatter}),
                                          {m_leastBins, m_mostBins, static_cast<double>(m_count)},
                                          slack.relative, m_spreadCount);
    estimate.tally.bins = m_bins;
    return estimate;
}

}  // namespace calibscope
