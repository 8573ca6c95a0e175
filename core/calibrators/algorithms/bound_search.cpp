// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/calibrators/curve/threshold_search.h"
#include "core/calibrators/odd_data.h"

#include <algorithm>

namespace calibscope::calibration {

namespace {

constexpr double mostFactors = 10000;

CalibratorNeeds needsOfBoundSearch(const CalibratorInput&, const Extents& extents)
{
    return {.values = extents.absMax() > 0.0};
}

/// Factors from 1 down to the least one in equal steps, given ascending, without repetitions.
std::vector<double> factorsOf(const Settings& settings)
{
    const int count = settings.integer("factors");
    const double least = settings.number("least-factor");
    std::vector<double> factors;
    for (int index = count - 1; index >= 0; --index) {
        const bool isEnd = index == count - 1 && count > 1;
        const double step = count > 1 ? (least - 1.0) / (count - 1) : 0.0;
        factors.push_back(isEnd ? least : 1.0 + index * step);
    }
    factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
    return factors;
}

Calibration calibrateBoundSearch(const CalibratorInput& input, const TensorProfile& profile)
{
    checkScheme(calibrator("bound-search"), input.scheme);
    const Extents& extents = profile.extents();
    if (std::optional<Calibration> answer = answerToOddData(input.scheme, extents))
        return *answer;
    std::vector<double> thresholds = factorsOf(input.settings);
    const bool isFloat32 = input.scheme.arithmetic != Arithmetic::Double;
    for (double& threshold : thresholds)
        threshold = product(threshold, extents.absMax(), isFloat32);
    return searchThresholds(input, extents, std::move(thresholds), input.settings.number("p"),
                            true);
}

}  // namespace

Calibrator boundSearch()
{
    return {.order = 75,
            .id = "bound-search",
            .title = "Bound search",
            .summary = "The share of the largest magnitude, out of a few, whose quantization error "
                       "has the least p-norm; of equal ones the widest.",
            .source = "Google TPU: saxml, praxis/layers/quantization/optimization.py",
            .parameters = {{.id = "p",
                            .label = "p",
                            .help = "The power of the error: 1 clips hard, 2 is the squared error, "
                                    "4 hardly clips 8 bits.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "4",
                            .least = 0.25,
                            .greatest = 16.0,
                            .step = 1.0},
                           {.id = "factors",
                            .label = "Factors",
                            .help = "How many shares of the largest magnitude are tried, in equal "
                                    "steps from 1 down.",
                            .kind = Parameter::Kind::Integer,
                            .fallback = "11",
                            .least = 1,
                            .greatest = mostFactors,
                            .step = 10},
                           {.id = "least-factor",
                            .label = "Minimum factor",
                            .help = "The smallest share that is tried.",
                            .kind = Parameter::Kind::Number,
                            .fallback = "0.5",
                            .least = 0.001,
                            .greatest = 1.0,
                            .step = 0.05}},
            .hasCurve = true,
            .isSymmetricOnly = true,
            .needs = needsOfBoundSearch,
            .calibrate = calibrateBoundSearch};
}

}  // namespace calibscope::calibration
