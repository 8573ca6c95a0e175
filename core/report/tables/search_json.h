#pragma once

#include "core/calibrators/calibrator.h"

#include <string>

namespace calibscope {

/// A curve as a JSON object: objective and unit, the points as arrays, and by index the chosen
/// point, its ties and the runner-up; `plateau` is a pair of thresholds.
[[nodiscard]] std::string curveJson(const Curve& curve);

/// A trace as a JSON object: iterations, whether it settled, the error at the start and at the end,
/// what a grid found and the ratio to it; with `withSteps` scale and error of each step as arrays.
/// Requires a trace with steps.
[[nodiscard]] std::string traceJson(const Trace& trace, bool withSteps);

}  // namespace calibscope
