#include "core/dump/element_type.h"

#include <bit>
#include <limits>

namespace calibscope {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559,
              "float and double are taken for binary32 and binary64");

namespace {

template <typename Word, bool bigEndian>
Word loadWord(const std::byte* bytes)
{
    Word word = 0;
    for (std::size_t byte = 0; byte < sizeof(Word); ++byte) {
        const std::size_t shift = 8 * (bigEndian ? sizeof(Word) - 1 - byte : byte);
        word = static_cast<Word>(word | static_cast<Word>(static_cast<Word>(bytes[byte]) << shift));
    }
    return word;
}

float valueOf(std::uint16_t pattern)
{
    return float16Value(pattern);
}

float valueOf(std::uint32_t pattern)
{
    return std::bit_cast<float>(pattern);
}

float valueOf(std::uint64_t pattern)
{
    return static_cast<float>(std::bit_cast<double>(pattern));
}

template <typename Word, bool bigEndian>
void decodeWords(std::span<const std::byte> stored, std::vector<float>& values)
{
    values.resize(stored.size() / sizeof(Word));
    for (std::size_t element = 0; element < values.size(); ++element)
        values[element] = valueOf(loadWord<Word, bigEndian>(&stored[element * sizeof(Word)]));
}

template <typename Word>
void decodeWords(std::span<const std::byte> stored, bool isBigEndian, std::vector<float>& values)
{
    if (isBigEndian)
        decodeWords<Word, true>(stored, values);
    else
        decodeWords<Word, false>(stored, values);
}

}  // namespace

std::size_t ElementType::bytes() const
{
    switch (kind) {
    case Kind::Float16: return 2;
    case Kind::Float32: return 4;
    case Kind::Float64: return 8;
    }
    return 4;
}

std::string_view ElementType::text() const
{
    switch (kind) {
    case Kind::Float16: return "float16";
    case Kind::Float32: return "float32";
    case Kind::Float64: return "float64";
    }
    return "float32";
}

float float16Value(std::uint16_t pattern)
{
    // The fields moved to their places in binary32 give the value times 2^-112, the difference of
    // the exponents' biases; the product is exact, also where it turns a subnormal into a normal.
    const std::uint32_t sign = static_cast<std::uint32_t>(pattern & 0x8000U) << 16;
    const std::uint32_t moved = static_cast<std::uint32_t>(pattern & 0x7fffU) << 13;
    const bool isFinite = (pattern & 0x7c00U) != 0x7c00U;
    const std::uint32_t scaled =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(moved) * 0x1p112F);
    return std::bit_cast<float>(sign | (isFinite ? scaled : moved | 0x7f800000U));
}

std::span<const float> ElementDecoder::decode(std::span<const std::byte> stored)
{
    switch (m_type.kind) {
    case ElementType::Kind::Float16:
        decodeWords<std::uint16_t>(stored, m_type.isBigEndian, m_values);
        break;
    case ElementType::Kind::Float32:
        decodeWords<std::uint32_t>(stored, m_type.isBigEndian, m_values);
        break;
    case ElementType::Kind::Float64:
        decodeWords<std::uint64_t>(stored, m_type.isBigEndian, m_values);
        break;
    }
    return m_values;
}

}  // namespace calibscope
