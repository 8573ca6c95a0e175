#pragma once

#include "ui/document/workbench.h"

namespace calibscope {

/// A workbench holds for one dump what is said of its tensors, and for all dumps alike how things
/// are shown and computed. These take it apart and put it together.

/// What is decided on the tensors of `own`'s dump, with all else as in `shared`.
[[nodiscard]] Workbench joined(const Workbench& own, const Workbench& shared);
/// All else is as at the start.
[[nodiscard]] Workbench ownPart(const Workbench& workbench);
[[nodiscard]] Workbench sharedPart(const Workbench& workbench);
/// Nothing is decided on any tensor that would have to be decided again: what is zoomed or compared
/// does not count.
[[nodiscard]] bool isUntouched(const Workbench& workbench);

}  // namespace calibscope
