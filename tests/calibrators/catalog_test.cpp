// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace catalog_test {

using namespace calibscope;
using calibscope::test::containsText;

template <typename Descriptor>
std::vector<std::string> ids(const std::vector<Descriptor>& list)
{
    std::vector<std::string> ids;
    for (const Descriptor& descriptor : list)
        ids.emplace_back(descriptor.id);
    return ids;
}

std::string joined(const std::vector<std::string>& ids)
{
    std::string text;
    for (const std::string& id : ids)
        text += (text.empty() ? "" : ", ") + id;
    return text;
}

/// Whether these ids are in the list, one after the other with any others between them.
bool areInOrder(const std::vector<std::string>& list, const std::vector<std::string>& some)
{
    auto place = list.begin();
    for (const std::string& id : some) {
        place = std::find(place, list.end(), id);
        if (place == list.end())
            return false;
    }
    return true;
}

TEST_CASE("calibrators are listed in their order and found by id")
{
    CHECK(
        areInOrder(ids(calibrators()), {"min-max", "fixed", "percentile", "l2", "entropy", "mse"}));
    CHECK(ids(calibrators()).front() == "min-max");
    CHECK(calibrator("entropy").hasCurve);
    CHECK_THROWS_WITH(calibrator("l3"),
                      "there is no calibrator l3; available: " + joined(ids(calibrators())));
}

TEST_CASE("metrics are listed in their order, not in that of their files")
{
    CHECK(ids(metrics()) == std::vector<std::string>{
                                "sqnr_db", "mse", "mse_rounding", "mse_clipping", "clipped_share",
                                "max_error", "cosine", "kl", "levels_used", "squared_error"});
}

TEST_CASE("growth rules are found by id, an unknown id lists those that exist")
{
    CHECK(areInOrder(ids(growthRules()), {"double", "redistribute", "fixed", "as-needed"}));
    CHECK(growthRule("redistribute").id == "redistribute");
    CHECK_THROWS_WITH(growthRule("triple"),
                      "there is no growth rule triple; available: " + joined(ids(growthRules())));
}

TEST_CASE("a rule that grows from 0 counts no signed values")
{
    CHECK_THROWS_WITH(emptyHistogram({.growth = "double", .bins = 4, .domain = Domain::Signed}),
                      containsText("growth double counts magnitudes only"));
    CHECK(emptyHistogram({.growth = "redistribute", .bins = 4, .domain = Domain::Signed})
              .counts.size() == 4);
}

}  // namespace catalog_test
