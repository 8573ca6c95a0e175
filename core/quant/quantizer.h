#pragma once

#include "core/base/range.h"
#include "core/quant/scheme.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// What a calibrator settled: a threshold t (symmetric schemes) or a range that holds 0 (affine
/// schemes), or neither where there was no finite value.
struct ClipChoice
{
    std::optional<double> threshold;
    std::optional<Range> range;
};

/// Scale, zero point and clip range: maps floats to integers and back.
struct Quantizer
{
    double scale = 1.0;
    double zeroPoint = 0.0;  ///< whole but for affine-real
    Range clip;  ///< as chosen, not a product of the scale: x is clipped if and only if it lies
                 ///< outside
    int lowLevel = -127;  ///< both included
    int highLevel = 127;
    Rounding rounding = Rounding::HalfEven;

    /// Integer of a finite value, clamped to [lowLevel, highLevel].
    [[nodiscard]] int level(double value) const;
    /// Float that an integer stands for: scale (q - zeroPoint).
    [[nodiscard]] double value(int level) const { return scale * (level - zeroPoint); }
    [[nodiscard]] double fakeQuantize(double x) const { return value(level(x)); }
    [[nodiscard]] bool clips(double x) const { return x < clip.low || x > clip.high; }
};

/// A quantizer, and what its user should know of it.
struct QuantizerChoice
{
    Quantizer quantizer;
    std::vector<std::string> notes;
};

/// The quantizer of a choice under a scheme. Nothing chosen: scale 1, zero point 0. A threshold or
/// a range of 0: scale 1 (or the scheme's floor). A scale whose inverse overflows float32 is kept
/// and noted. Under an affine scheme the range must hold 0 (std::invalid_argument otherwise). Never
/// gives NaN, infinity or a negative scale.
[[nodiscard]] QuantizerChoice makeQuantizer(const Scheme& scheme, const ClipChoice& choice);

}  // namespace calibscope
