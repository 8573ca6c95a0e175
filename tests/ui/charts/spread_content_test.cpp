// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/spread_content.h"

#include "tests/support/catch.h"

#include <limits>
#include <vector>

namespace spread_content_test {

using namespace calibscope;

TEST_CASE("scales are counted by their binary logarithm, a quarter of a bit to a bin")
{
    SpreadContent content;
    const std::vector<double> scales = {1.0, 1.0, 2.0,
                                        4.0, 0.0, std::numeric_limits<double>::quiet_NaN()};
    content.setScales(scales);
    CHECK_FALSE(content.isEmpty());
    const auto table = content.table({0.0, 3.0});
    REQUIRE(table);
    CHECK(table->rowCount() == 9);  // 0 to 2.25
    CHECK_THAT(content.readout(0.1, {}).toStdString(), test::containsText("count 2"));
    CHECK(content.xTitle().toStdString() == "log₂ of the scale");
}

TEST_CASE("equal scales are one column, and none are a sentence")
{
    SpreadContent content;
    content.setScales(std::vector<double>(7, 0.3));
    CHECK_FALSE(content.isEmpty());
    content.setScales({});
    CHECK(content.isEmpty());
    CHECK_FALSE(content.emptyText().isEmpty());
    content.setScales(std::vector{1e-38, 1e38});  // 252 bits
    CHECK_FALSE(content.isEmpty());
}

}  // namespace spread_content_test
