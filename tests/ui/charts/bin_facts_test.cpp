#include "ui/charts/bin_facts.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"

using namespace calibscope;
using namespace calibscope::test;

namespace {

const std::vector<std::uint64_t> countBefore = {0, 60, 90, 99, 100};

Histogram someHistogram(Domain domain = Domain::Magnitude)
{
    return domain == Domain::Magnitude ? histogramOf(domain, 0.0, 4.0, {60, 30, 9, 1})
                                       : histogramOf(domain, -2.0, 2.0, {60, 30, 9, 1});
}

ThresholdMark steppedMark(const QString& label, double threshold, double step)
{
    ThresholdMark mark = markAt(label, threshold);
    mark.step = step;
    return mark;
}

}  // namespace

TEST_CASE("the card tells the bin, what lies to both sides and the nearest threshold in steps")
{
    const std::vector<ThresholdMark> thresholds = {steppedMark("entropy", 2.0, 2.0 / 127.0),
                                                   steppedMark("max", 3.9, 3.9 / 127.0)};
    const auto facts = binFacts(someHistogram(), countBefore, 1.5, thresholds);
    REQUIRE(facts);
    CHECK(factLines(*facts, QStringLiteral("|x|")).join(u'\n').toStdString() ==
          "|x|\t1 to 2\n"
          "count\t30 (30 %)\n"
          "left\t60 %\n"
          "right\t10 %\n"
          "nearest\tentropy 2, 31.8 LSB to the right");
}

TEST_CASE("both ends of a clip range count in x")
{
    const std::vector<ThresholdMark> thresholds = {steppedMark("entropy", 1.0, 0.25)};
    const auto facts = binFacts(someHistogram(Domain::Signed), countBefore, -0.5, thresholds);
    REQUIRE(facts);
    REQUIRE(facts->nearest);
    CHECK(facts->nearest->place == -1.0);
    CHECK(facts->nearest->steps == -2.0);
    CHECK(factLines(*facts, QStringLiteral("x")).back().toStdString() ==
          "nearest\tentropy −1, 2 LSB to the left");
}

TEST_CASE("without thresholds nothing is said of them, outside of the data nothing at all")
{
    const auto facts = binFacts(someHistogram(), countBefore, 4.0, {});
    REQUIRE(facts);
    CHECK(facts->bin == Range{3.0, 4.0});
    CHECK(factLines(*facts, QStringLiteral("|x|")).size() == 4);
    CHECK_FALSE(binFacts(someHistogram(), countBefore, 4.1, {}));
    CHECK_FALSE(binFacts(histogramOf(Domain::Signed, 1.0, 1.0, {3}),
                         std::vector<std::uint64_t>{0, 3}, 1.0, {}));
}

TEST_CASE("shares keep the digits that tell them from all")
{
    CHECK(shareText(99978, 100000).toStdString() == "99.978 %");
    CHECK(shareText(999999999, 1000000000).toStdString() == "99.9999999 %");
    CHECK(shareText(3, 3).toStdString() == "100 %");
    CHECK(shareText(0, 0).toStdString() == "0 %");
}
