// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/file_blocks.h"

#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace file_blocks_test {

using namespace calibscope;
using structure::BlockSizes;
using structure::blockSizesFor;
using structure::FileBlocks;

TEST_CASE("blocks are read once, and those that were used last are kept")
{
    const test::TemporaryFolder folder;
    test::writeBytes(folder.file("a"), "aaaabbbbccccdd");
    const int file = ::open(folder.file("a").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    FileBlocks blocks;
    blocks.set({.bytes = 4, .most = 2});
    CHECK(blocks.block(file, 0) == "aaaa");
    CHECK(blocks.block(file, 1) == "bbbb");
    CHECK(blocks.block(file, 0) == "aaaa");
    CHECK(blocks.block(file, 3) == "dd");  // in place of the second one
    CHECK(blocks.has(0));
    CHECK(blocks.has(3));
    CHECK_FALSE(blocks.has(1));
    CHECK(blocks.block(file, 4).empty());
    test::writeBytes(folder.file("a"), "AAAABBBBCCCCDD");
    CHECK(blocks.block(file, 3) == "dd");  // was kept
    CHECK(blocks.block(file, 1) == "BBBB");
    blocks.set({.bytes = 8, .most = 2});
    CHECK_FALSE(blocks.has(0));
    CHECK(blocks.block(file, 1) == "CCCCDD");
    ::close(file);
    CHECK(blocks.block(file, 0).empty());  // of what can't be read
}

TEST_CASE("blocks are as long as a file's pages, within limits, and take 8 MiB at most")
{
    const std::size_t kib = 1024;
    CHECK(blockSizesFor(0) == BlockSizes{.bytes = 16 * kib, .most = 128});
    CHECK(blockSizesFor(4096) == BlockSizes{.bytes = 16 * kib, .most = 128});
    CHECK(blockSizesFor(64 * kib) == BlockSizes{.bytes = 64 * kib, .most = 128});
    CHECK(blockSizesFor(1024 * kib) == BlockSizes{.bytes = 256 * kib, .most = 32});
    CHECK(blockSizesFor(UINT64_MAX) == BlockSizes{.bytes = 256 * kib, .most = 32});
}

}  // namespace file_blocks_test
