// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/calibrators/calibrator.h"
#include "core/recipes/outcome.h"
#include "core/stats/histogram.h"
#include "ui/plot/axis_scale.h"
#include "ui/theme/chart_colors.h"

#include <QColor>
#include <QString>
#include <Qt>

#include <optional>
#include <vector>

namespace calibscope {

/// A clip range drawn over a histogram: one line, or two in a signed histogram.
struct ThresholdMark
{
    QString label;  ///< short: the calibrator; the value is added to it
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    Range clip;
    bool emphasised = false;  ///< thicker line, bold label, columns outside the range greyed
    double step = 0.0;        ///< between levels of its quantizer; 0: not known
    QString id = {};          ///< of the candidate, where it is one's
};

/// "|x|" or "x".
[[nodiscard]] inline QString valueTitle(Domain domain)
{
    return domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x");
}

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
    QString id = {};                             ///< of the candidate, where it is one's
};

/// Another histogram drawn over the columns as a line of steps.
struct OutlineMark
{
    QString label;
    QColor color;
    Qt::PenStyle style = Qt::SolidLine;
    Histogram histogram;  ///< of the same domain; its bins may differ
};

/// What an outcome searched, still without label and colour: its curve, and the steps of an
/// iteration on it. An iteration that was compared with no grid has its steps for a curve. Nothing
/// where nothing was searched.
[[nodiscard]] std::optional<CurveMark> searchMark(const Outcome& outcome);
/// Beside histograms of that domain: a curve over the widths of windows has each point at the end
/// of its window that is seen there, as its clip range is drawn (windowPlaces()).
[[nodiscard]] std::optional<CurveMark> searchMark(const Outcome& outcome,
                                                  const TensorProfile& profile, Domain domain);
/// Where a histogram of that domain shows the windows that are the points of an outcome's curve;
/// empty: its points are thresholds.
[[nodiscard]] std::vector<double> windowPlaces(const Outcome& outcome, const TensorProfile& profile,
                                               Domain domain);

}  // namespace calibscope
