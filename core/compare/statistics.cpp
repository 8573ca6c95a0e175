// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/statistics.h"

#include <cmath>

namespace calibscope {

namespace {

using Value = std::optional<double> (*)(const TensorProfile&);

struct Statistic
{
    std::string_view id;
    std::string_view title;
    Value value;
    bool isCount = false;
    bool isExact = true;
};

std::optional<double> counted(std::uint64_t count)
{
    return static_cast<double>(count);
}

std::optional<double> ifFinite(const TensorProfile& profile, double value)
{
    return profile.extents().finite > 0 && std::isfinite(value) ? std::optional(value)
                                                                : std::nullopt;
}

/// Of the magnitudes, by the nearest rank from below: within 2^-10 of it.
template <int perMille>
std::optional<double> magnitudeBelow(const TensorProfile& profile)
{
    const std::uint64_t count = profile.sketch.count();
    if (count == 0)
        return std::nullopt;
    const double rank = static_cast<double>(count - 1) * perMille / 1000.0;
    return profile.sketch.magnitudeAt(static_cast<std::uint64_t>(rank));
}

constexpr Statistic statistics[] = {
    {"values", "values", [](const TensorProfile& p) { return counted(p.extents().values()); },
     true},
    {"min", "min", [](const TensorProfile& p) { return ifFinite(p, p.extents().min); }},
    {"max", "max", [](const TensorProfile& p) { return ifFinite(p, p.extents().max); }},
    {"absmax", "largest |x|",
     [](const TensorProfile& p) { return ifFinite(p, p.extents().absMax()); }},
    {"mean", "mean", [](const TensorProfile& p) { return ifFinite(p, p.moments.mean); }},
    {"std", "standard deviation",
     [](const TensorProfile& p) { return ifFinite(p, p.moments.standardDeviation()); }},
    {"kurtosis", "excess kurtosis",
     [](const TensorProfile& p) { return ifFinite(p, p.moments.kurtosis()); }},
    {"p50", "p50 of |x|", magnitudeBelow<500>, false, false},
    {"p99", "p99 of |x|", magnitudeBelow<990>, false, false},
    {"p99_9", "p99.9 of |x|", magnitudeBelow<999>, false, false},
    {"zeros", "zeros", [](const TensorProfile& p) { return counted(p.extents().zeros); }, true},
    {"nan", "NaN", [](const TensorProfile& p) { return counted(p.extents().nan); }, true},
    {"inf", "infinite", [](const TensorProfile& p) { return counted(p.extents().infinite()); },
     true},
};

}  // namespace

std::optional<double> StatisticPair::absolute() const
{
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

std::optional<double> StatisticPair::relative() const
{
    if (!a || !b)
        return std::nullopt;
    if (*a == *b)
        return 0.0;
    return *a == 0.0 ? std::nullopt : std::optional((*b - *a) / std::abs(*a));
}

std::vector<StatisticPair> comparedStatistics(const TensorProfile& a, const TensorProfile& b)
{
    std::vector<StatisticPair> pairs;
    for (const Statistic& statistic : statistics)
        pairs.push_back({.id = statistic.id,
                         .title = statistic.title,
                         .a = statistic.value(a),
                         .b = statistic.value(b),
                         .isCount = statistic.isCount,
                         .isExact = statistic.isExact});
    return pairs;
}

}  // namespace calibscope
