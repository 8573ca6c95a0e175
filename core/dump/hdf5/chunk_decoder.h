// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct libdeflate_decompressor;

namespace calibscope::hdf5 {

/// What was done to a chunk's bytes before they were stored. Other: by a filter that is not ours.
enum class ChunkFilter { Shuffle, Deflate, Lzf, Fletcher32, Other };

/// How a dataset's chunks are stored.
struct ChunkCode
{
    std::vector<ChunkFilter> filters;  ///< as they were applied; each has a bit in a chunk's mask
    std::size_t chunkBytes = 0;        ///< of a whole chunk, unpacked
    std::size_t elementBytes = 0;
    /// Undoes the filter of that index, which is Other: returns what is wrong with the bytes, or
    /// nothing. At most `mostBytes` may come out. Called from any thread.
    std::function<std::string(std::size_t filter, std::span<const std::byte> packed,
                              std::size_t mostBytes, std::vector<std::byte>& unpacked)>
        undoOther = {};
};

/// Fletcher's checksum as HDF5's filter computes it: of big-endian words of 16 bits, an odd byte at
/// the end is the upper half of one.
[[nodiscard]] std::uint32_t fletcher32(std::span<const std::byte> bytes);

/// Decodes stored chunks without the library, which believes what a file says of their lengths, and
/// so that threads need not wait for its lock.
class ChunkDecoder
{
public:
    explicit ChunkDecoder(ChunkCode code);

    /// Writes a chunk's values to `room`, which has chunkBytes. `skipped` is the chunk's filter
    /// mask. Returns what is wrong where the bytes are not exactly what such a chunk is (checksums
    /// included), as a clause; the room then holds anything. Empty: nothing is wrong. Any bytes may
    /// come in.
    [[nodiscard]] std::string decode(std::span<const std::byte> stored, std::uint32_t skipped,
                                     std::span<std::byte> room);

    [[nodiscard]] const ChunkCode& code() const { return m_code; }

private:
    struct Free
    {
        void operator()(libdeflate_decompressor* decompressor) const;
    };
    [[nodiscard]] std::string undo(std::size_t filter, std::uint32_t skipped,
                                   std::span<const std::byte>& bytes, std::span<std::byte> room);
    [[nodiscard]] std::string unpack(ChunkFilter filter, std::size_t mostBytes, bool isExact,
                                     std::span<const std::byte>& bytes, std::span<std::byte> room);
    [[nodiscard]] std::string maskFault(std::uint32_t skipped) const;
    /// Whether a chunk's bytes still have to change their length when that filter is undone.
    [[nodiscard]] bool changesLengthBefore(std::size_t filter, std::uint32_t skipped) const;

    ChunkCode m_code;
    std::unique_ptr<libdeflate_decompressor, Free> m_decompressor;
    std::vector<std::byte> m_now;   ///< unpacked so far
    std::vector<std::byte> m_next;  ///< the other buffer
};

}  // namespace calibscope::hdf5
