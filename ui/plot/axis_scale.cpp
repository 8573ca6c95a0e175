// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/axis_scale.h"

#include "ui/plot/number_label.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

/// 1, 2 or 5 times a power of ten.
struct NiceStep
{
    int digit = 1;
    int exponent = 0;

    [[nodiscard]] double value() const { return digit * std::pow(10.0, exponent); }
};

NiceStep niceStepAbove(double least)
{
    const int exponent = static_cast<int>(std::floor(std::log10(least)));
    for (const int digit : {1, 2, 5}) {
        const NiceStep step{digit, exponent};
        if (step.value() >= least * (1.0 - 1e-9))  // 0.3 / 3 is a hair above 0.1
            return step;
    }
    return {1, exponent + 1};
}

/// Common power of ten of the labels: multiples of 3, and none while plain numbers stay short.
int labelExponent(double largest, TickNumbers numbers)
{
    if (numbers == TickNumbers::Ordinals || largest == 0.0)
        return 0;
    const double leastPlain = numbers == TickNumbers::Counts ? 1.0 : 1e-3;
    const double mostPlain = numbers == TickNumbers::Counts ? 1e4 : 1e5;
    if (largest >= leastPlain && largest < mostPlain)
        return 0;
    const double rounding = 1e-9;  // log10(1000) must not be 2.999...
    return 3 * static_cast<int>(std::floor((std::log10(largest) + rounding) / 3.0));
}

QString countSuffix(int exponent)
{
    constexpr std::array suffixes = {"", "k", "M", "G", "T"};
    const auto place = static_cast<std::size_t>(exponent / 3);
    return place < suffixes.size() ? QString::fromLatin1(suffixes[place])
                                   : u'×' + powerOfTenLabel(exponent);
}

/// Digits 1, 2, 5 of every decade, labelled; the other digits as minor ticks.
TickSet digitTicks(const Range& shown)
{
    TickSet set;
    const int first = static_cast<int>(std::floor(std::log10(shown.low)));
    const int last = static_cast<int>(std::floor(std::log10(shown.high)));
    for (int decade = first; decade <= last; ++decade)
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = digit * std::pow(10.0, decade);
            const bool isMajor = digit == 1 || digit == 2 || digit == 5;
            if (shown.contains(value))
                set.ticks.push_back({value, isMajor ? valueLabel(value) : QString(), isMajor});
        }
    return set;
}

bool hasEnoughLabels(const TickSet& set)
{
    return std::ranges::count_if(set.ticks, &Tick::isMajor) >= 2;
}

/// Powers of ten, labelled where they are multiples of `step`, and the digits between.
TickSet decadeTicks(const Range& shown, int first, int last, int step, bool hasMinors)
{
    TickSet set;
    for (int decade = first - 1; decade <= last; ++decade) {
        const bool isMajor = decade % step == 0;
        for (int digit = 1; digit <= (hasMinors ? 9 : 1); ++digit) {
            const double value = digit * std::pow(10.0, decade);
            const bool isLabelled = digit == 1 && isMajor;
            if (shown.contains(value))
                set.ticks.push_back(
                    {value, isLabelled ? powerOfTenLabel(decade) : QString(), isLabelled});
        }
    }
    return set;
}

}  // namespace

double niceStep(double least)
{
    return niceStepAbove(least).value();
}

