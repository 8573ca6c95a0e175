// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>

namespace calibscope {

/// In which order channels stand beside each other.
enum class ChannelOrder {
    Index,
    Scale,  ///< ascending; equal ones by index
    State,  ///< the oddest first, within a group by scale
};

/// Settings of the Channels page for every tensor.
struct ChannelsDisplay
{
    /// Ids of the two calibrators, the second may be blank: none. Nothing: the usual two for the
    /// tensor's role.
    std::optional<std::array<std::string, 2>> calibrators;
    ChannelOrder order = ChannelOrder::Index;
    bool operator==(const ChannelsDisplay&) const = default;
};

}  // namespace calibscope
