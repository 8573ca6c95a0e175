// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

/// The subcommands of calibscope, one file each; they make the QApplication that they need
/// (application.h).
namespace calibscope::window {

/// `calibscope [FILE]`: the window itself, run where no subcommand is named.
[[nodiscard]] Command windowCommand();
[[nodiscard]] Command snapshotCommand();

/// `calibscope report`: a folder of pages, tables and pictures, without a display.
[[nodiscard]] Command reportCommand();

}  // namespace calibscope::window
