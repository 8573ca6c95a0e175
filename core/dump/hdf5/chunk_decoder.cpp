#include "core/dump/hdf5/chunk_decoder.h"

#include "core/dump/hdf5/lzf.h"
#include "core/kernels/unshuffle.h"

#include <libdeflate.h>

#include <algorithm>
#include <new>
#include <utility>

namespace calibscope::hdf5 {

void ChunkDecoder::Free::operator()(libdeflate_decompressor* decompressor) const
{
    libdeflate_free_decompressor(decompressor);
}

ChunkDecoder::ChunkDecoder(ChunkCode code) : m_code(std::move(code))
{
    if (std::ranges::count(m_code.filters, ChunkFilter::Deflate) == 0)
        return;
    m_decompressor.reset(libdeflate_alloc_decompressor());
    if (!m_decompressor)
        throw std::bad_alloc();
}

bool ChunkDecoder::unpack(ChunkFilter filter, std::span<const std::byte> packed,
                          std::span<std::byte> room)
{
    if (filter == ChunkFilter::Deflate)
        // Checks Adler-32; without a place for their number, exactly so many bytes must come out.
        return libdeflate_zlib_decompress(m_decompressor.get(), packed.data(), packed.size(),
                                          room.data(), room.size(), nullptr) == LIBDEFLATE_SUCCESS;
    const LzfResult result = decodeLzf(packed, room);
    return result.fault.empty() && result.bytes == room.size();
}

bool ChunkDecoder::decode(std::span<const std::byte> stored, std::uint32_t skipped,
                          std::span<std::byte> room)
{
    bool isShuffled = false;
    const ChunkFilter* packing = nullptr;
    for (std::size_t index = 0; index < m_code.filters.size(); ++index) {
        if ((skipped >> index & 1U) != 0)
            continue;
        if (m_code.filters[index] == ChunkFilter::Shuffle)
            isShuffled = true;
        else
            packing = &m_code.filters[index];
    }
    if (packing == nullptr && stored.size() != room.size())
        return false;
    if (!isShuffled) {
        if (packing != nullptr)
            return unpack(*packing, stored, room);
        std::ranges::copy(stored, room.begin());
        return true;
    }
    if (packing != nullptr) {
        m_planes.resize(m_code.chunkBytes);
        if (!unpack(*packing, stored, m_planes))
            return false;
        stored = m_planes;
    }
    kernels::unshuffle(stored, m_code.elementBytes, room);
    return true;
}

}  // namespace calibscope::hdf5
