// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/metrics/sketched_ratio.h"

#include "core/base/find_by_id.h"
#include "core/metrics/metric.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace calibscope {

namespace {

constexpr std::size_t lanes = 4;

}  // namespace

SketchedRatio::SketchedRatio(const MagnitudeSketch& sketch) : m_count(sketch.count())
{
    const auto add = [this](const std::vector<SketchBin>& bins, double sign) {
        for (const SketchBin& bin : bins) {
            m_values.push_back(sign * bin.mean());
            m_counts.push_back(static_cast<double>(bin.count));
            m_sumSquares += m_counts.back() * m_values.back() * m_values.back();
        }
    };
    add(sketch.negative, -1.0);
    add(sketch.positive, 1.0);
    m_values.push_back(0.0);
    m_counts.push_back(static_cast<double>(sketch.zeros));
    while (m_values.size() % lanes != 0) {
        m_values.push_back(0.0);
        m_counts.push_back(0.0);
    }
}

std::optional<double> SketchedRatio::sqnrDb(const Quantizer& quantizer) const
{
    constexpr double rounder = 0x1.8p52;  // a sum with it has no place for a fraction
    const double zero = quantizer.zeroPoint;
    const double before = quantizer.roundsWithZeroPoint ? zero : 0.0;
    const double low = quantizer.lowLevel - (zero - before);
    const double high = quantizer.highLevel - (zero - before);
    std::array<double, lanes> noise{};
    for (std::size_t first = 0; first < m_values.size(); first += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double value = m_values[first + lane];
            const double level = value / quantizer.scale + before + rounder - rounder;
            const double error =
                value - quantizer.scale * (std::min(std::max(level, low), high) - before);
            noise[lane] += m_counts[first + lane] * error * error;
        }
    ErrorSummary errors;
    errors.sums = {.count = m_count,
                   .sumSquares = m_sumSquares,
                   .squaredRounding = (noise[0] + noise[1]) + (noise[2] + noise[3])};
    return findById(metrics(), "sqnr_db", "metric").evaluate(errors);
}

}  // namespace calibscope
