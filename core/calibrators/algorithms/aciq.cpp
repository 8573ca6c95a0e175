// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/number_text.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace calibscope::calibration {

namespace {

/// ncnn, compute_aciq_gaussian_clip: where clipping Gaussian data of deviation 1 costs least, for 2
/// to 8 bits.
constexpr std::array<float, 7> gaussianClips = {1.71063519F, 2.15159277F, 2.55913646F, 2.93620062F,
                                                3.28691474F, 3.6151146F,  3.92403714F};
constexpr int leastBits = 2;
constexpr int mostBits = 8;

/// Whether values have to be counted by a pass: those of a channel are known as a whole only, those
/// of a sample only where all are finite.
bool countsValues(const CalibratorInput& input, const Extents& extents)
{
    return !input.settings.is("count", "all") &&
           (input.isChannel ||
            (input.settings.is("count", "last-sample") && extents.finite < extents.values()));
}

CalibratorNeeds needsOfAciq(const CalibratorInput& input, const Extents& extents)
{
    return {.values = countsValues(input, extents) && extents.absMax() > 0.0};
}

std::uint64_t finiteInLastBatch(const CalibratorValues& values)
{
    std::uint64_t batch = 0;
    Extents extents;
    values.source.visit(
        [&](const Block& block) {
            if (block.batch != batch)
                extents = {};
            batch = block.batch;
            extents.add(block.values);
        },
        values.progress);
    return extents.finite;
}

/// Finite values of the last sample with a value that counts; samples have `sampleValues` each.
std::uint64_t finiteInLastSample(const CalibratorValues& values, std::uint64_t sampleValues)
{
    std::uint64_t last = 0;
    Extents extents;
    values.source.visit(
        [&](const Block& block) {
            std::uint64_t index = block.firstIndex;
            for (auto rest = block.values; !rest.empty();) {
                if (index / sampleValues != last)
                    extents = {};
                last = index / sampleValues;
                const auto taken = static_cast<std::size_t>(
                    std::min<std::uint64_t>(sampleValues - index % sampleValues, rest.size()));
                extents.add(rest.first(taken));
                index += taken;
                rest = rest.subspan(taken);
            }
        },
        values.progress);
    return extents.finite;
}

/// Values of a sample, of a channel its own; nothing is known of a tensor without a shape.
std::uint64_t sampleValuesOf(const TensorInfo& info, bool isChannel)
{
    const std::uint64_t channels = isChannel ? info.channelCount() : 0;
    return info.shape.empty() ? 0 : info.valuesPerSample() / std::max<std::uint64_t>(channels, 1);
}

/// N: the finite values that the tool takes the expected largest magnitude of.
std::uint64_t countOf(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    const bool isOfSample = input.settings.is("count", "last-sample");
    if (countsValues(input, extents) && input.values != nullptr) {
        const std::uint64_t sample = sampleValuesOf(input.values->source.info, input.isChannel);
        return !isOfSample  ? finiteInLastBatch(*input.values)
               : sample > 0 ? finiteInLastSample(*input.values, sample)
                            : extents.finite;
    }
    if (isOfSample) {
        const TensorInfo& info = profile.info;
        // Those of a sample on average, where some do not count.
        const std::uint64_t sample =
            info.mask ? info.mask->counted / std::max<std::uint64_t>(info.sampleCount(), 1)
                      : sampleValuesOf(info, input.isChannel);
        return sample > 0 ? std::min(sample, extents.finite) : extents.finite;
    }
    const bool isLast = input.settings.is("count", "last-batch") && !profile.batches.empty();
    return isLast ? profile.batches.back().finite : extents.finite;
}

/// The deviation of Gaussian data of which the largest of N magnitudes is that one, times the
/// clipping constant; in double from float32 and rounded to float32, as ncnn does.
double gaussianThreshold(double absMax, std::uint64_t count, int bits)
{
    const double spread = 0.5 * 0.35 * (1.0 + std::sqrt(std::numbers::pi * std::log(4.0)));
    const double both = static_cast<double>(static_cast<float>(absMax) * 2.0F);
    const double deviation = both * spread / std::sqrt(2.0 * std::log(static_cast<double>(count)));
    const auto place = static_cast<std::size_t>(std::min(bits, mostBits) - leastBits);
    return static_cast<double>(
        static_cast<float>(static_cast<double>(gaussianClips[place]) * deviation));
}

Calibration calibrateAciq(const CalibratorInput& input, const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    Calibration calibration;
    if (input.scheme.bits > mostBits)
        calibration.notes.emplace_back("the constant of 8 bits is taken: there is none for more");
    const std::uint64_t count = countOf(input, profile);
    double threshold = count > 1 ? gaussianThreshold(extents.absMax(), count, input.scheme.bits)
                                 : extents.absMax();
    if (!(count > 1) || !std::isfinite(threshold)) {
        threshold = extents.absMax();
        calibration.notes.emplace_back(
            count > 1 ? "the threshold overflows float32: the largest magnitude is taken"
                      : "of fewer than two values no deviation is known: the largest magnitude is "
                        "taken");
    }
    settleThreshold(calibration, input.scheme, extents, threshold);
    return calibration;
}

}  // namespace

Calibrator aciq()
{
    return {
        .order = 140,
        .id = "aciq",
        .title = "ACIQ, Gaussian",
        .summary = "The best clipping of Gaussian data whose deviation is guessed from the "
                   "largest magnitude and the number of values alone.",
        .source = "ncnn (2026), tools/quantize/ncnn2table.cpp: compute_aciq_gaussian_clip",
        .parameters = {choiceParameter(
            "count", "Count",
            "Which values are counted: those of the last sample, as ncnn does, which runs image "
            "by image, those of the last batch, or all.",
            {"last-sample", "last-batch", "all"})},
        .needs = needsOfAciq,
        .calibrate = calibrateAciq};
}

}  // namespace calibscope::calibration
