// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/agreement.h"

#include "core/base/median.h"
#include "core/stats/compensated_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::deploy {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double finiteMedian(const std::vector<double>& values)
{
    const auto [lower, upper] = middleOf(values);
    return std::isinf(lower) || std::isinf(upper) ? lower : (lower + upper) / 2.0;
}

/// Place of the largest entry of a row among those of the mask; nothing where one is NaN.
std::optional<std::uint64_t> argmax(std::span<const float> row, std::span<const std::uint64_t> mask)
{
    std::optional<std::uint64_t> best;
    const auto take = [&](std::uint64_t place) {
        if (!best || row[place] > row[*best])
            best = place;
    };
    for (std::uint64_t index = 0; index < (mask.empty() ? row.size() : mask.size()); ++index) {
        const std::uint64_t place = mask.empty() ? index : mask[index];
        if (place >= row.size())
            continue;
        if (std::isnan(row[place]))
            return std::nullopt;
        take(place);
    }
    return best;
}

double cosineOf(double product, double reference, double other)
{
    if (reference == 0.0 || other == 0.0)
        return reference == other ? 1.0 : 0.0;
    // Neither over- nor underflows: both are sums of squares of floats.
    return std::clamp(product / std::sqrt(reference * other), -1.0, 1.0);
}

}  // namespace

SampleSums sampleSums(std::span<const float> reference, std::span<const float> other)
{
    SampleSums sums;
    CompensatedSum signal;
    CompensatedSum quantized;
    CompensatedSum product;
    CompensatedSum noise;
    CompensatedSum absNoise;
    for (std::size_t index = 0; index < reference.size(); ++index) {
        const auto r = static_cast<double>(reference[index]);
        const auto q = static_cast<double>(other[index]);
        if (!std::isfinite(r) || !std::isfinite(q)) {
            sums.notFinite += r == q || (std::isnan(r) && std::isnan(q)) ? 0U : 1U;
            continue;
        }
        const double error = std::abs(q - r);
        ++sums.count;
        signal.add(r * r);
        quantized.add(q * q);
        product.add(r * q);
        noise.add(error * error);
        absNoise.add(error);
        sums.maxNoise = std::max(sums.maxNoise, error);
    }
    sums.reference = signal.value();
    sums.other = quantized.value();
    sums.product = product.value();
    sums.noise = noise.value();
    sums.absNoise = absNoise.value();
    return sums;
}

void countSameArgmax(std::span<const float> reference, std::span<const float> other,
                     std::uint64_t classes, std::span<const std::uint64_t> mask, SampleSums& sums)
{
    for (std::size_t start = 0; classes > 0 && start < reference.size(); start += classes) {
        const auto one = argmax(reference.subspan(start, classes), mask);
        ++sums.rows;
        sums.sameRows += one && one == argmax(other.subspan(start, classes), mask) ? 1U : 0U;
    }
}

double sqnrDb(double reference, double noise)
{
    if (noise == 0.0)
        return infinity;
    return 10.0 * std::log10(reference / noise);
}

Agreement agreementOf(std::span<const SampleSums> samples)
{
    SampleSums all;
    CompensatedSum signal;
    CompensatedSum quantized;
    CompensatedSum product;
    CompensatedSum noise;
    CompensatedSum absNoise;
    std::vector<double> ratios;
    for (const SampleSums& sample : samples) {
        signal.add(sample.reference);
        quantized.add(sample.other);
        product.add(sample.product);
        noise.add(sample.noise);
        absNoise.add(sample.absNoise);
        all.maxNoise = std::max(all.maxNoise, sample.maxNoise);
        all.count += sample.count;
        all.notFinite += sample.notFinite;
        all.rows += sample.rows;
        all.sameRows += sample.sameRows;
        ratios.push_back(sqnrDb(sample.reference, sample.noise));
    }
    Agreement agreement{.samples = samples.size(), .maxError = all.maxNoise};
    agreement.notFinite = all.notFinite;
    if (all.count > 0) {
        agreement.meanError = absNoise.value() / static_cast<double>(all.count);
        agreement.cosine = cosineOf(product.value(), signal.value(), quantized.value());
    }
    if (!ratios.empty() && all.notFinite == 0) {
        agreement.sqnrDb = sqnrDb(signal.value(), noise.value());
        agreement.leastDb = *std::ranges::min_element(ratios);
        agreement.medianDb = finiteMedian(ratios);
        agreement.largestDb = *std::ranges::max_element(ratios);
    }
    if (all.rows > 0)
        agreement.sameArgmax = static_cast<double>(all.sameRows) / static_cast<double>(all.rows);
    return agreement;
}

