// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/resampled_band.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace calibscope::samples {

namespace {

/// The 97.5 % point of Student's t: Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5),
/// to 2e-4 from 5 degrees of freedom on; of 1 and 2 as tabled.
double studentPoint(double freedom)
{
    if (freedom < 2.0)
        return 12.706;
    if (freedom < 3.0)
        return 4.303;
    constexpr double z = 1.959963984540054;
    constexpr double z3 = z * z * z;
    constexpr double z5 = z3 * z * z;
    constexpr double z7 = z5 * z * z;
    constexpr double z9 = z7 * z * z;
    return z + (z3 + z) / (4.0 * freedom) +
           (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * std::pow(freedom, 2.0)) +
           (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * std::pow(freedom, 3.0)) +
           (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) /
               (92160.0 * std::pow(freedom, 4.0));
}

/// By how much a variance can exceed what so many degrees of freedom give, once in 40 times: v over
/// the 2.5 % point of chi squared (Wilson and Hilferty's, to 2 % from 5 on), less 1.
double varianceExcess(double freedom)
{
    const double v = std::max(freedom, static_cast<double>(fewestUnitsForBand - 1));
    const double part = 2.0 / (9.0 * v);
    return std::pow(1.0 - part - 1.959963984540054 * std::sqrt(part), -3.0) - 1.0;
}

/// Of the values above 0.
struct Logarithms
{
    std::vector<double> values;
    double mean = 0.0;
    double deviation = 0.0;  ///< of the sample
};

Logarithms logarithmsOf(std::span<const double> values)
{
    Logarithms found;
    for (const double value : values)
        if (value > 0.0 && std::isfinite(value))
            found.values.push_back(std::log(value));
    const auto count = static_cast<double>(found.values.size());
    if (count < 2.0)
        return found;
    for (const double value : found.values)
        found.mean += value / count;
    double squares = 0.0;
    for (const double value : found.values)
        squares += (value - found.mean) * (value - found.mean);
    found.deviation = std::sqrt(squares / (count - 1.0));
    return found;
}

constexpr double mostLikeness = 0.95;
constexpr double fewestIndependent = 2.0;

}  // namespace

double tailShare(double units)
{
    const double point = std::sqrt(units / (units - 1.0)) * studentPoint(units - 1.0);
    return 0.5 * std::erfc(point / std::numbers::sqrt2);
}

Range resampledBand(std::vector<double> results, double units)
{
    std::ranges::sort(results);
    const auto below =
        static_cast<std::size_t>(static_cast<double>(results.size() + 1) * tailShare(units));
    const std::size_t place = std::min(std::max<std::size_t>(below, 1), results.size()) - 1;
    return {results[place], results[results.size() - 1 - place]};
}

std::optional<RunScatter> runScatter(std::span<const double> thresholds)
{
    const Logarithms own = logarithmsOf(thresholds);
    if (own.values.size() < fewestUnitsForBand)
        return std::nullopt;
    const auto runs = static_cast<double>(own.values.size());
    RunScatter scatter{
        .runs = runs, .mean = own.mean, .deviation = own.deviation, .independent = runs};
    constexpr double rounding = 1e-9;  // equal thresholds are not alike by their last bits
    if (scatter.deviation < rounding)
        return scatter;
    double products = 0.0;
    for (std::size_t run = 1; run < own.values.size(); ++run)
        products += (own.values[run] - own.mean) * (own.values[run - 1] - own.mean);
    const double found = products / (own.deviation * own.deviation * (runs - 1.0));
    scatter.correlation = std::clamp((found + 1.0 / runs) / (1.0 - 3.0 / runs), 0.0, mostLikeness);
    constexpr double oneIn20 = 1.645;  // so far above its mean without any, of 20 recordings
    if (found <= oneIn20 / std::sqrt(runs) - 1.0 / runs)
        return scatter;
    scatter.independent = std::max(runs * (1.0 - scatter.correlation) / (1.0 + scatter.correlation),
                                   fewestIndependent);
    return scatter;
}

Range widenedBand(const Range& band, double threshold, std::span<const double> results,
                  const RunScatter& scatter, double share)
{
    if (!(threshold > 0.0))
        return band;
    const double stretch = std::sqrt(scatter.runs / scatter.independent);
    const auto moved = [&](double end) {
        return stretch > 1.0 ? threshold * std::pow(end / threshold, stretch) : end;
    };
    const Range stretched{moved(band.low), moved(band.high)};
    const double followed =
        scatter.deviation > 0.0
            ? std::min(1.0, logarithmsOf(results).deviation * std::sqrt(scatter.runs * share) /
                                scatter.deviation)
            : 0.0;
    const double excess =
        (std::log(threshold) - scatter.mean) * varianceExcess(scatter.independent - 1.0) * followed;
    if (!(excess > 0.0))
        return stretched;
    const double reached = std::max(std::log(stretched.high / threshold), 0.0);
    return {stretched.low, threshold * std::exp(std::hypot(reached, excess))};
}

}  // namespace calibscope::samples
