#include "core/engine/sparkline.h"

#include "tests/support/catch.h"

#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::Approx;

namespace {

std::vector<double> sparklineOf(const std::vector<float>& values)
{
    SketchCounter counter;
    counter.add(values);
    Extents extents;
    extents.add(values);
    return sparkline(counter.sketch(), extents);
}

double sum(const std::vector<double>& columns)
{
    return std::accumulate(columns.begin(), columns.end(), 0.0);
}

}  // namespace

TEST_CASE("values fall into 32 equal columns of their range")
{
    // [-16, 16]: columns of width 1; -16 in the first, 16 in the last, 0 in the one that begins
    // there.
    const std::vector<double> columns =
        sparklineOf({-16.0F, -16.0F, 0.0F, 0.0F, 0.0F, 3.5F, 16.0F});
    REQUIRE(columns.size() == 32);
    CHECK(columns[0] == Approx(2.0));
    CHECK(columns[16] == 3.0);
    CHECK(columns[19] == Approx(1.0));
    CHECK(columns[31] == Approx(1.0));
    CHECK(sum(columns) == Approx(7.0));
}

TEST_CASE("no data gives zeros and constant data one column in the middle")
{
    CHECK(sum(sparklineOf({})) == 0.0);
    CHECK(sparklineOf({}).size() == 32);
    const std::vector<double> constant = sparklineOf({2.5F, 2.5F});
    CHECK(constant[16] == 2.0);
    CHECK(sum(constant) == 2.0);
    CHECK(sparklineOf({0.0F, 0.0F, 0.0F})[16] == 3.0);
    CHECK(sum(sparklineOf({std::numeric_limits<float>::infinity()})) == 0.0);
}

TEST_CASE("a sketch bin wider than a column is spread over those that it covers")
{
    std::vector<float> values;
    for (int step = 0; step <= 320; ++step)
        values.push_back(1000.0F +
                         static_cast<float>(step) / 320.0F);  // bins are half of this wide
    const std::vector<double> columns = sparklineOf(values);
    CHECK(sum(columns) == Approx(321.0));
    for (const double column : columns)
        CHECK(column == Approx(10.0).margin(1.0));
}

TEST_CASE("the ends of float's range make columns too")
{
    const float most = std::numeric_limits<float>::max();
    const std::vector<double> columns = sparklineOf({-most, 0.0F, most, most / 2});
    CHECK(columns[0] == Approx(1.0));
    CHECK(columns[31] == Approx(1.0));
    CHECK(sum(columns) == Approx(4.0));

    const float least = std::numeric_limits<float>::denorm_min();
    CHECK(sum(sparklineOf({0.0F, least, 2 * least})) == Approx(3.0));
}

TEST_CASE("columns of a Gaussian are within a hundredth of the true counts")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal;
    std::vector<float> values(100000);
    for (float& value : values)
        value = normal(engine);
    const auto [low, high] = std::ranges::minmax(values);
    std::vector<double> truth(32);
    for (const float value : values) {
        const double place = (static_cast<double>(value) - static_cast<double>(low)) /
                             (static_cast<double>(high) - static_cast<double>(low)) * 32.0;
        truth[std::min<std::size_t>(static_cast<std::size_t>(place), 31)] += 1.0;
    }
    const std::vector<double> columns = sparklineOf(values);
    for (std::size_t column = 0; column < 32; ++column)
        CHECK(columns[column] == Approx(truth[column]).epsilon(0.01).margin(3.0));
}
