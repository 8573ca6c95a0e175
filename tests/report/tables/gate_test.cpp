// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/gate.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <limits>

namespace gate_test {

using namespace calibscope;
using calibscope::test::containsText;

Outcome withMetrics(MetricValues metrics)
{
    Outcome outcome;
    outcome.whole.metrics = std::move(metrics);
    return outcome;
}

TEST_CASE("a gate names a metric by its id, or without the unit")
{
    const Gate gate = parseGate("sqnr<20");
    CHECK(gate.expression == "sqnr<20");
    CHECK(gate.metric == "sqnr_db");
    CHECK(gate.side == Gate::Side::Below);
    CHECK(gate.limit == 20.0);
    CHECK(parseGate("sqnr_db<-1.5").limit == -1.5);
    CHECK(parseGate("clipped_share>1e-3").side == Gate::Side::Above);
    CHECK(parseGate("mse>0").metric == "mse");
}

TEST_CASE("what is not a condition is told with what would be one")
{
    CHECK_THROWS_WITH(parseGate("sqnr"), containsText("METRIC<NUMBER"));
    CHECK_THROWS_WITH(parseGate("sqnr<low"), containsText("\"low\" is not a number"));
    CHECK_THROWS_WITH(parseGate("sqnr<nan"), containsText("is not a number"));
    CHECK_THROWS_WITH(parseGate("sqnr<"), containsText("is not a number"));
    CHECK_THROWS_WITH(parseGate("speed<1"), containsText("available: sqnr_db"));
    CHECK_THROWS_WITH(parseGate("<1"), containsText("no metric \"\""));
}

TEST_CASE("a value offends beyond the limit, not at it")
{
    CHECK(offence(parseGate("sqnr<20"), withMetrics({{"sqnr_db", 19.9}})) == 19.9);
    CHECK_FALSE(offence(parseGate("sqnr<20"), withMetrics({{"sqnr_db", 20.0}})));
    CHECK(offence(parseGate("mse>1"), withMetrics({{"mse", 1.5}})) == 1.5);
    CHECK_FALSE(offence(parseGate("mse>1"), withMetrics({{"mse", 1.0}})));
    const double inf = std::numeric_limits<double>::infinity();
    CHECK_FALSE(offence(parseGate("sqnr<inf"), withMetrics({{"sqnr_db", inf}})));
    CHECK(offence(parseGate("sqnr>100"), withMetrics({{"sqnr_db", inf}})) == inf);
}

TEST_CASE("an outcome without the metric does not offend")
{
    CHECK_FALSE(offence(parseGate("sqnr<20"), Outcome{}));
}

}  // namespace gate_test
