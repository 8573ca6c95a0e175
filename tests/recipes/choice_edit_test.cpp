// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_edit.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "tests/support/catch.h"

#include <stdexcept>

namespace choice_edit_test {

using namespace calibscope;

Choice entropy()
{
    return makeChoice(preset("nvidia-entropy"), {}, SchemeKind::SymmetricRestricted,
                      Granularity::Tensor);
}

TEST_CASE("every setting of a choice can be read by its id")
{
    const Choice choice = entropy();
    CHECK(settingOf(choice, "first-bin") == "discarded");
    CHECK(settingOf(choice, "bits") == "8");
    CHECK(settingOf(choice, "scheme") == "symmetric-restricted");
    CHECK(settingOf(choice, "granularity") == "tensor");
    CHECK_THROWS_AS(settingOf(choice, "no-such"), std::invalid_argument);
}

TEST_CASE("a changed setting makes a choice of no preset with all others as they were")
{
    const Choice changed = withSetting(entropy(), "levels", "64");
    CHECK(settingOf(changed, "levels") == "64");
    CHECK(settingOf(changed, "first-bin") == "discarded");
    CHECK(changed.preset.empty());
    CHECK_FALSE(changed.isSameComputation(entropy()));
}

TEST_CASE("scheme, its parameters and granularity can be changed")
{
    CHECK(withSetting(entropy(), "scheme", "affine").scheme.kind == SchemeKind::Affine);
    CHECK(withSetting(entropy(), "granularity", "channel").granularity == Granularity::Channel);
    CHECK(withSetting(entropy(), "bits", "4").scheme.bits == 4);
}

TEST_CASE("an equal value changes nothing, however it is written")
{
    CHECK(withSetting(entropy(), "bits", "8.0").preset == "nvidia-entropy");
    CHECK(withSetting(entropy(), "scheme", "symmetric-restricted").preset == "nvidia-entropy");
}

TEST_CASE("a changed choice has a range of its own")
{
    Choice taken = entropy();
    taken.rangeFrom.push_back({.tensor = "b", .path = "/b"});
    CHECK(withSetting(taken, "bits", "8").rangeFrom.size() == 1);
    CHECK(withSetting(taken, "bits", "7").rangeFrom.empty());
}

TEST_CASE("values that are not accepted are refused")
{
    CHECK_THROWS_AS(withSetting(entropy(), "bits", "1"), Error);
    CHECK_THROWS_AS(withSetting(entropy(), "first-bin", "kept"), Error);
    CHECK_THROWS_AS(withSetting(entropy(), "scheme", "cubic"), Error);
    CHECK_THROWS_AS(withSetting(entropy(), "no-such", "1"), Error);
    const Choice l2 = makeChoice("l2", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    CHECK_THROWS_AS(withSetting(l2, "scheme", "affine"), Error);
}

TEST_CASE("the words of scheme and granularity are those that are read")
{
    for (const std::string& word : schemeKindParameter().words)
        CHECK(schemeText(parseSchemeKind(word)) == word);
    for (const std::string& word : granularityParameter().words)
        CHECK(parseGranularity(word).text() == word);
}

}  // namespace choice_edit_test
