// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/parameter.h"
#include "core/base/range.h"
#include "core/base/settings.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

enum class SchemeKind { SymmetricRestricted, SymmetricFull, Affine, AffineReal };
/// qmax; qmax + 0.5; 2^b - 1 (unsigned data); qmax where the data's ends are first weighed against
/// their own levels (Glow); qmax + 1 (ppq)
enum class Divisor { Qmax, QmaxPlusHalf, Levels, Ratio, QmaxPlusOne };
enum class Rounding { HalfEven, HalfAway, FloorHalf };
/// In which precision ends, scale and zero point are computed, and a calibrator's sums if its tool
/// has them so.
enum class Arithmetic {
    Double,
    Float32,      ///< every step is rounded to float32 (PyTorch)
    Float32Ends,  ///< ends and scale are float32, the steps between them double (Glow)
};
/// Which integers stand for the levels: as the scheme has them, from -2^(b-1), or from 0.
enum class Integers { Scheme, Signed, Unsigned };
/// From which end an affine zero point is computed.
enum class ZeroPointRule {
    FromLow,
    FromNearerEnd,  ///< Glow: from the end with the smaller terms, rounded half away from zero; 0
                    ///< where |lo + hi| is at most 2^-23
};

/// A quantization scheme and its parameters (resources/docs/algorithms.md, "Schemes").
struct Scheme
{
    SchemeKind kind = SchemeKind::SymmetricRestricted;
    int bits = 8;  ///< 2 to 16
    Divisor divisor = Divisor::Qmax;
    Rounding rounding = Rounding::HalfEven;
    double scaleFloor = 0.0;            ///< scales below it are raised to it
    double zeroScale = 0.0;             ///< scale of an empty range; 0: the floor, 1 without one
    bool powerOfTwo = false;            ///< scales are rounded up to a power of two
    bool unsignedWhenPositive = false;  ///< see schemeFor()
    Arithmetic arithmetic = Arithmetic::Double;
    Integers integers = Integers::Scheme;
    ZeroPointRule zeroPointRule = ZeroPointRule::FromLow;

    [[nodiscard]] bool isAffine() const
    {
        return kind == SchemeKind::Affine || kind == SchemeKind::AffineReal;
    }
    /// 2^(bits-1) - 1.
    [[nodiscard]] int qmax() const { return (1 << (bits - 1)) - 1; }
    /// Non-negative levels only: a symmetric scheme whose divisor is 2^b - 1.
    [[nodiscard]] bool isUnsigned() const { return !isAffine() && divisor == Divisor::Levels; }
    /// Ends of the integer range, both included: [-qmax, qmax] restricted, [-qmax - 1, qmax] full
    /// and affine, [0, 2^bits - 1] unsigned; all shifted by 2^(bits-1) where `integers` asks for
    /// the other kind.
    [[nodiscard]] int lowLevel() const { return lowestOfKind() + zeroLevel(); }
    [[nodiscard]] int highLevel() const { return highestOfKind() + zeroLevel(); }
    /// The integer that 0 has under a symmetric scheme: 0, or the shift.
    [[nodiscard]] int zeroLevel() const;
    /// What a symmetric scheme divides the threshold by. Affine schemes have no divisor: they
    /// divide the range's width by 2^bits - 1.
    [[nodiscard]] double divisorValue() const;
    bool operator==(const Scheme&) const = default;

private:
    [[nodiscard]] int lowestOfKind() const;
    [[nodiscard]] int highestOfKind() const;
};

/// The scheme as data between these ends get it: `unsignedWhenPositive` becomes the divisor 2^b - 1
/// where a symmetric scheme's data have no value below 0 and one above. Otherwise it is unchanged.
[[nodiscard]] Scheme schemeFor(const Scheme& scheme, const Range& ends);

/// The least threshold whose clip range holds these ends: the larger magnitude; under the divisor
/// `ratio` max(high, -low qmax / (qmax + 1)) where the scheme has the level -qmax - 1.
[[nodiscard]] double thresholdOver(const Scheme& scheme, const Range& ends);

/// The nearest float32; values beyond its range become its ends.
[[nodiscard]] double nearestFloat32(double value);

/// "symmetric-restricted", "symmetric-full", "affine", "affine-real".
[[nodiscard]] std::string_view schemeText(SchemeKind kind);
/// The scheme kind of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] SchemeKind parseSchemeKind(std::string_view text);

/// The scheme parameters that every calibrator accepts beside its own; no calibrator's own have
/// these ids.
[[nodiscard]] const std::vector<Parameter>& schemeParameters();
/// A scheme of that kind with the parameters of `settings` (made from schemeParameters(), perhaps
/// among others).
[[nodiscard]] Scheme schemeFrom(SchemeKind kind, const Settings& settings);

}  // namespace calibscope
