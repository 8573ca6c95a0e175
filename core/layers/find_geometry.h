// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/layer_plan.h"

#include <optional>
#include <span>

namespace calibscope::layers {

/// Values of a few of a layer's samples, one after another in row-major order.
struct FirstSamples
{
    std::uint64_t samples = 0;
    std::span<const float> input;
    std::span<const float> weight;  ///< all of a weight
    std::span<const float> output;
};

/// The attributes of a layer that a dump lacks, found by recomputing: what fits the shapes, the
/// likeliest first (dilation 1, symmetric pads, small strides; transB 1), is tried on four channels
/// of these samples, and the first that gives the recorded output up to a constant for each channel
/// is taken: rms of what is left below `limit` of the outputs' rms, and below a tenth of their rms
/// without their means. Of a Gemm then with the alpha that fits best; its beta belongs to that
/// constant. Nothing where none does, of 400 that are tried at most. `shapes` are those of all
/// samples.
[[nodiscard]] std::optional<OpGeometry> findGeometry(const LayerShapes& shapes,
                                                     const FirstSamples& values, double limit);

/// The geometries that fit the shapes, the likeliest first, as many at most.
[[nodiscard]] std::vector<OpGeometry> likelyGeometries(const LayerShapes& shapes,
                                                       std::size_t most = 400);

}  // namespace calibscope::layers
