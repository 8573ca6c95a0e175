#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace calibscope {

/// Counts and ends of a set of values. NaN and infinities are counted apart and enter nothing else.
struct Extents
{
    std::uint64_t finite = 0;  ///< finite values
    std::uint64_t zeros = 0;   ///< of these, exact zeros of either sign
    std::uint64_t nan = 0;
    std::uint64_t positiveInf = 0;
    std::uint64_t negativeInf = 0;
    double min = 0.0;  ///< of the finite values; 0 while there are none
    double max = 0.0;
    double absMin = 0.0;      ///< least magnitude of the finite values; 0 while there are none
    std::uint64_t atMin = 0;  ///< finite values equal to min
    std::uint64_t atMax = 0;  ///< finite values equal to max

    /// All elements, NaN and infinities included.
    [[nodiscard]] std::uint64_t values() const { return finite + nan + positiveInf + negativeInf; }
    [[nodiscard]] std::uint64_t infinite() const { return positiveInf + negativeInf; }
    /// Largest magnitude of the finite values; 0 without any.
    [[nodiscard]] double absMax() const { return std::max(max, 0.0 - min); }  // 0.0 -: never -0

    void add(float value);
    void add(std::span<const float> values);
    Extents& operator+=(const Extents& other);
    bool operator==(const Extents&) const = default;
};

}  // namespace calibscope
