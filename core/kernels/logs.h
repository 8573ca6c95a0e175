#pragma once

#include <span>

namespace calibscope::kernels {

/// Writes ln(over[i] / under[i]) to `logs`, as long as both. The quotients are positive normal
/// doubles. Within 2 units in the last place, and the same bits on every processor.
void logsOfRatios(std::span<const double> over, std::span<const double> under,
                  std::span<double> logs);

/// ln x by the same arithmetic: what the vector form is held against.
[[nodiscard]] double logPlain(double x);

}  // namespace calibscope::kernels
