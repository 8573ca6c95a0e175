// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/scale_sums.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

/// First place in [from, values.size()] from which on values reach a level, searched outward from a
/// guess. `reaches` is false before that place and true from there on.
template <typename Reaches>
std::size_t placeNear(std::span<const float> values, std::size_t from, std::size_t guess,
                      const Reaches& reaches)
{
    std::size_t low = from;
    std::size_t high = values.size();
    std::size_t step = 1;
    guess = std::clamp(guess, low, high);
    if (guess < high && !reaches(values[guess])) {
        while (guess + step < high && !reaches(values[guess + step])) {
            guess += step;
            step *= 2;
        }
        low = guess + 1;
        high = std::min(guess + step, high);
    } else {
        while (guess >= low + step && reaches(values[guess - step])) {
            guess -= step;
            step *= 2;
        }
        low = guess >= low + step ? guess - step + 1 : low;
        high = guess;
    }
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(low);
    const auto last = values.begin() + static_cast<std::ptrdiff_t>(high);
    const auto place =
        std::partition_point(first, last, [&](float value) { return !reaches(value); });
    return static_cast<std::size_t>(place - values.begin());
}

/// Sum of (c - x)^2 over values of these sums.
double squaredDistance(double c, std::size_t count, const StretchSums& from, const StretchSums& to)
{
    CompensatedSum values = to.values;
    values.subtract(from.values);
    CompensatedSum distance = to.squares;
    distance.subtract(from.squares);
    distance.addTimes(-2.0 * c, values);
    CompensatedSum square;
    square.addProduct(c, c);
    distance.addTimes(static_cast<double>(count), square);
    return std::max(distance.value(), 0.0);
}

}  // namespace

void DirectSums::add(std::span<const float> values)
{
    withRounding(m_rule.rounding, [&](const auto& round) {
        Stretch stretch;
        std::size_t count = 0;
        for (const float value : values) {
            if (!std::isfinite(value))
                continue;
            stretch[count++] = static_cast<double>(value);
            if (count == stretchValues)
                addStretch(stretch, std::exchange(count, 0), round);
        }
        while (count % lanes != 0)
            stretch[count++] = 0.0;  // adds nothing to any sum
        addStretch(stretch, count, round);
    });
}

template <typename Round>
void DirectSums::addStretch(const Stretch& values, std::size_t count, const Round& round)
{
    const double low = m_rule.low;
    const double high = m_rule.high;
    std::array<double, lanes> zz{};  // exact: at most 2^7 times 2^32
    std::array<double, lanes> squares{};
    for (std::size_t first = 0; first < count; first += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double x = values[first + lane];
            const double z = std::clamp(round(x / m_scale), low, high);
            const double error = m_scale * z - x;
            m_xz[lane].add(x * z);  // the product is exact: 24 bits times 17 bits
            zz[lane] += z * z;
            squares[lane] += error * error;
        }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        m_zz += static_cast<std::uint64_t>(zz[lane]);
        m_squares.add(squares[lane]);
    }
}

ScaleSums DirectSums::sums() const
{
    CompensatedSum xz;
    for (const CompensatedSum& lane : m_xz)
        xz.add(lane);
    return {.xz = xz.value(), .zz = static_cast<double>(m_zz), .error = 0.5 * m_squares.value()};
}

SortedSums::SortedSums(SortedValues values, const LevelRule& rule)
    : m_values(std::move(values)), m_rule(rule), m_below(rule.count() - 1, m_values.size() / 2)
{}

void SortedSums::findPlaces(double scale)
{
    withRounding(m_rule.rounding, [&](const auto& round) {
        std::size_t from = 0;
        for (std::size_t index = 0; index < m_below.size(); ++index) {
            // The rounding itself decides, so that a value on a border falls as it would alone.
            const double level = m_rule.low + 1 + static_cast<int>(index);
            from = placeNear(m_values.values(), from, m_below[index], [&](float value) {
                return round(static_cast<double>(value) / scale) >= level;
            });
            m_below[index] = from;
        }
    });
}

ScaleSums SortedSums::at(double scale)
{
    findPlaces(scale);
    CompensatedSum xz;
    CompensatedSum squares;
    std::uint64_t zz = 0;
    StretchSums from;
    std::size_t first = 0;
    for (std::size_t index = 0; index <= m_below.size(); ++index) {
        const std::size_t end = index < m_below.size() ? m_below[index] : m_values.size();
        if (end == first)
            continue;
        const StretchSums to = m_values.before(end);
        const int level = m_rule.low + static_cast<int>(index);
        CompensatedSum values = to.values;
        values.subtract(from.values);
        xz.addTimes(level, values);
        zz += static_cast<std::uint64_t>(static_cast<std::int64_t>(level) * level) * (end - first);
        squares.add(squaredDistance(scale * level, end - first, from, to));
        from = to;
        first = end;
    }
    return {.xz = xz.value(), .zz = static_cast<double>(zz), .error = 0.5 * squares.value()};
}

}  // namespace calibscope
