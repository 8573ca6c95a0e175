// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace calibscope {

/// A name for what a tool has as its own, in the words of parseBlockFormat().
struct FormatPreset
{
    std::string_view id;
    std::string_view tool;
    std::string_view format;
};

/// Those whose results are compared with the tool's own code, bit for bit.
[[nodiscard]] const std::vector<FormatPreset>& formatPresets();

}  // namespace calibscope
