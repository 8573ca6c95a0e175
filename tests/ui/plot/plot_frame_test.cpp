// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_frame.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"
#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/theme.h"

#include <cmath>

namespace plot_frame_test {

using namespace calibscope;
using namespace calibscope::test;

FrameWish requestOf(const PlotContent& content, const QSize& size)
{
    loadFonts();
    FrameWish request;
    request.outer = QRectF(QPointF(), QSizeF(size));
    request.shown = content.fullRange();
    request.font = pictureFont(13);
    request.title = QStringLiteral("swish_13.tmp_0");
    request.subtitle = QStringLiteral("Mul (swish)   8 × 40 × 240   float32   76 800 values");
    request.footer = QStringLiteral("sample.h5 · nvidia-entropy · Calibscope");
    return request;
}

RecordedPainting paintingOf(const PlotContent& content, const FrameWish& request)
{
    return recordPainting(request.outer.size().toSize(), [&](QPainter& painter) {
        paintPlot(painter, content, layoutPlot(content, request));
    });
}

/// All texts inside and apart, the area inside, at sizes from tiny to large.
void checkTexts(const PlotContent& content)
{
    for (const QSize size :
         {QSize(160, 120), QSize(220, 160), QSize(400, 250), QSize(900, 420), QSize(1600, 900)}) {
        const FrameWish request = requestOf(content, size);
        CAPTURE(size.width(), size.height());
        CHECK(request.outer.contains(layoutPlot(content, request).area));
        CHECK(textFaults(paintingOf(content, request), request.outer) ==
              std::vector<std::string>());
    }
}

bool hasText(const RecordedPainting& painting, const QString& text)
{
    return std::ranges::any_of(painting.texts,
                               [&](const DrawnText& drawn) { return drawn.text == text; });
}

HistogramContent& withThresholds(HistogramContent& content, double high)
{
    content.setThresholds({markAt("entropy", high * 0.62, true), markAt("MSE", high * 0.85),
                           markAt("min-max", high), markAt("L2", high * 1.02),
                           markAt("percentile 99.999", high * 0.995),
                           markAt("fixed", high * 1000.0)});
    return content;
}

TEST_CASE("a histogram's texts are inside and apart at any size and any magnitude")
{
    for (const int exponent : {-40, -38, -7, -3, -1, 0, 1, 3, 6, 20, 38}) {
        CAPTURE(exponent);
        const double high = 3.735 * std::pow(10.0, exponent);
        for (const CountAxis axis : {CountAxis::Linear, CountAxis::Log}) {
            HistogramContent content;
            content.setHistogram(tailHistogram(high));
            content.setCountAxis(axis);
            checkTexts(withThresholds(content, high));
        }
    }
}

TEST_CASE("a curve's texts are inside and apart, also with two objectives")
{
    std::vector<double> thresholds;
    std::vector<double> divergences;
    std::vector<double> errors;
    for (int point = 1; point <= 500; ++point) {
        thresholds.push_back(point * 1e-3);
        divergences.push_back(1e-3 + std::pow(point - 350.0, 2.0) * 1e-6);
        errors.push_back(1e-9 / point);
    }
    CurveContent content;
    content.setCurves({curveOf("entropy", "KL divergence", thresholds, divergences)});
    checkTexts(content);
    content.setCurves({curveOf("entropy", "KL divergence", thresholds, divergences),
                       curveOf("MSE", "mean squared error", thresholds, errors)});
    checkTexts(content);
}

TEST_CASE("a channel plot's texts are inside and apart, from one to many channels")
{
    for (const int count : {1, 2, 60, 5000}) {
        ScaleRowMark channels{
            .label = "min-max", .color = QColor(0x0072b2), .scales = {}, .tensorScale = 0.004};
        for (int channel = 0; channel < count; ++channel)
            channels.scales.push_back(1e-3 * (1.0 + channel % 7));
        ScaleRowsContent content;
        content.setRows(inIndexOrder({channels}, "channel"));
        CAPTURE(count);
        checkTexts(content);
    }
}

TEST_CASE("title, subtitle, axis titles, footer and threshold labels are drawn")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    const FrameWish request = requestOf(withThresholds(content, 3.735), {1200, 600});
    const RecordedPainting painting = paintingOf(content, request);
    for (const QString& text :
         {request.title, request.subtitle, request.footer, QStringLiteral("|x|"),
          QStringLiteral("count"), QStringLiteral("min-max  3.735"),
          QStringLiteral("fixed  3735 ›"), QStringLiteral("10³"), QStringLiteral("0"),
          QStringLiteral("3.5")}) {
        CAPTURE(text.toStdString());
        CHECK(hasText(painting, text));
    }
}

