// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/least_divergence.h"

#include "core/quant/scheme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace calibscope {

namespace {

constexpr std::size_t coarseLevels = 255;
constexpr double givenToEmpty = 1e-4;

/// Bins that are kept, both included.
struct KeptBins
{
    std::size_t first;
    std::size_t last;
    [[nodiscard]] std::size_t size() const { return last - first + 1; }
};

/// The tool sums doubles into a float32.
double singleSum(std::span<const double> values)
{
    float sum = 0.0F;
    for (const double value : values)
        sum = static_cast<float>(static_cast<double>(sum) + value);
    return static_cast<double>(sum);
}

std::vector<double> foldedIn(std::span<const double> counts, const KeptBins& kept)
{
    std::vector<double> folded(counts.begin() + static_cast<std::ptrdiff_t>(kept.first),
                               counts.begin() + static_cast<std::ptrdiff_t>(kept.last) + 1);
    const auto sumOf = [](std::span<const double> part) {
        return std::accumulate(part.begin(), part.end(), 0.0);
    };
    folded.front() = sumOf(counts.first(kept.first + 1));
    folded.back() = sumOf(counts.subspan(kept.last));
    return folded;
}

std::vector<double> coarseForm(std::span<const double> kept)
{
    const double binsOfLevel = static_cast<double>(kept.size()) / coarseLevels;
    const auto beginOf = [&](std::size_t level) {
        return level < coarseLevels
                   ? static_cast<std::size_t>(std::ceil(static_cast<double>(level) * binsOfLevel))
                   : kept.size();
    };
    std::vector<double> coarse(kept.size());
    for (std::size_t level = 0; level < coarseLevels; ++level) {
        const std::size_t begin = beginOf(level);
        const std::size_t end = beginOf(level + 1);
        double sum = 0.0;
        double filled = 0.0;
        for (std::size_t bin = begin; bin < end; ++bin) {
            sum += kept[bin];
            filled += kept[bin] != 0.0 ? 1.0 : 0.0;
        }
        for (std::size_t bin = begin; bin < end; ++bin)
            if (kept[bin] != 0.0)
                coarse[bin] = sum / filled;
    }
    return coarse;
}

void fillEmpty(std::vector<double>& counts)
{
    const auto empty = static_cast<double>(std::ranges::count(counts, 0.0));
    const double filled = static_cast<double>(counts.size()) - empty;
    const double taken = givenToEmpty * empty / filled;
    if (filled == 0.0 || taken >= 1.0)
        return;
    for (double& count : counts)
        count = count == 0.0 ? givenToEmpty : count - taken;
}

double divergenceOf(const std::vector<double>& fine, const std::vector<double>& coarse)
{
    const double fineSum = singleSum(fine);
    const double coarseSum = singleSum(coarse);
    double divergence = 0.0;
    for (std::size_t bin = 0; bin < fine.size(); ++bin) {
        const double p = fine[bin] / fineSum;
        const double q = coarse[bin] / coarseSum;
        if (p > 0.0 && q > 0.0)
            divergence += p * std::log(p / q);
    }
    return divergence;
}

enum class Shrink { BothEnds, LowEnd, HighEnd };

Shrink cheapest(std::span<const double> counts, const KeptBins& kept)
{
    const std::array<double, 3> losses{counts[kept.first] + counts[kept.last],
                                       counts[kept.first] + counts[kept.first + 1],
                                       counts[kept.last] + counts[kept.last - 1]};
    return static_cast<Shrink>(std::ranges::min_element(losses) - losses.begin());
}

/// The cheapest way, or the other end's where that would leave 0 outside.
Shrink shrinkOf(std::span<const double> counts, const KeptBins& kept, const Range& range)
{
    const double width = range.width() / static_cast<double>(counts.size());
    const auto edge = [&](std::size_t bin) { return range.low + static_cast<double>(bin) * width; };
    const Shrink way = cheapest(counts, kept);
    if ((way == Shrink::BothEnds && edge(kept.first + 1) > 0.0) ||
        (way == Shrink::LowEnd && edge(kept.first + 2) > 0.0))
        return Shrink::HighEnd;
    if ((way == Shrink::BothEnds && edge(kept.last) < 0.0) ||
        (way == Shrink::HighEnd && edge(kept.last - 1) < 0.0))
        return Shrink::LowEnd;
    return way;
}

KeptBins shrunk(const KeptBins& kept, Shrink way)
{
    switch (way) {
    case Shrink::BothEnds: return {kept.first + 1, kept.last - 1};
    case Shrink::LowEnd: return {kept.first + 2, kept.last};
    case Shrink::HighEnd: return {kept.first, kept.last - 2};
    }
    return kept;
}

/// Nothing where the tool stops: P or Q holds no count.
std::optional<double> divergenceWithin(std::span<const double> counts, const KeptBins& kept)
{
    std::vector<double> fine = foldedIn(counts, kept);
    std::vector<double> coarse = coarseForm(counts.subspan(kept.first, kept.size()));
    if (singleSum(fine) == 0.0 || singleSum(coarse) == 0.0)
        return std::nullopt;
    fillEmpty(fine);
    fillEmpty(coarse);
    return divergenceOf(fine, coarse);
}

}  // namespace

Range leastDivergence(std::span<const double> counts, const Range& range, const ShrinkRule& rule)
{
    const double width = range.width() / static_cast<double>(counts.size());
    double least = std::numeric_limits<double>::infinity();
    Range best = range;
    for (KeptBins kept{0, counts.size() - 1}; kept.size() >= coarseLevels;) {
        const std::optional<double> divergence = divergenceWithin(counts, kept);
        if (!divergence)
            break;
        if (*divergence < least) {
            least = *divergence;
            best = {range.low + static_cast<double>(kept.first) * width,
                    range.low + static_cast<double>(kept.last + 1) * width};
        }
        kept = shrunk(kept, rule.bothEnds ? Shrink::BothEnds : shrinkOf(counts, kept, range));
    }
    return {nearestFloat32(best.low), nearestFloat32(best.high)};
}

}  // namespace calibscope
