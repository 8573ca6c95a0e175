// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/npy_files.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::test {

/// A tensor of a GGUF file, its shape as in C, and its bytes.
struct GgufTensor
{
    std::string name;
    std::vector<std::uint64_t> shape;
    std::uint32_t type = 0;
    std::string bytes;
};

inline std::string ggufText(const std::string& text)
{
    return littleEndian(text.size(), 8) + text;
}

inline std::string ggufKey(const std::string& key, std::uint32_t type, const std::string& value)
{
    return ggufText(key) + littleEndian(type, 4) + value;
}

/// A GGUF by hand; `keys`: ggufKey() of each.
inline std::string ggufOf(const std::vector<GgufTensor>& tensors,
                          const std::vector<std::string>& keys = {}, std::size_t alignment = 32,
                          std::uint32_t version = 3)
{
    const auto align = [&](std::string& bytes) {
        bytes.resize((bytes.size() + alignment - 1) / alignment * alignment);
    };
    std::string head = "GGUF" + littleEndian(version, 4) + littleEndian(tensors.size(), 8) +
                       littleEndian(keys.size(), 8);
    for (const std::string& key : keys)
        head += key;
    std::string data;
    for (const GgufTensor& tensor : tensors) {
        align(data);
        head += ggufText(tensor.name) + littleEndian(tensor.shape.size(), 4);
        for (auto length = tensor.shape.rbegin(); length != tensor.shape.rend(); ++length)
            head += littleEndian(*length, 8);
        head += littleEndian(tensor.type, 4) + littleEndian(data.size(), 8);
        data += tensor.bytes;
    }
    align(head);
    return head + data;
}

}  // namespace calibscope::test
