// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/picture.h"

#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/scale_rows_content.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/file_bytes.h"
#include "ui/theme/chart_colors.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

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

/// Attributes of the first element, and the document's names of series and of keys.
struct Inline
{
    QXmlStreamAttributes root;
    std::set<QString> series;
    std::set<QString> keys;
    std::vector<QString> clips;
};

Inline inlineOf(const PlotContent& content, const PictureSettings& wanted)
{
    Inline found;
    QXmlStreamReader reader(renderInline(content, wanted));
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement)
            continue;
        const QXmlStreamAttributes attributes = reader.attributes();
        if (found.root.isEmpty())
            found.root = attributes;
        else if (reader.name() == QStringLiteral("svg"))
            found.clips.push_back(attributes.value("viewBox").toString());
        if (attributes.hasAttribute("data-series"))
            found.series.insert(attributes.value("data-series").toString());
        if (attributes.hasAttribute("data-key"))
            found.keys.insert(attributes.value("data-key").toString());
    }
    CHECK_FALSE(reader.hasError());
    return found;
}

TEST_CASE("a drawing for a page holds the histogram's numbers and the places of its bins")
{
    HistogramContent content;
    const Histogram histogram = tailHistogram(3.735);
    content.setHistogram(histogram);
    const Inline drawn = inlineOf(content, settings());
    CHECK(drawn.root.value("role") == QStringLiteral("img"));
    CHECK(drawn.root.value("aria-label") == content.summary());
    const QJsonObject numbers =
        QJsonDocument::fromJson(drawn.root.value("data-numbers").toUtf8()).object();
    const QJsonArray columns = numbers["columns"].toArray();
    const QJsonArray x = numbers["x"].toArray();
    REQUIRE(columns.size() == 4);
    CHECK(columns[2].toObject()["counts"].toBool());
    CHECK_FALSE(columns[3].toObject()["counts"].toBool());
    const QJsonArray counts = columns[2].toObject()["values"].toArray();
    REQUIRE(counts.size() == static_cast<qsizetype>(histogram.counts.size()));
    REQUIRE(x.size() == counts.size());
    const QStringList area = drawn.root.value("data-area").toString().split(u' ');
    REQUIRE(area.size() == 4);
    const double left = area[0].toDouble();
    const double width = area[2].toDouble();
    const Range all = content.fullRange();
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        const auto row = static_cast<qsizetype>(bin);
        CHECK(counts[row].toInteger() == static_cast<qint64>(histogram.counts[bin]));
        const double place = left + width * (histogram.centre(bin) - all.low) / all.width();
        CHECK(x[row].toDouble() == Approx(place).margin(0.06));
    }
    CHECK(std::ranges::find(drawn.clips, drawn.root.value("data-area")
                                             .toString()
                                             .replace(area[2], QString::number(width + 1.0))) !=
          drawn.clips.end());
}

TEST_CASE("the columns of a drawing are as high as their counts")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, -1.0, 1.0, {4, 0, 2, 1}));
    content.setCountAxis(CountAxis::Linear);
    const QByteArray svg = renderInline(content, settings());
    const QRegularExpression columns("<g fill=\"var\\(--plot-fill\\)\"[^>]*>(.*?)</g>",
                                     QRegularExpression::DotMatchesEverythingOption);
    const QString path = columns.match(QString::fromUtf8(svg)).captured(1);
    std::set<double> heights;
    QRegularExpressionMatchIterator corners =
        QRegularExpression("[MLHV]([-0-9. ]+)").globalMatch(path);
    while (corners.hasNext()) {
        const QRegularExpressionMatch corner = corners.next();
        if (!corner.captured(0).startsWith(u'H'))
            heights.insert(corner.captured(1).split(u' ').last().toDouble());
    }
    // The ground and three heights, from the highest down: 4, 2, 1.
    REQUIRE(heights.size() == 4);
    const std::vector<double> levels(heights.begin(), heights.end());
    const double one = levels[3] - levels[2];
    CHECK(levels[3] - levels[1] == Approx(2.0 * one).margin(1.0));
    CHECK(levels[3] - levels[0] == Approx(4.0 * one).margin(2.0));
}

TEST_CASE("what a legend names is in groups of that name, and the entry in one of its own")
{
    HistogramContent histogram;
    histogram.setHistogram(tailHistogram(3.735));
    // The last one is beyond the axis: its label says so, its name in the legend does not.
    histogram.setThresholds({markAt("one & \"two\"", 2.391), markAt("far", 9.0)});
    CurveContent curve;
    curve.setCurves({curveOf("entropy", "KL", {1, 2, 3}, {0.5, 0.01, 0.2}),
                     curveOf("mse", "MSE", {1, 2}, {0.5, 0.1})});
    for (const PlotContent* content :
         std::initializer_list<const PlotContent*>{&histogram, &curve}) {
        const Inline drawn = inlineOf(*content, settings());
        std::set<QString> names;
        for (const LegendEntry& entry : content->legend())
            names.insert(entry.text);
        CHECK(names.size() == 2);
        CHECK(drawn.series == names);
        CHECK(drawn.keys == names);
    }
    const Inline curves = inlineOf(curve, settings());
    const QJsonArray columns = QJsonDocument::fromJson(curves.root.value("data-numbers").toUtf8())
                                   .object()["columns"]
                                   .toArray();
    REQUIRE(columns.size() == 3);
    CHECK(columns[2].toObject()["values"].toArray()[2].isNull());  // no trial of that curve
}

TEST_CASE("a picture's legend does not repeat labels; where one has no room it names them all")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    content.setThresholds({markAt("entropy", 2.391), markAt("min-max", 3.7)});
    const auto countOf = [&content](const QSize& size) {
        PictureSettings small = settings();
        small.size = size;
        return renderSvg(content, small).count(">entropy");
    };
    CHECK(countOf({900, 420}) == 1);
    std::vector<ThresholdMark> many{markAt("entropy", 2.391)};
    for (int mark = 0; mark < 9; ++mark)
        many.push_back(markAt(QStringLiteral("calibrator %1").arg(mark), 3.5 + 0.02 * mark));
    content.setThresholds(many);
    CHECK(countOf({300, 1600}) == 2);
    content.setThresholds({markAt("entropy, " + QString(30, u'x'), 2.391)});
    CHECK(countOf({600, 800}) == 2);  // the label is cut
    CHECK(countOf({1000, 800}) == 1);
}

TEST_CASE("a drawing without data says why, and has no numbers")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, 0.0, 0.0, {7}));
    const Inline drawn = inlineOf(content, settings());
    CHECK(drawn.root.value("aria-label") == content.emptyText());
    CHECK_FALSE(drawn.root.hasAttribute("data-numbers"));
    CHECK(renderInline(content, settings()).contains("All 7 values are zero."));
}

TEST_CASE("a page's style has the colours of plots in both themes")
{
    const QString css =
        QString::fromUtf8(readBytes(CALIBSCOPE_SOURCE_DIR "/resources/report/report.css"));
    for (const ChartColors* colors : {&lightChartColors(), &darkChartColors()})
        for (const auto& [name, color] : {std::pair("grid", colors->grid),
                                          {"axis", colors->axis},
                                          {"text", colors->text},
                                          {"faint", colors->faintText},
                                          {"fill", colors->fill},
                                          {"clipped", colors->clipped}}) {
            INFO(name);
            CHECK(css.contains(QStringLiteral("--plot-%1: %2;").arg(name, color.name())));
        }
}

}  // namespace picture_test
