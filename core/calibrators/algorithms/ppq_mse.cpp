// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"
#include "core/calibrators/histogram/histogram_parameters.h"

#include "core/calibrators/odd_data.h"
#include "core/calibrators/ppq/level_loss.h"

#include <cstddef>
#include <vector>

namespace calibscope::calibration {

namespace {

constexpr double mostPpqBins = 8192;  // the search costs bins^3 / (8 levels)

HistogramSpec ppqSpecOf(const CalibratorInput& input)
{
    return {.growth = "fixed-torch",
            .bins = input.settings.integer("bins"),
            .domain = input.scheme.isAffine() ? Domain::Signed : Domain::Magnitude};
}

CalibratorNeeds needsOfPpqMse(const CalibratorInput& input, const Extents& extents)
{
    if (!(extents.absMax() > 0.0))
        return {};
    return {.histograms = {ppqSpecOf(input)}};
}

/// The bins from which levels are tried to begin: bin 0 under symmetric schemes; else every
/// `interval` bins as long as that is not above 0.
std::vector<std::size_t> startsOf(const CalibratorInput& input, const Extents& extents,
                                  double width)
{
    if (!input.scheme.isAffine())
        return {0};
    const auto bins = static_cast<std::size_t>(input.settings.integer("bins"));
    const auto interval = static_cast<std::size_t>(input.settings.integer("interval"));
    std::vector<std::size_t> starts;
    for (std::size_t start = 0; start < bins; start += interval) {
        if (static_cast<double>(start) * width + extents.min > 0.0)
            break;
        starts.push_back(start);
    }
    return starts;
}

Calibration calibratePpqMse(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    const HistogramSpec spec = ppqSpecOf(input);
    const Histogram& histogram = neededHistogram(profile, spec);
    Calibration calibration{.notes = notesOf(histogram), .histogram = spec};
    const bool isAffine = input.scheme.isAffine();
    const auto levels =
        static_cast<std::size_t>(input.scheme.highLevel() - input.scheme.lowLevel() + 1);
    const double range = isAffine ? extents.max - extents.min : extents.absMax();
    const double width = range / static_cast<double>(histogram.counts.size());
    const LevelGrid best = bestLevelGrid(histogram.counts, levels, startsOf(input, extents, width));
    const double low = isAffine ? extents.min : 0.0;
    const double end = static_cast<double>(best.end) * width + low;
    if (isAffine)
        settleRange(calibration, {static_cast<double>(best.start) * width + low, end});
    else
        settleThreshold(calibration, input.scheme, extents, end);
    return calibration;
}

}  // namespace

Calibrator ppqMse()
{
    return {.order = 112,
            .id = "ppq-mse",
            .title = "ppq's mean squared error",
            .summary = "The range whose levels, whole bins of a histogram apart, lie nearest to "
                       "its counts: few trials, each estimated by distances in bins.",
            .source = "ppq (openppl-public), ppq/quantization/observer/range.py: TorchMSEObserver",
            .parameters = {{.id = "bins",
                            .label = "Bins",
                            .help = "Bins of the histogram of |x|; affine: of x.",
                            .kind = Parameter::Kind::Integer,
                            .fallback = "2048",
                            .least = 2,
                            .greatest = mostPpqBins,
                            .step = 1},
                           {.id = "interval",
                            .label = "Interval",
                            .help = "Affine schemes: every how many bins the lower end is tried.",
                            .kind = Parameter::Kind::Integer,
                            .fallback = "8",
                            .least = 1,
                            .greatest = mostPpqBins,
                            .step = 1,
                            .unit = "bins",
                            .schemes = Parameter::Schemes::Affine}},
            .needs = needsOfPpqMse,
            .calibrate = calibratePpqMse};
}

}  // namespace calibscope::calibration
