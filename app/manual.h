// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

#include <string>

namespace calibscope {

/// The manual page of a program in section 1, in the macros of man(7), from the table that parses
/// its command line: options, subcommands with theirs, words, ranges and defaults. No date: the
/// same program writes the same bytes.
[[nodiscard]] std::string manualPage(const Command& program);

/// Gives the program a subcommand that prints it.
void addManual(Command& program);

}  // namespace calibscope
