// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_json.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/same_outcomes.h"

namespace choice_json_test {

using namespace calibscope;
using namespace calibscope::test;
using Json = nlohmann::json;

Choice read(const Json& json)
{
    return choiceFrom(JsonObject(json, "a.json"));
}

TEST_CASE("what every published recipe chooses comes back as it was")
{
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules) {
            INFO(recipe.id);
            checkSame(read(choiceJson(rule.choice)), rule.choice);
        }
}

TEST_CASE("where a choice comes from, and where it takes its range from, come back")
{
    Choice choice = makeChoice("percentile", {{"alpha", "99.9"}, {"bits", "4"}},
                               SchemeKind::AffineReal, Granularity::Channel);
    choice.recipe = "vendor";
    choice.preset = "own";
    choice.note = "a note";
    choice.rangeFrom = {{.tensor = "b",
                         .path = "/b",
                         .calibrator = choice.calibrator,
                         .settings = choice.settings,
                         .scheme = choice.scheme}};
    const Json json = choiceJson(choice);
    CHECK(json["settings"]["alpha"] == "99.9");
    CHECK(json["scheme"] == "affine-real");
    CHECK(json["granularity"] == "channel");
    CHECK(json["range_from"][0]["path"] == "/b");
    checkSame(read(json), choice);
}

TEST_CASE("what is absent is the default, what is empty is not written")
{
    const Choice choice = read({{"calibrator", "min-max"}});
    checkSame(choice,
              makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor));
    const Json json = choiceJson(choice);
    for (const char* key : {"recipe", "preset", "note", "range_from"})
        CHECK_FALSE(json.contains(key));
    checkSame(read({{"calibrator", "min-max"}, {"settings", {{"bits", 4}}}}),
              read({{"calibrator", "min-max"}, {"settings", {{"bits", "4"}}}}));
}

TEST_CASE("what there is not is refused with its place")
{
    const auto refuses = [](const Json& json, const std::string& sentence) {
        CHECK_THROWS_WITH(read(json), containsText("a.json: " + sentence));
    };
    refuses(Json::object(), "lacks the member \"calibrator\"");
    refuses({{"calibrator", "dice"}}, "there is no calibrator dice");
    refuses({{"calibrator", "min-max"}, {"scheme", "cubic"}}, "there is no scheme cubic");
    refuses({{"calibrator", "min-max"}, {"settings", {{"bits", 99}}}},
            "min-max: bits=99 is not accepted");
    refuses({{"calibrator", "min-max"}, {"settings", {{"bits", Json::array()}}}},
            "has a setting \"bits\" that is neither a number nor a text");
    refuses({{"calibrator", "min-max"}, {"range_from", {{{"tensor", "b"}}}}},
            "range_from[0]: lacks the member \"calibrator\"");
}

}  // namespace choice_json_test
