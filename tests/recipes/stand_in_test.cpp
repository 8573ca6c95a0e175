// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/stand_in.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

namespace stand_in_test {

using namespace calibscope;
using namespace calibscope::test;

TensorInfo tensor(Role role)
{
    return {.name = "t",
            .role = role,
            .elementType = ElementKind::Float32,
            .shape = {4, 2},
            .channelAxis = 0};
}

TEST_CASE("a preset stands in for a recipe: weights per channel, all else per tensor")
{
    const Recipe recipe = presetAsRecipe("nvidia-fractional:fraction=0.5");
    CHECK(recipe.id == "preset:nvidia-fractional:fraction=0.5");
    const Consumers consumers({});
    const auto weight = choose(recipe, tensor(Role::Weight), consumers);
    const auto activation = choose(recipe, tensor(Role::Activation), consumers);
    REQUIRE(weight);
    REQUIRE(activation);
    CHECK(activation->preset == "nvidia-fractional");
    CHECK(activation->granularity == Granularity::Tensor);
    CHECK(weight->granularity == Granularity::Channel);
    CHECK(activation->settings.text("fraction") == "0.5");
}

TEST_CASE("a calibrator that stands in for a recipe is called by what differs from its defaults")
{
    const Recipe recipe = calibratorAsRecipe("percentile:alpha=99.5");
    CHECK(recipe.title == "percentile 99.5");
    const auto choice = choose(recipe, tensor(Role::Unknown), Consumers({}));
    REQUIRE(choice);
    CHECK(choice->recipe == "calibrator:percentile:alpha=99.5");
    CHECK(withoutStandIn(*choice).recipe.empty());
    CHECK(withoutStandIn({.recipe = "moffett-cnn"}).recipe == "moffett-cnn");
}

TEST_CASE("a preset or calibrator that there is none of, and a setting it has not, are refused")
{
    CHECK_THROWS_AS(presetAsRecipe("magic"), Error);
    CHECK_THROWS_AS(calibratorAsRecipe("magic"), Error);
    CHECK_THROWS_AS(calibratorAsRecipe("percentile:bins"), Error);
}

}  // namespace stand_in_test
