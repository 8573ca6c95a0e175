// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy_trial.h"

#include "core/calibrators/entropy/entropy_settings.h"
#include "core/calibrators/histogram/histogram_parameters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

/// Thresholds ascend by the setting's step of bins from trial to trial.
std::size_t nearestTrial(double threshold, const EntropyTrials& trials, const Histogram& histogram,
                         const Settings& settings)
{
    const double first = entropyThreshold(trials.first, histogram, settings);
    const auto step = static_cast<std::size_t>(settings.integer("step"));
    const double steps =
        std::round((threshold - first) / histogram.width() / static_cast<double>(step));
    const std::size_t most = (trials.last - trials.first) / step;
    return trials.first +
           step * static_cast<std::size_t>(std::clamp(steps, 0.0, static_cast<double>(most)));
}

std::vector<double> edgesUpTo(std::size_t trial, const Histogram& histogram)
{
    std::vector<double> edges;
    for (std::size_t bin = 0; bin <= trial + 1; ++bin)
        edges.push_back(histogram.edge(bin));
    return edges;
}

double countBeyond(const std::vector<std::uint64_t>& counts, std::size_t trial)
{
    std::uint64_t beyond = 0;
    for (std::size_t bin = trial + 1; bin < counts.size(); ++bin)
        beyond += counts[bin];
    return static_cast<double>(beyond);
}

double sumOf(const std::vector<double>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

/// The last bin's term of the divergence between two histograms, each divided by its sum.
double lastTerm(const std::vector<double>& from, const std::vector<double>& to)
{
    const double share = from.back() / sumOf(from);
    return share > 0.0 ? share * std::log(share / (to.back() / sumOf(to))) : 0.0;
}

}  // namespace

std::optional<EntropyTrial> entropyTrialAt(const CalibratorInput& input,
                                           const TensorProfile& profile, double threshold)
{
    const Histogram* histogram =
        profile.histogram(histogramSpec(input.settings, Domain::Magnitude));
    const double absMax = profile.extents().absMax();
    if (histogram == nullptr || !(absMax > 0.0) || std::isnan(threshold))
        return std::nullopt;
    const EntropyTrials trials = entropyTrials(input, *histogram, absMax);
    if (trials.first > trials.last || trials.last >= histogram->counts.size())
        return std::nullopt;
    const std::size_t bin = nearestTrial(threshold, trials, *histogram, input.settings);
    const EntropyRule rule = entropyRule(input);
    const std::vector<std::uint64_t> counts = entropyCounts(*histogram, input.settings);
    const std::vector<FilledBin> filled = filledBins(counts);
    TrialHistograms both = trialHistograms(filled, bin, rule);
    const double ofLastBin = rule.coarseFirst ? lastTerm(both.coarse, both.truncated)
                                              : lastTerm(both.truncated, both.coarse);
    return EntropyTrial{.threshold = entropyThreshold(bin, *histogram, input.settings),
                        .edges = edgesUpTo(bin, *histogram),
                        .truncated = std::move(both.truncated),
                        .coarse = std::move(both.coarse),
                        .ofLastBin = ofLastBin,
                        .divergence = plainDivergence(filled, bin, rule),
                        .levels = rule.levels,
                        .beyond = countBeyond(counts, bin),
                        .isCoarseFirst = rule.coarseFirst,
                        .hasOutliersInQ = rule.outliersInQ};
}

}  // namespace calibscope
