// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding of chunks: LZF, gzip and shuffle in any order and of any sizes.
#include "core/dump/hdf5/chunk_decoder.h"
#include "core/dump/hdf5/lzf.h"
#include "core/kernels/unshuffle.h"
#include "tests/fuzz/fuzz_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace calibscope;

namespace {

void decodeChunk(fuzz::FuzzBytes input)
{
    hdf5::ChunkCode code;
    code.elementBytes = 1U + input.number() % 16U;
    code.chunkBytes = code.elementBytes * (1U + input.number());
    const unsigned filters = input.number();
    if ((filters & 1U) != 0)
        code.filters.push_back(hdf5::ChunkFilter::Shuffle);
    if ((filters & 6U) != 0)
        code.filters.push_back((filters & 2U) != 0 ? hdf5::ChunkFilter::Lzf
                                                   : hdf5::ChunkFilter::Deflate);
    const std::uint32_t skipped = input.number() & 3U;
    std::vector<std::byte> room(code.chunkBytes);
    hdf5::ChunkDecoder decoder(code);
    static_cast<void>(decoder.decode(input.restBytes(), skipped, room));
}

void unshuffle(fuzz::FuzzBytes input)
{
    const std::size_t elementBytes = 1U + input.number() % 33U;
    std::vector<std::byte> room(input.rest().size());
    std::vector<std::byte> plain(room.size());
    kernels::unshuffle(input.restBytes(), elementBytes, room);
    kernels::unshufflePlain(input.restBytes(), elementBytes, plain);
    if (room != plain)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    fuzz::FuzzBytes input(bytes, size);
    switch (input.number() % 3U) {
    case 0: decodeChunk(input); break;
    case 1: {
        std::vector<std::byte> room(input.number() * 16U);
        static_cast<void>(hdf5::decodeLzf(input.restBytes(), room));
        break;
    }
    default: unshuffle(input);
    }
    return 0;
}
