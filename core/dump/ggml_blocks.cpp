// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/ggml_blocks.h"

#include "core/kernels/half_floats.h"
#include "core/quant/element_format.h"

#include <algorithm>
#include <array>

namespace calibscope {

namespace {

constexpr unsigned shortBlock = 32;
constexpr unsigned longBlock = 256;

float halfAt(const std::uint8_t* bytes)
{
    return kernels::float16Value(static_cast<std::uint16_t>(bytes[0] | unsigned{bytes[1]} << 8U));
}

/// Of short blocks: 4 bits of a value, those of the second half above those of the first.
unsigned nibbleOf(const std::uint8_t* nibbles, unsigned value, unsigned half)
{
    return value < half ? nibbles[value] & 15U : unsigned{nibbles[value - half]} >> 4U;
}

unsigned bitOf(const std::uint8_t* bits, unsigned value)
{
    return unsigned{bits[value / 8]} >> value % 8 & 1U;
}

void decodeQ40(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * static_cast<float>(static_cast<int>(nibbleOf(block + 2, v, 16)) - 8);
}

void decodeQ41(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * static_cast<float>(nibbleOf(block + 4, v, 16)) + least;
}

/// Five bits: the fifth ones in front of the others.
unsigned fiveBits(const std::uint8_t* block, unsigned value)
{
    return nibbleOf(block + 4, value, 16) | bitOf(block, value) << 4U;
}

void decodeQ50(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * static_cast<float>(static_cast<int>(fiveBits(block + 2, v)) - 16);
}

void decodeQ51(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * static_cast<float>(fiveBits(block + 4, v)) + least;
}

void decodeQ80(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * static_cast<float>(static_cast<std::int8_t>(block[2 + v]));
}

/// Of long blocks: two bits of a value, four values of a quarter of 128 in a byte.
unsigned twoBits(const std::uint8_t* pairs, unsigned value)
{
    return unsigned{pairs[32 * (value / 128) + value % 32]} >> 2 * (value % 128 / 32) & 3U;
}

void decodeQ2K(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block + 80);
    const float least = halfAt(block + 82);
    for (unsigned v = 0; v < longBlock; ++v) {
        const unsigned both = block[v / 16];
        values[v] =
            scale * static_cast<float>(both & 15U) * static_cast<float>(twoBits(block + 16, v)) -
            least * static_cast<float>(both >> 4U);
    }
}

void decodeQ3K(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block + 108);
    const std::uint8_t* const scales = block + 96;
    for (unsigned v = 0; v < longBlock; ++v) {
        const unsigned group = v / 16;
        const unsigned low = nibbleOf(scales, group, 8);
        const unsigned high = unsigned{scales[8 + group % 4]} >> 2 * (group / 4) & 3U;
        const bool isHigh = (unsigned{block[v % 32]} >> v / 32 & 1U) != 0;
        const int level = static_cast<int>(twoBits(block + 32, v)) - (isHigh ? 0 : 4);
        values[v] = scale * static_cast<float>(static_cast<int>(low | high << 4U) - 32) *
                    static_cast<float>(level);
    }
}

/// Scale and minimum of a group of 32, six bits each, of twelve bytes.
struct SixBits
{
    SixBits(const std::uint8_t* bytes, unsigned group)
    {
        if (group < 4) {
            scale = bytes[group] & 63U;
            least = bytes[4 + group] & 63U;
        } else {
            scale = (bytes[4 + group] & 15U) | unsigned{bytes[group - 4]} >> 6U << 4U;
            least = unsigned{bytes[4 + group]} >> 4U | unsigned{bytes[group]} >> 6U << 4U;
        }
    }

    unsigned scale;
    unsigned least;
};

/// Of q4_k and q5_k: four bits, two groups of 32 in 32 bytes, the second above the first.
unsigned groupNibble(const std::uint8_t* nibbles, unsigned value)
{
    return nibbleOf(nibbles + value / 64 * 32, value % 64, 32);
}

template <typename LevelOf>
void decodeWithMinima(const std::uint8_t* block, float* values, const LevelOf& levelOf)
{
    const float scale = halfAt(block);
    const float least = halfAt(block + 2);
    for (unsigned v = 0; v < longBlock; ++v) {
        const SixBits six(block + 4, v / 32);
        values[v] = scale * static_cast<float>(six.scale) * static_cast<float>(levelOf(v)) -
                    least * static_cast<float>(six.least);
    }
}

