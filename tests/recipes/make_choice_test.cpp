// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/make_choice.h"

#include "core/recipes/preset.h"
#include "core/recipes/recipe.h"

#include "tests/support/catch.h"

namespace make_choice_test {

using namespace calibscope;

using Notes = std::vector<std::string>;

Notes idle(const char* id, const GivenSettings& given, SchemeKind scheme)
{
    return idleSettings(makeChoice(id, given, scheme, Granularity::Tensor));
}

TEST_CASE("a setting that its scheme does not use is told, a default is not")
{
    CHECK(idle("fixed", {{"low", "-1"}}, SchemeKind::SymmetricFull) ==
          Notes{"low=-1 has no effect under a symmetric scheme"});
    CHECK(idle("fixed", {{"low", "-1"}}, SchemeKind::Affine).empty());
    CHECK(idle("percentile", {{"tails", "full"}}, SchemeKind::SymmetricRestricted).size() == 1);
    CHECK(idle("percentile", {{"tails", "half"}}, SchemeKind::SymmetricRestricted).empty());
    CHECK(idle("min-max", {{"divisor", "2^b-1"}, {"unsigned", "when-positive"}},
               SchemeKind::AffineReal) ==
          Notes{"divisor=2^b-1 has no effect under an affine scheme",
                "unsigned=when-positive has no effect under an affine scheme"});
    CHECK(idle("min-max", {{"zero-point", "from-nearer-end"}}, SchemeKind::SymmetricFull).size() ==
          1);
}

TEST_CASE("no published preset or recipe holds a setting that has no effect")
{
    for (const Preset& preset : presets()) {
        INFO(preset.id);
        const Choice choice =
            makeChoice(preset, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
        CHECK(idleSettings(choice) == Notes{});
    }
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules) {
            INFO(recipe.id);
            CHECK(idleSettings(rule.choice) == Notes{});
        }
}

TEST_CASE("one channel that is looked at on its own has its own number of a list")
{
    Choice choice = makeChoice("fixed", {{"threshold", "1 2 4"}}, SchemeKind::SymmetricFull,
                               Granularity::Channel);
    const Choice one = forOneChannel(choice, 2, 3);
    CHECK(one.granularity == Granularity::Tensor);
    CHECK(one.settings.number("threshold") == 4.0);
    CHECK_THROWS_WITH(forOneChannel(choice, 0, 4), test::containsText("but the tensor has 4"));
    choice.granularity = Granularity::Tensor;
    CHECK(forOneChannel(choice, 0, 4).isSameComputation(choice));
}

}  // namespace make_choice_test
