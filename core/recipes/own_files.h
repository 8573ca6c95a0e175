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

/// A recipe or preset from a file, withProgramFacts(). Throws Error(Input) where it can't be read, and Error(Usage)
/// that names file and member where it is wrong or has the id of a published one.
[[nodiscard]] Recipe recipeFromFile(const std::filesystem::path& path);
[[nodiscard]] Preset presetFromFile(const std::filesystem::path& path);

/// The recipes of folder/recipes/*.json and presets of folder/presets/*.json, in the order of the
/// files' names; none where there is no such folder. Throws as those above, and Error(Usage) where
/// two have one id.
[[nodiscard]] std::vector<Recipe> ownRecipes(const std::filesystem::path& folder = ownFolder());
[[nodiscard]] std::vector<Preset> ownPresets(const std::filesystem::path& folder = ownFolder());

/// The user's folder of programs that answer as calibrators do (own_program.h): those in it may be
/// run. Empty where ownFolder() is.
[[nodiscard]] std::filesystem::path ownProgramFolder();

/// The names of the files there, sorted; none where there is no such folder.
[[nodiscard]] std::vector<std::string> ownPrograms();

/// Makes that file one of them, by a link in the folder, which is made where it is missing: by that
/// its user agrees to its being run. Its name there. Throws Error(Output) where that fails, and
/// where another file has the name; Error(Usage) for a name that is hidden, or that no settings hold.
[[nodiscard]] std::string addOwnProgram(const std::filesystem::path& file);

/// A choice whose calibrator is a program, with what its file says: the SHA-256 of its content, its
/// absolute path (a bare name stays: it is that of a file in ownProgramFolder()), and what it
/// declares of settings that have their defaults and are not among `given`. A relative path begins
/// at `from`. With a SHA-256 only the path changes; any other choice is as it is. Throws Error(Input) where the file can't be read, and
/// Error(Usage) where none is named.
[[nodiscard]] Choice withProgramFacts(Choice choice, const std::filesystem::path& from = {},
                                      const GivenSettings& given = {});

/// The published recipe of that id, else the user's own: their files are read only for an id that
/// none of the published has. Throws Error(Usage) that lists both.
[[nodiscard]] Recipe recipeOrOwn(std::string_view id);
[[nodiscard]] Preset presetOrOwn(std::string_view id);

}  // namespace calibscope
