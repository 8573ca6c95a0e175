#pragma once

#include "core/stats/histogram.h"
#include "ui/charts/marks.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <vector>

namespace calibscope {

class PlotContent;

/// What stands around a plot in a picture, and how large the picture is.
struct PictureSettings
{
    QSize size{1200, 600};  ///< in logical pixels
    double scale = 1.0;     ///< device pixels for each: 2 gives a picture of 2400 x 1200
    bool isDark = false;
    QString title;     ///< the tensor
    QString subtitle;  ///< op, shape, type
    QString footer;    ///< file, recipe and settings, version; empty: none
};

/// Pictures of the plots with title, axis titles, legend and footer, for reports and for export.
/// They need a QGuiApplication but no display. The same arguments give the same bytes. Data that
/// can't be drawn gives a picture with a sentence that says why.
[[nodiscard]] QImage renderPicture(const Histogram& histogram,
                                   const std::vector<ThresholdMark>& thresholds,
                                   const PictureSettings& settings,
                                   CountAxis countAxis = CountAxis::Log);
[[nodiscard]] QImage renderPicture(const std::vector<CurveMark>& curves,
                                   const PictureSettings& settings);
[[nodiscard]] QImage renderPicture(const ChannelScales& channels, const PictureSettings& settings);

/// Any content.
[[nodiscard]] QImage renderContent(const PlotContent& content, const PictureSettings& settings);

/// Writes a PNG. Throws Error(Output) with the path and the reason.
void savePicture(const QImage& picture, const QString& path);

}  // namespace calibscope
