// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/row_sums.h"

#include "core/kernels/float_ends.h"
#include "core/kernels/level_sums.h"
#include "core/kernels/square_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace calibscope {

namespace {

using kernels::summingLanes;

/// The sums over values and their levels for one scale, stretch after stretch.
class StretchLevels
{
public:
    StretchLevels(double scale, const LevelRule& rule)
        : m_scale(scale),
          m_rule(rule),
          m_fast{.perScale = static_cast<float>(1.0 / scale), .low = rule.low, .high = rule.high}
    {}

    void add(std::span<const float> values)
    {
        std::array<std::uint16_t, kernels::levelStretch> places;
        const kernels::LevelSums sums = kernels::levelSums(values, m_fast, places);
        for (std::size_t lane = 0; lane < summingLanes; ++lane)
            m_xz[lane % chains].add(sums.xz[lane]);
        m_zz += sums.zz;
        if (sums.near > 0)
            addNear(values, std::span(places).first(sums.near));
    }
    [[nodiscard]] CompensatedSum xz() const
    {
        CompensatedSum sum = m_xz.front();
        for (const CompensatedSum& chain : std::span(m_xz).subspan(1))
            sum.add(chain);
        return sum;
    }
    [[nodiscard]] double zz() const { return static_cast<double>(m_zz); }

private:
    static constexpr std::size_t chains = 4;  // so that no addition waits for the one before

    void addNear(std::span<const float> values, std::span<const std::uint16_t> places)
    {
        withRounding(m_rule.rounding, [&](const auto& round) {
            for (const std::uint16_t place : places) {
                const double x = static_cast<double>(values[place]);
                const double z = std::clamp<double>(round(x / m_scale), m_rule.low, m_rule.high);
                m_xz.front().add(x * z);
                m_zz += static_cast<std::uint64_t>(z * z);
            }
        });
    }

    double m_scale;
    LevelRule m_rule;
    kernels::LevelSumsRule m_fast;
    std::array<CompensatedSum, chains> m_xz;
    std::uint64_t m_zz = 0;
};

}  // namespace

RowSums::RowSums(std::vector<float> values, const LevelRule& rule)
    : m_values(std::move(values)), m_rule(rule)
{
    m_values.resize((m_values.size() + summingLanes - 1) / summingLanes * summingLanes);
    const kernels::FloatEnds ends = kernels::floatEnds(m_values);
    m_absMax = static_cast<double>(std::max(ends.greatest, -ends.least));
    const kernels::SquareSums squares = kernels::squareSums(m_values);
    for (std::size_t lane = 0; lane < summingLanes; ++lane) {
        m_squares.add(squares.high[lane]);
        m_squares.add(squares.low[lane]);
    }
}

bool RowSums::isExactAt(double scale) const
{
    constexpr double least = 0x1p-100;
    const int most = std::max(-m_rule.low, m_rule.high);
    if (!(scale >= least && scale <= 1.0 / least) || most > kernels::mostLevel)
        return false;
    // Values with a level other than 0 are multiples of the last place of half the scale.
    constexpr double almostHalf = 0.499;
    constexpr int mantissaBits = 23;
    const double unit = std::ldexp(1.0, std::ilogb(almostHalf * scale) - mantissaBits);
    constexpr std::size_t valuesOfLane = kernels::levelStretch / summingLanes;
    return static_cast<double>(valuesOfLane) * most * m_absMax <= 0x1p53 * unit;
}

ScaleSums RowSums::plainAt(double scale) const
{
    DirectSums sums(scale, m_rule);
    sums.add(m_values);
    return sums.sums();
}

ScaleSums RowSums::at(double scale) const
{
    if (!isExactAt(scale))
        return plainAt(scale);
    StretchLevels levels(scale, m_rule);
    for (std::size_t first = 0; first < m_values.size(); first += kernels::levelStretch)
        levels.add(std::span(m_values).subspan(
            first, std::min(kernels::levelStretch, m_values.size() - first)));

    // sum (s z - x)^2 = sum x^2 - 2 s sum x z + s^2 sum z^2
    const CompensatedSum xz = levels.xz();
    CompensatedSum error = m_squares;
    error.addTimes(-2.0 * scale, xz);
    CompensatedSum scaleSquared;
    scaleSquared.addProduct(scale, scale);
    error.addTimes(levels.zz(), scaleSquared);
    // Where next to nothing is left, what s z is rounded to in double counts, too.
    constexpr double leastShare = 0x1p-30;
    if (error.value() < leastShare * m_squares.value())
        return plainAt(scale);
    return {.xz = xz.value(), .zz = levels.zz(), .error = 0.5 * error.value()};
}

}  // namespace calibscope
