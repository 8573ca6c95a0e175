// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/npy_files.h"

#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::test {

struct ImatrixEntry
{
    std::string name;
    std::uint32_t calls = 0;
    std::vector<float> values;
};

/// An importance matrix as llama.cpp wrote it before GGUF, and what stands behind its entries.
inline std::string imatrixOf(const std::vector<ImatrixEntry>& entries, const std::string& end = {})
{
    std::string bytes = littleEndian(entries.size(), 4);
    for (const ImatrixEntry& entry : entries)
        bytes += littleEndian(entry.name.size(), 4) + entry.name + littleEndian(entry.calls, 4) +
                 littleEndian(entry.values.size(), 4) + bytesOfElements(entry.values);
    return bytes + end;
}

}  // namespace calibscope::test
