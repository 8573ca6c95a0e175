#pragma once

#include <cstddef>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// --jobs: how many threads work at once. Results are the same for any number.
struct JobsOption
{
    std::size_t jobs = 0;  ///< 0: as many as there are processors

    void declare(CLI::App& subcommand);
};

}  // namespace calibscope::cli
