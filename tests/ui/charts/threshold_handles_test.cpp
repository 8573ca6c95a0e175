#include "ui/charts/threshold_handles.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"

using namespace calibscope;
using namespace calibscope::test;

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
    CHECK(low->label.toStdString() == "entropy/open");
    CHECK(low->isLow);
    CHECK_FALSE(movedEnd(handleId({"max", false}))->isLow);
    CHECK_FALSE(movedEnd("something"));
}
