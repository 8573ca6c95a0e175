// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/layout.h"

#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// Doubts names that damage may have changed: the earliest format of HDF5 has no checksum of them.
///
/// - A group, or the last part of a tensor's path, one letter off a word that tells roles:
///   "activaVions", "weigit".
/// - A tensor that is not an input of any, one letter within a word off an input that no tensor is
///   called: "colv1" where some tensor has the input "conv1".
///
/// First and last letters, and digits, do not count: they tell names apart that are meant so. The
/// doubts are added to the tensors'; what is to be reported of the file comes back, once for each group
/// or tensor, as "PATH: sentence".
[[nodiscard]] std::vector<std::string> doubtNames(std::span<Understood> tensors);

}  // namespace calibscope
