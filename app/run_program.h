#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace calibscope {

/// Parses the command line and runs what it left in `action`. Every failure becomes a sentence on
/// stderr, begun with the program's name, and an exit code: 2 usage, 3 input, 4 output.
int runProgram(CLI::App& app, int argc, char** argv, const std::function<int()>& action);

}  // namespace calibscope
