#include "ui/charts/picture.h"

#include "core/base/error.h"
#include "ui/charts/channels_content.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/plot_painter.h"
#include "ui/theme/fonts.h"

#include <QFile>
#include <QImageWriter>
#include <QPainter>

#include <algorithm>

namespace calibscope {

QImage renderContent(const PlotContent& content, const PictureSettings& settings)
{
    constexpr int fontPixels = 13;
    constexpr QSize leastSize(160, 120);
    loadFonts();
    const QSize size = settings.size.expandedTo(leastSize);
    const double scale = std::clamp(settings.scale, 0.5, 8.0);

    FrameWish wish;
    wish.outer = QRectF(QPointF(), QSizeF(size));
    wish.shown = content.fullRange();
    wish.font = pictureFont(fontPixels);
    wish.colors = settings.isDark ? darkChartColors() : lightChartColors();
    wish.title = settings.title;
    wish.subtitle = settings.subtitle;
    wish.footer = settings.footer;

    QImage image((QSizeF(size) * scale).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paintPlot(painter, content, layoutPlot(content, wish));
    return image;
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

QImage renderPicture(const ChannelScales& channels, const PictureSettings& settings)
{
    ChannelsContent content;
    content.setScales(channels);
    return renderContent(content, settings);
}

void savePicture(const QImage& picture, const QString& path)
{
    QFile file(path);
    const bool isOpen = file.open(QIODevice::WriteOnly);
    QImageWriter writer(&file, "png");
    if (isOpen && writer.write(picture) && file.flush())
        return;
    const QString reason =
        file.error() != QFileDevice::NoError ? file.errorString() : writer.errorString();
    throw Error(Fault::Output, (path + QStringLiteral(": the picture could not be written (%1); "
                                                      "check the folder and the free space")
                                           .arg(reason))
                                   .toStdString());
}

}  // namespace calibscope
