// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/centred/centred_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace calibscope {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr double epsilon = 0.0001;  // both tools: what an empty bin gets, in counts
constexpr std::uint64_t mostExact = std::uint64_t{1} << 24;  // whole numbers that float32 holds

/// P, and the counts of its bins without those outside.
struct Masses
{
    std::vector<std::uint64_t> inside;
    std::vector<std::uint64_t> all;  ///< ONNX Runtime's P: whole counts
    std::vector<float> p;
};

void take(Masses& masses, std::span<const std::uint64_t> counts, const CentredWindow& window,
          const std::vector<std::uint64_t>& before)
{
    const auto within = counts.subspan(window.first, window.end - window.first);
    masses.inside.assign(within.begin(), within.end());
    masses.all = masses.inside;
    masses.all.front() += before[window.first];
    masses.all.back() += before.back() - before[window.end];
    masses.p.resize(masses.all.size());
    std::ranges::transform(masses.all, masses.p.begin(),
                           [](std::uint64_t count) { return static_cast<float>(count); });
}

/// MXNet's P where its end bins are sums that float32 rounds on the way.
void addRounded(Masses& masses, std::span<const std::uint64_t> counts, const CentredWindow& window)
{
    const auto sumFrom = [&](float sum, std::span<const std::uint64_t> outside) {
        for (const std::uint64_t count : outside)
            sum += static_cast<float>(count);
        return sum;
    };
    masses.p.front() = sumFrom(0.0F, counts.first(window.first + 1));
    masses.p.back() = sumFrom(static_cast<float>(masses.inside.back()), counts.subspan(window.end));
}

/// Bins of a level, from `first` up to but without `end`.
struct LevelBins
{
    std::size_t first;
    std::size_t end;
};

/// Q as ONNX Runtime has it; bins that belong to no level stay empty.
void spreadWhole(const Masses& masses, std::size_t levels, std::vector<float>& q)
{
    const std::size_t merged = masses.inside.size() / levels;
    const auto sumOf = [&](LevelBins bins) {
        return std::accumulate(masses.inside.begin() + static_cast<std::ptrdiff_t>(bins.first),
                               masses.inside.begin() + static_cast<std::ptrdiff_t>(bins.end),
                               std::uint64_t{0});
    };
    q.assign(masses.inside.size(), 0.0F);
    for (std::size_t level = 0; level < levels; ++level) {
        const LevelBins bins{level * merged, (level + 1) * merged};
        const std::uint64_t sum =
            sumOf(bins) + (level + 1 == levels ? sumOf({bins.end, masses.inside.size()}) : 0);
        const auto all = std::span(masses.all).subspan(bins.first, merged);
        const auto filled = static_cast<std::uint64_t>(
            std::ranges::count_if(all, [](std::uint64_t count) { return count != 0; }));
        if (filled == 0)
            continue;
        const std::uint64_t share = sum / filled;  // whole counts, as there
        std::fill_n(q.begin() + static_cast<std::ptrdiff_t>(bins.first), merged,
                    static_cast<float>(share));
    }
}

/// Q as MXNet has it.
void spreadReal(const Masses& masses, std::size_t levels, std::vector<float>& q)
{
    const std::size_t merged = masses.inside.size() / levels;
    q.assign(masses.inside.size(), 0.0F);
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t end = level + 1 == levels ? masses.inside.size() : (level + 1) * merged;
        std::uint64_t ofLevel = 0;
        std::uint64_t leftOver = 0;
        std::uint64_t filled = 0;
        for (std::size_t bin = level * merged; bin < end; ++bin) {
            const std::uint64_t count = bin == 0 ? 0 : masses.inside[bin];
            (bin < (level + 1) * merged ? ofLevel : leftOver) += count;
            filled += count != 0 ? 1 : 0;
        }
        if (filled == 0)
            continue;
        const float sum = static_cast<float>(ofLevel) + static_cast<float>(leftOver);
        const float mean = sum / static_cast<float>(filled);
        for (std::size_t bin = level * merged; bin < end; ++bin)
            if (masses.p[bin] != 0.0F)
                q[bin] = mean;
    }
}

/// Gives the empty bins their part. False: a part would be a whole count or more, or nothing holds
/// a count. `Part` is the type that the tool computes a part in.
template <typename Part>
bool smooth(std::vector<float>& masses)
{
    const auto empty = static_cast<std::size_t>(std::ranges::count(masses, 0.0F));
    const std::size_t filled = masses.size() - empty;
    if (filled == 0)
        return false;
    const Part given = static_cast<Part>(epsilon);
    const Part part = given * static_cast<Part>(empty) / static_cast<Part>(filled);
    if (!(part < Part{1}))
        return false;
    for (float& mass : masses)
        mass = mass == 0.0F ? static_cast<float>(given) : mass - static_cast<float>(part);
    return true;
}

