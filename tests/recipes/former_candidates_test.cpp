#include "core/recipes/former_candidates.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

namespace former_candidates_test {

using namespace calibscope;

Choice entropyChoice(const GivenSettings& given, Granularity granularity = Granularity::Tensor)
{
    return makeChoice("entropy", given, SchemeKind::SymmetricRestricted, granularity);
}

TEST_CASE("a choice of 0.1.0 spread over filled bins unless it said otherwise")
{
    CHECK(formerly(entropyChoice({})).settings.is("empty-bins", "spread"));
    CHECK(formerly(entropyChoice({{"empty-bins", "smooth"}})).settings.is("empty-bins", "smooth"));
    CHECK(formerLabel(formerly(entropyChoice({{"first-bin", "discarded"}}))) ==
          "entropy, first bin discarded");
    const Choice minMax =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    CHECK(formerly(minMax).isSameComputation(minMax));
}

TEST_CASE("former candidates are those whose id means something else now, or nothing")
{
    std::set<std::string> ids;
    for (const FormerCandidate& former : formerCandidates()) {
        INFO(former.name.id);
        CHECK(ids.insert(former.name.id).second);
        CHECK(former.choice.settings.is("empty-bins", "spread"));
        CHECK((former.isStandard || former.name.id == choiceId(former.choice)));
    }
    CHECK(ids.contains("entropy"));
    CHECK(ids.contains("entropy-open"));
    // moffett-cnn-kl-weights
    CHECK(ids.contains(choiceId(entropyChoice({{"empty-bins", "spread"}}, Granularity::Channel))));
    // What the recipes of NVIDIA give is as it was.
    CHECK_FALSE(ids.contains(
        choiceId(entropyChoice({{"empty-bins", "spread"}, {"first-bin", "discarded"}}))));
}

TEST_CASE("labels of sessions of version 1 lead to the ids of version 2")
{
    const std::vector<std::string> ids = idsOfLabel("entropy per channel");
    CHECK(std::ranges::find(ids, choiceId(entropyChoice({{"empty-bins", "spread"}},
                                                        Granularity::Channel))) != ids.end());
    CHECK(idsOfLabel("entropy") ==
          std::vector<std::string>{"entropy", choiceId(entropyChoice({{"empty-bins", "spread"}}))});
    CHECK_FALSE(idsOfLabel("entropy, first bin discarded").empty());
}

TEST_CASE("labels that sessions of 0.1.0 have are found, whatever is shown today")
{
    const std::vector<std::string> ids = idsOfLabel("mse, bins 512, growth redistribute");
    REQUIRE_FALSE(ids.empty());
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            if (plainLabel(rule.choice) == "mse, bins 512, growth redistribute") {
                CHECK(shortLabel(rule.choice) == "MSE 512 bins");
                CHECK(std::ranges::find(ids, choiceId(rule.choice)) != ids.end());
            }
}

}  // namespace former_candidates_test
