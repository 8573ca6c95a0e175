// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/observer/observed_batches.h"
#include "core/calibrators/observer/observed_histogram.h"
#include "core/calibrators/observer/observed_search.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

CalibratorNeeds needsOfTorchHistogram(const CalibratorInput& /*input*/, const Extents& extents)
{
    return {.histograms = {}, .orders = {}, .values = extents.absMax() > 0.0};
}

ObservedHistogram observe(const CalibratorInput& input, const TensorProfile& profile)
{
    const Settings& settings = input.settings;
    ObservedHistogram histogram(
        {.bins = static_cast<std::size_t>(settings.integer("bins")),
         .upsampling = static_cast<std::size_t>(settings.integer("upsampling")),
         .cutsEnds = settings.is("ends", "whole"),
         .keepsParts = settings.is("rebin", "parts")});
    observeBatches(profile, *input.values,
                   {.begin =
                        [&](const Extents& batch) {
                            histogram.beginBatch({.low = static_cast<float>(batch.min),
                                                  .high = static_cast<float>(batch.max)});
                        },
                    .add = [&](std::span<const float> values) { histogram.add(values); },
                    .end = [&] { histogram.endBatch(); }});
    return histogram;
}

void noteOddHistogram(Calibration& calibration, const ObservedHistogram& histogram)
{
    if (histogram.leftOut() > 0)
        calibration.notes.push_back(
            countText(histogram.leftOut(), "value was", "values were") +
            " left out of the histogram: its ends are cut to whole numbers, as the tool does");
    if (histogram.hasForgotten())
        calibration.notes.emplace_back(
            "the counts of the first batches were dropped: their range was too narrow");
}

Calibration calibrateTorchHistogram(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    if (input.values == nullptr)
        throw std::invalid_argument("torch-histogram: its values were not given");
    const ObservedHistogram histogram = observe(input, profile);
    const ObservedWindow window =
        searchObserved(histogram.counts(), histogram.range(), std::size_t{1} << input.scheme.bits,
                       input.settings.number("step"));
    const SingleRange kept = valuesOf(window, histogram.range(), histogram.counts().size());
    Range range{static_cast<double>(kept.low), static_cast<double>(kept.high)};
    Calibration calibration;
    noteOddHistogram(calibration, histogram);
    if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
        range = {extents.min, extents.max};
        calibration.notes.emplace_back(
            "the width of the range overflows float32: all of it is kept");
    } else if (!window.endsAtIncrease) {
        calibration.notes.emplace_back("no move inward raised the error");
    }
    if (input.scheme.isAffine())
        settleRange(calibration, range);
    else
        settleThreshold(calibration, input.scheme, extents,
                        std::max({0.0, range.high, 0.0 - range.low}));
    return calibration;
}

std::vector<Parameter> parametersOfTorchHistogram()
{
    return {{.id = "bins",
             .label = "Bins",
             .help = "Bins of the histogram, whatever its range.",
             .kind = Parameter::Kind::Integer,
             .fallback = "2048",
             .least = 2,
             .greatest = 65536,
             .step = 1},
            {.id = "upsampling",
             .label = "Upsampling",
             .help = "Into how many equal parts a bin is cut before a wider range re-bins it.",
             .kind = Parameter::Kind::Integer,
             .fallback = "128",
             .least = 1,
             .greatest = 1024,
             .step = 1},
            choiceParameter("ends", "Ends",
                            "Whether a batch is counted over ends cut to whole numbers (PyTorch "
                            "1.13) or over the range itself (torchao).",
                            {"whole", "real"}),
            choiceParameter("rebin", "Re-binning",
                            "A wider range's bins are whole numbers of parts, its upper end "
                            "relaxed to fit (PyTorch 1.13), or its ends are exact and each part "
                            "goes where its middle lies (torchao).",
                            {"parts", "midpoints"}),
            {.id = "step",
             .label = "Step",
             .help = "Share of the counts by which the ends move inward at a time.",
             .kind = Parameter::Kind::Number,
             .fallback = "1e-05",
             .least = 1e-6,
             .greatest = 0.5,
             .step = 1e-5}};
}

}  // namespace

Calibrator torchHistogram()
{
    return {.order = 110,
            .id = "torch-histogram",
            .title = "PyTorch's histogram observer",
            .summary = "Walks both ends of a running histogram inward by quantiles until a move "
                       "raises the squared error; a symmetric threshold is the farther end, though "
                       "the error was that of the two-sided range.",
            .source = "PyTorch 1.13, torch.ao.quantization.HistogramObserver; torchao (2026-08), "
                      "torchao/quantization/pt2e/observer.py: HistogramObserver",
            .parameters = parametersOfTorchHistogram(),
            .seesOrder = true,
            .needs = needsOfTorchHistogram,
            .calibrate = calibrateTorchHistogram};
}

}  // namespace calibscope::calibration
