// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::layouts {

/// The parts of a path between `/` and `.`, which separate alike.
[[nodiscard]] std::vector<std::string_view> pathSegments(std::string_view path);

/// The last part without the number of an output: "kernel" of "/conv1/kernel:0".
[[nodiscard]] std::string_view leafWord(std::string_view path);

[[nodiscard]] std::string lowerCase(std::string_view text);

/// A word of a path and the role that it tells.
struct RoleWord
{
    Role role = Role::Unknown;
    std::string_view word;
};

/// The role by a path. First groups of the root named for activations ("activations",
/// "acts"), then the last part ("weight", "bias", "kernel:0", "gamma", "running_mean",
/// "..._weight"), then the other words, the outermost first ("outputs", "features", "hidden";
/// "weights", "params", "state_dict"). Case does not matter.
[[nodiscard]] std::optional<RoleWord> roleByWords(std::string_view path);

/// The word of those from which this one differs in one letter, of words of less than nine letters
/// neither the first nor the last; empty where none does. Not of words of less than six letters.
[[nodiscard]] std::string_view roleWordMeant(std::string_view word);

/// The path without its leading `/`, and without the group of the root that tells the role:
/// "conv1" for "/activations/conv1", "layer1.0.conv1.weight" for itself, "root" for "/".
[[nodiscard]] std::string nameOf(std::string_view path);

}  // namespace calibscope::layouts
