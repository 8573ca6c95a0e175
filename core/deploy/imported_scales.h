// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/exchange/entry_lints.h"
#include "core/exchange/entry_matches.h"
#include "core/exchange/exchange_format.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "core/tensor/value_source.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// An entry of another tool's file beside a tensor of a dump, or one of both alone.
struct ImportedScale
{
    std::optional<exchange::ScaleEntry> entry;
    std::optional<TensorInfo> tensor;
    exchange::EntryNameRule rule = exchange::EntryNameRule::None;
    std::optional<Extents> extents;  ///< of the tensor's values, once they were read
    exchange::EntryFit fit;
    Findings lints;
};

/// A file's scales for a dump's tensors: the entries in its order, then the tensors that it lacks.
/// Lints are those that need no values. Where entries are those of layers, layers are those of
/// `given`, and further ones that the tensors tell of.
[[nodiscard]] std::vector<ImportedScale> importedScales(const exchange::ScaleFile& file,
                                                        std::span<const TensorInfo> tensors,
                                                        const exchange::EntryNaming& given = {});

/// Adds what the values tell. `profile` is that of the source; a scale per channel takes one more
/// pass over the values. Requires an entry and a tensor.
void weigh(ImportedScale& imported, const ValueSource& source, const TensorProfile& profile,
           const Progress& progress = {});

/// The wider end of the entry's range over an outcome's, less 1; per channel that of the channel
/// where it is farthest from 0. Nothing where they are not of the same channels, or no number.
[[nodiscard]] std::optional<double> deviationFrom(const Outcome& outcome,
                                                  const exchange::ScaleEntry& entry);

}  // namespace calibscope::deploy
