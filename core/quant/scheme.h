#pragma once

#include "core/base/parameter.h"
#include "core/base/settings.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

enum class SchemeKind { SymmetricRestricted, SymmetricFull, Affine, AffineReal };
enum class Divisor { Qmax, QmaxPlusHalf, Levels };  ///< qmax; qmax + 0.5; 2^b - 1 (unsigned data)
enum class Rounding { HalfEven, HalfAway, FloorHalf };

/// A quantization scheme and its parameters (resources/docs/algorithms.md, "Schemes").
struct Scheme
{
    SchemeKind kind = SchemeKind::SymmetricRestricted;
    int bits = 8;  ///< 2 to 16
    Divisor divisor = Divisor::Qmax;
    Rounding rounding = Rounding::HalfEven;
    double scaleFloor = 0.0;  ///< scales below it are raised to it
    bool powerOfTwo = false;  ///< scales are rounded up to a power of two

    [[nodiscard]] bool isAffine() const
    {
        return kind == SchemeKind::Affine || kind == SchemeKind::AffineReal;
    }
    /// 2^(bits-1) - 1.
    [[nodiscard]] int qmax() const { return (1 << (bits - 1)) - 1; }
    /// Non-negative levels only: a symmetric scheme whose divisor is 2^b - 1.
    [[nodiscard]] bool isUnsigned() const { return !isAffine() && divisor == Divisor::Levels; }
    /// Ends of the integer range, both included: [-qmax, qmax] restricted, [-qmax - 1, qmax] full
    /// and affine, [0, 2^bits - 1] unsigned.
    [[nodiscard]] int lowLevel() const;
    [[nodiscard]] int highLevel() const;
    /// What a symmetric scheme divides the threshold by. Affine schemes have no divisor: they
    /// divide the range's width by 2^bits - 1.
    [[nodiscard]] double divisorValue() const;
    bool operator==(const Scheme&) const = default;
};

/// "symmetric-restricted", "symmetric-full", "affine", "affine-real".
[[nodiscard]] std::string_view schemeText(SchemeKind kind);
/// The scheme kind of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] SchemeKind parseSchemeKind(std::string_view text);

/// The scheme parameters that every calibrator accepts beside its own: divisor, rounding,
/// scale-floor, power-of-two, bits.
[[nodiscard]] const std::vector<Parameter>& schemeParameters();
/// A scheme of that kind with the parameters of `settings` (made from schemeParameters(), perhaps
/// among others).
[[nodiscard]] Scheme schemeFrom(SchemeKind kind, const Settings& settings);

}  // namespace calibscope
