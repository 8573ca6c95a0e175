// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy_trial.h"
#include "core/calibrators/window/window_target.h"
#include "core/stats/spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope {

namespace {

Window nearestWindow(const std::vector<Window>& windows, const WindowTarget& target,
                     bool isSymmetric, double threshold)
{
    return *std::ranges::min_element(windows, {}, [&](const Window& window) {
        return std::abs(target.threshold(window, isSymmetric) - threshold);
    });
}

double countOutside(const WindowTarget& target, const Window& window)
{
    std::uint64_t outside = 0;
    for (std::size_t bin = 0; bin < target.counts.size(); ++bin)
        if (bin < window.first || bin > window.last)
            outside += target.counts[bin];
    return static_cast<double>(outside);
}

std::vector<double> foldedOver(const std::vector<double>& counts, double low, double width,
                               std::size_t bins)
{
    std::vector<double> folded(bins);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double from = low / width + static_cast<double>(bin);
        const double to = from + 1.0;
        if (from >= 0.0)
            spread(folded, from, to, counts[bin]);
        else if (to <= 0.0)
            spread(folded, -to, -from, counts[bin]);
        else {
            spread(folded, 0.0, -from, -from * counts[bin]);
            spread(folded, 0.0, to, to * counts[bin]);
        }
    }
    return folded;
}

}  // namespace

std::optional<EntropyTrial> windowTrialAt(const CalibratorInput& input,
                                          const TensorProfile& profile, double threshold)
{
    const Histogram* histogram = profile.histogram(windowSpec(input.settings));
    const Extents& extents = profile.extents();
    if (histogram == nullptr || !(extents.absMax() > 0.0) || std::isnan(threshold))
        return std::nullopt;
    const WindowTarget target = windowTarget(input, *histogram, wholeRange(input.scheme, extents));
    const WindowRule rule = windowRule(input, target);
    if (!reasonToKeepAll(extents, target, rule).empty())
        return std::nullopt;
    const Window window = measuredWindow(
        target.counts,
        nearestWindow(visitedWindows(target.counts, rule), target, rule.shrinksBothEnds, threshold),
        rule);
    WindowHistograms both = windowHistograms(target.counts, window, rule);
    EntropyTrial trial{.threshold = target.threshold(window, rule.shrinksBothEnds),
                       .edges = {},
                       .truncated = std::move(both.truncated),
                       .coarse = std::move(both.coarse),
                       .divergence = window.divergence,
                       .levels = rule.levels,
                       .beyond = countOutside(target, window),
                       .isSigned = true,
                       .hasOutliersInQ = false};
    for (std::size_t bin = window.first; bin <= window.last + 1; ++bin)
        trial.edges.push_back(target.edge(bin));
    return trial;
}

std::vector<Range> windowEnds(const CalibratorInput& input, const TensorProfile& profile)
{
    const Histogram* histogram = profile.histogram(windowSpec(input.settings));
    const Extents& extents = profile.extents();
    if (histogram == nullptr || !(extents.absMax() > 0.0))
        return {};
    const WindowTarget target = windowTarget(input, *histogram, wholeRange(input.scheme, extents));
    const WindowRule rule = windowRule(input, target);
    if (rule.shrinksBothEnds || !reasonToKeepAll(extents, target, rule).empty())
        return {};
    std::vector<Range> ends;
    for (const Window& window : visitedWindows(target.counts, rule))
        ends.push_back(target.ends(window));
    std::ranges::reverse(ends);  // the narrowest is the curve's first point
    return ends;
}

EntropyTrial asMagnitudes(const EntropyTrial& trial)
{
    if (!trial.isSigned || trial.edges.size() < 2)
        return trial;
    EntropyTrial folded = trial;
    folded.isSigned = false;
    const double low = trial.edges.front();
    const double width = trial.edges[1] - low;
    const double most = std::max(std::abs(low), std::abs(trial.edges.back()));
    const auto bins = static_cast<std::size_t>(std::ceil(most / width - 1e-9));
    folded.edges.resize(bins + 1);
    for (std::size_t bin = 0; bin <= bins; ++bin)
        folded.edges[bin] = static_cast<double>(bin) * width;
    folded.truncated = foldedOver(trial.truncated, low, width, bins);
    folded.coarse = foldedOver(trial.coarse, low, width, bins);
    return folded;
}

}  // namespace calibscope
