// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/picture.h"

#include "core/base/error.h"
#include "core/report/tables/output.h"
#include "ui/plot/plot_painter.h"
#include "ui/plot/svg_device.h"
#include "ui/theme/theme.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace calibscope {

namespace {

QSize sizeOf(const PictureSettings& settings)
{
    constexpr QSize leastSize(160, 120);
    return settings.size.expandedTo(leastSize);
}

FrameWish pictureRequest(const PlotContent& content, const PictureSettings& settings)
{
    constexpr int fontPixels = 13;
    loadFonts();
    const Range full = content.fullRange();
    FrameWish request;
    request.outer = QRectF(QPointF(), QSizeF(sizeOf(settings)));
    request.shown = settings.shown.value_or(full);
    if (const std::optional<LogX> log = content.isEmpty() ? std::nullopt : content.logX();
        log && settings.isLogX) {
        request.xKind = ScaleKind::Log;
        request.logX = *log;
        request.shown = settings.shown.value_or(Range{log->floor, full.high});
    }
    request.yShown = settings.yShown;
    request.font = pictureFont(fontPixels);
    request.colors = settings.isDark ? darkChartColors() : lightChartColors();
    request.title = settings.title;
    request.subtitle = settings.subtitle;
    request.footer = settings.footer;
    request.canFold = false;
    return request;
}

void paintContent(QPaintDevice& device, const PlotContent& content, const PictureSettings& settings)
{
    QPainter painter(&device);
    paintPicture(painter, content, settings);
}

void saveBytes(const QByteArray& bytes, const QString& path, WholeFileOptions options)
{
    writeOutput(QFile::encodeName(path).toStdString(),
                {bytes.constData(), static_cast<std::size_t>(bytes.size())}, options);
}

void appendBigEndian(QByteArray& bytes, std::uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((number >> shift) & 0xffU);
}

/// Length, type, content and the checksum of both.
void appendChunk(QByteArray& png, const char* type, const QByteArray& content)
{
    appendBigEndian(png, static_cast<std::uint32_t>(content.size()));
    const qsizetype checked = png.size();
    png += type;
    png += content;
    appendBigEndian(png, libdeflate_crc32(0, png.constData() + checked,
                                          static_cast<std::size_t>(png.size() - checked)));
}

/// The rows as PNG stores them: a filter's number, 0 for none, then red, green and blue.
QByteArray unfilteredRows(const QImage& picture)
{
    const QImage pixels = picture.convertToFormat(QImage::Format_RGB32);  // as it is drawn
    const qsizetype rowBytes = 1 + 3 * static_cast<qsizetype>(pixels.width());
    QByteArray rows(rowBytes * pixels.height(), Qt::Uninitialized);
    char* byte = rows.data();
    for (int row = 0; row < pixels.height(); ++row) {
        const auto* colors = reinterpret_cast<const QRgb*>(pixels.constScanLine(row));
        *byte++ = '\0';
        for (const QRgb color : std::span(colors, static_cast<std::size_t>(pixels.width()))) {
            *byte++ = static_cast<char>(qRed(color));
            *byte++ = static_cast<char>(qGreen(color));
            *byte++ = static_cast<char>(qBlue(color));
        }
    }
    return rows;
}

QByteArray zlibBytes(const QByteArray& bytes)
{
    constexpr int level = 6;
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (!compressor)
        throw std::bad_alloc();
    const auto size = static_cast<std::size_t>(bytes.size());
    QByteArray compressed(
        static_cast<qsizetype>(libdeflate_zlib_compress_bound(compressor.get(), size)),
        Qt::Uninitialized);
    compressed.truncate(static_cast<qsizetype>(
        libdeflate_zlib_compress(compressor.get(), bytes.constData(), size, compressed.data(),
                                 static_cast<std::size_t>(compressed.size()))));
    return compressed;
}

/// Attributes of the tag that begins an SVG.
QByteArray svgRoot(const QSize& size)
{
    // Our font is bundled, and seldom installed where the picture is opened.
    const QString family =
        pictureFont(1).family() + QStringLiteral(", Helvetica, Arial, sans-serif");
    return QStringLiteral("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1 %2\" "
                          "font-family=\"%3\" fill=\"none\" fill-rule=\"evenodd\"")
        .arg(size.width())
        .arg(size.height())
        .arg(family)
        .toUtf8();
}

/// Colours that a page's style sets for its theme, and for print.
ColorNames namesOf(const ChartColors& colors)
{
    return {{colors.background, "var(--plot-ground)"}, {colors.grid, "var(--plot-grid)"},
            {colors.axis, "var(--plot-axis)"},         {colors.text, "var(--plot-text)"},
            {colors.faintText, "var(--plot-faint)"},   {colors.fill, "var(--plot-fill)"},
            {colors.clipped, "var(--plot-clipped)"}};
}

QJsonArray jsonOf(const std::vector<double>& cells)
{
    constexpr int floatDigits = 9;  // what tells any two values of float32 apart
    QJsonArray values;
    for (const double cell : cells)
        values += std::isfinite(cell)
                      ? QJsonValue(QByteArray::number(cell, 'g', floatDigits).toDouble())
                      : QJsonValue();
    return values;
}

QJsonArray jsonOf(const std::vector<std::uint64_t>& cells)
{
    QJsonArray values;
    for (const std::uint64_t cell : cells)
        values += static_cast<qint64>(cell);
    return values;
}

QJsonArray jsonOf(const QStringList& cells)
{
    return QJsonArray::fromStringList(cells);
}

/// Pixels along x that the rows of a plot's table stand at: the number of the first column, or the
/// middle of a bin, whose end in the second column begins the next one.
std::vector<double> pixelsOf(const PlotTable& table, const AxisScale& x)
{
    std::vector<double> at;
    if (const auto* numbers = std::get_if<std::vector<double>>(&table.columns[0].cells))
        at = *numbers;
    else if (const auto* counts = std::get_if<std::vector<std::uint64_t>>(&table.columns[0].cells))
        at.assign(counts->begin(), counts->end());
    const auto* ends = table.columns.size() > 2
                           ? std::get_if<std::vector<double>>(&table.columns[1].cells)
                           : nullptr;
    if (ends != nullptr && at.size() > 1 &&
        std::equal(at.begin() + 1, at.end(), ends->begin(), ends->end() - 1))
        std::ranges::transform(at, *ends, at.begin(),
                               [](double low, double high) { return (low + high) / 2.0; });
    for (double& number : at)
        number = std::round(x.toPixel(number) * 10.0) / 10.0;
    return at;
}

/// The table of a plot by columns, and the pixels along x that its rows stand at.
QByteArray numbersOf(const PlotTable& table, const AxisScale& x)
{
    QJsonArray columns;
    for (const PlotColumn& column : table.columns)
        columns += QJsonObject{
            {QStringLiteral("title"), column.title},
            {QStringLiteral("counts"),
             &column != &table.columns.front() &&
                 std::holds_alternative<std::vector<std::uint64_t>>(column.cells)},
            {QStringLiteral("values"),
             std::visit([](const auto& cells) { return jsonOf(cells); }, column.cells)}};
    return QJsonDocument(QJsonObject{{QStringLiteral("columns"), columns},
                                     {QStringLiteral("x"), jsonOf(pixelsOf(table, x))}})
        .toJson(QJsonDocument::Compact);
}

}  // namespace

