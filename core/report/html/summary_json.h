// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/report_data.h"

#include <string>

namespace calibscope::report {

/// The report's numbers for programs: files, recipes, tensors with the worst first and the SQNR
/// under each recipe, gates with their offences, what could not be read. Infinity is "inf"; what is
/// absent is left out.
[[nodiscard]] std::string summaryJson(const Report& report);

}  // namespace calibscope::report
