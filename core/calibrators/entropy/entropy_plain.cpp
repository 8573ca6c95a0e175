// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/entropy_plain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

/// Masses of the truncated histogram's bins that P fills, and of all others together.
struct Masses
{
    std::vector<double> values;
    double ofEmptyBin = 0.0;  ///< of each further bin
    double furtherBins = 0.0;
    double elsewhere = 0.0;  ///< of further bins that differ: a level of Q reaches over bins where
                             ///< P has nothing

    [[nodiscard]] double total() const
    {
        return std::accumulate(values.begin(), values.end(), ofEmptyBin * furtherBins + elsewhere);
    }
};

/// P, and what the coarse histogram is made of.
struct Truncated
{
    std::vector<std::size_t> bins;
    std::vector<double> masses;
    std::vector<double> sources;
};

Truncated truncate(std::span<const FilledBin> filled, std::size_t trial, bool outliersInQ)
{
    Truncated truncated;
    double atTrial = 0.0;
    double beyond = 0.0;
    for (const auto& [bin, count] : filled) {
        if (bin < trial) {
            truncated.bins.push_back(bin);
            truncated.masses.push_back(count);
        } else {
            (bin == trial ? atTrial : beyond) += count;
        }
    }
    truncated.sources = truncated.masses;
    if (atTrial + beyond > 0.0) {
        truncated.bins.push_back(trial);
        truncated.masses.push_back(atTrial + beyond);
        truncated.sources.push_back(outliersInQ ? atTrial + beyond : atTrial);
    }
    return truncated;
}

/// The coarse histogram before it is spread back: what each level holds and over how many bins.
struct CoarseLevels
{
    std::vector<double> sums;
    std::vector<double> filled;  ///< bins that P fills
    std::vector<double> bins;    ///< that the level is spread over

    [[nodiscard]] double ofBin(std::size_t level) const
    {
        return sums[level] > 0.0 ? sums[level] / bins[level] : 0.0;
    }
};

CoarseLevels coarseLevels(const Truncated& truncated, std::size_t trial, const EntropyRule& rule)
{
    CoarseLevels levels{.sums = std::vector<double>(rule.levels),
                        .filled = std::vector<double>(rule.levels),
                        .bins = std::vector<double>(rule.levels)};
    for (std::size_t index = 0; index < truncated.bins.size(); ++index) {
        const double source = truncated.sources[index];
        const std::size_t level =
            entropyLevel(truncated.bins[index], trial, rule.levels, rule.levelsByEdge);
        levels.sums[level] += source;
        levels.filled[level] += 1.0;
        levels.bins[level] += source > 0.0 ? 1.0 : 0.0;
    }
    if (rule.emptyBins == EmptyBins::All)
        for (std::size_t level = 0; level < rule.levels; ++level)
            if (levels.sums[level] > 0.0)
                levels.bins[level] =
                    static_cast<double>(binsOfLevel(level, trial, rule.levels, rule.levelsByEdge));
    return levels;
}

/// Q: each level's sum, evenly over its bins or over those that are not empty.
Masses spreadBack(const Truncated& truncated, std::size_t trial, const EntropyRule& rule)
{
    const CoarseLevels levels = coarseLevels(truncated, trial, rule);
    const bool isOverAll = rule.emptyBins == EmptyBins::All;
    Masses q{.values = std::vector<double>(truncated.bins.size())};
    for (std::size_t index = 0; index < q.values.size(); ++index)
        if (isOverAll || truncated.sources[index] > 0.0)
            q.values[index] = levels.ofBin(
                entropyLevel(truncated.bins[index], trial, rule.levels, rule.levelsByEdge));
    if (isOverAll)
        for (std::size_t level = 0; level < rule.levels; ++level)
            if (levels.sums[level] > 0.0)
                q.elsewhere += (levels.bins[level] - levels.filled[level]) * levels.ofBin(level);
    return q;
}

/// Gives every empty bin epsilon, in equal parts from the others. Left as it is where there is
/// nothing to fill, or where a part would be a whole count or more: a bin could fall below 0.
void smooth(Masses& masses, double epsilon)
{
    const double empty =
        masses.furtherBins + static_cast<double>(std::ranges::count(masses.values, 0.0));
    const double filled = static_cast<double>(masses.values.size()) + masses.furtherBins - empty;
    const double part = epsilon * empty / filled;
    if (part >= 1.0)
        return;
    for (double& mass : masses.values)
        mass = mass > 0.0 ? mass - part : epsilon;
    masses.ofEmptyBin = epsilon;
}

/// P and Q of a trial, in the order of `bins`.
struct Distributions
{
    std::vector<std::size_t> bins;
    Masses p;
    Masses q;
};