void paintPicture(QPainter& painter, const PlotContent& content, const PictureSettings& settings)
{
    paintPlot(painter, content, layoutPlot(content, pictureRequest(content, settings)));
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
    const QSize size = sizeOf(settings);
    SvgDevice svg(size);
    paintContent(svg, content, settings);
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svgRoot(size) +
           QStringLiteral(" width=\"%1\" height=\"%2\">\n")
               .arg(size.width())
               .arg(size.height())
               .toUtf8() +
           "<title>" + xmlText(settings.title) + "</title>\n<desc>" + xmlText(content.summary()) +
           "</desc>\n" + svg.elements() + "</svg>\n";
}

QByteArray renderInline(const PlotContent& content, const PictureSettings& settings)
{
    const QSize size = sizeOf(settings);
    auto request = pictureRequest(content, settings);
    request.repeatsLabels = true;
    const PlotFrame frame = layoutPlot(content, request);
    SvgDevice svg(size, namesOf(frame.colors));
    QPainter painter(&svg);
    paintPlot(painter, content, frame);
    painter.end();
    QByteArray root = svgRoot(size) + " role=\"img\" aria-label=\"" + xmlText(content.summary());
    if (const std::optional<PlotTable> table =
            content.isEmpty() ? std::nullopt : content.table(frame.x.scale.values());
        table && table->rowCount() > 0) {
        const QRectF& area = frame.area;
        root += QStringLiteral("\" data-area=\"%1 %2 %3 %4\" data-numbers=\"")
                    .arg(area.x())
                    .arg(area.y())
                    .arg(area.width())
                    .arg(area.height())
                    .toUtf8() +
                xmlText(QString::fromUtf8(numbersOf(*table, frame.x.scale)));
    }
    return root + "\">\n" + svg.elements() + "</svg>\n";
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

std::unique_ptr<QMimeData> pictureMime(const PlotContent& content, const PictureSettings& settings)
{
    constexpr double clipboardScale = 2.0;  // sharp in a document
    PictureSettings large = settings;
    large.scale = clipboardScale;
    auto mime = std::make_unique<QMimeData>();
    mime->setImageData(renderContent(content, large));
    mime->setData(QStringLiteral("image/svg+xml"), renderSvg(content, settings));
    return mime;
}

QByteArray encodedPng(const QImage& picture)
{
    constexpr char bitsPerSample = 8;
    constexpr char isRgb = 2;
    constexpr char isMeters = 1;
    QByteArray header;
    appendBigEndian(header, static_cast<std::uint32_t>(picture.width()));
    appendBigEndian(header, static_cast<std::uint32_t>(picture.height()));
    header += bitsPerSample;
    header += isRgb;
    header.append(3, '\0');  // deflated, five filters, not interlaced
    QByteArray density;
    appendBigEndian(density, static_cast<std::uint32_t>(picture.dotsPerMeterX()));
    appendBigEndian(density, static_cast<std::uint32_t>(picture.dotsPerMeterY()));
    density += isMeters;
    QByteArray png("\x89PNG\r\n\x1a\n");
    appendChunk(png, "IHDR", header);
    appendChunk(png, "pHYs", density);
    appendChunk(png, "IDAT", zlibBytes(unfilteredRows(picture)));
    appendChunk(png, "IEND", {});
    return png;
}

void saveContent(const PlotContent& content, const PictureSettings& settings, const QString& path,
                 WholeFileOptions options)
{
    const QString format = QFileInfo(path).suffix().toLower();
    if (format == QStringLiteral("png"))
        savePicture(renderContent(content, settings), path, options);
    else if (format == QStringLiteral("svg"))
        saveBytes(renderSvg(content, settings), path, options);
    else if (format == QStringLiteral("pdf"))
        saveBytes(renderPdf(content, settings), path, options);
    else
        throw Error(Fault::Usage,
                    (path + QStringLiteral(": a picture's file ends with .png, .svg or .pdf"))
                        .toStdString());
}

void savePicture(const QImage& picture, const QString& path, WholeFileOptions options)
{
    if (picture.isNull())
        throw Error(Fault::Output, path.toStdString() + ": no memory for a picture of this size");
    saveBytes(encodedPng(picture), path, options);
}

}  // namespace calibscope
