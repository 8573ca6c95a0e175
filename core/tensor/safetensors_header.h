// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Contents of the header of a safetensors file, before they are checked.
struct SafetensorsHeader
{
    using Counts = std::optional<std::vector<std::uint64_t>>;

    /// A tensor's members; nothing where one is missing, or is not a text or a list of whole numbers
    /// from 0 on.
    struct Entry
    {
        std::string name;
        std::optional<std::string> dtype = {};
        Counts shape = {};
        Counts offsets = {};
    };
    std::vector<Entry> entries;                   ///< ascending by name
    std::map<std::string, std::string> metadata;  ///< texts alone
};

/// Reads the header's text. Of names and members that occur twice the last one counts. Throws
/// Error(Input) with the file's path where it is no object of JSON, or is nested deeper than
/// jsonDepthLimit.
[[nodiscard]] SafetensorsHeader parseSafetensorsHeader(std::string_view text,
                                                       const std::string& path);

}  // namespace calibscope
