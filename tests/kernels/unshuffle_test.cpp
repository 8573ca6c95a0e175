// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/unshuffle.h"

#include "tests/support/catch.h"

#include <vector>

namespace unshuffle_test {

using namespace calibscope;

std::vector<std::byte> numbered(std::size_t count)
{
    std::vector<std::byte> bytes(count);
    for (std::size_t place = 0; place < count; ++place)
        bytes[place] = static_cast<std::byte>(place * 37 + place / 256);
    return bytes;
}

TEST_CASE("elements are put together from their planes of bytes")
{
    const std::vector<std::byte> planes{std::byte{1}, std::byte{2}, std::byte{11}, std::byte{12},
                                        std::byte{99}};
    std::vector<std::byte> room(planes.size());
    kernels::unshuffle(planes, 2, room);
    CHECK(room == std::vector<std::byte>{std::byte{1}, std::byte{11}, std::byte{2}, std::byte{12},
                                         std::byte{99}});
}

TEST_CASE("unshuffling by vectors is that byte by byte, for all widths and lengths")
{
    for (const std::size_t elementBytes : {1U, 2U, 3U, 4U, 8U})
        for (const std::size_t size : {0U, 1U, 7U, 64U, 255U, 256U, 257U, 1021U, 4096U}) {
            const std::vector<std::byte> planes = numbered(size);
            std::vector<std::byte> room(size);
            std::vector<std::byte> plain(size);
            kernels::unshuffle(planes, elementBytes, room);
            kernels::unshufflePlain(planes, elementBytes, plain);
            INFO(elementBytes << " bytes, " << size);
            CHECK(room == plain);
        }
}

}  // namespace unshuffle_test
