// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/manual_range.h"

#include "core/base/number_text.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

Range manualClip(const Range& requested)
{
    constexpr double largest = static_cast<double>(std::numeric_limits<float>::max());
    const auto numberOrZero = [](double value) { return std::isnan(value) ? 0.0 : value; };
    return {.low = std::clamp(numberOrZero(requested.low), -largest, 0.0),
            .high = std::clamp(numberOrZero(requested.high), 0.0, largest)};
}

Choice manualChoice(const Range& range, const Choice& schemeOf)
{
    const Range hand = manualClip(range);
    GivenSettings given;
    for (const Parameter& parameter : schemeParameters())
        given[parameter.id] = schemeOf.settings.text(parameter.id);
    if (schemeOf.scheme.isAffine()) {
        given["low"] = numberText(hand.low);
        given["high"] = numberText(hand.high);
    } else {
        given["threshold"] = numberText(std::max(-hand.low, hand.high));
    }
    return makeChoice("fixed", given, schemeOf.scheme.kind, Granularity::Tensor);
}

}  // namespace calibscope
