#include "app/calib/channel_option.h"

#include "core/collect/channel_values.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void ChannelOption::declare(CLI::App& subcommand)
{
    subcommand
        .add_option("--channel", channel, "One channel alone, from 0, as a tensor of its own")
        ->type_name("N")
        ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 40U));
}

ValueSource ChannelOption::applied(ValueSource source) const
{
    return channel ? sourceOfChannel(source, *channel) : source;
}

}  // namespace calibscope::cli
