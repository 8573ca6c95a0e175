#include "ui/document/session_defaults.h"

#include "core/recipes/former_candidates.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace session_defaults_test {

using namespace calibscope;

Choice entropy(const GivenSettings& given, Granularity granularity = Granularity::Tensor)
{
    return makeChoice("entropy", given, SchemeKind::SymmetricRestricted, granularity);
}

const Choice perChannel = entropy({{"empty-bins", "spread"}}, Granularity::Channel);

bool adds(const SessionDocument& document, const std::string& id)
{
    return std::ranges::any_of(document.shared.added, [&id](const AddedCandidate& added) {
        return added.id == id && added.choice.isSameComputation(perChannel);
    });
}

TEST_CASE("the standard entropy candidates of an old session spread over filled bins")
{
    SessionDocument document;
    keepFormerDefaults(document);
    CHECK(
        document.shared.edits.at("entropy").isSameComputation(entropy({{"empty-bins", "spread"}})));
    CHECK(document.shared.edits.at("entropy-open")
              .isSameComputation(entropy({{"empty-bins", "spread"}, {"outliers-in-q", "no"}})));
    CHECK(document.shared.edits.size() == 2);
    CHECK(document.shared.added.empty());
}

TEST_CASE("an edit of an old session states its settings and stays")
{
    SessionDocument document;
    const Choice edit = entropy({{"bins", "512"}});
    document.shared.edits = {{"entropy", edit}};
    keepFormerDefaults(document);
    CHECK(document.shared.edits.at("entropy").isSameComputation(edit));
}

TEST_CASE("a candidate that no recipe gives any more is added where an old session names it")
{
    const std::string id = choiceId(perChannel);
    SessionDocument ticked;
    ticked.shared.ticks = {{id, true}};
    SessionDocument baseline;
    baseline.shared.baseline = id;
    SessionDocument decided;
    decided.dumps.resize(1);
    decided.dumps[0].own.decisions["/a"] = {
        .id = id, .label = "entropy per channel", .choice = perChannel, .remark = {}};
    for (SessionDocument* document : {&ticked, &baseline, &decided}) {
        keepFormerDefaults(*document);
        CHECK(adds(*document, id));
        const SessionDocument once = *document;
        keepFormerDefaults(*document);
        CHECK(*document == once);
    }
    SessionDocument silent;
    keepFormerDefaults(silent);
    CHECK_FALSE(adds(silent, id));
}

TEST_CASE("a session of version 2 computes what it computed, one of version 3 what is so now")
{
    const auto read = [](const char* version) {
        return sessionFromJson(std::string(R"({"format": "calibscope session", "version": )") +
                                   version + "}",
                               "/here/a.calsession");
    };
    CHECK(read("1").shared.edits.contains("entropy"));
    CHECK(read("2").shared.edits.contains("entropy"));
    CHECK(read("3").shared.edits.empty());
}

}  // namespace session_defaults_test
