// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/quantizer.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

/// Levels of a symmetric scheme, counted from the one that stands for 0, and the rounding that
/// leads to them.
struct LevelRule
{
    int low = -127;  ///< both included
    int high = 127;
    Rounding rounding = Rounding::HalfEven;

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(high - low) + 1; }
};

[[nodiscard]] inline LevelRule levelRuleOf(const Quantizer& quantizer)
{
    const int zero = static_cast<int>(quantizer.zeroPoint);
    return {.low = quantizer.lowLevel - zero,
            .high = quantizer.highLevel - zero,
            .rounding = quantizer.rounding};
}
[[nodiscard]] inline LevelRule levelRuleOf(const Scheme& scheme)
{
    return levelRuleOf(makeQuantizer(scheme, {.threshold = 1.0}).quantizer);
}

/// Calls `use(round)` with a function that rounds a finite double as that rule says, so that a loop
/// over values is compiled for each rule.
template <typename Use>
auto withRounding(Rounding rounding, const Use& use)
{
    switch (rounding) {
    case Rounding::HalfAway: return use([](double x) { return std::round(x); });
    case Rounding::FloorHalf: return use([](double x) { return std::floor(x + 0.5); });
    case Rounding::HalfEven: break;
    }
    return use([](double x) {
        // Adding 1.5 * 2^52 leaves no room for a fraction: half-even without a call for each
        // value. Beyond 2^51 the sum would have another step.
        constexpr double shift = 6755399441055744.0;
        constexpr double most = 2251799813685248.0;
        return (std::clamp(x, -most, most) + shift) - shift;
    });
}

}  // namespace calibscope
