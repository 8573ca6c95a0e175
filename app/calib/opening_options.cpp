#include "app/calib/opening_options.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void OpeningOptions::declare(CLI::App& subcommand)
{
    subcommand.add_flag("--allow-external", allowExternal,
                        "Also read other files that a dump points to");
    subcommand.add_flag("--no-merge", noMerge,
                        "Numbered datasets are tensors of their own, not batches of one");
}

}  // namespace calibscope::cli