Distributions distributionsOf(std::span<const FilledBin> filled, std::size_t trial,
                              const EntropyRule& rule)
{
    Truncated truncated = truncate(filled, trial, rule.outliersInQ);
    Distributions both;
    both.q = spreadBack(truncated, trial, rule);
    both.p.values = std::move(truncated.masses);
    both.bins = std::move(truncated.bins);
    both.p.furtherBins = both.q.furtherBins = static_cast<double>(trial + 1 - both.bins.size());
    if (rule.emptyBins == EmptyBins::Smooth && both.q.total() > 0.0) {
        smooth(both.p, rule.epsilon);
        smooth(both.q, rule.epsilon);
    }
    return both;
}

std::vector<double> byBin(const std::vector<std::size_t>& bins, const Masses& masses,
                          std::size_t trial)
{
    std::vector<double> values(trial + 1, masses.ofEmptyBin);
    for (std::size_t index = 0; index < bins.size(); ++index)
        values[bins[index]] = masses.values[index];
    return values;
}

/// `floor`: share of an empty bin of `to` in the logarithm; 0: there is none.
double divergence(const Masses& from, const Masses& to, double floor)
{
    const double fromTotal = from.total();
    const double toTotal = to.total();
    const auto term = [fromTotal, toTotal, floor](double mass, double other) {
        if (mass == 0.0)
            return 0.0;
        const double share = mass / fromTotal;
        if (other == 0.0)
            return floor > 0.0 ? share * std::log(share / floor)
                               : std::numeric_limits<double>::infinity();
        return share * std::log(share / (other / toTotal));
    };
    double sum = 0.0;
    for (std::size_t index = 0; index < from.values.size(); ++index)
        sum += term(from.values[index], to.values[index]);
    if (from.elsewhere > 0.0)
        return std::numeric_limits<double>::infinity();  // nothing is there in the other
    if (from.furtherBins > 0.0)
        sum += from.furtherBins * term(from.ofEmptyBin, to.ofEmptyBin);
    return std::max(sum, 0.0);  // equal distributions can sum to -1e-17
}

}  // namespace

std::vector<FilledBin> filledBins(std::span<const std::uint64_t> counts)
{
    std::vector<FilledBin> filled;
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        if (counts[bin] > 0)
            filled.push_back({.bin = bin, .count = static_cast<double>(counts[bin])});
    return filled;
}

std::size_t entropyLevel(std::size_t bin, std::size_t trial, std::size_t levels, bool byEdge)
{
    const std::size_t level =
        byEdge ? bin * levels / (trial + 1) : (2 * bin + 1) * levels / (2 * trial + 1);
    return std::min(level, levels - 1);
}

std::size_t binsOfLevel(std::size_t level, std::size_t trial, std::size_t levels, bool byEdge)
{
    // The least bin of a level or above, by centre the least j with (2j + 1) L >= l (2B + 1), by
    // edge with j L >= l (B + 1). The last bin is separate: it may lie in a level beyond its own.
    const auto begin = [&](std::size_t l) {
        const std::size_t least = byEdge ? (l * (trial + 1) + levels - 1) / levels
                                         : (l * (2 * trial + 1) + levels - 1) / (2 * levels);
        return std::min(least, trial);
    };
    const bool hasLast = level == entropyLevel(trial, trial, levels, byEdge);
    return begin(level + 1) - begin(level) + (hasLast ? 1 : 0);
}

TrialHistograms trialHistograms(std::span<const FilledBin> filled, std::size_t trial,
                                const EntropyRule& rule)
{
    const Distributions both = distributionsOf(filled, trial, rule);
    TrialHistograms histograms{.truncated = byBin(both.bins, both.p, trial),
                               .coarse = byBin(both.bins, both.q, trial)};
    if (rule.emptyBins == EmptyBins::All) {
        const CoarseLevels levels =
            coarseLevels(truncate(filled, trial, rule.outliersInQ), trial, rule);
        for (std::size_t bin = 0; bin <= trial; ++bin)
            histograms.coarse[bin] =
                levels.ofBin(entropyLevel(bin, trial, rule.levels, rule.levelsByEdge));
    }
    return histograms;
}

double plainDivergence(std::span<const FilledBin> filled, std::size_t trial,
                       const EntropyRule& rule)
{
    const Distributions both = distributionsOf(filled, trial, rule);
    if (!(both.q.total() > 0.0))
        return std::numeric_limits<double>::infinity();
    return rule.coarseFirst ? divergence(both.q, both.p, 0.0)
                            : divergence(both.p, both.q, rule.logFloor);
}

}  // namespace calibscope
