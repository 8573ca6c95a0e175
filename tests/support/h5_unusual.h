// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace calibscope::test {

/// How a file's structures differ from the usual.
struct Unusual
{
    bool isLatest = false;
    bool hasSmallNodes = false;      ///< of all trees of version 1
    bool hasSharedMessages = false;  ///< types, shapes, filters and attributes
    std::size_t addressBytes = 8;
    std::size_t lengthBytes = 8;
};

/// Writes a file of 20 chunked tensors with 12 attributes each.
void writeUnusual(const std::string& path, const Unusual& kind);

}  // namespace calibscope::test
