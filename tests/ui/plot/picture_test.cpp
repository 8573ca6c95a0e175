// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/picture.h"

#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/scale_rows_content.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/theme/chart_colors.h"

#include <QBuffer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <initializer_list>

namespace picture_test {

using namespace calibscope;
using namespace calibscope::test;

QImage renderPicture(const Histogram& histogram, const std::vector<ThresholdMark>& thresholds,
                     const PictureSettings& settings, CountAxis countAxis = CountAxis::Log)
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

PictureSettings settings()
{
    PictureSettings wanted;
    wanted.title = QStringLiteral("swish_13.tmp_0");
    wanted.subtitle = QStringLiteral("Mul (swish)");
    wanted.footer = QStringLiteral("sample.h5");
    return wanted;
}

QByteArray pngOf(const QImage& picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    picture.save(&buffer, "PNG");
    return bytes;
}

QImage histogramPicture(const PictureSettings& wanted)
{
    return renderPicture(tailHistogram(3.735),
                         {markAt("entropy", 2.391, true), markAt("min-max", 3.735)}, wanted);
}

QImage curvePicture()
{
    return renderPicture({curveOf("entropy", "KL divergence", {1, 2, 3}, {0.5, 0.01, 0.2})},
                         settings());
}

QImage channelsPicture()
{
    return renderPicture(ScaleRowMark{.label = "min-max",
                                      .color = QColor(0x0072b2),
                                      .scales = {0.1, 0.3, 0.2},
                                      .tensorScale = 0.3},
                         settings());
}

/// Pixels that are not background.
int inkedPixels(const QImage& picture, const QColor& background)
{
    int inked = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            inked += picture.pixelColor(x, y) == background ? 0 : 1;
    return inked;
}

TEST_CASE("the same arguments give the same bytes")
{
    CHECK(pngOf(histogramPicture(settings())) == pngOf(histogramPicture(settings())));
    CHECK(pngOf(curvePicture()) == pngOf(curvePicture()));
    CHECK(pngOf(channelsPicture()) == pngOf(channelsPicture()));
}

TEST_CASE("different arguments give different pictures")
{
    PictureSettings other = settings();
    other.footer = QStringLiteral("other.h5");
    CHECK(pngOf(histogramPicture(settings())) != pngOf(histogramPicture(other)));
    CHECK(renderPicture(tailHistogram(3.735), {}, settings(), CountAxis::Log) !=
          renderPicture(tailHistogram(3.735), {}, settings(), CountAxis::Linear));
}

TEST_CASE("a picture has the size and the scale asked for")
{
    PictureSettings large = settings();
    large.size = {600, 300};
    large.scale = 2.0;
    const QImage picture = histogramPicture(large);
    CHECK(picture.size() == QSize(1200, 600));
    CHECK(picture.devicePixelRatio() == 2.0);
}

TEST_CASE("light and dark pictures stand on their theme's background")
{
    PictureSettings dark = settings();
    dark.isDark = true;
    CHECK(histogramPicture(settings()).pixelColor(0, 0) == lightChartColors().background);
    CHECK(histogramPicture(dark).pixelColor(0, 0) == darkChartColors().background);
    CHECK(inkedPixels(histogramPicture(dark), darkChartColors().background) > 10000);
}

TEST_CASE("data that can't be drawn gives a picture with a sentence")
{
    const QColor background = lightChartColors().background;
    CHECK(inkedPixels(renderPicture(Histogram(), {}, settings()), background) > 500);
    CHECK(inkedPixels(renderPicture(std::vector<CurveMark>(), settings()), background) > 500);
    CHECK(inkedPixels(renderPicture(ScaleRowMark(), settings()), background) > 500);
}

TEST_CASE("a PNG read by Qt has the same pixels and density, whatever its width and format")
{
    for (const int width : {1, 2, 3, 257}) {
        for (const QImage::Format format :
             {QImage::Format_RGB32, QImage::Format_ARGB32, QImage::Format_RGB888}) {
            QImage picture(width, 5, format);
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < width; ++x)
                    picture.setPixelColor(x, y,
                                          QColor((x * 7) % 256, (y * 50) % 256, (x * y) % 256));
            picture.setDotsPerMeterX(2835);
            picture.setDotsPerMeterY(3780);
            QImage read;
            REQUIRE(read.loadFromData(encodedPng(picture), "PNG"));
            CHECK((read.convertToFormat(QImage::Format_RGB32) ==
                   picture.convertToFormat(QImage::Format_RGB32)));
            CHECK(read.dotsPerMeterX() == 2835);
            CHECK(read.dotsPerMeterY() == 3780);
        }
    }
}

TEST_CASE("a picture without pixels is an error")
{
    const QTemporaryDir folder;
    CHECK_THROWS_AS(savePicture({}, folder.filePath(QStringLiteral("x.png"))), Error);
}

TEST_CASE("a picture is written and read back, a bad path is an error that names it")
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x.png"));
    savePicture(curvePicture(), path);
    CHECK(QImage(path).convertToFormat(QImage::Format_RGB32).size() == QSize(1200, 600));
    const QString missing = folder.filePath(QStringLiteral("missing/x.png"));
    try {
        savePicture(curvePicture(), missing);
        FAIL("nothing was thrown");
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Output);
        CHECK_THAT(error.what(), containsText(missing.toStdString()));
    }
}

TEST_CASE("an SVG is XML, and runs nothing, whatever the names in it are")
{
    const QString odd = QStringLiteral("</title><script>alert(1)</script> & \"'<!-- ]]> &amp; ") +
                        QChar(0x1b) + QChar(0x07) + QChar(0) + QChar(0x9b) + QChar(0xfffe) +
                        QChar(0xffff) + QChar(0x202e) + QChar(0xd800) + QStringLiteral("\n end");
    PictureSettings wanted = settings();
    wanted.title = odd;
    wanted.subtitle = odd;
    wanted.footer = odd;
    HistogramContent histogram;
    histogram.setHistogram(tailHistogram(3.735));
    histogram.setThresholds({markAt(odd, 2.391, true)});
    CurveContent curve;
    curve.setCurves({curveOf(odd, "KL & <divergence>", {1, 2, 3}, {0.5, 0.01, 0.2})});
    for (const PlotContent* content :
         std::initializer_list<const PlotContent*>{&histogram, &curve}) {
        const QByteArray svg = renderSvg(*content, wanted);
        QXmlStreamReader reader(svg);
        QString title;
        int titles = 0;
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement())
                continue;
            CHECK(reader.name() != QStringLiteral("script"));
            if (reader.name() == QStringLiteral("title") && ++titles == 1)
                title = reader.readElementText();
        }
        INFO(reader.errorString().toStdString() << " in line " << reader.lineNumber());
        CHECK_FALSE(reader.hasError());
        CHECK(titles == 1);
        CHECK(title.startsWith("</title><script>alert(1)</script> & \"'<!-- ]]> &amp; "));
        CHECK(svg.contains("<desc>"));
    }
}

TEST_CASE("a vector picture names fonts that are installed elsewhere")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    PictureSettings named = settings();
    named.title = QStringLiteral("font-family=\"Roboto\"");
    const QByteArray svg = renderSvg(content, named);
    CHECK(svg.contains("font-family=\"Roboto, Helvetica, Arial, sans-serif\""));
    CHECK_FALSE(svg.contains("font-family=\"Roboto\""));
    CHECK(svg.contains("font-family=&quot;Roboto&quot;"));  // the title is as it was
}

}  // namespace picture_test
