// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/settings.h"

#include "tests/support/catch.h"

#include <stdexcept>

namespace settings_test {

using namespace calibscope;
using calibscope::test::containsText;

const std::vector<Parameter> parameters = {{.id = "alpha",
                                            .label = "Alpha",
                                            .help = "",
                                            .fallback = "99.999",
                                            .least = 0,
                                            .greatest = 100},
                                           {.id = "bins",
                                            .label = "Bins",
                                            .help = "",
                                            .kind = Parameter::Kind::Integer,
                                            .fallback = "1024",
                                            .least = 2,
                                            .greatest = 65536},
                                           {.id = "tie",
                                            .label = "Tie",
                                            .help = "",
                                            .kind = Parameter::Kind::Choice,
                                            .fallback = "first",
                                            .words = {"first", "last"}},
                                           {.id = "start",
                                            .label = "Start",
                                            .help = "",
                                            .kind = Parameter::Kind::NumberOrWord,
                                            .fallback = "max",
                                            .least = 0,
                                            .greatest = 10,
                                            .words = {"max"}}};

Settings with(const GivenSettings& given)
{
    return {parameters, given, "percentile"};
}

TEST_CASE("settings hold the given values and defaults for all others, in the parameters' order")
{
    const Settings settings = with({{"tie", "last"}, {"alpha", "99.90"}});
    CHECK(settings.number("alpha") == 99.9);
    CHECK(settings.integer("bins") == 1024);
    CHECK(settings.is("tie", "last"));
    CHECK(settings.toText() == "alpha=99.9;bins=1024;tie=last;start=max");
    CHECK(with({{"start", "+2.50"}}).number("start") == 2.5);
}

TEST_CASE("equal values written differently are equal settings")
{
    CHECK(with({{"alpha", "50"}}) == with({{"alpha", "50.000"}}));
    CHECK(with({{"alpha", "-0"}}) == with({{"alpha", "0"}}));
}

TEST_CASE("a value that is not accepted is refused with what is")
{
    CHECK_THROWS_WITH(with({{"alpha", "101"}}), containsText("alpha=101 is not accepted") &&
                                                    containsText("a number from 0 to 100"));
    CHECK_THROWS_WITH(with({{"bins", "10.5"}}), containsText("a whole number from 2 to 65536"));
    CHECK_THROWS_WITH(with({{"tie", "middle"}}), containsText("first, last"));
    CHECK_THROWS_WITH(with({{"alpha", "nan"}}), containsText("alpha=nan"));
    CHECK_THROWS_WITH(with({{"beta", "1"}}), containsText("there is no parameter beta") &&
                                                 containsText("alpha, bins, tie, start"));
}

TEST_CASE("asking for an undeclared parameter, or for a word as a number, is a broken promise")
{
    CHECK_THROWS_AS(with({}).text("beta"), std::invalid_argument);
    CHECK_THROWS_AS(with({}).number("tie"), std::invalid_argument);
}

TEST_CASE("settings on a command line are parameter=value parts")
{
    CHECK(parseGivenSettings("a=1,b=word", "x") == GivenSettings{{"a", "1"}, {"b", "word"}});
    CHECK(parseGivenSettings("a=1,2;b=", "x", ';') == GivenSettings{{"a", "1,2"}, {"b", ""}});
    CHECK(parseGivenSettings("", "x").empty());
    CHECK_THROWS_WITH(parseGivenSettings("a", "x"), containsText("\"a\" is not parameter=value"));
    CHECK_THROWS_WITH(parseGivenSettings("=1", "x"), containsText("is not parameter=value"));
}

TEST_CASE("a number or word that counts something refuses fractions")
{
    const std::vector<Parameter> levels{{.id = "levels",
                                         .kind = Parameter::Kind::NumberOrWord,
                                         .fallback = "qmax",
                                         .least = 2,
                                         .greatest = 100,
                                         .words = {"qmax"},
                                         .isWhole = true}};
    CHECK(Settings(levels, {{"levels", "7"}}, "entropy").integer("levels") == 7);
    CHECK(Settings(levels, {}, "entropy").is("levels", "qmax"));
    CHECK_THROWS_WITH(Settings(levels, {{"levels", "7.5"}}, "entropy"),
                      "entropy: levels=7.5 is not accepted; give a whole number from 2 to 100, "
                      "qmax");
}

TEST_CASE("a parameter that takes numbers for each channel takes a list of them")
{
    const std::vector<Parameter> threshold{{.id = "threshold",
                                            .kind = Parameter::Kind::NumberOrWord,
                                            .fallback = "auto",
                                            .least = 0,
                                            .greatest = 10,
                                            .words = {"auto"},
                                            .isPerChannel = true},
                                           {.id = "alpha", .fallback = "1", .greatest = 10}};
    const auto settings = [&](const std::string& text) {
        return Settings(threshold, {{"threshold", text}}, "fixed");
    };
    CHECK(settings("1.0  2 0").text("threshold") == "1 2 0");
    CHECK(settings("1.50").number("threshold") == 1.5);  // one number is not a list
    CHECK(settings("auto").is("threshold", "auto"));
    CHECK_THROWS_WITH(settings("1 auto"), "fixed: threshold=1 auto is not accepted; a list has "
                                          "numbers alone");
    CHECK_THROWS_WITH(settings("1 11"), containsText("threshold=11 is not accepted"));
    CHECK_THROWS_WITH(Settings(threshold, {{"alpha", "1 2"}}, "fixed"),
                      containsText("alpha=1 2 is not accepted"));
    CHECK_THROWS_WITH(settings("1 2").number("threshold"),
                      containsText("has 2 numbers, one for each channel"));
    CHECK(listedNumbers("1 2 0") == std::vector<std::string>{"1", "2", "0"});
    CHECK(listedNumbers("").empty());
    CHECK(shortValue("0.5 2 0.25") == "3 numbers from 0.25 to 2");
    CHECK(shortValue("auto") == "auto");
    const Settings changed = settings("1 2").with("threshold", "2");
    CHECK(changed.number("threshold") == 2.0);
    CHECK(changed.number("alpha") == 1.0);
    CHECK_THROWS_AS(changed.with("beta", "1"), std::invalid_argument);
    // What is not accepted is shown from its beginning.
    std::string list = "-1";
    for (int number = 0; number < 1000; ++number)
        list += " 1";
    CHECK_THROWS_WITH(Settings(threshold, {{"alpha", list}}, "fixed"), containsText("..."));
}

}  // namespace settings_test
