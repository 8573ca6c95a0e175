#pragma once

#include <QColor>

namespace calibscope {

struct ChartColors;

/// Where SQNR is told apart, in dB: below `poor` a tensor is a trouble, below `good` it deserves a
/// look. Whatever judges an SQNR in the window reads sqnrLimits().
struct SqnrLimits
{
    double poor = 20.0;
    double good = 30.0;  ///< what sentences call the limit; not below `poor`

    bool operator==(const SqnrLimits&) const = default;
};

/// Those that hold now, in any thread; the defaults until the preferences say otherwise.
[[nodiscard]] SqnrLimits sqnrLimits();
/// What is shown is not drawn anew by it. `good` below `poor` is raised to it.
void setSqnrLimits(SqnrLimits limits);

enum class SqnrGrade { Poor, Fair, Good };

/// A limit itself is reached; NaN is poor.
[[nodiscard]] SqnrGrade sqnrGrade(double sqnrDb);
/// Of bars and points: vermillion, orange, green, 3 to 1 on the background.
[[nodiscard]] QColor sqnrColor(SqnrGrade grade, const ChartColors& colors);

}  // namespace calibscope
