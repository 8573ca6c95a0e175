#pragma once

#include "core/recipes/candidates.h"
#include "core/recipes/recipe.h"
#include "core/serve/protocol/messages.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// The tensor that is shown when a dump was opened: the first readable activation, else the first
/// readable tensor, else the first; -1 for none.
[[nodiscard]] int firstToShow(std::span<const TensorInfo> tensors);

/// Everything that the window shows of a tensor: both histograms, and all candidates whether they
/// are drawn or not, so that ticking one never waits.
[[nodiscard]] serve::ViewRequest viewRequest(const std::string& path, int tensor,
                                             std::span<const Candidate> candidates);

/// A glance at each readable tensor, with the SQNR of what the recipe chooses for it.
[[nodiscard]] std::vector<serve::GlanceRequest> glanceRequests(const std::string& path,
                                                               std::span<const TensorInfo> tensors,
                                                               const Recipe& recipe,
                                                               const Consumers& consumers);

}  // namespace calibscope
