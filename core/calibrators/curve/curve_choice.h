// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrators/calibrator.h"

namespace calibscope {

/// Fills in plateau and runner-up of a curve whose chosen point is set: the thresholds on both
/// sides that are reached without leaving 1 % of the chosen value, and the least finite point
/// beyond them (the first of several; none if there is nothing beyond). Requires a finite chosen
/// value of 0 or above.
void describeSurroundings(Curve& curve);

/// Chooses the least finite point (of several the one with the greatest threshold if
/// `takesWidest`, else the least), the further ones being its ties, then describes its
/// surroundings. Returns false, and chooses nothing, if no point is finite.
bool chooseLeast(Curve& curve, bool takesWidest);

}  // namespace calibscope