void decodeQ4K(const std::uint8_t* block, float* values)
{
    decodeWithMinima(block, values, [block](unsigned v) { return groupNibble(block + 16, v); });
}

void decodeQ5K(const std::uint8_t* block, float* values)
{
    decodeWithMinima(block, values, [block](unsigned v) {
        return groupNibble(block + 48, v) | (unsigned{block[16 + v % 32]} >> v / 32 & 1U) << 4U;
    });
}

void decodeQ6K(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block + 208);
    for (unsigned v = 0; v < longBlock; ++v) {
        const unsigned low = nibbleOf(block + v / 128 * 64, v % 128, 64);
        const int level = static_cast<int>(low | twoBits(block + 128, v) << 4U) - 32;
        values[v] = scale * static_cast<float>(static_cast<std::int8_t>(block[192 + v / 16])) *
                    static_cast<float>(level);
    }
}

std::span<const float> unevenLevels()
{
    static const std::span<const float> levels = elementFormat("iq4-nl").values();
    return levels;
}

void decodeIq4Nl(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    const std::span<const float> levels = unevenLevels();
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scale * levels[nibbleOf(block + 2, v, 16)];
}

void decodeIq4Xs(const std::uint8_t* block, float* values)
{
    const float scale = halfAt(block);
    const unsigned high = block[2] | unsigned{block[3]} << 8U;
    const std::span<const float> levels = unevenLevels();
    for (unsigned v = 0; v < longBlock; ++v) {
        const unsigned group = v / 32;
        const unsigned low = unsigned{block[4 + group / 2]} >> 4 * (group % 2) & 15U;
        const int own = static_cast<int>(low | (high >> 2 * group & 3U) << 4U) - 32;
        values[v] =
            scale * static_cast<float>(own) * levels[nibbleOf(block + 8 + group * 16, v % 32, 16)];
    }
}

void decodeMxfp4(const std::uint8_t* block, float* values)
{
    static const std::span<const float> scales = elementFormat("e8m0").values();
    static const std::span<const float> levels = elementFormat("fp4-e2m1").values();
    for (unsigned v = 0; v < shortBlock; ++v)
        values[v] = scales[block[0]] * levels[nibbleOf(block + 1, v, 16)];
}

constexpr std::array types{
    GgmlBlocks{2, "q4_0", shortBlock, 18, decodeQ40},
    GgmlBlocks{3, "q4_1", shortBlock, 20, decodeQ41},
    GgmlBlocks{6, "q5_0", shortBlock, 22, decodeQ50},
    GgmlBlocks{7, "q5_1", shortBlock, 24, decodeQ51},
    GgmlBlocks{8, "q8_0", shortBlock, 34, decodeQ80},
    GgmlBlocks{10, "q2_k", longBlock, 84, decodeQ2K},
    GgmlBlocks{11, "q3_k", longBlock, 110, decodeQ3K},
    GgmlBlocks{12, "q4_k", longBlock, 144, decodeQ4K},
    GgmlBlocks{13, "q5_k", longBlock, 176, decodeQ5K},
    GgmlBlocks{14, "q6_k", longBlock, 210, decodeQ6K},
    GgmlBlocks{20, "iq4_nl", shortBlock, 18, decodeIq4Nl},
    GgmlBlocks{23, "iq4_xs", longBlock, 136, decodeIq4Xs},
    GgmlBlocks{39, "mxfp4", shortBlock, 17, decodeMxfp4},
};

}  // namespace

void GgmlBlocks::decodeAll(std::span<const std::byte> blocks, std::vector<float>& decoded) const
{
    decoded.resize(blocks.size() / bytes * values);
    const auto* block = reinterpret_cast<const std::uint8_t*>(blocks.data());
    for (std::size_t first = 0; first < decoded.size(); first += values, block += bytes)
        decode(block, decoded.data() + first);
}

const GgmlBlocks* ggmlBlocks(std::uint32_t type)
{
    const auto found = std::ranges::find(types, type, &GgmlBlocks::type);
    return found == types.end() ? nullptr : &*found;
}

std::span<const GgmlBlocks> allGgmlBlocks()
{
    return types;
}

}  // namespace calibscope
