// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/stats/growth_rule.h"
#include "core/stats/magnitude_sketch.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace calibscope::test {

/// The order statistic found by sorting.
inline OrderStatistic sortedOrder(const std::vector<float>& values, const OrderRequest& request)
{
    std::vector<double> ordered;
    for (const float value : values)
        if (std::isfinite(value))
            ordered.push_back(
                static_cast<double>(request.domain == Domain::Magnitude ? std::abs(value) : value));
    std::ranges::sort(ordered);
    return {.request = request, .value = ordered.at(request.rank)};
}

[[nodiscard]] inline MagnitudeSketch sketchOf(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    return counter.sketch();
}

/// Moments and sketch of values.
[[nodiscard]] inline TensorProfile profileOf(const std::vector<float>& values)
{
    TensorProfile profile;
    profile.moments.add(values);
    profile.sketch = sketchOf(values);
    return profile;
}

/// Equal bins without a count.
[[nodiscard]] inline Histogram binsOf(Domain domain, double low, double high, std::size_t bins)
{
    Histogram histogram;
    histogram.spec.domain = domain;
    histogram.low = low;
    histogram.high = high;
    histogram.counts.resize(bins);
    return histogram;
}

inline Histogram grownHistogram(const std::vector<float>& values, const HistogramSpec& spec)
{
    Extents extents;
    extents.add(values);
    Histogram histogram = emptyHistogram(spec);
    growthRule(spec.growth).grow(histogram, extents, {}, extents);
    histogram.add(values);
    return histogram;
}

/// One batch of values that comes in blocks of at most `part`, as if from a file.
inline ValueSource sourceInParts(const std::vector<float>& values, std::size_t part)
{
    const auto visit = [&values, part](const BlockVisitor& visitor, const Progress&) {
        for (std::size_t first = 0; first < values.size(); first += part)
            visitor(
                {.values = std::span(values).subspan(first, std::min(part, values.size() - first)),
                 .firstIndex = first});
    };
    return {.info = {.shape = {values.size()}}, .visit = visit};
}

/// Runs a calibrator on values of one batch, which it may look at through the source.
inline Calibration calibratedFrom(const ValueSource& source, std::string_view id,
                                  const std::vector<float>& values, const GivenSettings& given,
                                  const Scheme& scheme, std::uint64_t memoryBytes)
{
    const Calibrator& algorithm = calibrator(id);
    const Settings settings(algorithm.parameters, given, id);
    const CalibratorInput input{.settings = settings, .scheme = scheme};
    TensorProfile profile;
    profile.moments.add(values);
    if (algorithm.needs) {
        const CalibratorNeeds needs = algorithm.needs(input, profile.extents());
        for (const HistogramSpec& spec : needs.histograms)
            profile.histograms.push_back(grownHistogram(values, spec));
        for (const OrderRequest& request : needs.orders)
            profile.orders.push_back(sortedOrder(values, request));
    }
    const Progress progress;
    const CalibratorValues held{.source = source, .memoryBytes = memoryBytes, .progress = progress};
    return algorithm.calibrate({.settings = settings, .scheme = scheme, .values = &held}, profile);
}

constexpr std::uint64_t enoughMemory = std::uint64_t{1} << 30;

/// Runs a calibrator on values in memory, of one batch.
inline Calibration calibrated(std::string_view id, const std::vector<float>& values,
                              const GivenSettings& given = {}, const Scheme& scheme = {})
{
    return calibratedFrom(sourceOf({.shape = {values.size()}}, values), id, values, given, scheme,
                          enoughMemory);
}

/// The same with values that come in blocks of at most `part`.
inline Calibration calibratedInParts(std::string_view id, const std::vector<float>& values,
                                     std::size_t part, const GivenSettings& given = {},
                                     const Scheme& scheme = {},
                                     std::uint64_t memoryBytes = enoughMemory)
{
    return calibratedFrom(sourceInParts(values, part), id, values, given, scheme, memoryBytes);
}

}  // namespace calibscope::test
