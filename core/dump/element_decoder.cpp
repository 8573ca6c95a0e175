// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/element_decoder.h"

#include "core/dump/small_float.h"
#include "core/kernels/half_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

namespace calibscope {

static_assert(std::numeric_limits<double>::is_iec559, "double is taken for binary64");
static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big,
              "elements are stored in one of two byte orders");

namespace {

using Kind = ElementType::Kind;

/// Elements converted at a time. The count is a constant and the arrays are local, so that
/// compilers turn the loops into vector instructions without checks.
constexpr std::size_t groupSize = 64;

template <typename Word>
Word swapped(Word word)
{
    if constexpr (sizeof(Word) == 2)
        return __builtin_bswap16(word);
    else if constexpr (sizeof(Word) == 4)
        return __builtin_bswap32(word);
    else if constexpr (sizeof(Word) == 8)
        return __builtin_bswap64(word);
    else
        return word;
}

template <typename Word, bool isSwapped>
void decodeWords(std::span<const std::byte> stored, std::span<float> values, auto valueOf)
{
    std::array<Word, groupSize> words{};
    std::array<float, groupSize> group{};
    for (std::size_t first = 0; first < values.size(); first += groupSize) {
        const std::size_t count = std::min(groupSize, values.size() - first);
        std::memcpy(words.data(), &stored[first * sizeof(Word)], count * sizeof(Word));
        for (std::size_t element = 0; element < groupSize; ++element)
            group[element] = valueOf(isSwapped ? swapped(words[element]) : words[element]);
        std::memcpy(&values[first], group.data(), count * sizeof(float));
    }
}

/// Whole numbers up to this magnitude are float32, further ones not all: 2^24.
constexpr int lastWhole = 1 << std::numeric_limits<float>::digits;

/// Whether something may be lost, beside a fraction's last digits. Without branches.
bool isSuspect(double stored, float value)
{
    return (std::abs(stored) > lastWhole) | ((value == 0.0F) & (stored != 0.0));
}

template <std::integral Integer>
bool isSuspect(Integer stored, float /*value*/)
{
    if constexpr (std::is_signed_v<Integer>)
        return (stored > lastWhole) | (stored < -lastWhole);
    else
        return stored > static_cast<Integer>(lastWhole);
}

std::optional<ReadingLoss> lossOf(double stored, float value)
{
    if (!std::isfinite(stored))
        return std::nullopt;
    if (std::isinf(value))
        return ReadingLoss::Overflow;
    if (value == 0.0F && stored != 0.0)
        return ReadingLoss::Underflow;
    // Beyond 2^53 every double is whole, so that it says nothing of integers.
    constexpr double lastCounted = 9007199254740992.0;
    const double magnitude = std::abs(stored);
    const bool isRounded =
        magnitude > lastWhole && magnitude <= lastCounted && static_cast<double>(value) != stored;
    return isRounded && std::trunc(stored) == stored ? std::optional(ReadingLoss::Rounding)
                                                     : std::nullopt;
}

template <std::integral Integer>
std::optional<ReadingLoss> lossOf(Integer stored, float /*value*/)
{
    const auto bits = static_cast<std::uint64_t>(stored);  // sign-extended
    const std::uint64_t magnitude = stored < 0 ? std::uint64_t{0} - bits : bits;
    // GCC 12 gives the width as the type of the number.
    const auto digits = static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude);
    const bool isWider = magnitude != 0 && digits > std::numeric_limits<float>::digits;
    return isWider ? std::optional(ReadingLoss::Rounding) : std::nullopt;
}

