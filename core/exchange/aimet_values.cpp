// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/aimet_values.h"

#include "core/base/error.h"
#include "core/base/float32.h"
#include "core/base/number_text.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <cmath>

namespace calibscope::exchange {

void takeAimetBits(ScaleEntry& entry, double bits)
{
    constexpr double mostBits = 31;
    if (!(bits >= 1.0 && bits <= mostBits) || bits != std::floor(bits)) {
        entry.oddities.push_back("has " + numberText(bits) + " bits; taken for 8");
        bits = 8;
    }
    const int high = static_cast<int>((std::int64_t{1} << (static_cast<int>(bits) - 1)) - 1);
    entry.format = NumberFormat::integers(-high - 1, high);
}

void takeAimetValue(ScaleEntry& entry, double scale, double offset)
{
    if (offset > 0.0) {
        entry.oddities.push_back("the offset " + numberText(offset) +
                                 " is above 0; taken for its negative");
        offset = -offset;
    }
    const bool isRestricted = entry.isSymmetric.value_or(false) && entry.format.bits() > 1 &&
                              offset == -static_cast<double>(entry.format.high());
    if (isRestricted && entry.values.empty())
        entry.format = NumberFormat::integers(-entry.format.high(), entry.format.high());
    const double steps = 2.0 * entry.format.high() + (isRestricted ? 0.0 : 1.0);
    entry.values.push_back({.range = {.low = offset * scale, .high = (offset + steps) * scale},
                            .scale = scale,
                            .zeroPoint = entry.format.low() - offset});
}

AimetNumbers aimetNumbers(const ScaleEntry& entry, const EntryValue& value)
{
    const double zeroPoint = value.zeroPoint.value_or(0.0);
    if (std::isfinite(zeroPoint) && zeroPoint != std::floor(zeroPoint))
        throw Error(
            Fault::Usage,
            "{}: has the zero point {}, which is not whole; AIMET's encodings can't carry that",
            entry.name, numberText(zeroPoint));
    AimetNumbers numbers;
    numbers.scale = toFloat32(scaleOf(entry, value));
    numbers.offset = entry.format.low() - zeroPoint;
    numbers.min = numbers.offset * numbers.scale;
    numbers.max = (numbers.offset + entry.format.high() - entry.format.low()) * numbers.scale;
    return numbers;
}

std::string aimetOffsetText(double offset)
{
    return std::isfinite(offset) ? numberText(offset) : pythonNumber(offset);
}

bool isAimetSymmetric(const ScaleEntry& entry)
{
    if (entry.isSymmetric)
        return *entry.isSymmetric;
    return std::ranges::all_of(
        entry.values, [](const EntryValue& value) { return value.zeroPoint.value_or(0.0) == 0.0; });
}

void requireAimetEntry(const ScaleEntry& entry)
{
    constexpr std::string_view title = "a file of AIMET's encodings";
    requireName(entry, {}, title);
    const bool isWhole = entry.isFloat || (!entry.values.empty() && entry.layout.empty());
    if (!isWhole)
        throw Error(Fault::Usage, "{}: has {}; {} can't carry that", entry.name,
                    entry.values.empty() ? "no value" : "values by " + entry.layout, title);
}

}  // namespace calibscope::exchange
