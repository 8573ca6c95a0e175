// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// The user's folder of recipes and presets: $XDG_CONFIG_HOME/calibscope, else
/// ~/.config/calibscope; empty where neither variable is set.
[[nodiscard]] std::filesystem::path ownFolder();

/// A recipe or preset from a file. Throws Error(Input) where it can't be read, and Error(Usage)
/// that names file and member where it is wrong or has the id of a published one.
[[nodiscard]] Recipe recipeFromFile(const std::filesystem::path& path);
[[nodiscard]] Preset presetFromFile(const std::filesystem::path& path);

/// The recipes of folder/recipes/*.json and presets of folder/presets/*.json, in the order of the
/// files' names; none where there is no such folder. Throws as those above, and Error(Usage) where
/// two have one id.
[[nodiscard]] std::vector<Recipe> ownRecipes(const std::filesystem::path& folder = ownFolder());
[[nodiscard]] std::vector<Preset> ownPresets(const std::filesystem::path& folder = ownFolder());

/// The published recipe of that id, else the user's own: their files are read only for an id that
/// none of the published has. Throws Error(Usage) that lists both.
[[nodiscard]] Recipe recipeOrOwn(std::string_view id);
[[nodiscard]] Preset presetOrOwn(std::string_view id);

}  // namespace calibscope
