// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace calibscope::kernels {

/// Elements that a kernel may write beyond what it keeps.
constexpr std::size_t vectorRoom = 64;

/// Numbers of patterns kept and left out.
struct KeptPatterns
{
    std::size_t kept = 0;
    std::size_t zeros = 0;  ///< zeros of either sign, left out
};

/// Writes the bit patterns of the finite values that are not zero, in their order, to `patterns`,
/// which has `vectorRoom` elements more than there are values.
KeptPatterns keepNonZero(std::span<const float> values, std::span<std::uint32_t> patterns);
/// The same, value by value: what the vector form is held against.
KeptPatterns keepNonZeroPlain(std::span<const float> values, std::span<std::uint32_t> patterns);

/// Writes the patterns of the values whose magnitude's pattern, without its last `droppedBits`
/// bits, is `key`, in their order; room as above. Returns how many there are.
std::size_t keepKey(std::span<const float> values, std::uint32_t key, int droppedBits,
                    std::span<std::uint32_t> patterns);
std::size_t keepKeyPlain(std::span<const float> values, std::uint32_t key, int droppedBits,
                         std::span<std::uint32_t> patterns);

}  // namespace calibscope::kernels
