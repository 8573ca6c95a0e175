// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope {

/// Sketch bins are the magnitudes whose float32 pattern agrees in exponent and 10 bits of mantissa.
constexpr int droppedMantissaBits = 13;
constexpr std::uint32_t sketchKeys =
    0x7f800000U >> droppedMantissaBits;  // keys of finite magnitudes

/// How far the values of a bin may lie apart.
struct SketchSpread
{
    double high = 0.0;     ///< the greatest magnitude that one can have, included
    double scatter = 0.0;  ///< the most that the sum of squared distances from the mean can be
};

/// Values of one sign whose magnitudes share a key.
struct SketchBin
{
    std::uint32_t key = 0;  ///< leading bits of the magnitude's pattern
    std::uint64_t count = 0;
    std::uint64_t dropped =
        0;  ///< sum of the dropped mantissa bits: with the count it gives the exact sum

    [[nodiscard]] double lowEdge() const;   ///< least magnitude of the bin, included
    [[nodiscard]] double highEdge() const;  ///< least magnitude of the next bin, not included
    [[nodiscard]] double sum() const;  ///< of the magnitudes, exact but for one rounding to double
    [[nodiscard]] double mean() const { return sum() / static_cast<double>(count); }
    /// Where no magnitude is above `end`. As many values as their sum admits at the upper end, the
    /// others at the lower, one between: none can scatter more (Muirhead's order).
    [[nodiscard]] SketchSpread spread(double end) const;
    bool operator==(const SketchBin&) const = default;
};

/// Where the value of a given rank lies: the bin, and how many values of that bin come before it.
struct SketchPlace
{
    std::uint32_t key = 0;
    std::uint64_t rankInBin = 0;  ///< 0-based, in ascending order of magnitude
};

/// Counts of the finite values by the leading bits of their pattern: any range, no first guess,
/// merges by addition, the same whatever the order. A bin's relative width is at most 2^-10
/// (subnormal magnitudes: absolute, 2^-136). Good for previews, ranks and MSE sweeps; not for
/// iterative L2 (2 % off) nor for exact counts in linear bins.
struct MagnitudeSketch
{
    std::uint64_t zeros = 0;
    std::vector<SketchBin> negative;  ///< ascending by key, without empty bins; magnitudes of x < 0
    std::vector<SketchBin> positive;

    [[nodiscard]] std::uint64_t count() const;
    /// Bins of |x| without the zeros, ascending.
    [[nodiscard]] std::vector<SketchBin> magnitudes() const;
    /// The place of the rank-th smallest magnitude (0-based); nothing if it is an exact zero.
    /// Requires rank < count().
    [[nodiscard]] std::optional<SketchPlace> placeOfMagnitude(std::uint64_t rank) const;
    /// An estimate of the rank-th smallest magnitude, within 2^-10 relative; 0 for an empty sketch.
    [[nodiscard]] double magnitudeAt(std::uint64_t rank) const;
    MagnitudeSketch& operator+=(const MagnitudeSketch& other);
    bool operator==(const MagnitudeSketch&) const = default;
};

/// Fills a sketch. The first 1024 values are only kept, since few are sorted sooner than counted;
/// where more come, each sign and exponent that occurs has 8 KiB of counts.
class SketchCounter
{
public:
    void add(std::span<const float> values);  ///< NaN and infinities are left out
    [[nodiscard]] MagnitudeSketch sketch() const;

private:
    /// Counts of the keys of one sign and exponent. The upper 24 bits of a cell are the count, the
    /// lower 40 the sum of the dropped bits.
    using Row = std::vector<std::uint64_t>;

    void count(std::span<const float> values);
    [[nodiscard]] MagnitudeSketch sketchOfRows() const;

    std::vector<float> m_kept;     ///< while there are no rows
    std::vector<Row> m_rows;       ///< by sign and exponent; empty where none occurred
    std::uint64_t m_inRows = 0;    ///< values that the rows have seen
    MagnitudeSketch m_beforeRows;  ///< of what they counted before, and all zeros
};

}  // namespace calibscope
