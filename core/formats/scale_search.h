// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_code.h"
#include "core/formats/input_products.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope {

/// A scale that a search tries.
struct ScaleTrial
{
    BlockScale stored;
    BlockScale tried;  ///< by which its error is measured
};

/// Those that a search of one pass tries for a block, in its order; one without a search, and for a
/// block of zeros. Scales that are stored alike are tried once. Where all blocks end together, those
/// of TwoLevel are tried before they are rounded, as llm-compressor does.
[[nodiscard]] std::vector<ScaleTrial> trialScales(const BlockFormat& format, const BlockPeak& peak,
                                                  float tensorScale);

/// Sum of |x - decoded|^norm of the finite values, in double, each times its weight; d^T H d where
/// there are products.
[[nodiscard]] double searchError(const BlockFormat& format, const BlockScale& scale,
                                 std::span<const float> values, const ErrorWeights& weights = {});

/// Search for the scales of a tensor's blocks (BlockFormat::search). One that all blocks end
/// together wants to see each before; others give a block the same scale alone.
class BlockSearch
{
public:
    BlockSearch(const BlockFormat& format, float tensorScale)
        : m_format(format), m_tensorScale(tensorScale)
    {}

    /// True if watch() needs every block before the first scale() or best().
    [[nodiscard]] bool isShared() const { return m_format.search.endsByTensor; }
    void watch(const BlockPeak& peak, std::span<const float> values,
               const ErrorWeights& weights = {});
    /// The same from the errors of all trials.
    void watch(std::span<const double> errors);

    /// The scale of a block with these values, at the cost of encoding them once for each trial.
    /// Without a search it is that of blockScale().
    [[nodiscard]] BlockScale scale(const BlockPeak& peak, std::span<const float> values,
                                   const ErrorWeights& weights = {}) const;
    /// Index of the trial that is taken by its error, the first of the least ones.
    [[nodiscard]] std::size_t best(std::span<const double> errors) const;

private:
    template <typename ErrorOf>
    [[nodiscard]] std::size_t bestOf(std::size_t trials, const ErrorOf& errorOf) const;

    const BlockFormat& m_format;
    float m_tensorScale;
    std::vector<bool> m_gains;     ///< Shrink: whether a block gained, by step
    std::vector<double> m_errors;  ///< Hqq: of all blocks, by step
};

}  // namespace calibscope
