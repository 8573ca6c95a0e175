// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"
#include "core/kernels/element_codes.h"

#include <cstdint>
#include <span>

namespace calibscope {

/// Finite values of a block, from which its scale follows.
struct BlockPeak
{
    std::uint64_t finite = 0;
    std::uint64_t notFinite = 0;
    float low = 0.0F;      ///< of all values, 0 without any
    float high = 0.0F;     ///< likewise
    float extreme = 0.0F;  ///< the first value of the largest magnitude

    void add(std::span<const float> values);
    /// The largest magnitude.
    [[nodiscard]] float largest() const;
};

/// The scale of a block, stored and as it is used.
struct BlockScale
{
    float scale = 1.0F;      ///< what elements are multiplied by; below 0 under Signed only
    float quotient = 1.0F;   ///< what values are divided by, or multiplied by (Quotient)
    float zeroPoint = 0.0F;  ///< Affine; whole but under zeroIsFloat
    float minimum = 0.0F;    ///< Minimum
    unsigned pattern = 0;    ///< bits of what is stored
    bool isLeast = false;    ///< raised to the least scale that can be stored
    bool isLargest = false;  ///< lowered to the largest one
};

/// Scale of a tensor under a format that has one: its largest magnitude / 2688, in float32. 1 where
/// that is 0, or where the format has none; never 0 or infinite.
[[nodiscard]] float tensorScale(const BlockFormat& format, float largest);

/// The scale of a block, by the format's rule and without its search. Steps are float32 in the order that the tools have
/// them; exponents come from a float's bits, never from a rounded logarithm. Never NaN, infinite
/// or 0: a block without a value but 0 has scale 1 (E8M0: byte 0; TwoLevel: the least scale).
[[nodiscard]] BlockScale blockScale(const BlockFormat& format, const BlockPeak& peak,
                                    float tensorScale);

/// The pattern of each value, and what it decodes to: finite whatever the value is. Infinity goes
/// to the end of its sign, NaN is taken for 0. Requires as many results as values; `patterns` may be
/// empty where nobody asks for them.
void encodeBlock(const BlockFormat& format, const BlockScale& scale, std::span<const float> values,
                 std::span<float> decoded, std::span<std::uint16_t> patterns);

/// The block scale of TwoLevel stored as `pattern`, times that of the tensor.
[[nodiscard]] BlockScale storedBlockScale(const BlockFormat& format, unsigned pattern,
                                          float tensorScale);
/// A value over its scale, before it is rounded to an element of a symmetric format.
[[nodiscard]] float quotientOf(const BlockFormat& format, const BlockScale& scale, float x);
/// A scale as the format stores it, and the quotient that follows from either.
[[nodiscard]] BlockScale storedScale(const BlockFormat& format, float wanted);

/// Values of the lowest and the largest element under the scale that elements are divided by:
/// beyond, values saturate.
struct BlockEnds
{
    float low = 0.0F;
    float high = 0.0F;

    /// Adds the errors of values that become `decoded`. Values are within the ends to half a unit
    /// in the last bits of float32: a scale is rounded, and the largest value of a block may lie
    /// just beyond its own end.
    void addErrors(std::span<const float> values, std::span<const float> decoded,
                   kernels::CodeErrors& errors) const;
};
[[nodiscard]] BlockEnds blockEnds(const BlockFormat& format, const BlockScale& scale);

}  // namespace calibscope
