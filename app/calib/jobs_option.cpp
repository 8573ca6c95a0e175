#include "app/calib/jobs_option.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void JobsOption::declare(CLI::App& subcommand)
{
    subcommand
        .add_option("--jobs", jobs,
                    "Threads at most (as many as processors); results are the same for any number")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
}

}  // namespace calibscope::cli
