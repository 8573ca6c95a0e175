#include "core/calibrators/entropy/entropy_plain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace calibscope {

namespace {

/// Masses of the truncated histogram's bins that P fills; all others are empty in P and Q.
struct Masses
{
    std::vector<double> values;
    double ofEmptyBin = 0.0;  ///< of each further bin
    double furtherBins = 0.0;

    [[nodiscard]] double total() const
    {
        return std::accumulate(values.begin(), values.end(), ofEmptyBin * furtherBins);
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

/// Q: each level's sum, evenly over its bins that are not empty.
std::vector<double> spreadBack(const Truncated& truncated, std::size_t trial,
                               const EntropyRule& rule)
{
    std::vector<double> sums(rule.levels);
    std::vector<double> filled(rule.levels);
    const auto levelOf = [&](std::size_t bin) {
        return entropyLevel(bin, trial, rule.levels, rule.levelsByEdge);
    };
    for (std::size_t index = 0; index < truncated.bins.size(); ++index) {
        const std::size_t level = levelOf(truncated.bins[index]);
        sums[level] += truncated.sources[index];
        filled[level] += truncated.sources[index] > 0.0 ? 1.0 : 0.0;
    }
    std::vector<double> spread(truncated.bins.size());
    for (std::size_t index = 0; index < spread.size(); ++index) {
        const std::size_t level = levelOf(truncated.bins[index]);
        if (truncated.sources[index] > 0.0)
            spread[index] = sums[level] / filled[level];
    }
    return spread;
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
    const double furtherBins = static_cast<double>(trial + 1 - truncated.bins.size());
    Distributions both;
    both.q = {.values = spreadBack(truncated, trial, rule), .furtherBins = furtherBins};
    both.p = {.values = std::move(truncated.masses), .furtherBins = furtherBins};
    both.bins = std::move(truncated.bins);
    if (rule.smooths && both.q.total() > 0.0) {
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

TrialHistograms trialHistograms(std::span<const FilledBin> filled, std::size_t trial,
                                const EntropyRule& rule)
{
    const Distributions both = distributionsOf(filled, trial, rule);
    return {.truncated = byBin(both.bins, both.p, trial),
            .coarse = byBin(both.bins, both.q, trial)};
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
