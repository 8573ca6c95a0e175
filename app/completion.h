// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <string>
#include <string_view>

namespace calibscope {

/// The shells that completionScript() knows.
[[nodiscard]] const std::vector<std::string>& completingShells();

/// What makes a shell complete subcommands, options and their words, written from the options
/// themselves. `shell` is one of completingShells(); hidden options are left out. What else a value
/// may be is completed as a file's name where its type says FILE, FOLDER or the like, else not at
/// all.
[[nodiscard]] std::string completionScript(const Command& program, std::string_view shell);

/// Gives the program a subcommand that prints those scripts.
void addCompletion(Command& program);

}  // namespace calibscope
