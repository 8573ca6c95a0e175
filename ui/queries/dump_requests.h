// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/candidates.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// The tensor to look at first: the first readable activation, else the first
/// readable tensor, else the first; -1 for none.
[[nodiscard]] int firstToShow(std::span<const TensorInfo> tensors);

/// The tensor of that name, else of that path, whose first "/" may be left out; -1 for none.
[[nodiscard]] int placeOf(std::span<const TensorInfo> tensors, const std::string& nameOrPath);

/// Everything that the window shows of a tensor: both histograms, and all
/// candidates whether they are drawn or not, so that ticking one never waits.
[[nodiscard]] protocol::ViewRequest viewRequest(const TensorRef& tensor,
                                                std::span<const Candidate> candidates);

/// Whether reading all of a tensor takes so long that the first batch is worth a request of its
/// own: something to look at meanwhile, and the rest if the reading is stopped.
[[nodiscard]] bool isFirstBatchWorthwhile(const TensorInfo& tensor, const TensorPart& part);
/// The histograms of the first batch of the tensor whose whole that request is for, without
/// outcomes.
[[nodiscard]] protocol::ViewRequest firstBatchRequest(const protocol::ViewRequest& whole);

/// A preview at a tensor, with the SQNR of what is chosen for it; nothing: no
/// SQNR.
[[nodiscard]] protocol::PreviewRequest previewRequest(const TensorRef& tensor,
                                                      std::optional<Choice> choice);

}  // namespace calibscope
