// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/quant/element_format.h"

#include "core/base/error.h"
#include "core/quant/small_float.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

/// Floats are sorted by sign, exponent and four bits of the mantissa before any are compared: a
/// format of three mantissa bits has one midpoint at most among those that are alike.
constexpr unsigned unlikeBits = 13;

/// Ascending with the value; also of infinities.
unsigned bucketOf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return ((bits >> 31U) != 0 ? ~bits : bits | 0x80000000U) >> (32U - unlikeBits);
}

/// QLoRA's (Dettmers et al. 2023, appendix E), as bitsandbytes has them.
constexpr std::array<float, 16> normalFloat4{
    -1.0F,          -0.696192801F, -0.525073051F, -0.394917488F, -0.284441382F, -0.18477343F,
    -0.0910500363F, 0.0F,          0.0795802996F, 0.160930201F,  0.246112302F,  0.337915242F,
    0.440709829F,   0.562617004F,  0.722956836F,  1.0F};
/// The same as ModelOpt has them: four decimals in bfloat16.
constexpr std::array<float, 16> normalFloat4ModelOpt{
    -1.0F,         -0.6953125F, -0.5234375F,  -0.39453125F, -0.28515625F, -0.18457031F,
    -0.091308594F, 0.0F,        0.079589844F, 0.16113281F,  0.24609375F,  0.33789062F,
    0.44140625F,   0.5625F,     0.72265625F,  1.0F};
/// bitsandbytes' 4-bit float, by value: twelfths of 1/16, 2, 3, 4, 6, 8 and 12.
constexpr std::array<float, 15> bitsAndBytes4{
    -1.0F,         -0.666666687F,   -0.5F, -0.333333343F,  -0.25F,
    -0.166666672F, -0.00520833349F, 0.0F,  0.00520833349F, 0.166666672F,
    0.25F,         0.333333343F,    0.5F,  0.666666687F,   1.0F};
/// llama.cpp, ggml-common.h, kvalues_iq4nl.
constexpr std::array<float, 16> iq4Nl{-127, -104, -83, -65, -49, -35, -22, -10,
                                      1,    13,   25,  38,  53,  69,  89,  113};

std::vector<ElementFormat> allElementFormats()
{
    using Specials = FloatSpecials;
    std::vector<ElementFormat> formats;
    const auto add = [&](std::string_view id, const SmallFloat& format) {
        formats.push_back(ElementFormat::smallFloat(id, format));
    };
    // OCP 8-bit floating point 1.0; ml_dtypes, "Specifications of implemented floating point
    // formats"; OCP MX 1.0, 5.3
    add("fp8-e4m3", {8, 4, 7, Specials::NanOnly});
    add("fp8-e5m2", {8, 5, 15, Specials::Ieee});
    add("fp8-e4m3fnuz", {8, 4, 8, Specials::NoMinusZero});
    add("fp8-e5m2fnuz", {8, 5, 16, Specials::NoMinusZero});
    add("fp6-e2m3", {6, 2, 1, Specials::None});
    add("fp6-e3m2", {6, 3, 3, Specials::None});
    add("fp4-e2m1", {4, 2, 1, Specials::None});
    for (const bool isSigned : {true, false})
        for (int bits = 2; bits <= 16; ++bits)
            formats.push_back(ElementFormat::integers(bits, isSigned));
    formats.push_back(ElementFormat::mxInt8());
    formats.push_back(ElementFormat::table("nf4", normalFloat4));
    formats.push_back(ElementFormat::table("nf4-modelopt", normalFloat4ModelOpt));
    formats.push_back(ElementFormat::table("fp4-bitsandbytes", bitsAndBytes4));
    formats.push_back(ElementFormat::table("iq4-nl", iq4Nl));
    formats.push_back(ElementFormat::e8m0());
    add("float16", {16, 5, 15, Specials::Ieee});
    add("bfloat16", {16, 8, 127, Specials::Ieee});
    return formats;
}

}  // namespace

ElementFormat ElementFormat::integers(int bits, bool isSigned)
{
    ElementFormat format;
    format.m_bits = bits;
    const int count = 1 << bits;
    for (int pattern = 0; pattern < count; ++pattern)
        format.m_values.push_back(
            static_cast<float>(isSigned && pattern >= count / 2 ? pattern - count : pattern));
    format.index({}, std::vector<bool>(format.m_values.size(), true), Kind::Steps);
    format.m_numbers =
        NumberFormat::integers(isSigned ? -count / 2 : 0, isSigned ? count / 2 - 1 : count - 1);
    return format;
}

