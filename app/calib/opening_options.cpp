#include "app/calib/opening_options.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void OpeningOptions::declare(CLI::App& subcommand)
{
    subcommand.add_flag("--allow-external", allowExternal,
                        "Also read other files that a dump points to");
}

}  // namespace calibscope::cli
