// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/base/whole_file.h"

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

class QMimeData;
class QPainter;

namespace calibscope {

class PlotContent;

/// Texts around a plot in a picture, and the picture's size.
struct PictureSettings
{
    QSize size{1200, 600};  ///< in logical pixels
    double scale = 1.0;     ///< device pixels for each: 2 gives a picture of 2400 x 1200
    bool isDark = false;
    QString title;                    ///< the tensor
    QString subtitle;                 ///< op, shape, type
    QString footer;                   ///< file, recipe and settings, version; empty: none
    std::optional<Range> shown = {};  ///< along x; nothing: all
    bool isLogX = false;              ///< where the content can have it
    std::vector<Range> yShown = {};   ///< by y axis; empty: as the content requests
};

/// Pictures of the plots with title, axis titles, legend and footer, for reports and for export.
/// They need a QGuiApplication but no display. The same arguments give the same bytes. Data that
/// can't be drawn gives a picture with a sentence that says why.
[[nodiscard]] QImage renderContent(const PlotContent& content, const PictureSettings& settings);
/// The same as vectors.
[[nodiscard]] QByteArray renderSvg(const PlotContent& content, const PictureSettings& settings);
/// The same for a page of HTML: an element `svg` whose `data-numbers` holds the plot's table as
/// JSON, by columns, and the places of its rows along x, `data-area` the area of the plot. What
/// belongs to an entry of the legend is in groups with its text in `data-series`. Colours of the
/// theme are the page's variables `--plot-...`.
[[nodiscard]] QByteArray renderInline(const PlotContent& content, const PictureSettings& settings);
/// A page of the picture's size, vectors and texts that can be searched.
[[nodiscard]] QByteArray renderPdf(const PlotContent& content, const PictureSettings& settings);

/// For the clipboard, as PNG and as SVG; the receiver takes what it prefers.
[[nodiscard]] std::unique_ptr<QMimeData> pictureMime(const PlotContent& content,
                                                     const PictureSettings& settings);

/// The picture from the painter's origin on, `size` wide and high.
void paintPicture(QPainter& painter, const PlotContent& content, const PictureSettings& settings);

/// Writes a picture in the format that the file's name ends with: .png, .svg or .pdf. Throws
/// Error(Usage) for any other, Error(Output) with the path, the reason and the free space; a file
/// that could not be written whole is not left behind.
void saveContent(const PlotContent& content, const PictureSettings& settings, const QString& path,
                 WholeFileOptions options = {});

/// The picture as an opaque PNG of 24 bits per pixel with its density. Rows are not filtered, and
/// deflated by libdeflate: QImageWriter tries five filters for each row, in vain for plots.
[[nodiscard]] QByteArray encodedPng(const QImage& picture);

/// Writes encodedPng(). Throws Error(Output) as saveContent(), also for a picture without pixels.
void savePicture(const QImage& picture, const QString& path, WholeFileOptions options = {});

}  // namespace calibscope