ElementFormat ElementFormat::smallFloat(std::string_view id, const SmallFloat& small)
{
    ElementFormat format;
    format.m_bits = small.bits;
    format.m_mantissaBits = small.bits - 1 - small.exponentBits;
    for (unsigned pattern = 0; pattern < small.patternCount(); ++pattern)
        format.m_values.push_back(small.valueOf(pattern));
    std::vector<bool> isWritten;
    for (unsigned pattern = 0; pattern < small.patternCount(); ++pattern) {
        const float value = format.m_values[pattern];
        isWritten.push_back(std::isfinite(value) && !(value == 0.0F && std::signbit(value)));
        if (std::isnan(value))
            format.m_nan = static_cast<int>(pattern & (small.patternCount() / 2 - 1));
        if (std::isinf(value) && value > 0.0F)
            format.m_infinity = static_cast<int>(pattern);
        format.m_hasMinusZero = format.m_hasMinusZero || (value == 0.0F && std::signbit(value));
    }
    if (small.specials == FloatSpecials::NoMinusZero)
        format.m_nan = static_cast<int>(small.patternCount() / 2);
    format.index(id, isWritten, Kind::Floats);
    return format;
}

ElementFormat ElementFormat::table(std::string_view id, std::span<const float> numbers)
{
    ElementFormat format;
    format.m_bits = static_cast<int>(std::bit_width(numbers.size() - 1));
    format.m_values.assign(numbers.begin(), numbers.end());
    format.index(id, std::vector<bool>(numbers.size(), true), Kind::Table);
    return format;
}

ElementFormat ElementFormat::mxInt8()
{
    ElementFormat format;
    for (int pattern = 0; pattern < 256; ++pattern)
        format.m_values.push_back(
            std::ldexp(static_cast<float>(pattern < 128 ? pattern : pattern - 256), -6));
    std::vector<bool> isWritten(256, true);
    isWritten[128] = false;
    format.m_mantissaBits = 6;
    format.index("mxint8", isWritten, Kind::Steps);
    return format;
}

ElementFormat ElementFormat::e8m0()
{
    ElementFormat format;
    for (int pattern = 0; pattern < 255; ++pattern)
        format.m_values.push_back(std::ldexp(1.0F, pattern - 127));
    format.m_values.push_back(std::numeric_limits<float>::quiet_NaN());
    std::vector<bool> isWritten(256, true);
    isWritten[255] = false;
    format.m_nan = 255;
    format.index("e8m0", isWritten, Kind::Floats);
    return format;
}

void ElementFormat::index(std::string_view id, const std::vector<bool>& isWritten, Kind kind)
{
    for (std::size_t pattern = 0; pattern < m_values.size(); ++pattern)
        if (isWritten[pattern])
            m_patterns.push_back(static_cast<std::uint16_t>(pattern));
    std::ranges::sort(m_patterns, {}, [&](std::uint16_t pattern) { return m_values[pattern]; });
    for (const std::uint16_t pattern : m_patterns)
        m_ascending.push_back(m_values[pattern]);
    for (std::size_t i = 0; i + 1 < m_ascending.size(); ++i)
        m_midpoints.push_back(
            0.5 * (static_cast<double>(m_ascending[i]) + static_cast<double>(m_ascending[i + 1])));
    const auto largest = static_cast<double>(m_ascending.back());
    m_overflow =
        largest + 0.5 * (largest - static_cast<double>(m_ascending[m_ascending.size() - 2]));
    m_buckets.assign((1U << unlikeBits) + 1, static_cast<std::uint32_t>(m_midpoints.size()));
    std::size_t below = 0;
    for (unsigned bucket = 0; bucket < 1U << unlikeBits; ++bucket) {
        while (below < m_midpoints.size() &&
               bucketOf(static_cast<float>(m_midpoints[below])) < bucket)
            ++below;
        m_buckets[bucket] = static_cast<std::uint32_t>(below);
    }
    if (!id.empty())
        m_numbers = NumberFormat::table(id, m_ascending);
    for (std::size_t rounding = 0; rounding < m_nearest.size(); ++rounding)
        m_nearest[rounding] = nearestBy(kind, static_cast<ElementRounding>(rounding));
}

