#pragma once

#include "core/dump/dump_file.h"

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// --tensor, as often as wanted.
struct TensorOptions
{
    std::vector<std::string> patterns;  ///< names, paths or globs; none: all tensors

    void declare(CLI::App& subcommand);
    /// Indices of the tensors of a dump that are meant. A pattern that means none throws
    /// Error(Input).
    [[nodiscard]] std::vector<std::size_t> selected(const DumpFile& dump) const;
};

}  // namespace calibscope::cli
