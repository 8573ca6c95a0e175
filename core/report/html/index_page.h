#pragma once

#include "core/report/html/report_data.h"

#include <string>

namespace calibscope::report {

/// The front page as HTML: summary, failed gates, warnings, all tensors with the worst first, how
/// the layout was understood, recipes, files.
[[nodiscard]] std::string indexPage(const Report& report);

}  // namespace calibscope::report
