// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/framed_content.h"

#include <cmath>
#include <limits>

namespace curve_content_test {

using namespace calibscope::test;
using namespace calibscope;

const Curve affine{.threshold = {-4.0, -2.0, 1.0, 3.0}, .value = {1.0, 2.0, 3.0, 4.0}};

TEST_CASE("points below 0 and above are branches of their own")
{
    const auto branches = branchesOf(affine, Domain::Signed);
    REQUIRE(branches.size() == 2);
    CHECK(branches[0].isLow);
    CHECK(branches[0].place == std::vector<double>{-4.0, -2.0});
    CHECK(branches[1].place == std::vector<double>{1.0, 3.0});
    CHECK(branchValues(branches[1], affine.value) == std::vector<double>{3.0, 4.0});
}

TEST_CASE("among magnitudes the low branch is turned round, so that places ascend")
{
    const auto branches = branchesOf(affine, Domain::Magnitude);
    REQUIRE(branches.size() == 2);
    CHECK(branches[0].place == std::vector<double>{2.0, 4.0});
    CHECK(branchValues(branches[0], affine.value) == std::vector<double>{2.0, 1.0});
}

TEST_CASE("a symmetric curve has one branch, an empty one none")
{
    const Curve symmetric{.threshold = {0.0, 1.0}, .value = {1.0, 2.0}};
    REQUIRE(branchesOf(symmetric, Domain::Signed).size() == 1);
    CHECK_FALSE(branchesOf(symmetric, Domain::Signed).front().isLow);
    CHECK(branchesOf({}, Domain::Signed).empty());
}

TEST_CASE("the nearest point is the one whose place is nearest")
{
    CHECK(nearestPoint(affine, Domain::Signed, -2.4) == 1);
    CHECK(nearestPoint(affine, Domain::Magnitude, 2.4) == 1);
    CHECK(nearestPoint(affine, Domain::Magnitude, 2.6) == 3);
    CHECK(nearestPoint(affine, Domain::Signed, 99.0) == 3);
}

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<YAxis> axesOf(const CurveContent& content, const Range& shown)
{
    loadFonts();
    return content.yAxes({linearX(shown), {800.0, 400.0}, QFontMetricsF(pictureFont(13))});
}

}  // namespace

TEST_CASE("without curves, or without a finite value, a sentence says so")
{
    CurveContent content;
    content.setCurves({});
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() ==
          "None of the calibrators shown searches along a curve.");
    content.setCurves({curveOf("entropy", "KL divergence", {1, 2}, {infinity, std::nan("")})});
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() == "No trial threshold has a finite value.");
    content.setEmpty(QStringLiteral("Reading..."));
    CHECK(content.emptyText().toStdString() == "Reading...");
}

TEST_CASE("curves that span more than a factor of 20 have a logarithmic axis")
{
    CurveContent content;
    content.setCurves({curveOf("a", "KL", {1, 2, 3}, {0.5, 0.01, 0.2})});
    CHECK(axesOf(content, {0.0, 3.0}).front().kind == ScaleKind::Log);
    content.setCurves({curveOf("a", "KL", {1, 2, 3}, {0.5, 0.1, 0.2})});
    CHECK(axesOf(content, {0.0, 3.0}).front().kind == ScaleKind::Linear);
    content.setCurves({curveOf("a", "KL", {1, 2, 3}, {0.5, 0.0, 0.2})});
    CHECK(axesOf(content, {0.0, 3.0}).front().kind == ScaleKind::Linear);
}

TEST_CASE("the kind of axis stays while zooming, its range follows")
{
    CurveContent content;
    content.setCurves({curveOf("a", "KL", {1, 2, 3, 4}, {0.5, 0.01, 0.012, 0.011})});
    const YAxis all = axesOf(content, {0.0, 5.0}).front();
    const YAxis zoomed = axesOf(content, {1.5, 4.5}).front();
    CHECK(zoomed.kind == all.kind);
    CHECK(zoomed.values.high < 0.02);
    // Nothing in view: the axis of all.
    CHECK(axesOf(content, {4.5, 5.0}).front().values == all.values);
}

