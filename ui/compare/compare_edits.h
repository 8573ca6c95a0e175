#pragma once

#include "ui/compare/comparison.h"

namespace calibscope {

/// What the user decides of a comparison: steps of the session, which can be undone.

/// Compares the open dump with a second one; an empty path: with none.
void compareWith(Session& session, const QString& path);
void setCompareMode(Session& session, CompareMode mode);
/// The counterpart in B of a tensor of A, by their paths; an empty one: whichever is found.
void matchByHand(Session& session, const std::string& a, const std::string& b);
/// B becomes the open dump, and the other way round. What was decided on tensors stays: those of
/// one path are taken for the same. It is no step, and those before are forgotten.
void swapDumps(Comparison& comparison);

}  // namespace calibscope
