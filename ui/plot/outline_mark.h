#pragma once

#include "core/stats/histogram.h"

#include <QColor>
#include <QString>
#include <Qt>

namespace calibscope {

/// Another histogram drawn over the columns as a line of steps.
struct OutlineMark
{
    QString label;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    Histogram histogram;  ///< of the same domain; its bins may differ
};

}  // namespace calibscope
