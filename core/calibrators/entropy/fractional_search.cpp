// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy/fractional_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace calibscope {

namespace {

constexpr float epsilon = 0.0001F;  // ncnn: added to each share

/// Bins of a level: whole ones from `first` up to but without `end`, and what it has of the one
/// before and of the one behind.
struct SharedBins
{
    std::size_t first = 0;
    std::size_t end = 0;
    float ofBefore = 0.0F;
    float ofBehind = 0.0F;

    [[nodiscard]] float size() const
    {
        return static_cast<float>(end) - static_cast<float>(first) + ofBefore + ofBehind;
    }
};

SharedBins binsOf(std::size_t level, std::size_t levels, std::size_t trial)
{
    const float width = static_cast<float>(trial) / static_cast<float>(levels);
    SharedBins bins{.first = 0, .end = trial};
    if (level > 0) {
        const float start = level + 1 < levels ? static_cast<float>(level) * width
                                               : static_cast<float>(trial) - width;
        bins.first = static_cast<std::size_t>(std::ceil(start));
        bins.ofBefore = static_cast<float>(bins.first) - start;
    }
    if (level + 1 < levels) {
        const float end = static_cast<float>(level + 1) * width;
        bins.end = static_cast<std::size_t>(std::floor(end));
        bins.ofBehind = end - static_cast<float>(bins.end);
    }
    return bins;
}

float meanOf(const SharedBins& bins, std::span<const float> shares)
{
    float sum = 0.0F;
    if (bins.ofBefore > 0.0F)
        sum += bins.ofBefore * shares[bins.first - 1];
    if (bins.ofBehind > 0.0F)
        sum += bins.ofBehind * shares[bins.end];
    for (std::size_t bin = bins.first; bin < bins.end; ++bin)
        sum += shares[bin];
    return sum / bins.size();
}

void spread(float mean, const SharedBins& bins, std::span<float> coarse)
{
    if (bins.ofBefore > 0.0F)
        coarse[bins.first - 1] += bins.ofBefore * mean;
    if (bins.ofBehind > 0.0F)
        coarse[bins.end] += bins.ofBehind * mean;
    for (std::size_t bin = bins.first; bin < bins.end; ++bin)
        coarse[bin] += mean;
}

float divergenceOf(std::span<const float> shares, std::size_t trial, std::size_t levels,
                   std::vector<float>& cut, std::vector<float>& coarse)
{
    cut.assign(trial, epsilon);
    for (std::size_t bin = 0; bin < trial; ++bin)
        cut[bin] += shares[bin];
    for (const float share : shares.subspan(trial))
        cut.back() += share;
    coarse.assign(trial, epsilon);
    for (std::size_t level = 0; level < levels; ++level) {
        const SharedBins bins = binsOf(level, levels, trial);
        spread(meanOf(bins, shares), bins, coarse);
    }
    float sum = 0.0F;
    for (std::size_t bin = 0; bin < trial; ++bin) {
        const auto quotient = static_cast<double>(cut[bin] / coarse[bin]);
        if (quotient != 1.0)  // else the term is 0
            sum = static_cast<float>(static_cast<double>(sum) +
                                     static_cast<double>(cut[bin]) * std::log(quotient));
    }
    return sum;
}

}  // namespace

FractionalSearch searchFractional(std::span<const std::uint64_t> counts, std::size_t levels)
{
    FractionalSearch search{.first = levels, .divergences = {}};
    const std::uint64_t total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    if (total == 0)
        return search;
    std::vector<float> shares;
    for (const std::uint64_t count : counts)
        shares.push_back(
            static_cast<float>(static_cast<double>(count) / static_cast<double>(total)));
    std::vector<float> cut;
    std::vector<float> coarse;
    float least = std::numeric_limits<float>::max();
    for (std::size_t trial = levels; trial < counts.size(); ++trial) {
        const float divergence = divergenceOf(shares, trial, levels, cut, coarse);
        if (divergence < least) {
            least = divergence;
            search.chosen = search.divergences.size();
        }
        search.divergences.push_back(divergence);
    }
    return search;
}

}  // namespace calibscope
