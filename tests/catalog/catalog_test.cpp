#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace calibscope;
using calibscope::test::containsText;

namespace {

template <typename Descriptor>
std::vector<std::string> ids(const std::vector<Descriptor>& list)
{
    std::vector<std::string> ids;
    for (const Descriptor& descriptor : list)
        ids.emplace_back(descriptor.id);
    return ids;
}

}  // namespace

TEST_CASE("calibrators are listed in their order and found by id")
{
    std::vector<std::string> first = ids(calibrators());
    first.resize(5);
    CHECK(first == std::vector<std::string>{"min-max", "fixed", "percentile", "l2", "entropy"});
    CHECK(std::ranges::is_sorted(calibrators(), {}, &Calibrator::order));
    CHECK(calibrator("entropy").hasCurve);
    CHECK_THROWS_WITH(
        calibrator("l3"),
        containsText("there is no calibrator l3; there are min-max, fixed, percentile, l2"));
}

TEST_CASE("metrics are listed in their order, not in that of their files")
{
    CHECK(ids(metrics()) == std::vector<std::string>{"sqnr_db", "mse", "mse_rounding",
                                                     "mse_clipping", "clipped_share", "max_error",
                                                     "cosine", "kl", "levels_used"});
}

TEST_CASE("growth rules are found by id, an unknown id lists those that exist")
{
    CHECK(ids(growthRules()) == std::vector<std::string>{"double", "redistribute", "fixed"});
    CHECK(growthRule("redistribute").id == "redistribute");
    CHECK_THROWS_WITH(growthRule("triple"),
                      "there is no growth rule triple; there are double, redistribute, fixed");
}

TEST_CASE("a rule that grows from 0 counts no signed values")
{
    CHECK_THROWS_WITH(emptyHistogram({.growth = "double", .bins = 4, .domain = Domain::Signed}),
                      containsText("growth double counts magnitudes only"));
    CHECK(emptyHistogram({.growth = "redistribute", .bins = 4, .domain = Domain::Signed})
              .counts.size() == 4);
}