TickSet linearTicks(const Range& shown, int atMost, TickNumbers numbers)
{
    const double width = shown.width();
    const double largest = std::max(std::abs(shown.low), std::abs(shown.high));
    if (!(width > largest * 1e-13) || !std::isfinite(width) || numbers == TickNumbers::None)
        return {};
    double least = width / std::max(atMost, 1);
    if (numbers != TickNumbers::Values)
        least = std::max(least, 1.0);
    const NiceStep step = niceStepAbove(least);

    TickSet set;
    set.exponent = labelExponent(largest, numbers);
    const int decimals = std::max(set.exponent - step.exponent, 0);
    const double labelStep = step.digit * std::pow(10.0, step.exponent - set.exponent);
    const QString suffix = numbers == TickNumbers::Counts ? countSuffix(set.exponent) : QString();
    const double rounding = 1e-9;  // an end that should be a multiple must not be lost
    const double first = std::ceil(shown.low / step.value() - rounding);
    const double last = std::floor(shown.high / step.value() + rounding);
    for (double multiple = first; multiple <= last; ++multiple) {
        const QString label = fixedLabel(multiple * labelStep, decimals);
        set.ticks.push_back(
            {multiple * step.value(), multiple == 0.0 ? QStringLiteral("0") : label + suffix});
    }
    if (numbers == TickNumbers::Counts)
        set.exponent = 0;  // said by the suffix
    return set;
}

TickSet logTicks(const Range& shown, int atMost, double pixels)
{
    const double lowest = std::log10(shown.low);
    const double highest = std::log10(shown.high);
    const double rounding = 1e-12;
    const int first = static_cast<int>(std::ceil(lowest - rounding));
    const int last = static_cast<int>(std::floor(highest + rounding));
    const int decades = last - first + 1;
    TickSet digits = decades <= 2 ? digitTicks(shown) : TickSet();
    const bool haveDigitsRoom = std::ranges::count_if(digits.ticks, &Tick::isMajor) <= atMost;
    if (decades > 2 || (decades == 2 && !haveDigitsRoom)) {
        const int atLeast = (decades + std::max(atMost, 1) - 1) / std::max(atMost, 1);
        const int step = std::max(static_cast<int>(std::lround(niceStep(atLeast))), 1);
        constexpr double leastDecadePixels = 24.0;
        const bool hasMinors = step == 1 && pixels / (highest - lowest) >= leastDecadePixels;
        return decadeTicks(shown, first, last, step, hasMinors);
    }
    if (hasEnoughLabels(digits))
        return digits;
    return linearTicks(shown, atMost, TickNumbers::Values);
}

AxisScale::AxisScale(ScaleKind kind, const Range& values, double pixelOfLow, double pixelOfHigh,
                     std::optional<double> floor)
    : m_kind(kind),
      m_values(drawableRange(values)),
      m_pixelOfLow(pixelOfLow),
      m_pixelOfHigh(pixelOfHigh)
{
    if (kind == ScaleKind::Log && m_values.low <= 0.0)
        m_values =
            m_values.high > 0.0 ? Range{m_values.high / 10.0, m_values.high} : Range{0.1, 1.0};
    const bool isLog = kind == ScaleKind::Log;
    m_floor = floor.value_or(m_values.low);
    m_low = isLog ? std::log10(m_values.low) : m_values.low;
    m_high = isLog ? std::log10(m_values.high) : m_values.high;
}

double AxisScale::toPixel(double value) const
{
    double place = value;
    if (m_kind == ScaleKind::Log)
        place = std::log10(value <= m_floor ? m_floor : value);
    return m_pixelOfLow + (place - m_low) / (m_high - m_low) * (m_pixelOfHigh - m_pixelOfLow);
}

double AxisScale::toValue(double pixel) const
{
    const double share = (pixel - m_pixelOfLow) / (m_pixelOfHigh - m_pixelOfLow);
    const double place = m_low + share * (m_high - m_low);
    return m_kind == ScaleKind::Log ? std::pow(10.0, place) : place;
}

Range drawableRange(const Range& range)
{
    if (!std::isfinite(range.low) || !std::isfinite(range.high))
        return {0.0, 1.0};
    if (range.low < range.high)
        return range;
    if (range.low == 0.0)
        return {0.0, 1.0};
    const double half = std::abs(range.low) / 2.0;
    return {range.low - half, range.low + half};
}

Range unitedRange(const Range& one, const Range& other)
{
    return {std::min(one.low, other.low), std::max(one.high, other.high)};
}

}  // namespace calibscope
