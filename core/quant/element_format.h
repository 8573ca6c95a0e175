// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/element_codes.h"
#include "core/quant/number_format.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

struct SmallFloat;

/// Where a value halfway between two numbers of a format goes. Schemes have levels of equal
/// distance and rules of their own (Rounding).
enum class Ties {
    ToEven,        ///< to the number whose pattern is even
    AwayFromZero,  ///< microxcaling's "nearest"
    TowardsZero    ///< llama.cpp, ModelOpt's MXFP4QTensor
};

/// Treatment of values beyond a format's largest number.
enum class Overflow {
    Saturate,  ///< the largest number, from infinity too
    NotFinite  ///< infinity, or NaN where the format has none, from where one more number of the
               ///< same distance would be the nearest: casts of ml_dtypes, PyTorch 2.6, ONNX
};

/// A quotient becomes a number: the nearest, ties by Ties, or llama.cpp's way with whole numbers,
/// which adds a half in float32 and cuts the fraction off.
enum class ElementRounding { ToEven, AwayFromZero, TowardsZero, Cut };

[[nodiscard]] inline ElementRounding roundingOf(Ties ties)
{
    return static_cast<ElementRounding>(ties);
}

/// Storage of quantized values: the numbers of a format with the pattern of bits of each. One
/// table of values is what encodes and decodes. Patterns of at most 16 bits.
class ElementFormat
{
public:
    /// Two's complement, or 0 to 2^bits - 1. Requires 2 to 16 bits.
    [[nodiscard]] static ElementFormat integers(int bits, bool isSigned);
    /// The id is taken by reference: a constant, as in the others below.
    [[nodiscard]] static ElementFormat smallFloat(std::string_view id, const SmallFloat& format);
    /// Numbers in ascending order, finite; the pattern of each is its index.
    [[nodiscard]] static ElementFormat table(std::string_view id, std::span<const float> numbers);
    /// The MX standard's int8: multiples of 2^-6 from -127/64 to 127/64 in two's complement; -128
    /// decodes to -2 and is never written (OCP MX 1.0, 5.3.4).
    [[nodiscard]] static ElementFormat mxInt8();
    /// The MX standard's scale: pattern e is 2^(e - 127), 255 is NaN (OCP MX 1.0, 5.4.1).
    [[nodiscard]] static ElementFormat e8m0();

    ElementFormat(ElementFormat&&) = default;  // the numbers lie in its own memory
    ElementFormat(const ElementFormat&) = delete;

    [[nodiscard]] std::string id() const { return m_numbers.id(); }
    [[nodiscard]] int bits() const { return m_bits; }
    /// The finite values that are written, each once: +0 and -0 are one.
    [[nodiscard]] const NumberFormat& numbers() const { return m_numbers; }
    [[nodiscard]] double largest() const { return m_numbers.largest(); }
    /// Bits of the mantissa behind its leading one; 0 of what is no float.
    [[nodiscard]] int mantissaBits() const { return m_mantissaBits; }

    /// Value of each pattern: -0, NaN and infinities where the format has them.
    [[nodiscard]] std::span<const float> values() const { return m_values; }
    /// Requires a pattern below values().size().
    [[nodiscard]] float decode(unsigned pattern) const { return m_values[pattern]; }
    /// Pattern of the number nearest to x. The sign of a value that becomes 0 stays where the
    /// format has -0. NaN: the format's NaN, of its own sign where it has two; -0 or else 0 without
    /// one, as ml_dtypes casts.
    [[nodiscard]] unsigned encode(float x, Ties ties = Ties::ToEven,
                                  Overflow overflow = Overflow::Saturate) const;
    /// nearest() for many values at once. Cut requires whole numbers; not for e8m0.
    [[nodiscard]] const kernels::NearestNumber& nearest(ElementRounding rounding) const
    {
        return m_nearest[static_cast<std::size_t>(rounding)];
    }
    /// decode(encode(x)).
    [[nodiscard]] float nearest(float x, Ties ties = Ties::ToEven) const
    {
        return m_values[encode(x, ties)];
    }

private:
    using Kind = kernels::NearestNumber::Kind;

    ElementFormat() = default;
    /// Makes everything else of m_values; `isWritten` tells the patterns that values can become.
    void index(std::string_view id, const std::vector<bool>& isWritten, Kind kind);
    [[nodiscard]] kernels::NearestNumber nearestBy(Kind kind, ElementRounding rounding) const;
    [[nodiscard]] unsigned tied(std::size_t lower, Ties ties) const;
    [[nodiscard]] unsigned beyond(float x, Ties ties) const;

    NumberFormat m_numbers;
    int m_bits = 8;
    int m_mantissaBits = 0;
    std::vector<float> m_values;            ///< by pattern
    std::vector<float> m_ascending;         ///< the numbers
    std::vector<std::uint16_t> m_patterns;  ///< of these
    std::vector<double> m_midpoints;        ///< between them
    std::vector<std::uint32_t> m_buckets;   ///< midpoints below all floats that begin alike
    std::array<kernels::NearestNumber, 4> m_nearest;  ///< by ElementRounding
    bool m_hasMinusZero = false;
    int m_nan = -1;           ///< a pattern; -1: none
    int m_infinity = -1;      ///< likewise
    double m_overflow = 0.0;  ///< halfway from the largest number to the next that there is not
};

/// All of them, each once: floats, integers, tables, formats of scales.
[[nodiscard]] const std::vector<ElementFormat>& elementFormats();
/// The format of that id, "fp4-e2m1", "int8". Throws Error(Usage) that lists the known ones.
[[nodiscard]] const ElementFormat& elementFormat(std::string_view id);

}  // namespace calibscope
