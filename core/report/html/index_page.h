#pragma once

#include "core/report/html/report_data.h"

#include <string>

namespace calibscope::report {

/// The front page as HTML: summary, failed gates, warnings, all tensors with the worst first, how
/// the layout was understood, recipes, files.
[[nodiscard]] std::string indexPage(const Report& report);

/// Files and tensors that could not be read and results that could not be computed, as HTML.
[[nodiscard]] std::string problems(const Report& report);

/// All that is odd, as HTML: what the reader of a file warns of, NaN and infinities, data without a
/// range, guesses, notes of the calibrators.
[[nodiscard]] std::string warnings(const Report& report);

}  // namespace calibscope::report
