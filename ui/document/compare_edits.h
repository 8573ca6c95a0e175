// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/document/window_dumps.h"

namespace calibscope {

/// The user's decisions on a comparison: steps of the document, which can be undone.

/// Compares the open dump with a second one; an empty path: with none.
void compareWith(Document& document, const QString& path);
void setCompareMode(Document& document, CompareMode mode);
/// The counterpart in B of a tensor of A, by their paths; an empty one: whichever is found.
void matchManually(Document& document, const std::string& a, const std::string& b);
/// B becomes the open dump, and the other way round, a step of B's. What was decided on A waits for
/// when it is shown again. B comes back as it was left; where it was not open before, what was
/// decided on A's tensors is taken over for those of the same path.
void swapDumps(const Comparison& comparison, WindowDumps& dumps);

}  // namespace calibscope
