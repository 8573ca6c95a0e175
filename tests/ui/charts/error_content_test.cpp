// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/error_content.h"

#include "tests/support/catch.h"
#include "tests/support/framed_content.h"

namespace error_content_test {

using namespace calibscope;
using namespace calibscope::test;

const QColor blue(0x0072b2);
const QColor red(0xd55e00);

/// Of eight values between 0 and 4, under a threshold of 3.
ErrorMark someError()
{
    ErrorMark mark{.error = {.domain = Domain::Magnitude,
                             .range = {0.0, 4.0},
                             .rounding = {1.0, 0.5, 0.0, 0.25},
                             .clipping = {0.0, 0.0, 0.0, 2.25},
                             .allRounding = 1.75,
                             .allClipping = 2.25,
                             .count = 8},
                   .label = QStringLiteral("entropy"),
                   .clip = {-3.0, 3.0}};
    mark.roundingColor = blue;
    mark.clippingColor = red;
    return mark;
}

TEST_CASE("rounding stands on the axis and clipping on rounding, heights as the errors")
{
    ErrorContent content;
    content.setError(someError());
    const RecordedPainting painting = paintingOf(content);
    const auto rounding = rectsOf(painting, blue);
    const auto clipping = rectsOf(painting, red);
    REQUIRE(rounding.size() == 3);
    REQUIRE(clipping.size() == 1);
    CHECK(rounding[0].height() / rounding[1].height() == Approx(2.0).epsilon(0.01));
    CHECK(rounding[0].bottom() == rounding[2].bottom());
    CHECK(clipping[0].bottom() == rounding[2].top());
    CHECK(clipping[0].height() / rounding[2].height() == Approx(9.0).epsilon(0.02));
    CHECK(clipping[0].width() == Approx(rounding[0].width()).margin(1.0));
}

TEST_CASE("the legend shares the MSE out, hatched is what is clipped")
{
    ErrorContent content;
    content.setError(someError());
    const auto legend = content.legend();
    REQUIRE(legend.size() == 2);
    CHECK(legend[0].text.toStdString() == "rounding  MSE ≈0.2188 (43.8 %)");
    CHECK(legend[1].text.toStdString() == "clipping  MSE ≈0.2813 (56.3 %)");
    CHECK_FALSE(legend[0].isHatched);
    CHECK(legend[1].isHatched);
}

TEST_CASE("where the legend has no room it says its entries briefly before it folds")
{
    ErrorContent content;
    content.setError(someError());
    for (const auto& [size, isBelow] :
         {std::pair(QSize(420, 96), true), {QSize(200, 300), false}}) {
        const PlotFrame frame = layoutPlot(content, {.outer = QRectF(QPointF(), QSizeF(size)),
                                                     .shown = content.fullRange(),
                                                     .font = pictureFont(13)});
        CAPTURE(size.width());
        CHECK(frame.folded.empty());
        REQUIRE(frame.legend.size() == 2);
        CHECK(frame.legend[0].entry.text == "rounding 43.8 %");
        CHECK(frame.legend[1].entry.text == "clipping 56.3 %");
        CHECK((frame.legend[0].box.top() > frame.area.bottom()) == isBelow);
    }
}

TEST_CASE("finer bins than pixels: the largest error of a pixel is drawn")
{
    ErrorMark mark = someError();
    mark.error.rounding.assign(8000, 1e-3);
    mark.error.clipping.assign(8000, 0.0);
    mark.error.rounding[4321] = 1.0;
    mark.error.allRounding = 9.0;
    mark.error.allClipping = 0.0;
    ErrorContent content;
    content.setError(mark);
    const auto columns = rectsOf(paintingOf(content), blue);
    CHECK(columns.size() <= 3);  // left of it, it, and right of it
    CHECK(std::ranges::count_if(columns, [](const QRectF& column) {
              return column.height() > 200.0 && column.width() == 1.0;
          }) == 1);
}

TEST_CASE("the axis of errors begins at 0, or five decades below the largest")
{
    loadFonts();
    const QFontMetricsF metrics(pictureFont(13));
    const AxisScale x(ScaleKind::Linear, {0.0, 4.0}, 0.0, 800.0);
    ErrorContent content;
    content.setError(someError());
    CHECK(content.yAxes({x, {800, 400}, metrics}).front().values == Range{0.0, 2.5});
    content.setErrorAxis(CountAxis::Log);
    const YAxis request = content.yAxes({x, {800, 400}, metrics}).front();
    CHECK(request.kind == ScaleKind::Log);
    CHECK(request.values.low == Approx(1e-5));
    CHECK(request.zeroAt == request.values.low);
}

TEST_CASE("without an error there is a sentence")
{
    ErrorContent content;
    CHECK(content.isEmpty());
    ErrorMark mark = someError();
    mark.error = {.range = {0.0, 4.0}, .rounding = {0.0}, .clipping = {0.0}, .count = 3};
    content.setError(mark);
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() ==
          "entropy causes no error: every value is a quantization level.");
    mark.error.count = 0;
    content.setError(mark);
    CHECK(content.emptyText().toStdString() == "There is no finite value.");
    mark = someError();
    mark.error.range = {2.0, 2.0};
    content.setError(mark);
    CHECK(content.isEmpty());
    CHECK(content.emptyText().contains(QStringLiteral("≈0.5")));
    content.setEmpty(QStringLiteral("Why."));
    CHECK(content.summary() == QStringLiteral("Why."));
}

TEST_CASE("readout, summary and table of errors")
{
    ErrorContent content;
    content.setError(someError());
    CHECK(content.readout(3.5, {}).toStdString() ==
          "|x| from 3 to 4   squared error ≈2.5 (62.5 % of all)   rounding ≈0.25   clipping ≈2.25");
    CHECK(content.readout(4.0, {}).contains(QStringLiteral("from 3 to 4")));
    CHECK(content.readout(4.5, {}).toStdString() == "|x| 4.5   no value here");
    CHECK(content.summary().toStdString() ==
          "Squared error by bin under entropy: MSE ≈0.5, of which 43.8 % rounding and 56.3 % "
          "clipping.");
    const PlotTable table = content.table({0.0, 1.5}).value();
    REQUIRE(table.columns.size() == 4);
    CHECK(table.rowCount() == 2);
    CHECK(std::get<std::vector<double>>(table.columns[2].cells) == std::vector{1.0, 0.5});
}

}  // namespace error_content_test