TEST_CASE("a footer is broken between words where there is height for it, else elided")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    FrameWish request = requestOf(content, {400, 420});
    request.footer = QStringLiteral("sample.h5 SHA-256 0123456789abcdef\n"
                                    "Kept share: 99.999, affine, a scale for each tensor; clipped "
                                    "range as the recipe has it, to the last digit");
    const PlotFrame high = layoutPlot(content, request);
    CHECK(QString(high.footer).replace(u'\n', u' ') ==
          QString(request.footer).replace(u'\n', u' '));
    const QFontMetricsF metrics(request.font);
    for (const QString& line : high.footer.split(u'\n'))
        CHECK(metrics.horizontalAdvance(line) <= high.footerBox.width());
    CHECK(high.area.bottom() < high.footerBox.top());
    request.outer.setHeight(150.0);
    const PlotFrame low = layoutPlot(content, request);
    CHECK(low.footer.count(u'\n') == 1);
    CHECK(low.footer.contains(u'…'));
}

TEST_CASE("columns and threshold lines lie inside the area")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    const FrameWish request = requestOf(withThresholds(content, 3.735), {900, 420});
    const QRectF area = layoutPlot(content, request).area;
    int columns = 0;
    for (const auto& [rect, color] : paintingOf(content, request).rects)
        if (color == request.colors.fill || color == request.colors.clipped) {
            ++columns;
            CHECK(area.adjusted(-1e-6, -1e-6, 1.0, 1e-6).contains(rect));
        }
    CHECK(columns > 200);
}

TEST_CASE("columns outside the emphasised clip range are greyed")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0));
    content.setThresholds({markAt("entropy", 2.0, true)});
    const FrameWish request = requestOf(content, {900, 420});
    const AxisScale x = layoutPlot(content, request).x.scale;
    for (const auto& [rect, color] : paintingOf(content, request).rects) {
        if (color == request.colors.fill)
            CHECK(x.toValue(rect.right()) <= 2.0 + 0.01);
        if (color == request.colors.clipped)
            CHECK(x.toValue(rect.left()) >= 2.0 - 0.01);
    }
}

TEST_CASE("a legend never vanishes: without room it is folded, whatever the size")
{
    CurveContent content;
    std::vector<CurveMark> curves;
    for (int curve = 0; curve < 9; ++curve)
        curves.push_back(curveOf(QStringLiteral("calibrator with a long name %1").arg(curve), "mse",
                                 {1.0, 2.0, 3.0}, {0.5, 0.25 + 0.01 * curve, 0.5}));
    content.setCurves(std::move(curves));
    int folded = 0;
    for (const QSize size : {QSize(160, 56), QSize(220, 90), QSize(400, 120), QSize(700, 200),
                             QSize(900, 420), QSize(1600, 900)}) {
        FrameWish request = requestOf(content, size);
        request.title.clear();
        request.footer.clear();
        const PlotFrame frame = layoutPlot(content, request);
        CAPTURE(size.width(), size.height());
        CHECK(frame.legend.size() + frame.folded.size() == 9);
        CHECK(frame.folded.empty() == frame.foldedBox.isEmpty());
        if (frame.folded.empty())
            continue;
        ++folded;
        CHECK(request.outer.contains(frame.foldedBox));
        CHECK((size.height() < 100 || !frame.area.intersects(frame.foldedBox)));
        CHECK(frame.foldedText.contains("9"));
        // Nobody can click on a picture.
        request.canFold = false;
        const PlotFrame picture = layoutPlot(content, request);
        CHECK(picture.folded.empty());
        CHECK((picture.legend.size() == 9 || picture.foldedText.contains("too small")));
    }
    CHECK(folded >= 3);
}

