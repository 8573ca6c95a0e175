// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/result_columns.h"

#include "tests/support/catch.h"

#include <limits>
#include <set>
#include <stdexcept>

namespace result_columns_test {

using namespace calibscope;

ScaleRow someRow()
{
    ScaleRow row;
    row.clip.threshold = 2.54;
    row.quantizer = {.scale = 0.02, .clip = {-2.54, 2.54}};
    row.metrics = {{"sqnr_db", 29.756}, {"clipped_share", 0.00066}, {"cosine", 0.999871}};
    row.hasExactMetrics = true;
    return row;
}

TEST_CASE("limits come first, then every metric under its own id")
{
    std::set<std::string> ids;
    for (const ResultColumn* column : windowColumns())
        CHECK(ids.insert(column->id).second);
    CHECK(windowColumns().front()->id == "threshold");
    for (const Metric& metric : metrics()) {
        CHECK(ids.contains(std::string(metric.id)));
        CHECK(resultColumn(metric.id).better == metric.better);
    }
    CHECK_THROWS_AS(resultColumn("no such"), std::invalid_argument);
}

TEST_CASE("values are written as their readers expect them")
{
    const ScaleRow row = someRow();
    CHECK(resultText(resultColumn("threshold"), row) == "2.54");
    CHECK(resultText(resultColumn("low"), row) == "−2.54");
    CHECK(resultText(resultColumn("sqnr_db"), row) == "29.76");
    CHECK(resultText(resultColumn("clipped_share"), row) == "0.066");
    CHECK(columnTitle(resultColumn("clipped_share")) == "Clipped %");
    CHECK(columnTitle(resultColumn("sqnr_db")) == "SQNR dB");
    CHECK(resultText(resultColumn("cosine"), row) == "0.999871");
    CHECK(resultText(resultColumn("kl"), row).isEmpty());
}

TEST_CASE("what is estimated says so")
{
    ScaleRow row = someRow();
    row.hasExactMetrics = false;
    CHECK(resultText(resultColumn("sqnr_db"), row) == "≈ 29.76");
    row.bounds = {.least = {{"sqnr_db", *row.metric("sqnr_db") - 0.018}},
                  .most = {{"sqnr_db", *row.metric("sqnr_db") + 0.002}}};
    CHECK(resultText(resultColumn("sqnr_db"), row) == "≈ 29.76 ± 0.02");
    CHECK(sqnrBarText(row) == " ± 0.02");
    CHECK(resultText(resultColumn("scale"), row) == "0.02");
    row.isExact = false;
    CHECK(resultText(resultColumn("scale"), row) == "≈ 0.02");
}

TEST_CASE("without a choice there are no ends")
{
    const ScaleRow nothing;
    CHECK_FALSE(resultColumn("low").number(nothing));
    CHECK_FALSE(resultColumn("threshold").number(nothing));
    CHECK(resultColumn("scale").number(nothing) == 1.0);
}

TEST_CASE("differences carry their sign")
{
    const ResultColumn& sqnr = resultColumn("sqnr_db");
    const double infinite = std::numeric_limits<double>::infinity();
    CHECK(differenceText(sqnr, 30.0, 29.25) == "+0.75");
    CHECK(differenceText(sqnr, 29.25, 30.0) == "−0.75");
    CHECK(differenceText(sqnr, 30.0, 30.0) == "0");
    CHECK(differenceText(sqnr, infinite, infinite) == "0");
    CHECK(differenceText(sqnr, infinite, 30.0) == "+∞");
}

}  // namespace result_columns_test
