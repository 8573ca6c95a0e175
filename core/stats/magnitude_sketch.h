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

/// Fills a sketch. The first 65 536 values are only kept; dense tables (8 MiB) are made where more
/// come, so that the sketch of a short channel costs no more than sorting it.
class SketchCounter
{
public:
    void add(std::span<const float> values);  ///< NaN and infinities are left out
    [[nodiscard]] MagnitudeSketch sketch() const;

private:
    struct Cell
    {
        std::uint64_t count = 0;
        std::uint64_t dropped = 0;
    };
    void count(std::span<const float> values);

    std::vector<float> m_kept;  ///< while there are no tables
    std::vector<Cell> m_cells;  ///< positive keys, then negative keys
    std::uint64_t m_zeros = 0;  ///< counted into the tables
};

}  // namespace calibscope
