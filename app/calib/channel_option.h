#pragma once

#include "core/tensor/value_source.h"

#include <cstdint>
#include <optional>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// --channel: of each tensor one channel alone, as if it were a tensor of its own.
struct ChannelOption
{
    std::optional<std::uint64_t> channel;

    void declare(CLI::App& subcommand);
    /// The values that are meant. Throws Error(Input) where there is no such channel.
    [[nodiscard]] ValueSource applied(ValueSource source) const;
};

}  // namespace calibscope::cli
