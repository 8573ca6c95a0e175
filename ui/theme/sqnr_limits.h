// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/sqnr_limits.h"

#include <QColor>

namespace calibscope {

struct ChartColors;

/// Those that hold now, in any thread; the defaults until the preferences say otherwise. Whatever
/// judges an SQNR in the window reads them.
[[nodiscard]] SqnrLimits sqnrLimits();
/// What is shown is not drawn anew by it. `good` below `poor` is raised to it.
void setSqnrLimits(SqnrLimits limits);

enum class SqnrGrade { Poor, Fair, Good };

/// A limit itself is reached; NaN is poor.
[[nodiscard]] SqnrGrade sqnrGrade(double sqnrDb);
/// Of bars and points, 3 to 1 on the background: vermillion and orange below the limits, above them
/// the blue of all data, as nothing is to be looked at.
[[nodiscard]] QColor sqnrColor(SqnrGrade grade, const ChartColors& colors);
/// Of a table's cell: below the limits the grade's, the stronger the less there is; above them a
/// calm blue, the stronger the higher its `rank`, 0 to 1. NaN is poor.
[[nodiscard]] QColor sqnrGround(double sqnrDb, double rank, const ChartColors& colors);

}  // namespace calibscope
