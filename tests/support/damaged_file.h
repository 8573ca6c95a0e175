// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dump_file.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace calibscope::test {

/// What the dump tells of one tensor of it.
inline TensorInfo tensorOf(const std::string& file, const std::string& path)
{
    const auto dump = DumpFile::open(file);
    return dump->tensors().at(dump->indexOf(path));
}

inline std::string replaced(std::string bytes, std::size_t at, const std::string& by)
{
    return bytes.replace(at, by.size(), by);
}

/// A number as files hold it.
inline std::string stored(std::uint64_t number, std::size_t width)
{
    std::string bytes;
    for (std::size_t byte = 0; byte < width; ++byte)
        bytes += static_cast<char>(number >> 8 * byte & 0xffU);
    return bytes;
}

}  // namespace calibscope::test
