// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/describe/page.h"
#include "core/report/describe/report_data.h"

namespace calibscope::report {

/// The front page: summary, failed gates, warnings, all tensors with the worst first, how the
/// layout was understood, recipes, files. On paper the tensors' sheets come behind it.
[[nodiscard]] Page indexPage(const Report& report);

}  // namespace calibscope::report
