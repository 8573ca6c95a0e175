// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/steps.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "tests/support/catch.h"

namespace steps_test {

using namespace calibscope;
using calibscope::test::containsText;

Choice of(const char* calibrator, const GivenSettings& given,
          SchemeKind scheme = SchemeKind::SymmetricRestricted)
{
    return makeChoice(calibrator, given, scheme, Granularity::Tensor);
}

std::vector<std::string> namesOf(const std::vector<ChoiceStep>& steps)
{
    std::vector<std::string> names;
    for (const ChoiceStep& step : steps)
        names.push_back(step.name);
    return names;
}

/// How many settings, and calibrator, scheme and granularity, differ.
std::size_t differences(const Choice& one, const Choice& other)
{
    std::size_t count = 0;
    for (std::size_t at = 0; at < one.settings.entries().size(); ++at)
        count += one.settings.entries()[at] == other.settings.entries()[at] ? 0U : 1U;
    return count + (one.scheme.kind == other.scheme.kind ? 0U : 1U) +
           (one.granularity == other.granularity ? 0U : 1U);
}

TEST_CASE("equal choices need one step, which changes nothing")
{
    const Choice choice = of("percentile", {});
    const auto steps = stepsBetween(choice, choice);
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].name == "from percentile");
    CHECK(steps[0].choice.isSameComputation(choice));
}

TEST_CASE("options of one calibrator are turned one by one, then scheme and its parameters")
{
    const Choice from = of("entropy", {});
    const Choice to = of("entropy", {{"first-bin", "discarded"}, {"tie", "last"}, {"bits", "4"}},
                         SchemeKind::SymmetricFull);
    const auto steps = stepsBetween(from, to);
    CHECK(namesOf(steps) ==
          std::vector<std::string>{"from entropy", "First bin: discarded instead of counted",
                                   "Tie: last instead of first",
                                   "Scheme: symmetric-full instead of symmetric-restricted",
                                   "Bits: 4 instead of 8"});
    for (std::size_t step = 1; step < steps.size(); ++step)
        CHECK(differences(steps[step - 1].choice, steps[step].choice) == 1);
    CHECK(steps.back().choice.isSameComputation(to));
}

TEST_CASE("another calibrator starts at its defaults, then takes its own options")
{
    const auto steps =
        stepsBetween(of("min-max", {{"fraction", "0.5"}}),
                     of("percentile", {{"alpha", "99"}, {"tails", "full"}}, SchemeKind::Affine));
    CHECK(namesOf(steps) == std::vector<std::string>{
                                "from min-max", "Scheme: affine instead of symmetric-restricted",
                                "Calibrator: percentile instead of min-max",
                                "Kept share: 99 instead of 99.999", "Tails: full instead of half"});
    CHECK(steps[2].choice.settings.text("alpha") == "99.999");
}

TEST_CASE("an option that no histogram could count with waits for the calibrator")
{
    // Growth as-needed counts magnitudes alone; an affine percentile counts x.
    const auto steps =
        stepsBetween(of("percentile", {{"estimator", "hist-left"}, {"growth", "as-needed"}}),
                     of("min-max", {}, SchemeKind::Affine));
    CHECK(namesOf(steps) ==
          std::vector<std::string>{"from percentile", "Calibrator: min-max instead of percentile",
                                   "Scheme: affine instead of symmetric-restricted"});
}

TEST_CASE("between any two presets every step is a valid choice, the last that of the second")
{
    for (const Preset& first : presets())
        for (const Preset& second : presets()) {
            const Choice from = makeChoice(first, {}, SchemeKind::Affine, Granularity::Channel);
            const Choice to =
                makeChoice(second, {}, SchemeKind::SymmetricFull, Granularity::Tensor);
            const auto steps = stepsBetween(from, to);
            INFO(first.id + " to " + second.id);
            CHECK(steps.front().choice.isSameComputation(from));
            CHECK(steps.back().choice.isSameComputation(to));
            for (const std::string& name : namesOf(steps))
                CHECK(name.find("all that is left") == std::string::npos);
            for (std::size_t step = 1; step < steps.size(); ++step)
                if (steps[step].choice.calibrator == steps[step - 1].choice.calibrator)
                    CHECK(differences(steps[step - 1].choice, steps[step].choice) == 1);
        }
}

}  // namespace steps_test
