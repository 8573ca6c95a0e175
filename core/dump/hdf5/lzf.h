// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace calibscope::hdf5 {

/// Result of decoding.
struct LzfResult
{
    std::size_t bytes = 0;   ///< that were decoded before the end or the fault
    std::string_view fault;  ///< what is wrong with the packed bytes, a literal; empty: nothing
};

/// Decodes LZF, the compression of h5py's `compression="lzf"` (M. Lehmann's LibLZF format), into
/// `room`. Any bytes may come in: nothing outside of both spans is read or written, and what cannot
/// be decoded or does not fit is a fault. No bytes decode to no bytes.
///
///     000LLLLL                      L + 1 literal bytes follow
///     LLLDDDDD DDDDDDDD             L + 2 bytes from D + 1 bytes back; L is 1 to 6
///     111DDDDD LLLLLLLL DDDDDDDD    L + 9 bytes from D + 1 bytes back
[[nodiscard]] LzfResult decodeLzf(std::span<const std::byte> packed, std::span<std::byte> room);

}  // namespace calibscope::hdf5
