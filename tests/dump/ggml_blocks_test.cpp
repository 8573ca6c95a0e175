// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/ggml_blocks.h"

#include "core/base/digest.h"
#include "tests/support/catch.h"

#include <cmath>
#include <string>
#include <vector>

namespace ggml_blocks_test {

using namespace calibscope;

/// Of the block whose byte i is (37 i + 11) mod 256, with 1 and 0.5 as halves at these places: some
/// values, and FNV-1a of all, as NumPy computes them from the layouts of gguf-py/gguf/quants.py.
struct Expected
{
    std::string id;
    std::vector<std::size_t> halves;
    float second;  ///< value 1
    float middle;  ///< the one behind the half of them
    float last;
    std::uint32_t digest;
};

const std::vector<Expected> blocks{{"q4_0", {0}, 2.0F, -1.0F, 0.0F, 0xdd9bf488U},
                                   {"q4_1", {0, 2}, 4.5F, 12.5F, 12.5F, 0x9c8a806aU},
                                   {"q5_0", {0}, -2.0F, 0.0F, 1.0F, 0x0ec962f8U},
                                   {"q5_1", {0, 2}, 24.5F, 5.5F, 5.5F, 0x353663b7U},
                                   {"q8_0", {0}, 122.0F, -54.0F, -48.0F, 0x01bc5daaU},
                                   {"q2_k", {80, 82}, 0.0F, -1.5F, 4.5F, 0x9e98628eU},
                                   {"q3_k", {108}, -108.0F, 0.0F, 42.0F, 0x212474e1U},
                                   {"q4_k", {0, 2}, -25.5F, -6.0F, 48.5F, 0x04c9cbfaU},
                                   {"q5_k", {0, 2}, -25.5F, -6.0F, 108.5F, 0x85183b9fU},
                                   {"q6_k", {208}, 1696.0F, 416.0F, -60.0F, 0x5426bc13U},
                                   {"iq4_nl", {0}, 25.0F, -10.0F, 1.0F, 0x510d3937U},
                                   {"iq4_xs", {0}, -1.0F, 9.0F, -16.0F, 0x4429acdfU},
                                   {"mxfp4", {}, 1.5F, 1.5F, 1.5F, 0x30434858U}};

TEST_CASE("blocks of each type are decoded as NumPy does")
{
    REQUIRE(allGgmlBlocks().size() == blocks.size());
    for (std::size_t type = 0; type < blocks.size(); ++type) {
        const GgmlBlocks& own = allGgmlBlocks()[type];
        const Expected& expected = blocks[type];
        INFO(own.id);
        REQUIRE(own.id == expected.id);
        CHECK(ggmlBlocks(own.type) == &own);
        std::vector<std::byte> bytes(2 * own.bytes);
        for (std::size_t byte = 0; byte < bytes.size(); ++byte)
            bytes[byte] = static_cast<std::byte>(byte % own.bytes * 37 + 11);
        for (const std::size_t first : {std::size_t{0}, own.bytes}) {
            for (std::size_t half = 0; half < expected.halves.size(); ++half) {
                bytes[first + expected.halves[half]] = std::byte{0};
                bytes[first + expected.halves[half] + 1] =
                    half == 0 ? std::byte{0x3c} : std::byte{0x38};
            }
            if (expected.halves.empty())
                bytes[first] = std::byte{126};  // 0.5
        }
        std::vector<float> values;
        own.decodeAll(bytes, values);
        REQUIRE(values.size() == 2 * own.values);
        for (const std::size_t first : {std::size_t{0}, own.values}) {
            CHECK(values[first + 1] == expected.second);
            CHECK(values[first + own.values / 2 + 1] == expected.middle);
            CHECK(values[first + own.values - 1] == expected.last);
            const std::string_view all(reinterpret_cast<const char*>(values.data() + first),
                                       own.values * sizeof(float));
            CHECK(fnv1a<std::uint32_t>(all) == expected.digest);
        }
    }
}

TEST_CASE("a block by hand: q4_k, whose second group has the scale 3 and the minimum 2")
{
    std::vector<std::byte> bytes(144);
    bytes[1] = std::byte{0x40};  // 2
    bytes[3] = std::byte{0x3c};  // 1
    bytes[4 + 1] = std::byte{3};
    bytes[4 + 5] = std::byte{2};
    bytes[16] = std::byte{0x50};  // the group's first value: 5
    std::vector<float> values;
    ggmlBlocks(12)->decodeAll(bytes, values);
    CHECK(values[0] == 0.0F);
    CHECK(values[32] == 2.0F * 3.0F * 5.0F - 1.0F * 2.0F);
    CHECK(values[33] == -2.0F);
    CHECK(values[64] == 0.0F);
}

TEST_CASE("an E8M0 scale of 255 is NaN, the least one is not 0")
{
    std::vector<std::byte> bytes(17, std::byte{0x22});  // all 1
    std::vector<float> values;
    bytes[0] = std::byte{255};
    ggmlBlocks(39)->decodeAll(bytes, values);
    CHECK(std::isnan(values[5]));
    bytes[0] = std::byte{0};
    ggmlBlocks(39)->decodeAll(bytes, values);
    CHECK(values[5] == std::ldexp(1.0F, -127));
    CHECK(ggmlBlocks(4) == nullptr);
    CHECK(ggmlBlocks(1000) == nullptr);
}

}  // namespace ggml_blocks_test
