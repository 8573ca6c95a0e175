#pragma once

#include <functional>

namespace CLI {
class App;
}

/// The subcommands of calibscope, one file each: a function that declares the options and leaves in
/// `action` what is to be run when the command line was understood.
namespace calibscope::window {

/// The work of a subcommand; it makes the QApplication that it needs (application.h). Returns an
/// exit code; a failure that the user can mend throws Error.
using Action = std::function<int()>;

/// `calibscope [FILE]`: the window itself, run where no subcommand is named.
void declareWindow(CLI::App& app, Action& action);
void declareSnapshot(CLI::App& app, Action& action);

/// `calibscope report`: a folder of pages, tables and pictures, without a display.
void declareReport(CLI::App& app, Action& action);

}  // namespace calibscope::window
