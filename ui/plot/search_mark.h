#pragma once

#include "core/recipes/outcome.h"
#include "ui/plot/marks.h"

#include <optional>

namespace calibscope {

/// What an outcome searched, still without label and colour: its curve, and the steps of an
/// iteration on it. An iteration that was compared with no grid has its steps for a curve. Nothing
/// where nothing was searched.
[[nodiscard]] std::optional<CurveMark> searchMark(const Outcome& outcome);

}  // namespace calibscope