TEST_CASE("a legend that has no room next to the centred title of x moves that to the left")
{
    CurveContent content;
    content.setCurves({curveOf(QStringLiteral("entropy"), "mse", {1, 2, 3}, {0.5, 0.25, 0.5})});
    FrameWish request = requestOf(content, {600, 96});
    request.title.clear();
    request.footer.clear();
    const PlotFrame wide = layoutPlot(content, request);
    REQUIRE(wide.legend.size() == 1);
    CHECK_FALSE(wide.x.isTitleLeft);
    const QFontMetricsF metrics(request.font);
    const double legend = wide.legend.front().box.width();
    const double left = metrics.horizontalAdvance(wide.x.title);
    // Of the area: more than title and legend, less than the title in the middle of both.
    request.outer.setWidth(600.0 - wide.area.width() + left + 1.2 * legend + 24.0);
    const PlotFrame narrow = layoutPlot(content, request);
    REQUIRE(narrow.legend.size() == 1);
    CHECK(narrow.x.isTitleLeft);
    CHECK(narrow.legend.front().box.left() > narrow.area.left() + left);
    CHECK(narrow.legend.front().box.top() > narrow.area.bottom());
}

TEST_CASE("labels of thresholds take a band of their own, and nothing from the count axis")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0));
    FrameWish request = requestOf(content, QSize(900, 420));
    const PlotFrame bare = layoutPlot(content, request);
    CHECK(bare.band.isEmpty());
    withThresholds(content, 4.0);
    request.shown = content.fullRange();
    const PlotFrame labelled = layoutPlot(content, request);
    CHECK(labelled.band.bottom() == labelled.area.top());
    CHECK(labelled.band.height() > 20.0);
    CHECK(labelled.y.front().scale.values().high ==
          Approx(bare.y.front().scale.values().high).epsilon(0.2));
    CHECK(labelled.y.front().scale.values().high < 2.0 * 3000.0);
    // The same band when the user has zoomed: columns stay where they are.
    request.shown = {3.0, 3.2};
    CHECK(layoutPlot(content, request).band == labelled.band);
}

TEST_CASE("narrow plots have more than one tick on x")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Signed, -8.0, -4.0, {1, 2, 3, 4, 5, 6, 7, 8}));
    FrameWish request = requestOf(content, QSize(190, 150));
    const PlotFrame frame = layoutPlot(content, request);
    CHECK(std::ranges::count_if(frame.x.ticks,
                                [](const Tick& tick) { return !tick.label.isEmpty(); }) >= 3);
}

TEST_CASE("least margins of linked plots are kept, wider ones too")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    FrameWish request = requestOf(content, {900, 420});
    const QRectF own = layoutPlot(content, request).area;
    request.leastLeft = 150.0;
    request.leastRight = 90.0;
    CHECK(layoutPlot(content, request).area.left() == 150.0);
    CHECK(layoutPlot(content, request).area.right() == 810.0);
    request.leastLeft = 1.0;
    request.leastRight = 1.0;
    CHECK(layoutPlot(content, request).area == own);
}

TEST_CASE("an empty content is a sentence without axes")
{
    HistogramContent content;
    content.setHistogram(histogramOf(Domain::Magnitude, 0.0, 0.0, {4096}));
    const FrameWish request = requestOf(content, {900, 420});
    const RecordedPainting painting = paintingOf(content, request);
    CHECK(hasText(painting, QStringLiteral("All 4\u202f096 values are zero.")));
    CHECK_FALSE(hasText(painting, QStringLiteral("count")));
}

TEST_CASE("where no title of an axis has room there is none")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(3.735));
    FrameWish request = requestOf(content, {500, 400});
    request.title.clear();
    request.subtitle.clear();
    request.footer.clear();
    request.hasXLabels = false;
    QStringList titles;
    for (int height = 200; height >= 20; --height) {
        request.outer.setHeight(height);
        const QString title = layoutPlot(content, request).y.front().title;
        if (!titles.contains(title))
            titles += title;
    }
    CHECK(titles == QStringList{"count", "n", ""});
}

