// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_object.h"
#include "ui/document/workbench.h"

#include <nlohmann/json.hpp>

namespace calibscope {

/// Decisions on one dump (ownPart() of a workbench), as a session file has it, without the
/// path that it is compared with.
[[nodiscard]] nlohmann::json ownJson(const Workbench& workbench);
[[nodiscard]] Workbench ownFrom(const JsonObject& object);

/// The part shared by all dumps of a session (sharedPart() of a workbench).
[[nodiscard]] nlohmann::json sharedJson(const Workbench& workbench);
[[nodiscard]] Workbench sharedFrom(const JsonObject& object);

}  // namespace calibscope
