#pragma once

#include "core/dump/dump_file.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// How a tensor is to be understood where the file says nothing or something else: --batch-size,
/// --batches, --batch-axis, --channel-axis, --treat-as, --type for all tensors that they fit;
/// --understand for those that it names, whatever the others say.
struct LayoutOverrideOptions
{
    std::uint64_t batchSize = 0;  ///< 0: as the file says
    std::uint64_t batches = 0;    ///< 0: all
    std::optional<int> batchAxis;
    std::optional<int> channelAxis;
    std::string role;
    std::string elementType;
    std::vector<std::string> named;  ///< texts of --understand, in their order

    void declare(CLI::App& subcommand);
    /// Throws Error(Usage) for a text of --understand that is none, and Error(Input) for one that
    /// names no tensor of the dump.
    void check(const DumpFile& dump) const;
    /// The tensor as the options understand it. Throws Error(Usage) where an axis doesn't exist.
    /// A type is for the tensors whose bytes it fits; one that can't be read under it stays as it
    /// is.
    [[nodiscard]] TensorInfo applied(const TensorInfo& tensor) const;

private:
    [[nodiscard]] TensorInfo appliedToAll(const TensorInfo& tensor) const;
};

}  // namespace calibscope::cli
