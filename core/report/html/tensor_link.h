#pragma once

#include "core/report/html/report_data.h"

#include <string>

namespace calibscope::report {

/// The tensor's name as a link to its page, if it has one; with its file in front where the report
/// is about several.
[[nodiscard]] std::string tensorLink(const Report& report, const TensorLine& line);

}  // namespace calibscope::report
