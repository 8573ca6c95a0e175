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

TensorInfo weightOf(std::vector<std::uint64_t> shape)
{
    return {.name = "w", .role = Role::Weight, .shape = std::move(shape), .channelAxis = 0};
}

TEST_CASE("a format of integers is min-max at its bits and granularity")
{
    const TensorInfo weight = weightOf({8, 64});
    const Choice grouped = formatChoice(parseBlockFormat("int4-g32"), weight);
    CHECK(grouped.calibrator == "min-max");
    CHECK(grouped.scheme.bits == 4);
    CHECK(grouped.granularity == Granularity{.kind = Granularity::Kind::Group, .columns = 32});
    CHECK(formatChoice(parseBlockFormat("int8-row"), weight)
              .isSameComputation(makeChoice("min-max", {}, SchemeKind::SymmetricRestricted,
                                            Granularity::Channel)));
    const Choice half = formatChoice(parseBlockFormat("int4-g32:divisor=qmax+0.5"), weight);
    CHECK(half.scheme.divisorValue() == 7.5);
    CHECK(half.scheme.lowLevel() == -8);
    const Choice affine = formatChoice(parseBlockFormat("uint4-g32"), weight);
    CHECK(affine.scheme.kind == SchemeKind::Affine);
    CHECK(affine.scheme.lowLevel() == 0);
}

TEST_CASE("a format that no choice says is refused with the reason")
{
    const TensorInfo weight = weightOf({8, 64});
    const TensorInfo activation{.name = "a", .role = Role::Activation, .shape = {8, 64}};
    const auto refuses = [](const char* format, const TensorInfo& tensor, const char* reason) {
        INFO(format);
        CHECK_THROWS_WITH(formatChoice(parseBlockFormat(format), tensor),
                          test::containsText(reason));
    };
    refuses("nvfp4", weight, "elements fp4-e2m1");
    refuses("mxint8", weight, "elements mxint8");
    refuses("int4-g32:search=shrink", weight, "no calibrator finds");
    refuses("int4-g32:divisor=signed", weight, "no calibrator finds");
    refuses("int4-g32:scales=float16", weight, "no calibrator finds");
    refuses("uint4-g32:search=hqq", weight, "no calibrator finds");
    refuses("q8_0", weight, "no calibrator finds");
    refuses("int4-b32x32", weight, "tiles");
    refuses("int4-g48", weight, "no whole groups");
    refuses("int4-g32", activation, "groups, which are of weights");
    refuses("int8-row", activation, "each token");
    refuses("int8-channel", activation, "channel axis");
    CHECK(formatChoice(parseBlockFormat("int8"), activation).granularity == Granularity::Tensor);
}

}  // namespace make_choice_test
