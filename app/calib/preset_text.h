#pragma once

#include "core/recipes/outcome.h"
#include "core/tensor/tensor_info.h"

#include <string>

namespace calibscope::cli {

/// The choice that such a text means for a tensor of that role: a preset, the user's own ones
/// included, else a calibrator. Throws Error(Usage) where there is neither.
[[nodiscard]] Choice choiceFromText(const std::string& text, Role role);

}  // namespace calibscope::cli
