#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/file_object.h"

#include <nlohmann/json.hpp>

namespace calibscope {

/// A calibrator with all its settings, as a session file has it.
[[nodiscard]] nlohmann::json choiceJson(const Choice& choice);
/// Throws Error(Input) that names the place, for a calibrator, setting or scheme that there is not.
[[nodiscard]] Choice choiceFrom(const FileObject& object);

}  // namespace calibscope
