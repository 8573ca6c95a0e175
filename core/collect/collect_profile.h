// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/stats/profile.h"
#include "core/stats/summed_profile.h"
#include "core/tensor/value_source.h"

#include <span>

namespace calibscope {

/// First pass: moments, extents per batch and channel, sketch.
[[nodiscard]] SummedProfile collectSums(const ValueSource& source, const Progress& progress = {});

/// The same of a source of some samples (DumpFile::source()); without constant ends, for which a
/// tensor's samples must come together.
[[nodiscard]] UnitSums collectUnit(const ValueSource& source, const Progress& progress = {});

/// As collectSums() without the sums; the stored profile where there is one in the values' place.
[[nodiscard]] TensorProfile collectProfile(const ValueSource& source,
                                           const Progress& progress = {});

/// Second pass: adds the histograms and order statistics that the profile does not hold yet; reads
/// nothing if it holds all. Where the values are gone, what follows from a lossless sketch is made
/// of it; throws NoValues that names what else the profile would have to hold.
void collectMore(TensorProfile& profile, const ValueSource& source,
                 std::span<const HistogramSpec> histograms, std::span<const OrderRequest> orders,
                 const Progress& progress = {});

}  // namespace calibscope
