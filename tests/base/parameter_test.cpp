// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parameter.h"

#include "tests/support/catch.h"

#include <stdexcept>

namespace parameter_test {

using calibscope::choiceParameter;
using calibscope::Parameter;

TEST_CASE("a choice among words falls back on the first of them")
{
    const Parameter parameter = choiceParameter("side", "Side", "Which one.", {"left", "right"});
    CHECK(parameter.kind == Parameter::Kind::Choice);
    CHECK(parameter.id == "side");
    CHECK(parameter.label == "Side");
    CHECK(parameter.help == "Which one.");
    CHECK(parameter.fallback == "left");
    CHECK(parameter.words == std::vector<std::string>{"left", "right"});
}

TEST_CASE("a choice among no words is refused")
{
    CHECK_THROWS_AS(choiceParameter("side", "Side", "Which one.", {}), std::out_of_range);
}

}  // namespace parameter_test
