// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/sqnr_limits.h"

#include "ui/theme/chart_colors.h"

#include <algorithm>
#include <atomic>
#include <cmath>

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
    return colors.fill;
}

QColor sqnrGround(double sqnrDb, double rank, const ChartColors& colors)
{
    const SqnrLimits limits = sqnrLimits();
    const SqnrGrade grade = sqnrGrade(sqnrDb);
    // 0 at the upper end of a grade, 1 at its lower one.
    const auto depth = [sqnrDb](double high, double low) {
        return high > low ? std::clamp((high - sqnrDb) / (high - low), 0.0, 1.0) : 1.0;
    };
    switch (grade) {
    case SqnrGrade::Poor:
        return blended(colors.background, sqnrColor(grade, colors),
                       std::isnan(sqnrDb) ? 0.9 : 0.6 + 0.3 * depth(limits.poor, 0.0));
    case SqnrGrade::Fair:
        return blended(colors.background, sqnrColor(grade, colors),
                       0.25 + 0.3 * depth(limits.good, limits.poor));
    case SqnrGrade::Good: break;
    }
    return blended(colors.background, colors.fill, 0.05 + 0.3 * std::clamp(rank, 0.0, 1.0));
}

}  // namespace calibscope
