// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <string>
#include <vector>

namespace explain_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;
using test::textLines;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
const std::string tensor = "softmax_9.tmp_0";
const std::string numbers = "low,high,threshold,scale,zero_point,sqnr_db";

std::vector<std::string> explained(const std::string& from, const std::string& to,
                                   const std::string& columns)
{
    const ProgramRun run = runProgram("calib", {"explain", sample, "--tensor", tensor, "--from",
                                                from, "--to", to, "--columns", columns});
    CHECK(run.errors.empty());
    REQUIRE(run.exitCode == 0);
    return textLines(run.output);
}

/// The numbers of a direct run.
std::string direct(std::vector<std::string> choice)
{
    std::vector<std::string> arguments = {"scales", sample,      "--tensor",
                                          tensor,   "--columns", numbers};
    arguments.insert(arguments.end(), choice.begin(), choice.end());
    const auto lines = textLines(runProgram("calib", arguments).output);
    REQUIRE(lines.size() == 2);
    return lines[1];
}

void checkSteps(const std::string& from, const std::string& to)
{
    const auto rows = explained(from, to, numbers);
    const auto calibrators = explained(from, to, "calibrator");
    const auto schemes = explained(from, to, "scheme");
    auto settings = explained(from, to, "settings");
    INFO(from + " to " + to);
    REQUIRE(rows.size() > 2);
    for (std::size_t row = 1; row < rows.size(); ++row) {
        std::ranges::replace(settings[row], ';', ',');
        INFO("row " << row);
        CHECK(rows[row] == direct({"--calibrator", calibrators[row] + ":" + settings[row],
                                   "--scheme", schemes[row]}));
    }
    CHECK(rows[1] == direct({"--preset", from}));
    CHECK(rows.back() == direct({"--preset", to}));
}

TEST_CASE("explain: each row is a direct run with its settings, the ends are those of the presets")
{
    checkSteps("moffett-entropy", "nvidia-entropy-open");
}

TEST_CASE("explain: from one calibrator to another")
{
    checkSteps("nvidia-entropy", "rebellions-percentile");
    CHECK(explained("nvidia-entropy", "rebellions-percentile", "step") ==
          std::vector<std::string>{"step", "from nvidia-entropy", "Bins: 2048 instead of 1024",
                                   "Growth: fixed instead of double",
                                   "Scheme: symmetric-full instead of symmetric-restricted",
                                   "Calibrator: percentile instead of entropy"});
}

TEST_CASE("explain: wrong words are told before the file is opened")
{
    const auto wrong = [](const std::string& from) {
        return runProgram("calib", {"explain", "/nowhere/x.h5", "--tensor", "a", "--from", from,
                                    "--to", "nvidia-entropy"});
    };
    CHECK(wrong("none").exitCode == 2);
    CHECK_THAT(wrong("none").errors, containsText("there is no preset none"));
    CHECK_THAT(wrong("percentile:alpha=101").errors, containsText("alpha=101"));
    const ProgramRun missing = runProgram("calib", {"explain", sample, "--tensor", "none", "--from",
                                                    "min-max", "--to", "nvidia-entropy"});
    CHECK(missing.exitCode == 3);
    CHECK_THAT(missing.errors, containsText("none"));
}

}  // namespace explain_test
