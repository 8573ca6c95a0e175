// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_report.h"

#include "core/recipes/make_choice.h"
#include "core/report/tables/table.h"
#include "tests/support/catch.h"
#include "tests/ui/report/answering_engine.h"
#include "ui/document/manual_range.h"
#include "ui/document/measured_gains.h"

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

SessionDocument improvedSession()
{
    Workbench own;
    own.decisions["/a"] = {.label = "percentile 99.5", .choice = percentile("99.5")};
    own.leftOut = {"y:bias"};
    const ImprovementReport measured{
        .layers = {{.decided = {.layer = "x"}, .rows = {{.remedy = "decided"}, {.remedy = "all"}}},
                   {.decided = {.layer = "y"},
                    .rows = {{.remedy = "decided"},
                             {.remedy = "channels", .gainDb = 9.0, .isChosen = true},
                             {.remedy = "bias", .gainDb = 0.5},
                             {.remedy = "all", .gainDb = 9.0, .isChosen = true}}}}};
    own.gains = {
        .layers = remediesToTick(measured, own),
        .layersOf = layerGainsDigest(own),
        .rungs = {{.step = "decided",
                   .figures = LadderFigures{.pooledDb = 26.5, .medianDb = 27.5, .leastDb = 22.5}}},
        .rungsOf = rungGainsDigest(own)};
    return {.dumps = {{.identity = {.path = "/d/a.h5"}, .own = own}}};
}

TEST_CASE("gains of a session that was saved and read again are in its report")
{
    const SessionDocument back =
        sessionFromJson(sessionJson(improvedSession(), "/d"), "/d/s.calsession");
    ReportOptions options;
    addSession(options, back);
    REQUIRE(options.improvements.size() == 1);
    REQUIRE(options.improvements[0].layers.size() == 1);  // x has nothing to tick
    const LayerImprovement& layer = options.improvements[0].layers[0];
    CHECK(layer.decided.layer == "y");
    REQUIRE(layer.rows.size() == 3);
    CHECK(layer.rows[1].isChosen);
    CHECK(layer.rows[1].gainDb == 9.0);
    CHECK(layer.rows[1].notes.empty());
    CHECK_FALSE(layer.rows[2].isChosen);  // its tick was taken away
    REQUIRE(options.ladders.size() == 1);
    CHECK(options.ladders[0][0].figures->leastDb == 22.5);
    CHECK(options.ladders[0][0].note.empty());
}

TEST_CASE("gains of other decisions, ticks or values of inputs say that they are earlier")
{
    const std::string earlier = "measured before the last change of decisions or ticks";
    const auto notesAfter = [](const std::function<void(Workbench&)>& change) {
        SessionDocument session = improvedSession();
        change(session.dumps[0].own);
        ReportOptions options;
        addGains(options, session);
        REQUIRE(options.improvements.size() == 1);
        return std::pair(joinedNotes(options.improvements[0].layers[0].rows[1].notes),
                         options.ladders[0][0].note);
    };
    CHECK(notesAfter([](Workbench& own) { own.leftOut.clear(); }) == std::pair(earlier, earlier));
    CHECK(notesAfter([](Workbench& own) { own.decisions["/a"].choice = percentile("99"); }) ==
          std::pair(earlier, earlier));
    CHECK(notesAfter([](Workbench& own) { own.run.feeds["sr"] = 8000; }) ==
          std::pair(std::string(), earlier));
    CHECK(notesAfter([](Workbench& own) { own.decisions["/a"].remark = "as agreed"; }) ==
          std::pair(std::string(), std::string()));
}

TEST_CASE("remedies without ticks are in no report")
{
    SessionDocument session = improvedSession();
    session.dumps[0].own.leftOut.insert("y:channels");
    ReportOptions options;
    addGains(options, session);
    CHECK(options.improvements.empty());
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
