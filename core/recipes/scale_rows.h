#pragma once

#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/recipes/outcome.h"

#include <span>
#include <vector>

namespace calibscope {

/// A calibrator's answer and the quantizer that follows from it under the choice's scheme.
struct Calibrated
{
    ScaleRow row;  ///< without metrics
    Curve curve;
    Trace trace;
    std::string histogram;
};

/// Runs the choice's calibrator on a profile that holds what it needs, and on the values if it
/// needs them.
[[nodiscard]] Calibrated calibrateProfile(const Choice& choice, const TensorProfile& profile,
                                          const CalibratorValues* values = nullptr);

/// What the calibrators of these outcomes need, together, for data of these extents.
[[nodiscard]] CalibratorNeeds needsOf(std::span<Outcome* const> outcomes, const Extents& extents);

/// All metrics that have a value for these errors.
[[nodiscard]] MetricValues metricValues(const ErrorSummary& errors);

/// The row that stands for all channels: limits of the widest one, each channel's notes once with
/// the number of channels that have it.
[[nodiscard]] ScaleRow widestOf(const std::vector<ScaleRow>& channels);

}  // namespace calibscope
