#include "ui/document/session_labels.h"

#include "core/recipes/former_candidates.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "ui/document/outcome_rows.h"

using namespace calibscope;

namespace {

Choice percentile(const char* alpha)
{
    return makeChoice("percentile", {{"alpha", alpha}}, SchemeKind::SymmetricRestricted,
                      Granularity::Tensor);
}

/// As a session of version 1 is read before its labels are looked up.
SessionDocument oldSession()
{
    SessionDocument document;
    Workbench& shared = document.shared;
    shared.ticks = {{"percentile 99.999", false}, {"entropy, open", true}, {"mine", false}};
    shared.added = {{.id = {}, .label = "mine", .choice = percentile("99.5")},
                    {.id = {}, .label = "mine (2)", .choice = percentile("99.5")}};
    shared.edits = {{"fixed 1", makeChoice("fixed", {{"threshold", "2"}},
                                           SchemeKind::SymmetricRestricted, Granularity::Tensor)}};
    shared.baseline = "min-max";
    shared.manualScheme = "percentile 99.999";
    document.layout.card = "by hand";
    document.dumps.resize(1);
    document.dumps[0].own.decisions["/a"] = {
        .id = {}, .label = "by hand", .choice = percentile("99"), .remark = "kept"};
    return document;
}

}  // namespace

TEST_CASE("labels of the standard candidates become their ids wherever a session holds them")
{
    SessionDocument document = oldSession();
    idsFromLabels(document);
    const Workbench& shared = document.shared;
    const std::string mine = choiceId(percentile("99.5"));
    CHECK_FALSE(shared.ticks.at("percentile"));
    CHECK(shared.ticks.at("entropy-open"));
    CHECK_FALSE(shared.ticks.at(mine));
    CHECK_FALSE(shared.ticks.contains("percentile 99.999"));
    CHECK(shared.edits.contains("fixed"));
    CHECK(shared.baseline == "min-max");
    CHECK(shared.manualScheme == "percentile");
    CHECK(document.layout.card == manualId);
    CHECK(document.dumps[0].own.decisions["/a"].id == manualId);
    CHECK(document.dumps[0].own.decisions["/a"].label == "by hand");
}

TEST_CASE("two added candidates that compute the same keep two ids")
{
    SessionDocument document = oldSession();
    idsFromLabels(document);
    CHECK(document.shared.added[1].id == document.shared.added[0].id + "#2");
}

TEST_CASE("a label without the scheme ticks each candidate that it may have stood for")
{
    std::map<std::string, std::set<std::string>> idsByLabel;
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            idsByLabel[formerLabel(formerly(rule.choice))].insert(choiceId(formerly(rule.choice)));
    for (const auto& [label, ids] : idsByLabel) {
        SessionDocument document;
        document.shared.ticks[label] = true;
        idsFromLabels(document);
        for (const std::string& id : ids) {
            INFO(label << " " << id);
            CHECK(document.shared.ticks.contains(id));
        }
    }
}

TEST_CASE("what no candidate is called stays as it is")
{
    SessionDocument document;
    document.shared.ticks["no such thing"] = true;
    document.shared.baseline = "nor this";
    idsFromLabels(document);
    CHECK(document.shared.ticks.contains("no such thing"));
    CHECK(document.shared.baseline == "nor this");
}
