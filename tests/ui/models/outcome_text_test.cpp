// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/outcome_text.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

namespace outcome_text_test {

using namespace calibscope;

TEST_CASE("a choice's note is told once, before its result and with it")
{
    OutcomeRow row;
    row.candidate.choice.note = "unknown role: treated as an activation";
    CHECK(noteLines(row) == QStringList{"unknown role: treated as an activation"});

    Outcome outcome;
    outcome.whole.notes = {"all zero", row.candidate.choice.note};
    outcome.whole.hasExactMetrics = true;
    row.outcome = outcome;
    CHECK(noteLines(row) == QStringList{"all zero", "unknown role: treated as an activation"});
}

TEST_CASE("settings are told by what they mean: numbers for words")
{
    const auto linesOf = [](const char* calibrator, const GivenSettings& given = {}) {
        return settingLines(
            makeChoice(calibrator, given, SchemeKind::SymmetricRestricted, Granularity::Tensor));
    };
    const QStringList entropy = linesOf("entropy");
    CHECK(entropy.contains("Levels: 127"));
    CHECK(entropy.contains("Search from: 127 bins"));
    CHECK(entropy.contains("Search to: bin of the largest |x|"));
    CHECK(entropy.contains("Growth: range doubling"));
    CHECK(linesOf("entropy", {{"bits", "4"}}).contains("Levels: 7"));
    CHECK(linesOf("entropy", {{"levels", "100"}}).contains("Search from: 100 bins"));
    CHECK(linesOf("entropy", {{"first-candidate", "64"}}).contains("Search from: 64"));
    CHECK(linesOf("kl-window").contains("Levels: 255"));
    CHECK(linesOf("kl-window").contains("Growth: rebin on growth"));
}

TEST_CASE("a histogram is told in words")
{
    CHECK(histogramWords({.growth = "double", .bins = 1024, .domain = Domain::Magnitude}) ==
          "1024 bins of |x|, range doubling");
    CHECK(histogramWords({.growth = "redistribute", .bins = 512, .domain = Domain::Signed}) ==
          "512 bins of x, rebin on growth");
}

}  // namespace outcome_text_test
