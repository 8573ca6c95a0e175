#include "ui/charts/threshold_layer.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "ui/theme/theme.h"

#include <limits>
#include <random>

using namespace calibscope::test;
using namespace calibscope;

namespace {

constexpr QRectF area(60.0, 10.0, 800.0, 400.0);

QFontMetricsF metrics()
{
    loadFonts();
    return QFontMetricsF(pictureFont(13));
}

std::vector<PlacedMark> placed(const std::vector<ThresholdMark>& marks, Domain domain,
                               const Range& shown, const Range& full, const QRectF& box = area)
{
    const AxisScale x(ScaleKind::Linear, shown, box.left(), box.right());
    return placeMarks(marks, domain, x, box, full, metrics());
}

ThresholdMark affine(double low, double high)
{
    ThresholdMark mark = markAt("affine", 1.0);
    mark.clip = {low, high};
    return mark;
}

}  // namespace

TEST_CASE("a clip range is one place in |x| and both ends in x")
{
    CHECK(markPlaces(markAt("t", 2.0), Domain::Magnitude) == std::vector{2.0});
    CHECK(markPlaces(markAt("t", 2.0), Domain::Signed) == std::vector{-2.0, 2.0});
    CHECK(markPlaces(affine(-0.25, 3.0), Domain::Magnitude) == std::vector{3.0});
    CHECK(markPlaces(affine(-5.0, 3.0), Domain::Magnitude) == std::vector{5.0});
    CHECK(markPlaces(affine(0.0, 3.0), Domain::Signed) == std::vector{3.0});
    CHECK(markPlaces(affine(-3.0, 0.0), Domain::Signed) == std::vector{-3.0});
    CHECK(markPlaces(affine(0.0, 0.0), Domain::Signed) == std::vector{0.0});
}

TEST_CASE("the full range of a symmetric scheme is drawn at its threshold")
{
    // -128/127 of the threshold at the lower end
    CHECK(markPlaces(affine(-2.0 * 128.0 / 127.0, 2.0), Domain::Magnitude) == std::vector{2.0});
    CHECK(markText(affine(-2.0 * 128.0 / 127.0, 2.0), Domain::Signed).toStdString() ==
          "affine  ±2");
}

TEST_CASE("a clip range that is not finite is nowhere")
{
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(markPlaces(affine(-infinity, infinity), Domain::Signed).empty());
    CHECK(placed({affine(-infinity, infinity)}, Domain::Signed, {0.0, 1.0}, {0.0, 1.0}).empty());
}

TEST_CASE("labels name the calibrator and its ends with four digits")
{
    CHECK(markText(markAt("entropy", 2.39071), Domain::Magnitude).toStdString() ==
          "entropy  2.391");
    CHECK(markText(markAt("entropy", 2.39071), Domain::Signed).toStdString() == "entropy  ±2.391");
    CHECK(markText(affine(-0.2785, 3.735), Domain::Signed).toStdString() ==
          "affine  −0.2785…3.735");
}

TEST_CASE("values on the clip range are kept")
{
    CHECK(isKept(markAt("t", 2.0), Domain::Magnitude, 2.0));
    CHECK_FALSE(isKept(markAt("t", 2.0), Domain::Magnitude, 2.001));
    CHECK(isKept(affine(-1.0, 3.0), Domain::Signed, -1.0));
    CHECK_FALSE(isKept(affine(-1.0, 3.0), Domain::Signed, -1.5));
}

TEST_CASE("in a signed histogram both lines are drawn and labelled once")
{
    const auto marks = placed({markAt("t", 2.0)}, Domain::Signed, {-4.0, 4.0}, {-4.0, 4.0});
    REQUIRE(marks.size() == 1);
    CHECK(marks[0].lines == std::vector{260.0, 660.0});
    CHECK(marks[0].label.right() == Approx(660.0));
}

TEST_CASE("a threshold beyond the axis is named at its end while that is in view")
{
    const std::vector marks = {markAt("fixed", 9.0)};
    const auto atEnd = placed(marks, Domain::Magnitude, {0.0, 1.0}, {0.0, 1.0});
    REQUIRE(atEnd.size() == 1);
    CHECK(atEnd[0].lines.empty());
    CHECK(atEnd[0].text.toStdString() == "fixed  9 ›");
    CHECK(atEnd[0].label.right() == Approx(area.right()));
    CHECK(placed(marks, Domain::Magnitude, {0.2, 0.4}, {0.0, 1.0}).empty());
}

