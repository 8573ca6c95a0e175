// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/suspicions.h"

#include "core/base/number_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>

#include <fmt/format.h>

namespace calibscope {

namespace {

constexpr std::uint64_t fewValues = 1000;  // below, one value more than others is nothing odd
constexpr std::uint64_t leastValues = 32;
constexpr std::uint64_t mostOutliers = 64;
constexpr double gap = 1 << 20;  // outliers of models are some thousand times larger than the rest
constexpr double gapOfFew = 1ULL << 40;
constexpr double wild = 0x1p64;  // models have none such but for masks, all of one size
constexpr double scattered = 1 << 16;
constexpr std::uint64_t otherRunsForEach = 4;  // of zeros: beside more of them chance would do

/// A number that somebody chose, as for masks: of few digits, or the largest or half the largest
/// float32.
bool isRound(double magnitude)
{
    const auto value = static_cast<float>(magnitude);
    constexpr std::uint32_t mantissaMask = (1U << 23U) - 1;
    const std::uint32_t mantissa = std::bit_cast<std::uint32_t>(value) & mantissaMask;
    if (mantissa == 0 || mantissa == mantissaMask)
        return true;
    constexpr std::ptrdiff_t mostDigits = 3;
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
            .ptr;
    return std::count_if(text.data(), std::find(text.data(), end, 'e'),
                         [](char c) { return c >= '0' && c <= '9'; }) <= mostDigits;
}

/// A few values far above all others.
std::string outliers(std::span<const SketchBin> bins, std::uint64_t values, const Extents& extents)
{
    const bool areFew = values < fewValues;
    const double least = areFew ? gapOfFew : gap;
    const std::uint64_t most = areFew ? 1 : std::min(mostOutliers, values / fewValues);
    std::uint64_t above = 0;
    for (std::size_t bin = bins.size(); bin-- > 1;) {
        above += bins[bin].count;
        if (above > most)
            return {};
        const bool areEqual = above > 1 && bin + 1 == bins.size();
        if (areEqual || bins[bin].lowEdge() < least * bins[bin - 1].highEdge())
            continue;
        if (areFew && isRound(std::max(std::abs(extents.min), std::abs(extents.max))))
            return {};
        return numberText(above) + (above == 1 ? " of its values is" : " of its values are") +
               " more than " + numberText(least) + " times as large as all others";
    }
    return {};
}

/// Values that no model has, of many sizes: bytes that are not numbers, or in another order.
std::string wildValues(std::span<const SketchBin> bins)
{
    const auto first =
        std::ranges::find_if(bins, [](const SketchBin& bin) { return bin.lowEdge() >= wild; });
    if (first == bins.end() || bins.back().lowEdge() < scattered * first->highEdge())
        return {};
    std::uint64_t count = 0;
    for (auto bin = first; bin != bins.end(); ++bin)
        count += bin->count;
    return numberText(count) + " of its values are beyond 2^64, up to " +
           fmt::format("{:.1e}", bins.back().lowEdge());
}

std::string lostBlocks(const ZeroBlocks& zeros)
{
    if (zeros.runs == 0 || zeros.otherRuns > otherRunsForEach * zeros.runs)
        return {};
    return numberText(zeros.values) +
           " of its values are zeros that begin and end where the file's blocks of 512 bytes do";
}

}  // namespace

std::vector<std::string> suspicions(const TensorProfile& profile)
{
    const MagnitudeSketch& sketch = profile.sketch;
    const std::uint64_t values = sketch.count() - std::min(sketch.zeros, sketch.count());
    if (profile.info.holdsIntegers() || values < leastValues)
        return {};
    const std::vector<SketchBin> bins = sketch.magnitudes();
    std::vector<std::string> found;
    for (const std::string& fact : {outliers(bins, values, profile.extents()), wildValues(bins),
                                    lostBlocks(profile.zeroBlocks)})
        if (!fact.empty())
            found.push_back(fact + ": check whether the file is damaged");
    return found;
}

}  // namespace calibscope
