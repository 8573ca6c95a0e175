#pragma once

#include "core/report/tables/table.h"

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The number, or an absent cell.
[[nodiscard]] Cell optionalCell(std::optional<double> value);
/// Sentences or words one after another, "; " between them.
[[nodiscard]] std::string joinedNotes(const std::vector<std::string>& notes);

}  // namespace calibscope