TEST_CASE("a threshold that was zoomed out of view has neither line nor label")
{
    CHECK(placed({markAt("t", 0.9)}, Domain::Magnitude, {0.0, 0.5}, {0.0, 1.0}).empty());
}

TEST_CASE("labels never overlap and lie inside the area, whatever the thresholds")
{
    std::mt19937 random(23);
    std::uniform_real_distribution<double> threshold(0.0, 1.2);
    std::uniform_real_distribution<double> width(120.0, 1500.0);
    for (int round = 0; round < 1000; ++round) {
        std::vector<ThresholdMark> marks;
        for (int mark = 0; mark < 1 + round % 9; ++mark)
            marks.push_back(
                markAt(QStringLiteral("calibrator %1").arg(mark), threshold(random), mark == 0));
        const Domain domain = round % 2 == 0 ? Domain::Magnitude : Domain::Signed;
        const QRectF box(60.0, 10.0, width(random), 300.0);
        const auto places = placed(marks, domain, {-1.0, 1.0}, {-1.0, 1.0}, box);
        for (std::size_t one = 0; one < places.size(); ++one) {
            if (places[one].text.isEmpty())
                continue;
            CHECK(box.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(places[one].label));
            for (std::size_t other = 0; other < one; ++other)
                if (!places[other].text.isEmpty())
                    CHECK_FALSE(places[one]
                                    .label.adjusted(1e-6, 1e-6, -1e-6, -1e-6)
                                    .intersects(places[other].label));
        }
    }
}

TEST_CASE("in a low plot the labels of the first and of the emphasised ones stay")
{
    const QRectF low(60.0, 10.0, 300.0, 75.0);
    const std::vector marks = {markAt("first", 0.91), markAt("second", 0.92), markAt("third", 0.93),
                               markAt("fourth", 0.94, true)};
    const auto places = placed(marks, Domain::Magnitude, {0.0, 1.0}, {0.0, 1.0}, low);
    REQUIRE(places.size() == 4);
    CHECK_FALSE(places[0].text.isEmpty());
    CHECK(places[1].text.isEmpty());
    CHECK(places[2].text.isEmpty());
    CHECK_FALSE(places[3].text.isEmpty());
    for (const PlacedMark& mark : places)
        CHECK(mark.lines.size() == 1);
    CHECK(labelHeight(places, low) <= 0.55 * low.height());
}

TEST_CASE("each end that is drawn is a handle, from left to right, a step is a bin")
{
    const Histogram histogram = histogramOf(Domain::Signed, -2.0, 2.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("wide", 1.5), markAt("narrow", 0.5)};
    const auto handles = thresholdHandles(marks, histogram);
    REQUIRE(handles.size() == 4);
    CHECK(handles[0].value == -1.5);
    CHECK(handles[1].value == -0.5);
    CHECK(handles[3].value == 1.5);
    CHECK(handles[3].step == 1.0);
    CHECK(handles[3].label.toStdString() == "upper threshold of wide");
    CHECK(handles[0].label.toStdString() == "lower threshold of wide");
    CHECK(handles[0].allowed == Range{-2.5, -1.0});
    CHECK(handles[3].allowed == Range{1.0, 2.5});
}

TEST_CASE("in |x| a clip range has one handle")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("one", 3.0)};
    const auto handles = thresholdHandles(marks, histogram);
    REQUIRE(handles.size() == 1);
    CHECK(handles[0].value == 3.0);
}

TEST_CASE("a threshold far beyond the data may stay there")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {1, 2, 3, 4});
    const std::vector<ThresholdMark> marks = {markAt("fixed", 100.0)};
    CHECK(thresholdHandles(marks, histogram).front().allowed.high == 100.0);
}

TEST_CASE("a handle's id tells whose end it is")
{
    const auto low = movedEnd(handleId({"entropy/open", true}));
    REQUIRE(low);
    CHECK(low->id.toStdString() == "entropy/open");
    CHECK(low->isLow);
    CHECK_FALSE(movedEnd(handleId({"max", false}))->isLow);
    CHECK_FALSE(movedEnd("something"));
}
