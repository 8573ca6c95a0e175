// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/process_guard.h"

#include <string>
#include <vector>

namespace calibscope::engine {

/// Lets this thread, and those that it starts, write nowhere but there (Landlock). Needs
/// PR_SET_NO_NEW_PRIVS.
[[nodiscard]] Guard guardFiles(const std::vector<std::string>& writable);

}  // namespace calibscope::engine
