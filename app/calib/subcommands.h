// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"

/// The subcommands of calib, one file each.
namespace calibscope::cli {

[[nodiscard]] Command checkCommand();
[[nodiscard]] Command checkDumpCommand();
[[nodiscard]] Command compareCommand();
[[nodiscard]] Command convertCommand();
[[nodiscard]] Command describeCommand();
[[nodiscard]] Command diagnoseCommand();
[[nodiscard]] Command encodeCommand();
[[nodiscard]] Command explainCommand();
[[nodiscard]] Command exportCommand();
[[nodiscard]] Command extremesCommand();
[[nodiscard]] Command formatsCommand();
[[nodiscard]] Command histogramCommand();
[[nodiscard]] Command importCommand();
[[nodiscard]] Command improveCommand();
[[nodiscard]] Command infoCommand();
[[nodiscard]] Command layersCommand();
[[nodiscard]] Command materializeCommand();
[[nodiscard]] Command namesCommand();
[[nodiscard]] Command mergeCommand();
[[nodiscard]] Command profileCommand();
[[nodiscard]] Command pythonCommand();
[[nodiscard]] Command rateCommand();
[[nodiscard]] Command samplesCommand();
[[nodiscard]] Command scalesCommand();
[[nodiscard]] Command serveCommand();
[[nodiscard]] Command shootoutCommand();
[[nodiscard]] Command statsCommand();

}  // namespace calibscope::cli
