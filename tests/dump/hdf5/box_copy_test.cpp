// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/box_copy.h"

#include "tests/support/catch.h"

#include <string>

namespace box_copy_test {

using namespace calibscope;

/// Elements of one byte, as letters; what is not copied stays a dot.
std::string copied(const hdf5::ChunkBox& box, const std::string& chunk, std::size_t slabBytes)
{
    std::string slab(slabBytes, '.');
    box.copy(std::as_bytes(std::span(chunk)), std::as_writable_bytes(std::span(slab)));
    return slab;
}

Slab slabOf(std::vector<std::uint64_t> start, std::vector<std::uint64_t> count)
{
    return {.start = std::move(start), .count = std::move(count)};
}

TEST_CASE("a chunk lies in its slab as far as it lies in the dataset")
{
    // A dataset of 3 x 5, chunks of 2 x 3: the last chunk has one row and two columns.
    const Slab all = slabOf({0, 0}, {3, 5});
    CHECK(copied(hdf5::ChunkBox({2, 3}, {0, 0}, all, 1), "abcdef", 15) == "abc..def.......");
    CHECK(copied(hdf5::ChunkBox({2, 3}, {0, 3}, all, 1), "abcdef", 15) == "...ab...de.....");
    CHECK(copied(hdf5::ChunkBox({2, 3}, {2, 3}, all, 1), "abcdef", 15) == ".............ab");
}

TEST_CASE("a chunk as wide as its slab is copied in one run, from the slab's own start")
{
    const Slab later = slabOf({4, 0}, {4, 3});
    const hdf5::ChunkBox box({2, 3}, {6, 0}, later, 1);
    CHECK_FALSE(box.isWholeSlab());
    CHECK(copied(box, "abcdef", 12) == "......abcdef");
}

TEST_CASE("a chunk that is all of its slab is told")
{
    CHECK(hdf5::ChunkBox({2, 3}, {2, 0}, slabOf({2, 0}, {2, 3}), 4).isWholeSlab());
    CHECK_FALSE(hdf5::ChunkBox({2, 3}, {2, 0}, slabOf({2, 0}, {1, 3}), 4).isWholeSlab());
}

}  // namespace box_copy_test
