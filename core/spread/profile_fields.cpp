// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/profile_fields.h"

#include "core/base/float32.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace calibscope::spread {

namespace {

using protocol::Json;
using protocol::Where;

constexpr std::size_t sumCount = 4;

/// Whether they can be those of float32 values: growth rules compute with the ends, and would not
/// end with others.
bool isPossible(const Extents& extents)
{
    if (extents.finite == 0)
        return extents.min == 0.0 && extents.max == 0.0 && extents.absMin == 0.0 &&
               extents.absSecond == 0.0 && extents.zeros == 0;
    return isSingle(extents.min) && isSingle(extents.max) && isSingle(extents.absMin) &&
           isSingle(extents.absSecond) && extents.min <= extents.max && extents.absMin >= 0.0 &&
           extents.absMin <= extents.absMax() && extents.absSecond >= 0.0 &&
           extents.absSecond <= extents.absMax() && extents.zeros <= extents.finite;
}

bool isPossible(const SketchBin& bin)
{
    constexpr std::uint64_t mostDropped = (std::uint64_t{1} << droppedMantissaBits) - 1;
    return bin.dropped / mostDropped < bin.count ||
           (bin.dropped / mostDropped == bin.count && bin.dropped % mostDropped == 0);
}

}  // namespace

Json writePowers(const ExactPowers& powers)
{
    std::vector<std::uint64_t> words;
    for (const ExactSum& sum : powers.sums())
        words.insert(words.end(), sum.words().begin(), sum.words().end());
    return {{"count", powers.count()},
            {"words", protocol::writeNumbers(std::span<const std::uint64_t>(words))}};
}

ExactPowers readPowers(const Json& json, const Where& where)
{
    const auto words = protocol::readNumbers<std::uint64_t>(json.at("words"), where);
    if (words.size() != sumCount * ExactSum::wordCount || !json.at("count").is_number_unsigned())
        where.fail("holds no sums of powers");
    ExactPowers::Sums sums;
    for (std::size_t power = 0; power < sumCount; ++power) {
        ExactSum::Words own{};
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(power * own.size()), own.size(),
                    own.begin());
        sums[power] = ExactSum(own);
    }
    return {json.at("count").get<std::uint64_t>(), sums};
}

std::uint64_t afterIndex(std::optional<std::uint64_t> index)
{
    return index ? *index + 1 : 0;
}

std::optional<std::uint64_t> indexBefore(std::uint64_t after)
{
    return after == 0 ? std::nullopt : std::optional(after - 1);
}

bool isSingle(double value)
{
    return std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max()) &&
           toFloat32(value) == value;
}

void requirePossible(const TensorProfile& profile, const Where& where)
{
    const auto possible = [](const auto& one) { return isPossible(one); };
    if (!std::ranges::all_of(profile.batches, possible) ||
        !std::ranges::all_of(profile.channels, possible) ||
        !std::ranges::all_of(profile.sketch.negative, possible) ||
        !std::ranges::all_of(profile.sketch.positive, possible))
        where.fail("holds what no float32 values can have");
}

void failDamaged(Kept kept, const std::string& where, std::string_view reason)
{
    const bool isStep = kept == Kept::Step;
    throw Error(Fault::Input, "{}{} is damaged ({}); {}", where, isStep ? ": it" : ": the profile",
                reason, isStep ? "remove it and run its step again" : "make it again");
}

}  // namespace calibscope::spread
