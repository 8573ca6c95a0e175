#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/outcome.h"

#include <span>

namespace calibscope::engine {

/// The profile as a view gives it: with the histograms asked for, those that the outcomes'
/// calibrators worked on, and the order statistics that they used. The same whatever else was
/// collected of the tensor before. `choices` as they were run.
[[nodiscard]] TensorProfile shownProfile(const TensorProfile& profile,
                                         const protocol::ViewRequest& request,
                                         std::span<const Choice> choices,
                                         std::span<const Outcome> outcomes);

/// Whether the profile holds all that shownProfile() would have to show.
[[nodiscard]] bool holdsAll(const TensorProfile& profile, std::span<const Choice> choices,
                            std::span<const Outcome> outcomes);

}  // namespace calibscope::engine
