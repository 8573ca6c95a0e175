#pragma once

#include "core/deploy/decided_tensor.h"
#include "core/exchange/exchange_format.h"

#include <set>
#include <string>
#include <vector>

namespace calibscope::deploy {

/// Bins of the histograms that a profile of Glow gets.
constexpr std::size_t exportedBins = 512;

/// Whether the format has tensors of this role; one of unknown role counts as an activation.
[[nodiscard]] bool hasRole(const exchange::ExchangeFormat& format, Role role);

/// The entry of a decided tensor, by the graph's name for it, else by the dump's.
[[nodiscard]] exchange::ScaleEntry exportedEntry(const DecidedTensor& tensor);

/// What is lost of a decision that the format takes, as sentences without the tensor's name: a
/// scale that is another than the one that programs make of the threshold, bits that the file does
/// not tell, a scale of no use.
[[nodiscard]] std::vector<std::string> exportWarnings(const exchange::ExchangeFormat& format,
                                                      const exchange::ScaleEntry& entry);

}  // namespace calibscope::deploy
