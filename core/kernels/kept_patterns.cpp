// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kept_patterns.h"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/kept_patterns.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_KEPT_PATTERNS_PLAIN
#define CALIBSCOPE_KEPT_PATTERNS_PLAIN
namespace calibscope::kernels {

constexpr std::uint32_t magnitudeBits = 0x7fffffffU;
constexpr std::uint32_t infinityBits = 0x7f800000U;

inline bool isKept(std::uint32_t magnitude)
{
    return magnitude != 0 && magnitude < infinityBits;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Signed: magnitudes have no sign bit, and not every processor compares unsigned numbers.
using Patterns = hn::ScalableTag<std::int32_t>;

KeptPatterns vectorNonZero(const float* values, std::size_t size, std::uint32_t* patterns)
{
    const Patterns tag;
    const hn::RebindToFloat<Patterns> floats;
    const std::size_t step = hn::Lanes(tag);
    const auto magnitudeMask = hn::Set(tag, static_cast<std::int32_t>(magnitudeBits));
    const auto infinity = hn::Set(tag, static_cast<std::int32_t>(infinityBits));
    auto* room = reinterpret_cast<std::int32_t*>(patterns);
    KeptPatterns result;
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        const auto pattern = hn::BitCast(tag, hn::LoadU(floats, values + index));
        const auto magnitude = hn::And(pattern, magnitudeMask);
        const auto isZero = hn::Eq(magnitude, hn::Zero(tag));
        const auto isFinite = hn::Lt(magnitude, infinity);
        // Some processors are slow at storing what they compress in one instruction.
        const auto isKept = hn::AndNot(isZero, isFinite);
        hn::StoreU(hn::Compress(pattern, isKept), tag, room + result.kept);
        result.kept += hn::CountTrue(tag, isKept);
        result.zeros += hn::CountTrue(tag, isZero);
    }
    for (; index < size; ++index) {
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(values[index]);
        const std::uint32_t magnitude = pattern & magnitudeBits;
        patterns[result.kept] = pattern;
        result.kept += isKept(magnitude) ? 1U : 0U;
        result.zeros += magnitude == 0 ? 1U : 0U;
    }
    return result;
}

std::size_t vectorKey(const float* values, std::size_t size, std::uint32_t least,
                      std::uint32_t most, std::uint32_t* patterns)
{
    const Patterns tag;
    const hn::RebindToFloat<Patterns> floats;
    const std::size_t step = hn::Lanes(tag);
    const auto magnitudeMask = hn::Set(tag, static_cast<std::int32_t>(magnitudeBits));
    const auto below = hn::Set(tag, static_cast<std::int32_t>(least) - 1);
    const auto last = hn::Set(tag, static_cast<std::int32_t>(most));
    auto* room = reinterpret_cast<std::int32_t*>(patterns);
    std::size_t kept = 0;
    std::size_t index = 0;
    for (; index + step <= size; index += step) {
        const auto pattern = hn::BitCast(tag, hn::LoadU(floats, values + index));
        const auto magnitude = hn::And(pattern, magnitudeMask);
        const auto hasKey = hn::AndNot(hn::Gt(magnitude, last), hn::Gt(magnitude, below));
        if (!hn::AllFalse(tag, hasKey))
            kept += hn::CompressStore(pattern, hasKey, tag, room + kept);
    }
    for (; index < size; ++index) {
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(values[index]);
        const std::uint32_t magnitude = pattern & magnitudeBits;
        patterns[kept] = pattern;
        kept += magnitude >= least && magnitude <= most ? 1U : 0U;
    }
    return kept;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorNonZero);
HWY_EXPORT(vectorKey);
}  // namespace

KeptPatterns keepNonZero(std::span<const float> values, std::span<std::uint32_t> patterns)
{
    return HWY_DYNAMIC_DISPATCH(vectorNonZero)(values.data(), values.size(), patterns.data());
}

KeptPatterns keepNonZeroPlain(std::span<const float> values, std::span<std::uint32_t> patterns)
{
    KeptPatterns result;
    for (const float value : values) {
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t magnitude = pattern & magnitudeBits;
        if (magnitude == 0)
            ++result.zeros;
        else if (magnitude < infinityBits)
            patterns[result.kept++] = pattern;
    }
    return result;
}

std::size_t keepKey(std::span<const float> values, std::uint32_t key, int droppedBits,
                    std::span<std::uint32_t> patterns)
{
    const std::uint32_t least = key << droppedBits;
    const std::uint32_t most = least | ((1U << droppedBits) - 1U);
    return HWY_DYNAMIC_DISPATCH(vectorKey)(values.data(), values.size(), least, most,
                                           patterns.data());
}

std::size_t keepKeyPlain(std::span<const float> values, std::uint32_t key, int droppedBits,
                         std::span<std::uint32_t> patterns)
{
    std::size_t kept = 0;
    for (const float value : values) {
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value);
        if ((pattern & magnitudeBits) >> droppedBits == key)
            patterns[kept++] = pattern;
    }
    return kept;
}

}  // namespace calibscope::kernels
#endif
