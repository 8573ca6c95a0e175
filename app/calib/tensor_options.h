#pragma once

#include "core/dump/dump_file.h"

#include <cstddef>
#include <optional>
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
    /// Indices of the tensors of a dump that are meant, of one role if it is given. A pattern that
    /// means none throws Error(Input).
    [[nodiscard]] std::vector<std::size_t> selected(const DumpFile& dump,
                                                    std::optional<Role> role = {}) const;
    /// Whether a dataset that can't be read was asked for: by --tensor, or as one of all tensors.
    /// Single numbers, texts and records that lie beside the tensors are not.
    [[nodiscard]] bool asksFor(const TensorInfo& unreadable) const;
};

}  // namespace calibscope::cli
