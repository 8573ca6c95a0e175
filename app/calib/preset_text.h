#pragma once

#include "core/base/settings.h"
#include "core/recipes/outcome.h"
#include "core/stats/tensor_info.h"

#include <string>
#include <utility>

namespace calibscope::cli {

/// An id and settings from "ID" or "ID:parameter=value,...". Throws Error(Usage).
[[nodiscard]] std::pair<std::string, GivenSettings> idAndSettings(const std::string& text);

/// The choice that such a text means for a tensor of that role: a preset, the user's own ones
/// included, else a calibrator. Throws Error(Usage) where there is neither.
[[nodiscard]] Choice choiceFromText(const std::string& text, Role role);

}  // namespace calibscope::cli
