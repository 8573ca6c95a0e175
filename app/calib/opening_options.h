#pragma once

#include "core/dump/dump_file.h"

namespace CLI {
class App;
}

namespace calibscope::cli {

/// How dumps are opened: --allow-external, which every subcommand that opens one has.
struct OpeningOptions
{
    bool allowExternal = false;

    void declare(CLI::App& subcommand);
    [[nodiscard]] DumpOptions dumpOptions() const { return {.allowExternal = allowExternal}; }
};

}  // namespace calibscope::cli