kernels::NearestNumber ElementFormat::nearestBy(Kind kind, ElementRounding rounding) const
{
    const bool isCut = rounding == ElementRounding::Cut;
    const Ties ties = isCut ? Ties::ToEven : static_cast<Ties>(rounding);
    kernels::NearestNumber nearest{.kind = isCut ? Kind::Cut : kind,
                                   .ties = static_cast<kernels::NearestNumber::Ties>(ties),
                                   .low = m_ascending.front(),
                                   .high = m_ascending.back(),
                                   .step = *std::ranges::upper_bound(m_ascending, 0.0F),
                                   .mantissaBits = m_mantissaBits,
                                   .shift = -m_ascending.front(),
                                   .hasMinusZero = m_hasMinusZero};
    if (kind != Kind::Table)
        return nearest;
    nearest.numbers.fill(m_ascending.back());
    std::ranges::copy(m_ascending, nearest.numbers.begin());
    constexpr float infinity = std::numeric_limits<float>::infinity();
    nearest.bounds.fill(infinity);
    for (std::size_t lower = 0; lower < m_midpoints.size(); ++lower) {
        const auto rounded = static_cast<float>(m_midpoints[lower]);
        const bool isBelow = static_cast<double>(rounded) < m_midpoints[lower];
        const bool isTie = static_cast<double>(rounded) == m_midpoints[lower];
        const bool isLower = isBelow || (isTie && tied(lower, ties) == m_patterns[lower]);
        nearest.bounds[lower] = isLower ? std::nextafter(rounded, infinity) : rounded;
    }
    return nearest;
}

unsigned ElementFormat::tied(std::size_t lower, Ties ties) const
{
    const bool isLowerFarther = std::abs(m_ascending[lower]) > std::abs(m_ascending[lower + 1]);
    const bool takesLower = ties == Ties::ToEven         ? m_patterns[lower] % 2 == 0
                            : ties == Ties::AwayFromZero ? isLowerFarther
                                                         : !isLowerFarther;
    return m_patterns[takesLower ? lower : lower + 1];
}

unsigned ElementFormat::beyond(float x, Ties ties) const
{
    const unsigned sign = std::signbit(x) ? 1U << static_cast<unsigned>(m_bits - 1) : 0U;
    const double magnitude = std::abs(static_cast<double>(x));
    const bool isLargestEven = m_patterns.back() % 2 == 0;
    const bool tieStays = ties == Ties::TowardsZero || (ties == Ties::ToEven && isLargestEven);
    if (magnitude < m_overflow || (magnitude == m_overflow && tieStays))
        return sign + m_patterns.back();
    if (m_infinity >= 0)
        return sign + static_cast<unsigned>(m_infinity);
    return m_hasMinusZero ? sign + static_cast<unsigned>(m_nan) : static_cast<unsigned>(m_nan);
}

unsigned ElementFormat::encode(float x, Ties ties, Overflow overflow) const
{
    const unsigned signBit = 1U << static_cast<unsigned>(m_bits - 1);
    if (std::isnan(x)) {
        if (m_nan >= 0)
            return static_cast<unsigned>(m_nan) +
                   (std::signbit(x) && m_hasMinusZero ? signBit : 0U);
        return m_hasMinusZero ? signBit : encode(0.0F);
    }
    const bool hasSpecials = m_infinity >= 0 || m_nan >= 0;
    if (overflow == Overflow::NotFinite && hasSpecials && std::abs(x) > m_ascending.back())
        return beyond(x, ties);
    const unsigned bucket = bucketOf(x);
    const auto value = static_cast<double>(x);
    const auto first = m_midpoints.begin() + m_buckets[bucket];
    const auto last = m_midpoints.begin() + m_buckets[bucket + 1];
    const auto at = std::lower_bound(first, last, value);
    const auto lower = static_cast<std::size_t>(at - m_midpoints.begin());
    const bool isTie = at != last && *at == value;
    const unsigned pattern = isTie ? tied(lower, ties) : m_patterns[lower];
    return pattern == 0 && m_hasMinusZero && std::signbit(x) ? signBit : pattern;
}

const std::vector<ElementFormat>& elementFormats()
{
    static const std::vector<ElementFormat> formats = allElementFormats();
    return formats;
}

const ElementFormat& elementFormat(std::string_view id)
{
    std::string known;
    for (const ElementFormat& format : elementFormats()) {
        if (format.id() == id)
            return format;
        known += (known.empty() ? "" : ", ") + format.id();
    }
    throw Error(Fault::Usage, "there is no element format {}; available: {}", id, known);
}

}  // namespace calibscope