float orderedSum(std::span<const float> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0F);
}

/// Eight running sums in blocks of 128 and less, halves of longer ones.
float pairedSum(std::span<const float> values)
{
    constexpr std::size_t lanes = 8;
    constexpr std::size_t block = 128;
    if (values.size() > block) {
        const std::size_t half = values.size() / 2 / lanes * lanes;
        return pairedSum(values.first(half)) + pairedSum(values.subspan(half));
    }
    if (values.size() < lanes)
        return orderedSum(values);
    std::array<float, lanes> sums{};
    std::copy_n(values.begin(), lanes, sums.begin());
    const std::size_t whole = values.size() / lanes * lanes;
    for (std::size_t first = lanes; first < whole; first += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] += values[first + lane];
    float sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (const float value : values.subspan(whole))
        sum += value;
    return sum;
}

/// scipy.stats.entropy(p, q): the terms are double, rounded to float32.
float divergenceByPairs(std::vector<float>& p, const std::vector<float>& q)
{
    const float pSum = numpySum(p);
    const float qSum = numpySum(q);
    for (std::size_t bin = 0; bin < p.size(); ++bin) {
        const auto share = static_cast<double>(p[bin] / pSum);
        const auto other = static_cast<double>(q[bin] / qSum);
        p[bin] = static_cast<float>(share * std::log(share / other));
    }
    return numpySum(p);
}

float divergenceInOrder(const std::vector<float>& p, const std::vector<float>& q)
{
    const float pSum = orderedSum(p);
    const float qSum = orderedSum(q);
    float sum = 0.0F;
    for (std::size_t bin = 0; bin < p.size(); ++bin) {
        const float share = p[bin] / pSum;
        sum += share * std::log(share / (q[bin] / qSum));
    }
    return sum;
}

float divergenceOf(Masses& masses, std::size_t levels, CentredSteps steps, std::vector<float>& q)
{
    switch (steps) {
    case CentredSteps::OnnxRuntime:
        spreadWhole(masses, levels, q);
        return smooth<double>(masses.p) && smooth<double>(q) ? divergenceByPairs(masses.p, q)
                                                             : infinite;
    case CentredSteps::Mxnet:
        spreadReal(masses, levels, q);
        return smooth<float>(masses.p) && smooth<float>(q) ? divergenceInOrder(masses.p, q)
                                                           : infinite;
    }
    return infinite;
}

std::vector<std::uint64_t> countsBefore(std::span<const std::uint64_t> counts)
{
    std::vector<std::uint64_t> before{0};
    for (const std::uint64_t count : counts)
        before.push_back(before.back() + count);
    return before;
}

}  // namespace

CentredWindow centredWindow(std::size_t bins, std::size_t half)
{
    const std::size_t middle = bins / 2;
    return {.first = middle - half, .end = std::min(middle + half + 1, bins)};
}

float numpySum(std::span<const float> values)
{
    constexpr std::size_t buffer = 8192;
    float sum = 0.0F;
    for (; values.size() > buffer; values = values.subspan(buffer))
        sum += pairedSum(values.first(buffer));
    return sum + pairedSum(values);
}

CentredSearch searchCentred(std::span<const std::uint64_t> counts, std::size_t levels,
                            CentredSteps steps)
{
    CentredSearch search{.firstHalf = levels / 2, .divergences = {}};
    if (counts.size() < levels)
        return search;
    std::vector<std::uint64_t> kept(counts.begin(), counts.end());
    if (steps == CentredSteps::Mxnet)
        for (std::uint64_t& count : kept)
            count = static_cast<std::uint64_t>(static_cast<float>(count));
    counts = kept;
    const std::vector<std::uint64_t> before = countsBefore(counts);
    const bool addsRounded = steps == CentredSteps::Mxnet && before.back() > mostExact;
    Masses masses;
    std::vector<float> q;
    float least = infinite;
    for (std::size_t half = search.firstHalf; half <= counts.size() / 2; ++half) {
        const CentredWindow window = centredWindow(counts.size(), half);
        take(masses, counts, window, before);
        if (addsRounded)
            addRounded(masses, counts, window);
        const float divergence = divergenceOf(masses, levels, steps, q);
        if (divergence < least) {
            least = divergence;
            search.chosen = search.divergences.size();
        }
        search.divergences.push_back(divergence);
    }
    return search;
}

}  // namespace calibscope
