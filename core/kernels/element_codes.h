// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// What number formats of few bits make of the values of a block.
namespace calibscope::kernels {

/// The number of a format that is nearest to a quotient.
struct NearestNumber
{
    enum class Kind {
        Steps,   ///< multiples of `step`
        Floats,  ///< of 2^-mantissaBits of the power of two below, and of `step` at least
        Cut,     ///< as Steps of 1, by trunc(quotient + shift + 1/2) - shift
        Table    ///< numbers[i] from bounds[i - 1] on
    };
    enum class Ties { ToEven, AwayFromZero, TowardsZero };

    Kind kind = Kind::Steps;
    Ties ties = Ties::ToEven;
    float low = 0.0F;   ///< the least number, itself a multiple
    float high = 0.0F;  ///< the largest one
    float step = 1.0F;  ///< a power of two
    int mantissaBits = 0;
    float shift = 0.0F;
    bool hasMinusZero = false;        ///< negative quotients become -0, not 0
    std::array<float, 16> numbers{};  ///< in ascending order, the last one repeated
    std::array<float, 15> bounds{};   ///< infinite behind the last number
};

/// How a value becomes what it decodes to: the number nearest to (x - minimum) / quotient + offset,
/// less the offset, times the scale, plus the stored minimum; in float32, each step rounded.
struct BlockCode
{
    const NearestNumber& nearest;
    float low = 0.0F;  ///< of the numbers, by the block's zero point: within those of `nearest`
    float high = 0.0F;
    float quotient = 1.0F;
    float scale = 1.0F;
    float offset = 0.0F;
    float minimum = 0.0F;
    float storedMinimum = 0.0F;
    bool isProduct = false;            ///< times `quotient`, not over it
    bool isDividedByQuotient = false;  ///< decoded so, not times the scale
};

/// What each value decodes to: finite. Infinities go to the end of their sign, NaN is taken for 0.
void decodeNearest(std::span<const float> values, const BlockCode& code, std::span<float> decoded);

/// Finite values of a block and their ends; of none 0.
struct FiniteEnds
{
    std::uint64_t finite = 0;
    float low = 0.0F;
    float high = 0.0F;

    bool operator==(const FiniteEnds&) const = default;
};
[[nodiscard]] FiniteEnds finiteEnds(std::span<const float> values);
[[nodiscard]] FiniteEnds finiteEndsPlain(std::span<const float> values);

/// Over how many partial sums those of a block are spread, whatever a vector holds.
constexpr std::size_t codeLanes = 8;
using CodeLanes = std::array<double, codeLanes>;

/// Sums over finite values x and what they decode to, y: value i of a block in lane i mod 8.
struct CodeErrors
{
    CodeLanes squares{};
    CodeLanes squaresDecoded{};
    CodeLanes products{};
    CodeLanes rounding{};  ///< (x - y)^2 of values within the ends
    CodeLanes clipping{};  ///< of those beyond
    CodeLanes largest{};   ///< |x - y|
    std::uint64_t finite = 0;
    std::uint64_t notFinite = 0;
    std::uint64_t clipped = 0;
    std::uint64_t flushed = 0;  ///< not 0, and decoded to 0

    bool operator==(const CodeErrors&) const = default;
};
/// Adds a block, whose values saturate below `low` and above `high`.
void addCodeErrors(std::span<const float> values, std::span<const float> decoded, float low,
                   float high, CodeErrors& errors);
void addCodeErrorsPlain(std::span<const float> values, std::span<const float> decoded, float low,
                        float high, CodeErrors& errors);

}  // namespace calibscope::kernels
