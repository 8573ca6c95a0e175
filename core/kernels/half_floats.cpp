// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/half_floats.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/half_floats.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef CALIBSCOPE_HALF_FLOATS_PLAIN
#define CALIBSCOPE_HALF_FLOATS_PLAIN
namespace calibscope::kernels {

inline std::uint16_t wordAt(const std::byte* stored, std::size_t index, bool isSwapped)
{
    std::uint16_t word = 0;
    std::memcpy(&word, stored + index * sizeof word, sizeof word);
    return isSwapped ? __builtin_bswap16(word) : word;
}

}  // namespace calibscope::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Words = hn::Rebind<std::uint16_t, Floats>;

template <bool isSwapped>
hn::Vec<Words> wordsAt(const std::byte* stored)
{
    const auto words = hn::LoadU(Words(), reinterpret_cast<const std::uint16_t*>(stored));
    if constexpr (isSwapped)
        return hn::Or(hn::ShiftLeft<8>(words), hn::ShiftRight<8>(words));
    else
        return words;
}

template <bool isSwapped>
void vectorBfloat16Of(const std::byte* stored, float* values, std::size_t size)
{
    const Floats floats;
    const hn::RebindToUnsigned<Floats> bits;
    std::size_t index = 0;
    for (; index + hn::Lanes(floats) <= size; index += hn::Lanes(floats)) {
        const auto words = wordsAt<isSwapped>(stored + index * sizeof(std::uint16_t));
        hn::StoreU(hn::BitCast(floats, hn::ShiftLeft<16>(hn::PromoteTo(bits, words))), floats,
                   values + index);
    }
    for (; index < size; ++index)
        values[index] = bfloat16Value(wordAt(stored, index, isSwapped));
}

template <bool isSwapped>
void vectorFloat16Of(const std::byte* stored, float* values, std::size_t size)
{
    std::size_t index = 0;
// Highway's own conversion for processors that have none takes infinities for numbers.
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86 && !defined(HWY_DISABLE_F16C)
    const Floats floats;
    const hn::Rebind<hwy::float16_t, Floats> halves;
    for (; index + hn::Lanes(floats) <= size; index += hn::Lanes(floats)) {
        const auto words = wordsAt<isSwapped>(stored + index * sizeof(std::uint16_t));
        hn::StoreU(hn::PromoteTo(floats, hn::BitCast(halves, words)), floats, values + index);
    }
#endif
    for (; index < size; ++index)
        values[index] = float16Value(wordAt(stored, index, isSwapped));
}

void vectorFloat16(const std::byte* stored, bool isSwapped, float* values, std::size_t size)
{
    if (isSwapped)
        vectorFloat16Of<true>(stored, values, size);
    else
        vectorFloat16Of<false>(stored, values, size);
}

void vectorBfloat16(const std::byte* stored, bool isSwapped, float* values, std::size_t size)
{
    if (isSwapped)
        vectorBfloat16Of<true>(stored, values, size);
    else
        vectorBfloat16Of<false>(stored, values, size);
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorFloat16);
HWY_EXPORT(vectorBfloat16);
}  // namespace

void float16Values(std::span<const std::byte> stored, bool isSwapped, std::span<float> values)
{
    HWY_DYNAMIC_DISPATCH(vectorFloat16)(stored.data(), isSwapped, values.data(), values.size());
}

void bfloat16Values(std::span<const std::byte> stored, bool isSwapped, std::span<float> values)
{
    HWY_DYNAMIC_DISPATCH(vectorBfloat16)(stored.data(), isSwapped, values.data(), values.size());
}

}  // namespace calibscope::kernels
#endif
