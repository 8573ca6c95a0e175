// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/aimet_answer.h"
#include "core/calibrators/aimet/grown_counts.h"
#include "core/calibrators/aimet/least_divergence.h"
#include "core/calibrators/calibrator.h"
#include "core/calibrators/observer/observed_batches.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace calibscope::calibration {

namespace {

constexpr int searchedBits = 8;  // the tool searches for no other width

GrownCounts grownCounts(const CalibratorInput& input, const TensorProfile& profile)
{
    if (input.values == nullptr)
        throw std::invalid_argument("aimet-entropy: its values were not given");
    GrownCounts counts;
    observeBatches(profile, *input.values,
                   {.begin = [&](const Extents& batch) { counts.beginBatch(batch); },
                    .add = [&](std::span<const float> values) { counts.add(values); }});
    return counts;
}

/// From minus to plus the larger magnitude, in float32.
Range mirrored(const Range& range)
{
    const auto largest = static_cast<float>(std::max(std::abs(range.high), std::abs(range.low)));
    return {-static_cast<double>(largest), static_cast<double>(largest)};
}

Calibration calibrateAimetEntropy(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = aimetAnswerToOddData(input, extents))
        return *answer;
    Calibration calibration;
    const GrownCounts grown = grownCounts(input, profile);
    const bool isSymmetric = !input.scheme.isAffine();
    const Range range = isSymmetric ? mirrored(grown.range()) : grown.range();
    if (!grown.hasBins() || !std::isfinite(range.width())) {
        settleWithoutBins(calibration, input, extents);
        return calibration;
    }
    if (input.scheme.bits != searchedBits) {
        calibration.notes.emplace_back("the tool searches 8 bits only: the whole range is kept");
        settleAimetRange(calibration, input, extents, range);
        return calibration;
    }
    const std::vector<double> counts =
        isSymmetric ? sharedByOverlap(grown.counts(), grown.range(), range) : grown.counts();
    settleAimetRange(calibration, input, extents,
                     leastDivergence(counts, range, {.bothEnds = isSymmetric}));
    return calibration;
}

}  // namespace

Calibrator aimetEntropy()
{
    return {.order = 123,
            .id = "aimet-entropy",
            .title = "AIMET's entropy",
            .summary = "The range at which a histogram of x, cut at both ends, differs least from "
                       "its own coarse form of 255 levels; the data's range is not extended to 0 "
                       "before.",
            .source = "AIMET (2024-10), DlQuantization: EntropyEncodingAnalyzer",
            .parameters = {zerosParameter()},
            .seesOrder = true,
            .needs = aimetNeeds,
            .calibrate = calibrateAimetEntropy};
}

}  // namespace calibscope::calibration
