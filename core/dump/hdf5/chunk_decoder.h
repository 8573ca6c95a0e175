#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_decompressor;

namespace calibscope::hdf5 {

/// What was done to a chunk's bytes before they were stored.
enum class ChunkFilter { Shuffle, Deflate, Lzf };

/// The filters of a dataset whose chunks are decoded here: at most a shuffle and then one that
/// packs.
struct ChunkCode
{
    std::vector<ChunkFilter> filters;  ///< as they were applied; each has a bit in a chunk's mask
    std::size_t chunkBytes = 0;        ///< of a whole chunk, unpacked
    std::size_t elementBytes = 0;
};

/// Decodes stored chunks without the library, so that threads need not wait for its lock.
class ChunkDecoder
{
public:
    explicit ChunkDecoder(ChunkCode code);

    /// Writes a chunk's values to `room`, which has chunkBytes. `skipped` is the chunk's filter
    /// mask. False where the bytes are not exactly what such a chunk is (gzip's checksum
    /// included): the library then says what is wrong with them. Any bytes may come in.
    [[nodiscard]] bool decode(std::span<const std::byte> stored, std::uint32_t skipped,
                              std::span<std::byte> room);

    [[nodiscard]] const ChunkCode& code() const { return m_code; }

private:
    struct Free
    {
        void operator()(libdeflate_decompressor* decompressor) const;
    };
    [[nodiscard]] bool unpack(ChunkFilter filter, std::span<const std::byte> packed,
                              std::span<std::byte> room);

    ChunkCode m_code;
    std::unique_ptr<libdeflate_decompressor, Free> m_decompressor;
    std::vector<std::byte> m_planes;  ///< unpacked, still shuffled
};

}  // namespace calibscope::hdf5
