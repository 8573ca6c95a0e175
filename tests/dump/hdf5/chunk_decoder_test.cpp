// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/chunk_decoder.h"

#include "tests/support/catch.h"

#include <libdeflate.h>

#include <string>
#include <vector>

namespace chunk_decoder_test {

using namespace calibscope;
using hdf5::ChunkDecoder;
using hdf5::ChunkFilter;

using Bytes = std::vector<std::byte>;

Bytes bytesOf(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Bytes packed(const Bytes& bytes)
{
    libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
    Bytes room(bytes.size() + 100);
    room.resize(
        libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), room.data(), room.size()));
    libdeflate_free_compressor(compressor);
    return room;
}

/// What a chunk of 12 bytes in elements of 4 decodes to; nothing if it does not.
std::string decoded(std::vector<ChunkFilter> filters, const Bytes& stored,
                    std::uint32_t skipped = 0)
{
    ChunkDecoder decoder({.filters = std::move(filters), .chunkBytes = 12, .elementBytes = 4});
    std::string room(12, '.');
    return decoder.decode(stored, skipped, std::as_writable_bytes(std::span(room))).empty() ? room
                                                                                            : "";
}

/// As HDF5's shuffle filter for elements of 4 bytes; what is left over stays at the end.
Bytes shuffled(const Bytes& bytes)
{
    Bytes result;
    const std::size_t elements = bytes.size() / 4;
    for (std::size_t byte = 0; byte < 4; ++byte)
        for (std::size_t element = 0; element < elements; ++element)
            result.push_back(bytes[element * 4 + byte]);
    result.insert(result.end(), bytes.begin() + static_cast<std::ptrdiff_t>(elements * 4),
                  bytes.end());
    return result;
}

const Bytes whole = bytesOf("abcdefghijkl");
const Bytes planes = bytesOf("aeibfjcgkdhl");  // first bytes of the elements, then second ones

TEST_CASE("a chunk is decoded from what its filters made of it, in any combination")
{
    CHECK(decoded({}, whole) == "abcdefghijkl");
    CHECK(decoded({ChunkFilter::Shuffle}, planes) == "abcdefghijkl");
    CHECK(decoded({ChunkFilter::Deflate}, packed(whole)) == "abcdefghijkl");
    CHECK(decoded({ChunkFilter::Shuffle, ChunkFilter::Deflate}, packed(planes)) == "abcdefghijkl");
}

TEST_CASE("filters that a chunk's mask tells were left out are not undone")
{
    const std::vector both{ChunkFilter::Shuffle, ChunkFilter::Deflate};
    CHECK(decoded(both, planes, 2) == "abcdefghijkl");
    CHECK(decoded(both, whole, 3) == "abcdefghijkl");
    CHECK(decoded(both, packed(whole), 1).empty());  // no writer leaves out shuffle alone
    CHECK(decoded({ChunkFilter::Shuffle}, whole, 1).empty());
    CHECK(decoded(both, packed(planes), 4).empty());            // there is no third filter
    CHECK(decoded(both, whole, UINT32_MAX) == "abcdefghijkl");  // how h5py leaves out all
    CHECK(decoded({ChunkFilter::Shuffle}, whole, UINT32_MAX) == "abcdefghijkl");
}

TEST_CASE("filters are undone in any order, whatever lengths lie between them")
{
    const auto summed = [](const Bytes& bytes) {
        Bytes all = bytes;
        const std::uint32_t sum = hdf5::fletcher32(bytes);
        for (unsigned byte = 0; byte < 4; ++byte)
            all.push_back(static_cast<std::byte>(sum >> 8U * byte & 0xffU));
        return all;
    };
    const std::vector<ChunkFilter> order{ChunkFilter::Fletcher32, ChunkFilter::Deflate,
                                         ChunkFilter::Deflate, ChunkFilter::Fletcher32};
    CHECK(decoded(order, summed(packed(packed(summed(whole))))) == "abcdefghijkl");
    const std::vector<ChunkFilter> last{ChunkFilter::Deflate, ChunkFilter::Shuffle};
    CHECK(decoded(last, shuffled(packed(whole))) == "abcdefghijkl");
    Bytes wrong = summed(whole);
    wrong[3] ^= std::byte{1};
    CHECK(decoded({ChunkFilter::Fletcher32}, summed(whole)) == "abcdefghijkl");
    CHECK(decoded({ChunkFilter::Fletcher32}, wrong).empty());
    CHECK(decoded({ChunkFilter::Fletcher32}, bytesOf("abc")).empty());
}

TEST_CASE("Fletcher's checksum is the sum of words and the sum of its sums, by hand")
{
    CHECK(hdf5::fletcher32(bytesOf("ab")) == 0x61626162);
    // 0x6162 + 0x6364 = 0xc4c6; sums: 0x6162 + 0xc4c6 = 0x12628, folded 0x2629
    CHECK(hdf5::fletcher32(bytesOf("abcd")) == 0x2629c4c6);
    CHECK(hdf5::fletcher32(bytesOf("a")) == 0x61006100);
}

TEST_CASE("what is not exactly a chunk is not decoded")
{
    CHECK(decoded({}, bytesOf("abc")).empty());
    CHECK(decoded({ChunkFilter::Shuffle}, bytesOf("abcdefghijklm")).empty());
    CHECK(decoded({ChunkFilter::Deflate}, packed(bytesOf("abc"))).empty());
    CHECK(decoded({ChunkFilter::Deflate}, packed(bytesOf("abcdefghijklm"))).empty());
    CHECK(decoded({ChunkFilter::Lzf}, bytesOf("abc")).empty());
}

TEST_CASE("a packed chunk with any bit flipped is not decoded to other values")
{
    const Bytes good = packed(planes);
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
        Bytes bad = good;
        bad[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
        const std::string found = decoded({ChunkFilter::Shuffle, ChunkFilter::Deflate}, bad);
        INFO("bit " << bit);
        CHECK((found.empty() || found == "abcdefghijkl"));
    }
}

}  // namespace chunk_decoder_test
