// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_report.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/ui/report/answering_engine.h"
#include "ui/document/manual_range.h"

namespace session_report_test {

using namespace calibscope;
using namespace calibscope::test;

Choice percentile(const char* alpha)
{
    return makeChoice("percentile", {{"alpha", alpha}}, SchemeKind::SymmetricRestricted,
                      Granularity::Tensor);
}

protocol::DumpOpened dump()
{
    return {.tensors = {{.name = "a", .path = "/a", .role = Role::Activation},
                        {.name = "b", .path = "/b", .role = Role::Activation}}};
}

TEST_CASE("a session gives its dumps, its recipe and its calibrators with their parameters")
{
    SessionDocument session;
    session.dumps = {{.identity = {.path = "/d/a.h5"}}};
    session.shared.recipe = "moffett-cnn";
    session.shared.ticks = {{"min-max", true}, {"fixed", false}};
    session.shared.edits = {{"percentile", percentile("99.5")}};
    ReportOptions options;
    addSession(options, session);
    CHECK(options.files == std::vector<std::string>{"/d/a.h5"});
    CHECK(options.recipes == std::vector<std::string>{"moffett-cnn"});
    REQUIRE(options.further.size() == 2);
    CHECK(options.further[0].title == "min-max");
    CHECK(options.further[1].title == "percentile 99.999");
    CHECK(options.further[1].rules[0].choice.settings.text("alpha") == "99.5");
}

TEST_CASE("a session does not allow a report to read other files")
{
    SessionDocument session;
    session.dumps = {{.identity = {.path = "/d/a.h5"}, .allowsExternal = true}};
    ReportOptions options;
    addSession(options, session);
    CHECK_FALSE(options.allowExternal);
    options.allowExternal = true;  // the user's word
    addSession(options, session);
    CHECK(options.allowExternal);
}

TEST_CASE("decisions with their remarks and ranges by hand are recipes for their tensors alone")
{
    SessionDocument session;
    session.dumps.resize(1);
    Workbench& own = session.dumps[0].own;
    own.decisions["/a"] = {
        .label = "percentile 99.5", .choice = percentile("99.5"), .remark = "as agreed"};
    own.manualRange["/b"] = {-2.0, 2.0};
    const std::vector<protocol::DumpOpened> dumps = {dump()};
    const std::vector<Recipe> recipes = decisionRecipes(session, dumps);
    REQUIRE(recipes.size() == 2);
    const Consumers consumers(dumps[0].tensors);
    const auto decided = choose(recipes[0], dumps[0].tensors[0], consumers);
    REQUIRE(decided);
    CHECK(decided->settings.text("alpha") == "99.5");
    CHECK(decided->note == "accepted: percentile 99.5; as agreed");
    CHECK_FALSE(choose(recipes[0], dumps[0].tensors[1], consumers));
    const auto hand = choose(recipes[1], dumps[0].tensors[1], consumers);
    REQUIRE(hand);
    CHECK(hand->isSameComputation(
        manualChoice({-2.0, 2.0}, makeChoice("min-max", {}, SchemeKind::SymmetricRestricted,
                                             Granularity::Tensor))));
    CHECK(decisionRecipes({}, dumps).empty());
}

}  // namespace session_report_test
