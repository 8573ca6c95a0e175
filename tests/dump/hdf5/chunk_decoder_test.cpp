#include "core/dump/hdf5/chunk_decoder.h"

#include "tests/support/catch.h"

#include <libdeflate.h>

#include <string>
#include <vector>

using namespace calibscope;
using hdf5::ChunkDecoder;
using hdf5::ChunkFilter;

namespace {

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
    return decoder.decode(stored, skipped, std::as_writable_bytes(std::span(room))) ? room : "";
}

const Bytes whole = bytesOf("abcdefghijkl");
const Bytes planes = bytesOf("aeibfjcgkdhl");  // first bytes of the elements, then second ones

}  // namespace

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
    CHECK(decoded(both, packed(whole), 1) == "abcdefghijkl");
    CHECK(decoded(both, whole, 3) == "abcdefghijkl");
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
