#include "ui/document/session_labels.h"

#include "core/recipes/former_candidates.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "ui/document/outcome_rows.h"

namespace session_labels_test {

using namespace calibscope;

Choice percentile(const char* alpha)
{
    return makeChoice("percentile", {{"alpha", alpha}}, SchemeKind::SymmetricRestricted,
                      Granularity::Tensor);
}

/// As a session of version 1 is read before its labels are looked up.
SessionDocument oldSession()
{
    SessionDocument session;
    Workbench& shared = session.shared;
    shared.ticks = {{"percentile 99.999", false}, {"entropy, open", true}, {"mine", false}};
    shared.added = {{.id = {}, .label = "mine", .choice = percentile("99.5")},
                    {.id = {}, .label = "mine (2)", .choice = percentile("99.5")}};
    shared.edits = {{"fixed 1", makeChoice("fixed", {{"threshold", "2"}},
                                           SchemeKind::SymmetricRestricted, Granularity::Tensor)}};
    shared.baseline = "min-max";
    shared.manualScheme = "percentile 99.999";
    session.layout.card = "by hand";
    session.dumps.resize(1);
    session.dumps[0].own.decisions["/a"] = {
        .id = {}, .label = "by hand", .choice = percentile("99"), .remark = "kept"};
    return session;
}

TEST_CASE("labels of the standard candidates become their ids wherever a session holds them")
{
    SessionDocument session = oldSession();
    idsFromLabels(session);
    const Workbench& shared = session.shared;
    const std::string mine = choiceId(percentile("99.5"));
    CHECK_FALSE(shared.ticks.at("percentile"));
    CHECK(shared.ticks.at("entropy-open"));
    CHECK_FALSE(shared.ticks.at(mine));
    CHECK_FALSE(shared.ticks.contains("percentile 99.999"));
    CHECK(shared.edits.contains("fixed"));
    CHECK(shared.baseline == "min-max");
    CHECK(shared.manualScheme == "percentile");
    CHECK(session.layout.card == manualId);
    CHECK(session.dumps[0].own.decisions["/a"].id == manualId);
    CHECK(session.dumps[0].own.decisions["/a"].label == "by hand");
}

TEST_CASE("two added candidates that compute the same keep two ids")
{
    SessionDocument session = oldSession();
    idsFromLabels(session);
    CHECK(session.shared.added[1].id == session.shared.added[0].id + "#2");
}

TEST_CASE("a label without the scheme ticks each candidate that it may have stood for")
{
    std::map<std::string, std::set<std::string>> idsByLabel;
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            idsByLabel[formerLabel(formerly(rule.choice))].insert(choiceId(formerly(rule.choice)));
    for (const auto& [label, ids] : idsByLabel) {
        SessionDocument session;
        session.shared.ticks[label] = true;
        idsFromLabels(session);
        for (const std::string& id : ids) {
            INFO(label << " " << id);
            CHECK(session.shared.ticks.contains(id));
        }
    }
}

TEST_CASE("what no candidate is called stays as it is")
{
    SessionDocument session;
    session.shared.ticks["no such thing"] = true;
    session.shared.baseline = "nor this";
    idsFromLabels(session);
    CHECK(session.shared.ticks.contains("no such thing"));
    CHECK(session.shared.baseline == "nor this");
}

}  // namespace session_labels_test
