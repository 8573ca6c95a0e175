// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"
#include "core/calibrators/own_program.h"
#include "core/metrics/estimate.h"
#include "core/metrics/metric.h"
#include "core/recipes/outcome.h"

#include <span>
#include <string_view>
#include <vector>

namespace calibscope {

/// The largest bar of an estimated SQNR, in dB, for which no pass over the values is made.
constexpr double mostBarDb = 0.1;

/// A calibrator's answer and the quantizer that follows from it under the choice's scheme.
struct Calibrated
{
    ScaleRow row;  ///< without metrics
    Curve curve;
    Trace trace;
    std::optional<HistogramSpec> histogram;  ///< as in Calibration
};

/// Runs the choice's calibrator on a profile that holds what it needs, and on the values if it
/// needs them. A program of the user's own is asked by `ask`.
[[nodiscard]] Calibrated calibrateProfile(const Choice& choice, const TensorProfile& profile,
                                          const CalibratorValues* values = nullptr,
                                          const AskProgram& ask = {});

/// Needs of the choice's calibrator for data of these extents: the histograms and order
/// statistics that a profile must hold for it. Throws Error(Usage) for an unknown calibrator.
[[nodiscard]] CalibratorNeeds needsOf(const Choice& choice, const Extents& extents);

/// Needs of the calibrators of these outcomes together, for data of these extents.
[[nodiscard]] CalibratorNeeds needsOf(std::span<Outcome* const> outcomes, const Extents& extents);

/// A profile that holds nothing but extents: all that min-max and fixed need.
[[nodiscard]] TensorProfile profileOf(const TensorInfo& info, const Extents& extents);

/// All metrics that have a value for these errors.
[[nodiscard]] MetricValues metricValues(const ErrorSummary& errors);
/// Of all metrics that have a bound.
[[nodiscard]] MetricBounds metricBounds(const ErrorBounds& bounds);
/// The bar of the signal-to-noise ratio in dB; 0 without finite values.
[[nodiscard]] double sqnrBarDb(const ErrorEstimate& estimate);
/// "0.03": decibels of a bar, rounded up to hundredths so that the bound holds; "0" below 1e-6.
[[nodiscard]] std::string barText(double bar);
/// Gives the row the estimated metrics, their bounds, and a note that says so.
void takeEstimate(ScaleRow& row, const ErrorEstimate& estimate);

/// Adds to a finished outcome's rows what their counts and settings tell, whichever calibrator ran:
/// what reading as float32 has lost, and, to the whole, settings that have no effect, that the same
/// batches in another order could have given another result, and what gives reason to doubt the
/// tensor's values.
void noteCircumstances(Outcome& outcome, const TensorProfile& profile);

/// The row that stands for all channels: limits of the widest one, each channel's notes once with
/// the number of channels that have it.
[[nodiscard]] ScaleRow widestOf(const std::vector<ScaleRow>& channels);

}  // namespace calibscope
