// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/outcome.h"

#include <string>
#include <vector>

namespace calibscope {

/// One choice on the way from one to another, and what was changed for it.
struct ChoiceStep
{
    std::string name;  ///< "Growth: as-needed instead of double"
    Choice choice;
};

/// Turns one choice into another, one option at a time: first the options that both calibrators
/// have, then scheme, its parameters and granularity, then the calibrator, then the options that
/// only the second has. What the calibrator of the moment does not accept, or could not compute on
/// values of both signs, waits until it does; what is left then is one step. The
/// first step is `from` itself, the last computes the same as `to`.
[[nodiscard]] std::vector<ChoiceStep> stepsBetween(const Choice& from, const Choice& to);

}  // namespace calibscope
