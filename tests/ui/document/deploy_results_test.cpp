// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/deploy_results.h"

#include "tests/support/catch.h"

namespace deploy_results_test {

using namespace calibscope;

StoredResults::Decisions decisionsOn(const std::string& path)
{
    StoredResults::Decisions decisions;
    decisions[path] = Decision();
    return decisions;
}

TEST_CASE("results are there once more for the same decisions, then no longer")
{
    StoredResults stored;
    stored.of(decisionsOn("/a"), {}).results.isWritten = true;
    CHECK_FALSE(stored.take(decisionsOn("/b")));
    const auto found = stored.take(decisionsOn("/a"));
    REQUIRE(found);
    CHECK(found->results.isWritten);
    CHECK_FALSE(stored.take(decisionsOn("/a")));
}

TEST_CASE("of the same decisions with other ticks nothing is left")
{
    StoredResults stored;
    stored.of(decisionsOn("/a"), {}).results.isWritten = true;
    CHECK(stored.of(decisionsOn("/a"), {"y:bias"}).results.isEmpty());
    REQUIRE(stored.take(decisionsOn("/a")));
    CHECK_FALSE(stored.take(decisionsOn("/a")));
}

TEST_CASE("the ninth state takes the place of the first")
{
    StoredResults stored;
    for (int state = 0; state < 9; ++state)
        (void)stored.of(decisionsOn("/" + std::to_string(state)), {});
    CHECK_FALSE(stored.take(decisionsOn("/0")));
    CHECK(stored.take(decisionsOn("/1")));
    CHECK(stored.take(decisionsOn("/8")));
}

TEST_CASE("a table of the end or a file that is another one takes its own results alone")
{
    StoredResults stored;
    DeployResults& results = stored.of(decisionsOn("/a"), {}).results;
    results.isWritten = true;
    results.plan.emplace();
    results.budget.resize(2);
    stored.forgetEnd();
    CHECK(results.budget.empty());
    CHECK(results.isWritten);
    stored.forgetWritten();
    CHECK_FALSE(results.isWritten);
    CHECK(results.plan);
    CHECK_FALSE(results.isEmpty());
}

}  // namespace deploy_results_test
