// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/preset.h"

#include "tests/support/catch.h"

namespace preset_test {

using namespace calibscope;
using calibscope::test::containsText;

TEST_CASE("every embedded preset makes a valid choice")
{
    for (const Preset& p : presets()) {
        const Choice choice =
            makeChoice(p, {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
        CHECK(choice.preset == p.id);
        CHECK(choice.calibrator == p.calibrator);
        CHECK_FALSE(p.source.empty());
    }
}

TEST_CASE("further values replace a preset's own")
{
    const Choice choice =
        makeChoice(preset("rebellions-percentile"), {{"alpha", "99.9"}, {"bits", "4"}},
                   SchemeKind::SymmetricRestricted, Granularity::Tensor);
    CHECK(choice.settings.number("alpha") == 99.9);
    CHECK(choice.scheme.bits == 4);
    CHECK(choice.scheme.kind == SchemeKind::SymmetricFull);
}

TEST_CASE("a preset file with a mistake is refused")
{
    CHECK_THROWS_WITH(presetFromJson(R"({"id": "a", "title": "A"})", "p.json"),
                      containsText("p.json: lacks the member \"calibrator\""));
    CHECK_THROWS_WITH(preset("none"), containsText("there is no preset none"));
}

}  // namespace preset_test
