// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace calibscope::kernels {

/// Writes ln x of positive normal doubles to `logs`, which has as many elements or more. Within 2
/// units in the last place, and the same bits on every processor.
void logsOf(std::span<const double> values, std::span<double> logs);

/// ln x by the same arithmetic: what the vector form is held against.
[[nodiscard]] double logPlain(double x);

}  // namespace calibscope::kernels