TEST_CASE("a low plot has a shorter axis title, and no cut one")
{
    std::vector<double> thresholds;
    std::vector<double> divergences;
    for (int point = 1; point <= 500; ++point) {
        thresholds.push_back(point * 1e-3);
        divergences.push_back(1e-5 * (1.0 + std::pow((point - 350.0) / 400.0, 2.0)));
    }
    CurveMark mark = curveOf("entropy", "KL divergence", thresholds, divergences);
    mark.curve.unit = "nats";
    CurveContent content;
    content.setCurves({mark});
    QStringList titles;
    for (int height = 400; height >= 90; --height) {
        FrameWish request = requestOf(content, {500, height});
        request.title.clear();
        request.subtitle.clear();
        request.footer.clear();
        for (const bool hasXLabels : {true, false}) {
            request.hasXLabels = hasXLabels;
            const PlotFrame frame = layoutPlot(content, request);
            const QFontMetricsF metrics(request.font);
            CAPTURE(height, hasXLabels, frame.y.front().title.toStdString());
            CHECK(metrics.horizontalAdvance(frame.y.front().title) <=
                  yTitleRoom(frame.area.height(), hasXLabels, metrics));
            // The factor of the labels is never left out.
            CHECK(frame.y.front().title.contains("×10⁻"));
            const QString name = frame.y.front().title.section(" (×", 0, 0);
            if (!titles.contains(name) && !name.startsWith(u'×'))
                titles += name;
        }
    }
    CHECK(titles == QStringList{"KL divergence, nats", "KL, nats", "KL"});
}

TEST_CASE("a short result beside a long title stays, the title keeps the part that differs")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0));
    FrameWish request = requestOf(content, {240, 176});
    request.footer.clear();
    request.title = "percentile 99.999, affine, no fold-in";
    request.subtitle = "SQNR 28.89 dB";
    const PlotFrame frame = layoutPlot(content, request);
    CHECK(frame.subtitle == request.subtitle);
    CHECK(frame.subtitleBox.right() <= request.outer.right());
    CHECK(frame.title != request.title);
    request.title = "stage1/block0/conv_u_s1/output_of_it";
    CHECK(layoutPlot(content, request).title.contains(u"output_of"));
}

TEST_CASE("without titles of axes a power of ten is left of them")
{
    HistogramContent content;
    content.setHistogram(tailHistogram(4.0));
    FrameWish request = requestOf(content, {400, 250});
    request.hasTitles = false;
    const PlotFrame frame = layoutPlot(content, request);
    CHECK(frame.x.title.isEmpty());
    CHECK(frame.y.front().title.isEmpty());
}

namespace {

FrameWish lowRequest(const PlotContent& content)
{
    FrameWish request = requestOf(content, {900, 110});
    request.title.clear();
    request.subtitle.clear();
    request.footer.clear();
    return request;
}

}  // namespace

TEST_CASE("a short legend without room above stands next to the title of x, and covers nothing")
{
    CurveContent content;
    content.setCurves({{.label = "a", .curve = {.threshold = {1, 2}, .value = {1, 2}}}});
    const PlotFrame frame = layoutPlot(content, lowRequest(content));
    REQUIRE(frame.legend.size() == 1);
    CHECK(frame.folded.empty());
    CHECK(frame.legendGround.isEmpty());
    CHECK(frame.legend.front().box.top() > frame.area.bottom());
    CHECK(frame.legend.front().box.bottom() <= frame.outer.bottom());
    CHECK(frame.legend.front().box.left() > frame.area.center().x());
}

TEST_CASE("a legend too wide for that is folded there, and over the corner where no title is")
{
    CurveContent content;
    // Two that need more than half of the width.
    const CurveMark one = curveOf("a calibrator whose name is rather long: 51.46 dB at 2.4", "mse",
                                  {1.0, 2.0}, {1.0, 2.0});
    content.setCurves({one, one});
    FrameWish request = lowRequest(content);
    const PlotFrame folded = layoutPlot(content, request);
    CHECK(folded.folded.size() == 2);
    CHECK(folded.foldedBox.top() > folded.area.bottom());
    request.hasXLabels = false;
    request.outer.setHeight(70);
    const PlotFrame wide = layoutPlot(content, request);
    REQUIRE(wide.legend.size() == 2);
    CHECK(wide.legendGround.width() > wide.area.width() / 2.0);
    CHECK(wide.area.adjusted(-1, -1, 1, 1).contains(wide.legendGround));
    request.outer.setWidth(150);
    CHECK(layoutPlot(content, request).legend.empty());
}

}  // namespace plot_frame_test
