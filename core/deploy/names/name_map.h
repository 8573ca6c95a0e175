// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace calibscope::deploy {

/// The graph's names of tensors of a dump, as a user gives them.
using NameMap = std::map<std::string, std::string, std::less<>>;

/// From CSV: a row "tensor,graph name" for each, below a head of these two words or without one.
/// Throws Error(Input) that names `origin` and the line for rows of another length, an empty name,
/// and two names for one tensor.
[[nodiscard]] NameMap nameMapFromCsv(std::string_view csv, const std::string& origin);

/// The same of a file. Throws Error(Input) also for one of more than 16 MiB, and for what is no
/// regular file.
[[nodiscard]] NameMap readNameMap(const std::string& path);

}  // namespace calibscope::deploy
