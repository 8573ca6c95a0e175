// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/extents.h"

#include "core/base/number_text.h"
#include "core/kernels/float_ends.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace calibscope {

namespace {

/// How many values lie at the common end of two sets, of which each knows its own end's count.
std::uint64_t countAt(double end, double own, std::uint64_t ownCount, double other,
                      std::uint64_t otherCount)
{
    return (own == end ? ownCount : 0) + (other == end ? otherCount : 0);
}

/// Extents of a piece that will be merged into others. How many values lie at an end, and the
/// largest magnitude but one, are found only where the piece's end does not lie inside the others'.
Extents extentsOfPiece(std::span<const float> values, const Extents& others)
{
    const kernels::FloatEnds ends = kernels::floatEnds(values);
    Extents extents{.finite = ends.finite,
                    .zeros = ends.zeros,
                    .min = static_cast<double>(ends.least),
                    .max = static_cast<double>(ends.greatest),
                    .absMin = static_cast<double>(ends.leastMagnitude)};
    const auto countAtEnd = [&](float end) {
        return end == 0.0F ? ends.zeros : kernels::countEqual(values, end);
    };
    if (others.finite == 0 || extents.min <= others.min)
        extents.atMin = countAtEnd(ends.least);
    if (others.finite == 0 || extents.max >= others.max)
        extents.atMax = countAtEnd(ends.greatest);
    if (others.finite == 0 || extents.absMax() > others.absSecond)
        extents.absSecond = static_cast<double>(
            kernels::secondMagnitude(values, static_cast<float>(extents.absMax())));
    if (ends.finite < values.size())
        for (const float value : values)
            if (!std::isfinite(value))
                extents.add(value);
    return extents;
}

}  // namespace

void Extents::add(float value)
{
    if (std::isfinite(value)) {
        const double x = static_cast<double>(value) +
                         0.0;  // + 0.0: a negative zero must not become the minimum's sign
        if (finite > 0 && std::abs(x) > absSecond)
            absSecond = std::min(absMax(), std::abs(x));
        if (finite == 0 || x <= min) {
            atMin = finite == 0 || x < min ? 1 : atMin + 1;
            min = x;
        }
        if (finite == 0 || x >= max) {
            atMax = finite == 0 || x > max ? 1 : atMax + 1;
            max = x;
        }
        absMin = finite == 0 ? std::abs(x) : std::min(absMin, std::abs(x));
        zeros += x == 0.0 ? 1U : 0U;
        ++finite;
    } else if (std::isnan(value)) {
        ++nan;
    } else {
        ++(value > 0.0F ? positiveInf : negativeInf);
    }
}

void Extents::add(ReadingLoss loss)
{
    switch (loss) {
    case ReadingLoss::Overflow: ++overflowed; break;
    case ReadingLoss::Underflow: ++underflowed; break;
    case ReadingLoss::Rounding: ++roundedIntegers; break;
    }
}

void Extents::add(std::span<const float> values)
{
    constexpr std::size_t worthVectors = 16;
    if (values.size() < worthVectors) {
        for (const float value : values)
            add(value);
        return;
    }
    constexpr std::size_t piece = std::size_t{1} << 13;  // swept twice, so it stays near
    for (std::size_t first = 0; first < values.size(); first += piece)
        *this +=
            extentsOfPiece(values.subspan(first, std::min(piece, values.size() - first)), *this);
}

Extents& Extents::operator+=(const Extents& other)
{
    if (other.finite > 0) {
        const double lesser = finite == 0 ? 0.0 : std::min(absMax(), other.absMax());
        absSecond = std::max({lesser, absSecond, other.absSecond});
        const double least = finite == 0 ? other.min : std::min(min, other.min);
        const double greatest = finite == 0 ? other.max : std::max(max, other.max);
        atMin = countAt(least, min, atMin, other.min, other.atMin);
        atMax = countAt(greatest, max, atMax, other.max, other.atMax);
        min = least;
        max = greatest;
        absMin = finite == 0 ? other.absMin : std::min(absMin, other.absMin);
    }
    finite += other.finite;
    zeros += other.zeros;
    nan += other.nan;
    positiveInf += other.positiveInf;
    negativeInf += other.negativeInf;
    overflowed += other.overflowed;
    underflowed += other.underflowed;
    roundedIntegers += other.roundedIntegers;
    return *this;
}

std::vector<std::string> lossNotes(const Extents& extents)
{
    std::vector<std::string> notes;
    const auto add = [&notes](std::uint64_t count, std::string_view one, std::string_view many) {
        if (count > 0)
            notes.push_back(countText(count, one, many));
    };
    add(extents.overflowed, "finite value beyond float32 is read as infinite",
        "finite values beyond float32 are read as infinite");
    add(extents.underflowed, "value other than 0 is read as 0: too small for float32",
        "values other than 0 are read as 0: too small for float32");
    add(extents.roundedIntegers, "integer beyond 16777216 loses digits in float32",
        "integers beyond 16777216 lose digits in float32");
    return notes;
}

}  // namespace calibscope