TEST_CASE("infinite values neither stretch the axis nor are drawn")
{
    CurveContent content;
    content.setCurves({curveOf("a", "KL", {1, 2, 3, 4, 5, 6}, {1, 2, infinity, 3, infinity, 2})});
    const Range values = axesOf(content, {0.0, 6.0}).front().values;
    CHECK(values.high < 3.5);
    const RecordedPainting painting = paintingOf(content);
    CHECK(painting.polylines == 1);  // 1, 2
    CHECK(painting.points == 2);     // 3 and 2, each between gaps
    CHECK(painting.ellipses == 1);   // the chosen point
}

TEST_CASE("curves of one objective share an axis, other objectives have their own")
{
    CurveContent content;
    content.setCurves({curveOf("a", "KL", {1, 2}, {1, 2}), curveOf("b", "KL", {1, 2}, {3, 4}),
                       curveOf("c", "MSE", {1, 2}, {7, 8})});
    const auto axes = axesOf(content, {0.0, 2.0});
    REQUIRE(axes.size() == 2);
    CHECK(axes[0].title.toStdString() == "KL");
    CHECK(axes[0].values.high > 4.0);
    CHECK(axes[1].title.toStdString() == "MSE");
}

TEST_CASE("ties are rings beside the chosen point")
{
    CurveMark mark = curveOf("a", "KL", {1, 2, 3}, {1, 2, 1});
    mark.curve.ties = {2};
    CurveContent content;
    content.setCurves({mark});
    CHECK(paintingOf(content).ellipses == 2);
    REQUIRE(content.legend().size() == 2);
    CHECK(content.legend().back().text == "ring: as low");
}

TEST_CASE("the chosen point has the marker of its calibrator, on the plot and in the legend")
{
    CurveMark mark = curveOf("a", "KL", {1, 2, 3}, {1, 2, 1});
    mark.marker = SeriesMarker::Square;
    CurveContent content;
    content.setCurves({mark});
    CHECK(paintingOf(content).ellipses == 0);
    REQUIRE(content.legend().size() == 1);
    CHECK(content.legend().front().marker == SeriesMarker::Square);
}

TEST_CASE("the plateau is a bar")
{
    CurveMark mark = curveOf("a", "KL", {1, 2, 3}, {2, 1, 1.005});
    const auto barsOf = [](const CurveMark& drawn) {
        CurveContent content;
        content.setCurves({drawn});
        return paintingOf(content).rects.size();
    };
    const auto without = barsOf(mark);
    mark.curve.plateau = {2.0, 3.0};
    CHECK(barsOf(mark) == without + 1);
}

TEST_CASE("the full range runs from zero to a little beyond the last threshold")
{
    CurveContent content;
    content.setCurves({curveOf("a", "KL", {1, 2}, {1, 2}), curveOf("b", "KL", {2, 5}, {1, 2})});
    CHECK(content.fullRange().low == 0.0);
    CHECK(content.fullRange().high == Approx(5.0).epsilon(0.02));
}

TEST_CASE("the readout takes the nearest threshold of each curve")
{
    CurveContent content;
    content.setCurves({curveOf("entropy", "KL", {1, 2, 4}, {0.25, 0.5, infinity})});
    CHECK(content.readout(0.0, {}).toStdString() == "entropy: 0.25 at 1");
    CHECK(content.readout(1.6, {}).toStdString() == "entropy: 0.5 at 2");
    CHECK(content.readout(2.9, {}).toStdString() == "entropy: 0.5 at 2");
    CHECK(content.readout(9.0, {}).toStdString() == "entropy: ∞ at 4");
}

TEST_CASE("legend and summary name the chosen point")
{
    CurveContent content;
    content.setCurves({curveOf("entropy", "KL divergence", {1, 2, 4}, {0.25, 0.125, 0.5})});
    REQUIRE(content.legend().size() == 1);
    CHECK(content.legend().front().text.toStdString() == "entropy  min 0.125 @ 2");
    CHECK(content.summary().toStdString() ==
          "KL divergence of entropy at 3 thresholds, chosen 2 with 0.125.");
}

