#pragma once

#include "core/base/range.h"
#include "core/calibrators/calibrator.h"
#include "ui/theme/chart_colors.h"

#include <QColor>
#include <QString>
#include <Qt>

#include <optional>
#include <vector>

namespace calibscope {

enum class CountAxis { Linear, Log };

/// A clip range drawn over a histogram: one line, or two in a signed histogram.
struct ThresholdMark
{
    QString label;  ///< short: the calibrator; the value is added to it
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    Range clip;
    bool emphasised = false;  ///< thicker line, bold label, columns outside the range greyed
    double step = 0.0;        ///< between levels of its quantizer; 0: not known
};

/// An objective curve.
struct CurveMark
{
    QString label;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;  ///< of the line at the chosen threshold
    Curve curve;
    bool emphasised = false;
    std::vector<double> stepThresholds = {};     ///< of an iteration, in its order, the start first
    std::vector<double> stepValues = {};         ///< the objective at each
    bool showsParts = false;                     ///< the curve's parts are drawn, too
    SeriesMarker marker = SeriesMarker::Circle;  ///< of the chosen threshold
};

}  // namespace calibscope
