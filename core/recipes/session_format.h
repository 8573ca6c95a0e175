// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_object.h"
#include "core/tensor/layout_override.h"

#include <filesystem>
#include <string>

namespace calibscope {

/// Name of the format in a session file.
constexpr const char* sessionFormatName = "calibscope session";
/// The version of the format that this program writes and reads.
constexpr int sessionVersion = 3;

/// Throws the object's Error where it is not a session, or one of a version that this program does not
/// read.
void requireKnownSession(const JsonObject& session);

/// The path of a dump as a session has it: beside the session's folder if there is such a file,
/// else absolute. Throws the object's Error for none.
[[nodiscard]] std::string sessionPathFrom(const JsonObject& object,
                                          const std::filesystem::path& folder);

/// How a user wants a tensor understood, as a session has it among what is said of it. Throws the
/// object's Error for what is not a role, axis or element type.
[[nodiscard]] LayoutOverride layoutOverrideFrom(const JsonObject& said);

}  // namespace calibscope