/// As decodeWords(), of a type whose values float32 does not all hold.
template <typename Stored, typename Word, bool isSwapped>
void decodeLossy(std::span<const std::byte> stored, std::span<float> values,
                 std::vector<LostValue>& lost)
{
    std::array<Word, groupSize> words{};
    std::array<float, groupSize> group{};
    const auto storedAt = [&words](std::size_t element) {
        const Word word = words[element];
        return std::bit_cast<Stored>(isSwapped ? swapped(word) : word);
    };
    for (std::size_t first = 0; first < values.size(); first += groupSize) {
        const std::size_t count = std::min(groupSize, values.size() - first);
        std::memcpy(words.data(), &stored[first * sizeof(Word)], count * sizeof(Word));
        unsigned suspects = 0;
        for (std::size_t element = 0; element < groupSize; ++element) {
            group[element] = static_cast<float>(storedAt(element));
            suspects |= isSuspect(storedAt(element), group[element]) ? 1U : 0U;
        }
        std::memcpy(&values[first], group.data(), count * sizeof(float));
        for (std::size_t element = 0; suspects != 0 && element < count; ++element)
            if (const auto loss = lossOf(storedAt(element), group[element]))
                lost.push_back(
                    {.place = static_cast<std::uint32_t>(first + element), .loss = *loss});
    }
}

bool isAligned(std::span<const std::byte> stored)
{
    return reinterpret_cast<std::uintptr_t>(stored.data()) % alignof(float) == 0;
}

}  // namespace

std::span<const float> ElementDecoder::decode(std::span<const std::byte> stored)
{
    m_lost.clear();
    const bool isSwapped = m_type.isBigEndian != (std::endian::native == std::endian::big);
    if (m_type.kind == Kind::Float32 && !isSwapped && isAligned(stored))
        return {reinterpret_cast<const float*>(stored.data()), stored.size() / sizeof(float)};
    m_values.resize(stored.size() / m_type.bytes());
    const auto words = [&]<typename Word>(Word /*tag*/, auto valueOf) {
        if (isSwapped)
            decodeWords<Word, true>(stored, m_values, valueOf);
        else
            decodeWords<Word, false>(stored, m_values, valueOf);
    };
    const auto whole = [&]<typename Integer>(Integer /*tag*/) {
        using Word = std::make_unsigned_t<Integer>;
        words(Word{}, [](Word word) { return static_cast<float>(std::bit_cast<Integer>(word)); });
    };
    const auto lossy = [&]<typename Stored>(Stored /*tag*/) {
        using Word = std::conditional_t<sizeof(Stored) == 4, std::uint32_t, std::uint64_t>;
        if (isSwapped)
            decodeLossy<Stored, Word, true>(stored, m_values, m_lost);
        else
            decodeLossy<Stored, Word, false>(stored, m_values, m_lost);
    };
    switch (m_type.kind) {
    case Kind::Float64: lossy(double{}); break;
    case Kind::Float32:
        words(std::uint32_t{}, [](std::uint32_t word) { return std::bit_cast<float>(word); });
        break;
    case Kind::Float16: kernels::float16Values(stored, isSwapped, m_values); break;
    case Kind::Bfloat16: kernels::bfloat16Values(stored, isSwapped, m_values); break;
    case Kind::Float8E4m3fn:
    case Kind::Float8E5m2:
    case Kind::Float8E4m3:
    case Kind::Float8E4m3fnuz:
    case Kind::Float8E5m2fnuz:
    case Kind::Float8E4m3b11fnuz:
        words(std::uint8_t{},
              [&table = float8Values(m_type.kind)](std::uint8_t word) { return table[word]; });
        break;
    case Kind::Int8: whole(std::int8_t{}); break;
    case Kind::Int16: whole(std::int16_t{}); break;
    case Kind::Int32: lossy(std::int32_t{}); break;
    case Kind::Int64: lossy(std::int64_t{}); break;
    case Kind::Uint8: whole(std::uint8_t{}); break;
    case Kind::Uint16: whole(std::uint16_t{}); break;
    case Kind::Uint32: lossy(std::uint32_t{}); break;
    case Kind::Uint64: lossy(std::uint64_t{}); break;
    }
    return m_values;
}

}  // namespace calibscope
