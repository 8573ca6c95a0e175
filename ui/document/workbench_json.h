#pragma once

#include "core/recipes/outcome.h"
#include "ui/document/file_object.h"
#include "ui/document/workbench.h"

#include <nlohmann/json.hpp>

namespace calibscope {

/// A calibrator with all its settings, as a session file has it.
[[nodiscard]] nlohmann::json choiceJson(const Choice& choice);
/// Throws Error(Input) that names the place, for a calibrator, setting or scheme that there is not.
[[nodiscard]] Choice choiceFrom(const FileObject& object);

/// What was decided on one dump (ownPart() of a workbench), as a session file has it, without the
/// path that it is compared with.
[[nodiscard]] nlohmann::json ownJson(const Workbench& workbench);
[[nodiscard]] Workbench ownFrom(const FileObject& object);

/// What all dumps of a session share (sharedPart() of a workbench).
[[nodiscard]] nlohmann::json sharedJson(const Workbench& workbench);
[[nodiscard]] Workbench sharedFrom(const FileObject& object);

}  // namespace calibscope
