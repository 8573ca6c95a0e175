#pragma once

#include <functional>

namespace CLI {
class App;
}

/// The subcommands of calib, one file each: a function that declares the options and leaves in
/// `action` what is to be run when the command line was understood.
namespace calibscope::cli {

/// The work of a subcommand. Returns an exit code: 0, or 3 where some of what was asked for could
/// not be read and the rest was written. Any other failure throws Error.
using Action = std::function<int()>;

void addCompare(CLI::App& app, Action& action);
void addDescribe(CLI::App& app, Action& action);
void addExplain(CLI::App& app, Action& action);
void addHistogram(CLI::App& app, Action& action);
void addInfo(CLI::App& app, Action& action);
void addPython(CLI::App& app, Action& action);
void addScales(CLI::App& app, Action& action);
void addStats(CLI::App& app, Action& action);
void addServe(CLI::App& app, Action& action);

}  // namespace calibscope::cli