TEST_CASE("an iteration is told by its steps and ends at its point, which need not be the least")
{
    CurveMark mark = curveOf("l2", "squared error, halved", {1, 2, 4}, {0.125, 0.25, 0.5});
    mark.curve.chosen = 1;
    mark.curve.runnerUp = 0;
    mark.stepThresholds = {4, 3, 2};
    mark.stepValues = {0.5, 0.375, 0.25};
    CurveContent content;
    content.setCurves({mark});
    CHECK(content.legend().front().text.toStdString() == "l2  ends with 0.25 @ 2");
    CHECK(content.summary().toStdString() ==
          "squared error, halved of l2 at 3 thresholds, chosen 2 with 0.25, next best 1 with "
          "0.125, in 2 steps from 4.");
    const int withSteps = paintingOf(content).ellipses;
    content.setCurves({curveOf("l2", "squared error, halved", {1, 2, 4}, {0.125, 0.25, 0.5})});
    // Two steps and the next best; the start is a square.
    CHECK(withSteps == paintingOf(content).ellipses + 3);
}

namespace {

/// Low ends at -4, -2, -1 and high ends at 1, 3.
CurveMark affineCurve()
{
    CurveMark mark = curveOf("mse", "MSE", {-4, -2, -1, 1, 3}, {0.5, 0.25, 0.5, 0.5, 0.25});
    mark.curve.chosen = 4;
    mark.curve.chosenLow = 1;
    return mark;
}

}  // namespace

TEST_CASE("both ends of an affine range have a line and a chosen point of their own")
{
    CurveContent content;
    content.setDomain(Domain::Signed);
    content.setCurves({affineCurve()});
    CHECK(content.fullRange().low < -4.0);
    CHECK(paintingOf(content).polylines == 2);
    CHECK(paintingOf(content).ellipses == 2);
    CHECK(content.legend().front().text.toStdString() == "mse  min 0.25 @ −2 … 3");
}

TEST_CASE("among magnitudes low ends stand at their magnitude")
{
    CurveContent content;
    content.setCurves({affineCurve()});
    CHECK(content.fullRange().low == 0.0);
    CHECK(content.fullRange().high >= 4.0);
    CHECK(paintingOf(content).polylines == 2);
    CHECK(content.readout(2.1, {}).toStdString() == "mse: 0.25 at −2");
}

TEST_CASE("the parts of an objective are drawn and named on request")
{
    CurveMark mark = curveOf("mse", "MSE", {1, 2, 3}, {0.5, 0.25, 0.5});
    mark.curve.parts = {{"rounding", {0.1, 0.2, 0.5}}, {"clipping", {0.4, 0.05, 0.0}}};
    CurveContent content;
    content.setCurves({mark});
    CHECK(content.legend().size() == 1);
    CHECK(paintingOf(content).polylines == 1);
    mark.showsParts = true;
    content.setCurves({mark});
    REQUIRE(content.legend().size() == 3);
    CHECK(content.legend()[1].text == "rounding");
    CHECK(content.legend()[1].style != content.legend()[2].style);
    CHECK(paintingOf(content).polylines == 3);
}

TEST_CASE("the pointer tells the meaning of the marks on a curve")
{
    const CurveMark mark{.label = "entropy",
                         .curve = {.objective = "KL divergence",
                                   .threshold = {1.0, 2.0, 3.0},
                                   .value = {0.5, 0.1, 0.2},
                                   .chosen = 1,
                                   .runnerUp = 2}};
    CurveContent content;
    content.setCurves({mark});
    const PlotFrame frame = frameOf(content);
    const auto at = [&](double x, double y) {
        return content
            .hoverText({frame.x.scale.toPixel(x), frame.y.front().scale.toPixel(y)}, frame)
            .toStdString();
    };
    CHECK(at(2.0, 0.1) == "entropy: chosen, 0.1 at 2");
    CHECK(at(3.0, 0.2) == "entropy: next best, 0.2 at 3");
    CHECK(at(1.0, 0.5).empty());
    REQUIRE(content.legend().size() == 2);
    CHECK(content.legend().back().text == "hollow: next best");
    CHECK(content.legend().back().sign == LegendEntry::Sign::Ring);
}

}  // namespace curve_content_test
