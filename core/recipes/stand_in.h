// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"
#include "core/recipes/recipe.h"

#include <string>
#include <utility>

namespace calibscope {

/// An id and settings from "ID" or "ID:parameter=value,...". Throws Error(Usage).
[[nodiscard]] std::pair<std::string, GivenSettings> idAndSettings(const std::string& text);

/// A preset (published or the user's own) or a calibrator on every tensor, as a recipe: weights per
/// channel, all else per tensor, unless the preset says otherwise. Its id is "preset:..." or
/// "calibrator:..." with the text as given. Throws Error(Usage).
[[nodiscard]] Recipe presetAsRecipe(const std::string& text);
[[nodiscard]] Recipe calibratorAsRecipe(const std::string& text);

/// A choice as tables name it: one that came from such a recipe, or from one that a session made
/// ("session:..."), is of no recipe.
[[nodiscard]] Choice withoutStandIn(Choice choice);

}  // namespace calibscope
