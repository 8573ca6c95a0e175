#include "ui/charts/picture.h"

#include "core/base/error.h"
#include "core/report/tables/output.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/plot/plot_painter.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/theme/fonts.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>

namespace calibscope {

namespace {

QSize sizeOf(const PictureSettings& settings)
{
    constexpr QSize leastSize(160, 120);
    return settings.size.expandedTo(leastSize);
}

FrameWish frameWish(const PlotContent& content, const PictureSettings& settings)
{
    constexpr int fontPixels = 13;
    loadFonts();
    const Range full = content.fullRange();
    FrameWish wish;
    wish.outer = QRectF(QPointF(), QSizeF(sizeOf(settings)));
    wish.shown = settings.shown.value_or(full);
    if (const std::optional<LogX> log = content.isEmpty() ? std::nullopt : content.logX();
        log && settings.isLogX) {
        wish.xKind = ScaleKind::Log;
        wish.logX = *log;
        wish.shown = settings.shown.value_or(Range{log->floor, full.high});
    }
    wish.yShown = settings.yShown;
    wish.font = pictureFont(fontPixels);
    wish.colors = settings.isDark ? darkChartColors() : lightChartColors();
    wish.title = settings.title;
    wish.subtitle = settings.subtitle;
    wish.footer = settings.footer;
    return wish;
}

void paintContent(QPaintDevice& device, const PlotContent& content, const PictureSettings& settings)
{
    QPainter painter(&device);
    paintPicture(painter, content, settings);
}

void saveBytes(const QByteArray& bytes, const QString& path)
{
    Output output(QFile::encodeName(path).toStdString());
    output.write({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    output.finish();
}

}  // namespace

void paintPicture(QPainter& painter, const PlotContent& content, const PictureSettings& settings)
{
    paintPlot(painter, content, layoutPlot(content, frameWish(content, settings)));
}

QImage renderContent(const PlotContent& content, const PictureSettings& settings)
{
    const double scale = std::clamp(settings.scale, 0.5, 8.0);
    QImage image((QSizeF(sizeOf(settings)) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    paintContent(image, content, settings);
    return image;
}

QByteArray renderSvg(const PlotContent& content, const PictureSettings& settings)
{
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(sizeOf(settings));
    svg.setViewBox(QRect(QPoint(), sizeOf(settings)));
    svg.setTitle(settings.title);
    svg.setDescription(content.summary());
    paintContent(svg, content, settings);
    return buffer.data();
}

QByteArray renderPdf(const PlotContent& content, const PictureSettings& settings)
{
    constexpr int pixelsPerInch = 96;
    constexpr double pointsPerPixel = 72.0 / pixelsPerInch;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter pdf(&buffer);
    pdf.setResolution(pixelsPerInch);
    pdf.setPageSize(QPageSize(QSizeF(sizeOf(settings)) * pointsPerPixel, QPageSize::Point));
    pdf.setPageMargins(QMarginsF());
    pdf.setTitle(settings.title);
    paintContent(pdf, content, settings);
    return buffer.data();
}

void saveContent(const PlotContent& content, const PictureSettings& settings, const QString& path)
{
    const QString format = QFileInfo(path).suffix().toLower();
    if (format == QStringLiteral("png"))
        savePicture(renderContent(content, settings), path);
    else if (format == QStringLiteral("svg"))
        saveBytes(renderSvg(content, settings), path);
    else if (format == QStringLiteral("pdf"))
        saveBytes(renderPdf(content, settings), path);
    else
        throw Error(Fault::Usage,
                    (path + QStringLiteral(": a picture's file ends with .png, .svg or .pdf"))
                        .toStdString());
}

QImage renderPicture(const Histogram& histogram, const std::vector<ThresholdMark>& thresholds,
                     const PictureSettings& settings, CountAxis countAxis)
{
    HistogramContent content;
    content.setHistogram(histogram);
    content.setThresholds(thresholds);
    content.setCountAxis(countAxis);
    return renderContent(content, settings);
}

QImage renderPicture(const std::vector<CurveMark>& curves, const PictureSettings& settings)
{
    CurveContent content;
    content.setCurves(curves);
    return renderContent(content, settings);
}

QImage renderPicture(const ScaleRowMark& channels, const PictureSettings& settings)
{
    ScaleRowsContent content;
    content.setRows(inIndexOrder({channels}, QCoreApplication::translate("Picture", "channel")));
    return renderContent(content, settings);
}

void savePicture(const QImage& picture, const QString& path)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(picture))
        throw Error(Fault::Output,
                    (path + QStringLiteral(": ") + writer.errorString()).toStdString());
    saveBytes(buffer.data(), path);
}

}  // namespace calibscope
