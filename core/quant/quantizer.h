// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/quant/scheme.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// What a calibrator chose: a threshold t (symmetric schemes) or a range (affine schemes), or
/// neither where there was no finite value. A symmetric threshold may come with the clip range that
/// its calibrator has searched; else the range follows from the scheme. An affine range holds 0
/// unless its calibrator lets 0 leave.
struct ClipChoice
{
    std::optional<double> threshold = {};
    std::optional<Range> range = {};
};

/// Scale, zero point and clip range: maps floats to integers and back.
struct Quantizer
{
    double scale = 1.0;
    double zeroPoint = 0.0;  ///< whole but for affine-real
    Range clip = {};      ///< as chosen, not a product of the scale: x is clipped if and only if it
                          ///< lies outside
    int lowLevel = -127;  ///< both included
    int highLevel = 127;
    Rounding rounding = Rounding::HalfEven;
    bool roundsWithZeroPoint = false;  ///< affine-real: round(x / s + z), else round(x / s) + z

    /// Integer of a finite value, clamped to [lowLevel, highLevel].
    [[nodiscard]] int level(double x) const;
    /// Float that an integer stands for: scale (q - zeroPoint).
    [[nodiscard]] double value(int level) const { return scale * (level - zeroPoint); }
    [[nodiscard]] double fakeQuantize(double x) const { return value(level(x)); }
    [[nodiscard]] bool clips(double x) const { return x < clip.low || x > clip.high; }
    /// Where values that are not clipped must lie to become that integer; the cells of the ends
    /// reach to the clip range where that lies within them.
    [[nodiscard]] Range roundingCell(int level) const;
};

/// A quantizer, and what its user should know of it.
struct QuantizerChoice
{
    Quantizer quantizer;
    std::vector<std::string> notes = {};
};

/// The quantizer of a choice under a scheme. Symmetric schemes read the threshold, affine ones the
/// range. Nothing chosen: scale 1, zero point 0. A threshold of 0 or the range [0, 0]: the scheme's
/// floor, without one scale 1, zero point 0. A scale that is 0 in float32, or whose inverse
/// overflows float32, is kept and noted, one that a floor raised is noted. Never gives NaN,
/// infinity or a scale of 0 or below.
///
/// Clip range: [-t, t]; symmetric-full [-t (qmax + 1) / qmax, t]; unsigned (divisor 2^b-1) [0, t];
/// affine the range itself.
///
/// An affine range without 0, a width above 0: its width decides the scale, but the zero point is a
/// level, -128 or 127, and with both of them the levels stand for another range, which is the clip
/// range, with a note. Under affine-real the zero point is what the range asks for.
///
/// Clip range of a symmetric choice with both: the given one; its scale is still the threshold's,
/// under the divisor `ratio` that of the range's width.
///
/// Throws std::invalid_argument if the choice is of the other kind of scheme, the threshold
/// negative, an end not finite, or if the low end is above the high one.
[[nodiscard]] QuantizerChoice makeQuantizer(const Scheme& scheme, const ClipChoice& choice);

}  // namespace calibscope
