// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace calibscope {

/// A type of ggml whose neighbouring values share scales: a block of `values` of one row is stored
/// in `bytes`. Source of the layouts: ggml-common.h of llama.cpp and gguf-py/gguf/quants.py.
struct GgmlBlocks
{
    std::uint32_t type = 0;  ///< ggml's number of it
    std::string_view id;     ///< "q4_k"
    std::size_t values = 0;
    std::size_t bytes = 0;
    /// The values of one block, in float32 and in ggml's order of operations.
    void (*decode)(const std::uint8_t* block, float* values) = nullptr;

    /// The values of whole blocks, instead of what `decoded` holds. NaN and infinite scales give
    /// NaN and infinite values, as in ggml.
    void decodeAll(std::span<const std::byte> blocks, std::vector<float>& decoded) const;
};

/// The type of that number; nullptr for one that is not read.
[[nodiscard]] const GgmlBlocks* ggmlBlocks(std::uint32_t type);
/// All types, ascending by number.
[[nodiscard]] std::span<const GgmlBlocks> allGgmlBlocks();

}  // namespace calibscope
