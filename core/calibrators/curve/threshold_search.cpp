// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/curve/threshold_search.h"

#include "core/base/number_text.h"
#include "core/calibrators/curve/curve_choice.h"
#include "core/calibrators/entropy/level_kernel.h"
#include "core/calibrators/odd_data.h"
#include "core/stats/compensated_sum.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace calibscope {

namespace {

constexpr std::size_t stretchValues = 2048;
constexpr std::size_t lanes = 4;  // so that no addition waits for the one before

/// Calls `use(power)` with a function that raises a non-negative number to the p-th power.
template <typename Use>
void withPower(double p, const Use& use)
{
    if (p == 1.0)
        use([](double e) { return e; });
    else if (p == 2.0)
        use([](double e) { return e * e; });
    else if (p == 4.0)
        use([](double e) { return (e * e) * (e * e); });
    else
        use([p](double e) { return std::pow(e, p); });
}

/// Sums of |x - fq(x)|^p in units of a power of two near the largest magnitude: no power of an
/// error then overflows, and scaling the data by a power of two changes no bit of the sum.
class NormSum
{
public:
    NormSum(const Quantizer& quantizer, double p, double unit)
        : m_rule(levelRuleOf(quantizer)), m_scale(quantizer.scale), m_p(p), m_perUnit(1.0 / unit)
    {}

    /// `count` is a multiple of the lanes.
    void add(const std::array<double, stretchValues>& values, std::size_t count)
    {
        withRounding(m_rule.rounding, [&](const auto& round) {
            withPower(m_p, [&](const auto& power) {
                const double low = m_rule.low;
                const double high = m_rule.high;
                std::array<double, lanes> sums{};
                for (std::size_t first = 0; first < count; first += lanes)
                    for (std::size_t lane = 0; lane < lanes; ++lane) {
                        const double x = values[first + lane];
                        const double z = std::clamp(round(x / m_scale), low, high);
                        sums[lane] += power(std::abs(x - m_scale * z) * m_perUnit);
                    }
                for (const double sum : sums)
                    m_sum.add(sum);
            });
        });
    }
    [[nodiscard]] double sum() const { return m_sum.value(); }

private:
    LevelRule m_rule;
    double m_scale;
    double m_p;
    double m_perUnit;
    CompensatedSum m_sum;
};

void noteOddPick(Calibration& calibration)
{
    const Curve& curve = calibration.curve;
    if (curve.chosen == 0 && curve.threshold.size() > 1)
        calibration.notes.emplace_back(
            "the narrowest trial was chosen, a still narrower one was not tried");
    if (!curve.ties.empty())
        calibration.notes.push_back("tie: " + countText(curve.ties.size(),
                                                        "more trial has the least error",
                                                        "more trials have the least error"));
}

}  // namespace

std::vector<double> errorNorms(const ValueSource& source, std::span<const Quantizer> quantizers,
                               double p, double absMax, const Progress& progress)
{
    const double unit = absMax > 0.0 ? std::ldexp(1.0, std::ilogb(absMax)) : 1.0;
    std::vector<NormSum> sums;
    for (const Quantizer& quantizer : quantizers)
        sums.emplace_back(quantizer, p, unit);
    std::array<double, stretchValues> stretch;
    std::size_t held = 0;
    std::uint64_t count = 0;
    const auto flush = [&] {
        count += held;
        while (held % lanes != 0)
            stretch[held++] = 0.0;  // has no error
        for (NormSum& sum : sums)
            sum.add(stretch, held);
        held = 0;
    };
    source.visit(
        [&](const Block& block) {
            for (const float value : block.values) {
                if (!std::isfinite(value))
                    continue;
                stretch[held++] = static_cast<double>(value);
                if (held == stretchValues)
                    flush();
            }
        },
        progress);
    flush();
    std::vector<double> norms;
    for (const NormSum& sum : sums)
        norms.push_back(
            count == 0 ? 0.0 : unit * std::pow(sum.sum() / static_cast<double>(count), 1.0 / p));
    return norms;
}

Calibration searchThresholds(const CalibratorInput& input, const Extents& extents,
                             std::vector<double> thresholds, double p, bool takesWidest)
{
    if (input.values == nullptr)
        throw std::invalid_argument("a search for the least error needs the values");
    std::vector<Quantizer> quantizers;
    for (const double threshold : thresholds)
        quantizers.push_back(makeQuantizer(input.scheme, {.threshold = threshold}).quantizer);
    Calibration calibration;
    Curve& curve = calibration.curve;
    curve.objective = p == 2.0 ? "root mean squared error" : "error, " + numberText(p) + "-norm";
    curve.threshold = std::move(thresholds);
    curve.value =
        errorNorms(input.values->source, quantizers, p, extents.absMax(), input.values->progress);
    chooseLeast(curve, takesWidest);
    noteOddPick(calibration);
    settleThreshold(calibration, input.scheme, extents, curve.threshold[curve.chosen]);
    return calibration;
}

}  // namespace calibscope
