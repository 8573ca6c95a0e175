// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace calibscope {

/// Zeros that look as if blocks of 512 bytes of a disk had been lost.
struct ZeroBlocks
{
    std::uint64_t runs = 0;       ///< runs of zeros that begin and end where such blocks do
    std::uint64_t values = 0;     ///< zeros in them
    std::uint64_t otherRuns = 0;  ///< other runs of zeros that are as long as a block

    bool operator==(const ZeroBlocks&) const = default;
};

/// Finds them in values whose places in the file are known. A run that begins and ends where the
/// tensor's rows, planes, ... do is the tensor's own, wherever it lies in the file.
class ZeroBlockCounter
{
public:
    explicit ZeroBlockCounter(const TensorInfo& info);

    /// Consecutive values of the tensor.
    void add(const Block& block);
    [[nodiscard]] ZeroBlocks finish();

private:
    struct Run
    {
        std::uint64_t firstIndex = 0;
        std::uint64_t place = 0;  ///< byte of the file
        std::uint64_t count = 0;
    };
    void close();

    std::size_t m_elementBytes;
    std::vector<std::uint64_t> m_strides;  ///< values of a row, a plane, ...
    std::optional<Run> m_open;             ///< at the end of the last block
    ZeroBlocks m_found;
};

}  // namespace calibscope
