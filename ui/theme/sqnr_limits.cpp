// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sqnr_limits.h"

#include "ui/theme/chart_colors.h"

#include <algorithm>
#include <atomic>

namespace calibscope {

namespace {

// As QLocale's default: the user's, for the whole process. Reports are drawn in other threads.
std::atomic<double> poorDb = SqnrLimits{}.poor;
std::atomic<double> goodDb = SqnrLimits{}.good;

}  // namespace

SqnrLimits sqnrLimits()
{
    return {.poor = poorDb, .good = goodDb};
}

void setSqnrLimits(SqnrLimits limits)
{
    poorDb = limits.poor;
    goodDb = std::max(limits.poor, limits.good);
}

SqnrGrade sqnrGrade(double sqnrDb)
{
    const SqnrLimits limits = sqnrLimits();
    return sqnrDb >= limits.good   ? SqnrGrade::Good
           : sqnrDb >= limits.poor ? SqnrGrade::Fair
                                   : SqnrGrade::Poor;
}

QColor sqnrColor(SqnrGrade grade, const ChartColors& colors)
{
    switch (grade) {
    case SqnrGrade::Poor: return QColor(colors.isDark ? 0xf07d35 : 0xd55e00);
    case SqnrGrade::Fair: return QColor(colors.isDark ? 0xf0b52e : 0xbf8000);
    case SqnrGrade::Good: break;
    }
    return QColor(colors.isDark ? 0x1fbf91 : 0x009e73);
}

}  // namespace calibscope
