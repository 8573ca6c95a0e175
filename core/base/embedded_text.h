// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace calibscope {

/// A file of resources/ that was embedded when core was built.
struct EmbeddedText
{
    std::string_view fileName;
    std::string_view content;
};

}  // namespace calibscope
