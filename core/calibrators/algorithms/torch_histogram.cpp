#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/observer/observed_histogram.h"
#include "core/calibrators/observer/observed_search.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

CalibratorNeeds needs(const CalibratorInput& /*input*/, const Extents& extents)
{
    return {.histograms = {}, .orders = {}, .values = extents.absMax() > 0.0};
}

/// Ends of each batch, by a pass over the values where the profile does not know them.
std::vector<Extents> batchExtents(const TensorProfile& profile, const CalibratorValues& values)
{
    if (!profile.batches.empty())
        return profile.batches;
    std::vector<Extents> batches(1);
    values.source.visit(
        [&batches](const Block& block) {
            batches.resize(std::max<std::size_t>(batches.size(), block.batch + 1));
            batches[block.batch].add(block.values);
        },
        values.progress);
    return batches;
}

ObservedHistogram observe(const CalibratorInput& input, const TensorProfile& profile)
{
    const std::vector<Extents> batches = batchExtents(profile, *input.values);
    ObservedHistogram histogram(static_cast<std::size_t>(input.settings.integer("bins")),
                                static_cast<std::size_t>(input.settings.integer("upsampling")));
    std::optional<std::uint64_t> current;
    input.values->source.visit(
        [&](const Block& block) {
            if (block.batch != current) {
                if (current)
                    histogram.endBatch();
                current.reset();
                const Extents& batch = batches.at(block.batch);
                if (batch.finite == 0)
                    return;
                current = block.batch;
                histogram.beginBatch(
                    {.low = static_cast<float>(batch.min), .high = static_cast<float>(batch.max)});
            }
            histogram.add(block.values);
        },
        input.values->progress);
    if (current)
        histogram.endBatch();
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

Calibration calibrate(const CalibratorInput& input, const TensorProfile& profile)
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

std::vector<Parameter> parameters()
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
            .source = "PyTorch 1.13, torch.ao.quantization.HistogramObserver",
            .parameters = parameters(),
            .needs = needs,
            .calibrate = calibrate};
}

}  // namespace calibscope::calibration
