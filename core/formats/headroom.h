// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace calibscope {

/// How far the scale of a tensor is set above what was recorded, so that larger activations have
/// room (ModelOpt's NVFP4ActHeadroomCalibrator).
struct HeadroomRule
{
    double anchorPercentile = 1.0;   ///< above 0, at most 100
    double upperPercentile = 99.99;  ///< likewise; 100: the largest magnitude itself
    double ratio = 16384.0;          ///< of the tensor's maximum over the anchor
};

/// Largest magnitudes of blocks, counted by their logarithm: 512 bins of log2 from -40 to 40, beyond
/// which the end bins count.
class BlockMaxima
{
public:
    /// One block's. 0 is not counted.
    void add(float largest);
    /// The larger of an upper percentile and `ratio` times a low one, each at the centre of its
    /// bin; the low one of bins from a millionth of the upper one on. The largest magnitude where
    /// no block was counted: 0.
    [[nodiscard]] double maximum(const HeadroomRule& rule) const;

private:
    static constexpr std::size_t bins = 512;

    [[nodiscard]] static std::size_t binOf(double magnitude);
    [[nodiscard]] double percentile(double percent, std::size_t firstBin) const;

    std::array<std::uint64_t, bins> m_counts{};
    float m_largest = 0.0F;
};

}  // namespace calibscope
