#pragma once

#include "core/base/range.h"

#include <QColor>
#include <QString>

namespace calibscope {

/// A mark along x that a user may move with the mouse or with the arrow keys.
struct PlotHandle
{
    QString id;     ///< remains the same while it is the same mark
    QString label;  ///< "upper threshold of entropy": for screen readers and the status bar
    double value = 0.0;
    Range allowed;      ///< it is kept inside, both ends included
    double step = 0.0;  ///< of an arrow key, above 0: one bin
    QColor color;
};

}  // namespace calibscope
