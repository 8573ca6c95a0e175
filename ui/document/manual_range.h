// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/recipes/outcome.h"

namespace calibscope {

/// The range as a hand may set it: finite, within what float32 holds, the low
/// end at most 0, the high end at least 0.
[[nodiscard]] Range manualClip(const Range& requested);

/// What computes a manual range: the calibrator `fixed` under another
/// choice's scheme, per tensor. Of a symmetric scheme the threshold is the
/// larger magnitude of both ends. The same numbers as `fixed:threshold=...`
/// (`fixed:low=...,high=...`) on the command line.
[[nodiscard]] Choice manualChoice(const Range& range, const Choice& schemeOf);

}  // namespace calibscope
