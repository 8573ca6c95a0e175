#include "ui/charts/cumulative_layer.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

const std::vector<std::uint64_t> countBefore = {0, 60, 90, 99, 100};

}  // namespace

TEST_CASE("shares up to an edge and above it add up to one")
{
    const auto upTo = cumulativeShares(countBefore, CumulativeAxis::UpTo);
    const auto above = cumulativeShares(countBefore, CumulativeAxis::Above);
    CHECK(upTo == std::vector<double>{0.0, 0.6, 0.9, 0.99, 1.0});
    REQUIRE(above.size() == upTo.size());
    for (std::size_t edge = 0; edge < upTo.size(); ++edge)
        CHECK(above[edge] + upTo[edge] == Approx(1.0));
    CHECK(above.back() == 0.0);
}

TEST_CASE("without a value there are no shares")
{
    CHECK(cumulativeShares({}, CumulativeAxis::UpTo).empty());
    CHECK(cumulativeShares(std::vector<std::uint64_t>{0, 0}, CumulativeAxis::Above).empty());
}

TEST_CASE("a single value is seen on the logarithmic axis, no value is at its floor")
{
    const AxisWish request = cumulativeAxisWish(1000, CumulativeAxis::Above, QStringLiteral("|x|"));
    CHECK(request.kind == ScaleKind::Log);
    CHECK(request.values == Range{0.0005, 1.0});
    CHECK(request.zeroAt == 0.0005);
    CHECK(request.title.toStdString() == "share of values above |x|");
    CHECK(cumulativeAxisWish(1000, CumulativeAxis::UpTo, QStringLiteral("x")).values ==
          Range{0.0, 1.0});
}

TEST_CASE("a percentile is exact at an edge and estimated inside a bin")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 4.0, {60, 30, 9, 1});
    const auto text = [&](double x) {
        return percentileText(histogram, countBefore, x, QStringLiteral("|x|")).toStdString();
    };
    CHECK(text(1.0) == "|x| 1   percentile 60   above 40 values (40 %)");
    CHECK(text(1.5) == "|x| 1.5   percentile ≈75   above ≈25 values (≈25 %)");
    CHECK(text(4.0) == "|x| 4   percentile 100   above 0 values (0 %)");
    CHECK(text(9.0) == "|x| 9   percentile 100   above 0 values (0 %)");
}

TEST_CASE("a percentile next to 100 is not rounded to it")
{
    const Histogram histogram = histogramOf(Domain::Magnitude, 0.0, 2.0, {999999, 1});
    CHECK(percentileText(histogram, std::vector<std::uint64_t>{0, 999999, 1000000}, 1.0,
                         QStringLiteral("|x|"))
              .toStdString() == "|x| 1   percentile 99.9999   above 1 values (0.0001 %)");
}
