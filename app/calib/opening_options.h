#pragma once

#include "core/dump/dump_file.h"

namespace CLI {
class App;
}

namespace calibscope::cli {

/// How dumps are opened: --allow-external and --no-merge, which every subcommand that opens one
/// has.
struct OpeningOptions
{
    bool allowExternal = false;
    bool noMerge = false;  ///< numbered datasets are tensors of their own

    void declare(CLI::App& subcommand);
    [[nodiscard]] DumpOptions dumpOptions() const
    {
        return {.allowExternal = allowExternal, .mergeNumbered = !noMerge};
    }
};

}  // namespace calibscope::cli
