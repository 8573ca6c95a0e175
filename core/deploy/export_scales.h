// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exchange_format.h"
#include "core/recipes/decided_tensor.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// Bins of the histograms that a profile of Glow gets.
constexpr std::size_t exportedBins = 512;

/// Whether the format has tensors of this role; one of unknown role counts as an activation.
[[nodiscard]] bool hasRole(const exchange::ExchangeFormat& format, Role role);

/// The entry of a decided tensor, by the graph's name for it, else by the dump's. Throws
/// Error(Usage) for scales of groups.
[[nodiscard]] exchange::ScaleEntry exportedEntry(const DecidedTensor& tensor);

/// Decided tensors as rows of layers, and what is to be said with them.
struct ExportedLayers
{
    struct Row
    {
        exchange::ScaleEntry entry;
        std::size_t tensor = 0;  ///< whose decision it is
    };
    std::vector<Row> rows;  ///< the layers' in their order, each its weight's behind its input's
    /// Why weights that were decided have no row, as sentences by their places.
    std::map<std::size_t, std::string> problems;
    std::vector<std::string> warnings;
    std::size_t left = 0;      ///< decided tensors that are of no layer that has rows
    bool hasOwnNames = false;  ///< some layers' names are those of the dump
};

/// The rows of a format whose entries are those of layers (ExchangeFormat::isByLayer). `decided`:
/// of each tensor, as far as there are decisions; there may be more tensors, of the graph alone. An
/// input that several layers take has a row for each; without a decision of its own it has that of
/// what its values were moved from. A weight has a scale for each channel, of a convolution in
/// groups for each group, that of the group's widest channel. A layer without both is left out.
/// Throws Error(Usage) where no layer is left, with what that takes.
[[nodiscard]] ExportedLayers exportedLayers(std::span<const TensorInfo> tensors,
                                            std::span<const DecidedTensor* const> decided);

/// What is lost of a decision that the format takes, as sentences without the tensor's name: a
/// scale that is another than the one that programs make of the threshold, bits that the file does
/// not tell, a scale of no use.
[[nodiscard]] std::vector<std::string> exportWarnings(const exchange::ExchangeFormat& format,
                                                      const exchange::ScaleEntry& entry);

}  // namespace calibscope::deploy