std::optional<DrawSummary> drawSummaryOf(std::span<const DrawCheck> draws)
{
    std::vector<double> ratios;
    for (const DrawCheck& draw : draws)
        if (draw.agreement.sqnrDb)
            ratios.push_back(*draw.agreement.sqnrDb);
    if (ratios.empty())
        return std::nullopt;
    const auto count = static_cast<double>(ratios.size());
    double noise = 0.0;  // may be infinite
    CompensatedSum sum;
    for (const double ratio : ratios) {
        noise += std::pow(10.0, -ratio / 10.0);
        sum.add(ratio);
    }
    const auto [lowest, highest] = std::ranges::minmax(ratios);
    DrawSummary summary{.draws = ratios.size(),
                        .meanDb = sqnrDb(1.0, noise / count),
                        .lowestDb = lowest,
                        .highestDb = highest,
                        .sdDb = {}};
    if (ratios.size() > 1 && !std::isinf(lowest) && !std::isinf(highest)) {
        CompensatedSum squares;
        for (const double ratio : ratios)
            squares.add((ratio - sum.value() / count) * (ratio - sum.value() / count));
        summary.sdDb = std::sqrt(squares.value() / (count - 1.0));
    }
    return summary;
}

std::vector<std::optional<double>> dropsOf(std::span<const TensorCheck> tensors)
{
    std::vector<std::optional<double>> drops;
    double leastLayer = infinity;
    double leastRunning = infinity;
    bool hasLayer = false;
    bool hasRunning = false;
    for (const TensorCheck& tensor : tensors) {
        if (tensor.outputSqnrDb) {
            leastLayer = std::min(leastLayer, *tensor.outputSqnrDb);
            hasLayer = true;
        }
        drops.emplace_back();
        if (tensor.isWeight || !tensor.runningDb)
            continue;
        const double least = hasLayer ? leastLayer : leastRunning;
        if (hasLayer || hasRunning)
            drops.back() = *tensor.runningDb >= least ? 0.0 : least - *tensor.runningDb;
        leastRunning = std::min(leastRunning, *tensor.runningDb);
        hasRunning =
            hasRunning || !std::isinf(*tensor.runningDb);  // nothing is quantized before it
    }
    return drops;
}

std::optional<std::string> otherModelSentence(std::string_view model, std::string_view output,
                                              std::optional<double> recordedDb, bool isHalf)
{
    const double least = isHalf ? 60.0 : 80.0;
    if (recordedDb && *recordedDb >= least)
        return std::nullopt;
    const std::string how =
        recordedDb ? fmt::format("agrees to {:.1f} dB, {:.0f} are needed", *recordedDb, least)
                   : std::string("is not finite in one of them only");
    return fmt::format("{}: does not compute what was recorded: output \"{}\" {}; check the model "
                       "that the dump was recorded from, or record again",
                       model, output, how);
}

std::optional<std::string> fusedSentence(const OutputCheck& output)
{
    const std::optional<double> difference = output.fusedDifferenceDb();
    if (!difference || *difference >= -1.0)
        return std::nullopt;
    return fmt::format(
        "output \"{}\" is {:.1f} dB worse as fused ({:.1f} dB) than as written ({:.1f} dB): 8-bit "
        "products saturate on processors without VNNI (session option "
        "session.x64quantprecision = 1, or weights to 63), a bias was lost at a scale that is too "
        "small for it, or pairs that follow each other were merged",
        output.name, -*difference, *output.asFused.sqnrDb, *output.asWritten.sqnrDb);
}

}  // namespace calibscope::deploy
