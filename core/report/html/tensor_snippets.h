// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/report_data.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope::report {

/// Programs that recompute what a tensor's page shows: its statistics, its histogram, and of each
/// result the scale, the metrics and the curve. Left out is what has none (see pythonSnippet()).
/// `tensors`: all of the dump, for ranges that come from others; `file`: as the programs name it.
[[nodiscard]] std::vector<Snippet> tensorSnippets(const ReportedTensor& part,
                                                  const std::string& file,
                                                  std::span<const TensorInfo> tensors);

}  // namespace calibscope::report
