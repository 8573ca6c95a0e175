// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/type_offer.h"

#include "core/kernels/half_floats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stop_token>
#include <string_view>
#include <vector>

namespace calibscope {

namespace {

constexpr std::size_t leastValues = 256;
constexpr std::size_t enoughValues = std::size_t{1} << 16;
constexpr double neededShare = 0.99;
constexpr double noticeableShare = 0.01;
constexpr float usualEnd = 1000.0F;

struct Likely
{
    ElementKind elementType;
    float (*valueOf)(std::uint16_t pattern);
    float usualBegin;
    bool zerosSuffice;  ///< as evidence; else both signs are needed
};

constexpr std::array candidates{
    Likely{ElementKind::Bfloat16, kernels::bfloat16Value, 1e-8F, true},
    // Integers from 1024 on with zeros for what is missing are common: depths in mm.
    Likely{ElementKind::Float16, kernels::float16Value, 0x1p-14F, false},
};

/// The elements of the first blocks as stored: enough of them, or all.
std::vector<std::uint16_t> firstPatterns(const ValueSource& source)
{
    std::vector<std::uint16_t> patterns;
    std::stop_source enough;
    try {
        source.visit(
            [&](const Block& block) {
                for (const float value : block.values)
                    patterns.push_back(static_cast<std::uint16_t>(std::lrint(value)));
                if (patterns.size() >= enoughValues)
                    enough.request_stop();
            },
            Progress(enough.get_token(), {}));
    } catch (const Cancelled&) {
        // as it was asked to
    }
    return patterns;
}

struct Counts
{
    std::size_t zeros = 0;
    std::size_t positive = 0;  ///< of a usual magnitude
    std::size_t negative = 0;

    [[nodiscard]] std::size_t usual() const { return zeros + positive + negative; }
};

Counts countsAs(const Likely& likely, const std::vector<std::uint16_t>& patterns)
{
    Counts counts;
    for (const std::uint16_t pattern : patterns) {
        const float value = likely.valueOf(pattern);
        const float magnitude = std::fabs(value);
        if (magnitude == 0.0F)
            ++counts.zeros;
        else if (magnitude >= likely.usualBegin && magnitude < usualEnd)
            ++(value > 0.0F ? counts.positive : counts.negative);
    }
    return counts;
}

bool isConvincing(const Likely& likely, const Counts& counts, std::size_t total)
{
    const auto isThere = [total](std::size_t count) {
        return static_cast<double>(count) >= noticeableShare * static_cast<double>(total);
    };
    const bool hasBothSigns = isThere(counts.positive) && isThere(counts.negative);
    const bool hasZeros = isThere(counts.zeros) && isThere(counts.positive + counts.negative);
    return static_cast<double>(counts.usual()) >= neededShare * static_cast<double>(total) &&
           (hasBothSigns || (likely.zerosSuffice && hasZeros));
}

}  // namespace

std::optional<TypeOffer> typeOffer(const ValueSource& source)
{
    const TensorInfo& info = source.info;
    if (source.storedProfile)
        return std::nullopt;  // it was fixed when the profile was made
    const bool isOpen = info.storedType.empty() && !info.otherTypes.empty();
    if (!isOpen ||
        (info.elementType != ElementKind::Uint16 && info.elementType != ElementKind::Int16))
        return std::nullopt;
    const std::vector<std::uint16_t> patterns = firstPatterns(source);
    if (patterns.size() < leastValues)
        return std::nullopt;
    for (const Likely& likely : candidates) {
        const Counts counts = countsAs(likely, patterns);
        if (!isConvincing(likely, counts, patterns.size()) ||
            std::ranges::count(info.otherTypes, likely.elementType) == 0)
            continue;
        const double percent =
            100.0 * static_cast<double>(counts.usual()) / static_cast<double>(patterns.size());
        return TypeOffer{.elementType = likely.elementType,
                         .reason = fmt::format(
                             "read as {}, {:.1f} % of the first {} values are 0 or of a "
                             "magnitude from {:.2g} to {:g}",
                             elementText(likely.elementType), std::floor(10.0 * percent) / 10.0,
                             patterns.size(), likely.usualBegin, usualEnd)};
    }
    return std::nullopt;
}

}  // namespace calibscope
