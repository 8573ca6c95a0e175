// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_errors.h"
#include "core/layers/layer_reading.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::layers {

/// The layers of a dump that the options ask for, in the order of foundLayers().
[[nodiscard]] std::vector<FoundLayer> wantedLayers(std::span<const TensorInfo> tensors,
                                                   const LayerOptions& options);

/// Works on each layer, several at once where they are small, and delivers them in order, counted by
/// `progress` as "layers". `work` gets the progress for its own steps: of a single layer its samples
/// are reported, of several the layers alone.
void eachLayer(std::span<const FoundLayer> layers, std::span<const TensorInfo> tensors,
               const LayerOptions& options, const Progress& progress,
               const std::function<void(std::size_t index, const Progress& steps)>& work,
               const std::function<void(std::size_t index)>& deliver);

/// Notes on what was computed: without a readable output, from one position, from drawn ones.
void addReadingNotes(const LayerReading& reading, const LayerOptions& options, LayerResult& result);

}  // namespace calibscope::layers
