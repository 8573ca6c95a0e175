// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Indices, ascending, of the tensors that any of the patterns names (all of them without a
/// pattern) and that have the role, if one is given. A pattern that is exactly a tensor's name or
/// path, or the path of one of its parts, means that tensor alone; so does, where there is none, a
/// path without its first "/", as h5py writes it (isPathOf()); else it is a glob on names
/// (matchesGlob()), and if that matches none, one of a tensor's other paths or the end of one
/// (alsoCalled()). A pattern that names nothing throws Error(Input) that lists names like it.
[[nodiscard]] std::vector<std::size_t> selectTensors(std::span<const TensorInfo> tensors,
                                                     std::span<const std::string> patterns,
                                                     std::optional<Role> role = std::nullopt);

/// Whether that is the path of the tensor or of one of its parts; the first "/" may be left out.
[[nodiscard]] bool isPathOf(const TensorInfo& tensor, std::string_view path);

/// Indices of the tensors that further links lead to by that path, or by one that ends with that
/// name.
[[nodiscard]] std::vector<std::size_t> alsoCalled(std::span<const TensorInfo> tensors,
                                                  const std::string& nameOrPath);

/// Up to five names that hold the text, or else begin like it; for messages. ", " between them;
/// empty if there are none.
[[nodiscard]] std::string namesLike(std::span<const TensorInfo> tensors, const std::string& text);

}  // namespace calibscope
