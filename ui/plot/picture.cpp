// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/picture.h"

#include "core/base/error.h"
#include "core/report/tables/output.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/theme.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QMimeData>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <libdeflate.h>

#include <algorithm>
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

FrameWish frameWish(const PlotContent& content, const PictureSettings& settings)
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

/// The picture with its title and description behind the tag that begins it.
QByteArray withTexts(QByteArray svg, const QString& title, const QString& description)
{
    const QString texts = QStringLiteral("\n<title>%1</title>\n<desc>%2</desc>")
                              .arg(title.toHtmlEscaped(), description.toHtmlEscaped());
    const qsizetype begin = svg.indexOf("<svg");
    const qsizetype end = begin < 0 ? begin : svg.indexOf('>', begin);
    return end < 0 ? svg : svg.insert(end + 1, texts.toUtf8());
}

/// Our font is bundled, and seldom installed where the picture is opened.
QByteArray withOtherFonts(QByteArray svg)
{
    const QByteArray family = pictureFont(1).family().toUtf8();
    return svg.replace("font-family=\"" + family + "\"",
                       "font-family=\"" + family + ", Helvetica, Arial, sans-serif\"");
}

/// Without the characters that XML 1.0 has no place for, not even escaped (2.2 Characters): names
/// may hold control characters, U+FFFE and U+FFFF.
QByteArray asXml(const QByteArray& svg)
{
    QByteArray kept;
    kept.reserve(svg.size());
    for (qsizetype at = 0; at < svg.size(); ++at) {
        const auto byte = static_cast<unsigned char>(svg[at]);
        const bool isSpace = byte == '\t' || byte == '\n' || byte == '\r';
        const QByteArrayView three =
            QByteArrayView(svg).sliced(at).first(std::min<qsizetype>(3, svg.size() - at));
        if (three == QByteArrayView("\xef\xbf\xbe") || three == QByteArrayView("\xef\xbf\xbf"))
            at += 2;
        else if (byte >= 0x20 || isSpace)
            kept += svg[at];
    }
    return kept;
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
    svg.setTitle({});  // Qt writes it, and the description, without escaping
    svg.setDescription({});
    paintContent(svg, content, settings);
    return asXml(withTexts(withOtherFonts(buffer.data()), settings.title, content.summary()));
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
