// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"
#include "core/base/hex.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/run_program.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace own_calibrator_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;
using test::textLines;
namespace fs = std::filesystem;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";
const std::string example = CALIBSCOPE_SOURCE_DIR "/resources/programs/least_error.py";
const std::string tensor = "swish_13.tmp_0";

/// A user with a folder of programs of their own, and the helper for Python.
struct User
{
    User()
    {
        fs::create_directories(programs());
        ::setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
        ::setenv("PYTHONPATH", CALIBSCOPE_SOURCE_DIR "/resources/python", 1);
    }
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    ~User()
    {
        ::unsetenv("XDG_CONFIG_HOME");
        ::unsetenv("PYTHONPATH");
    }
    [[nodiscard]] fs::path programs() const { return folder.path() / "calibscope/programs"; }
    /// A script for the shell that answers that for each question.
    static std::string script(const fs::path& path, const std::string& answer)
    {
        test::writeBytes(path.string(),
                         "#!/bin/sh\nwhile read -r line; do echo '" + answer + "'; done\n");
        fs::permissions(path, fs::perms::owner_all);
        return path.string();
    }

    test::TemporaryFolder folder;
};

ProgramRun scales(std::vector<std::string> options)
{
    options.insert(options.begin(), {"scales", sample, "--tensor", tensor});
    return runProgram("calib", options);
}

TEST_CASE("a calibrator of ten lines of Python is asked, and marked as not Calibscope's")
{
    const User user;
    const auto lines = textLines(test::readBytes(example));
    CHECK(std::ranges::count_if(lines, [](const std::string& line) {
              return !line.empty() && line.front() != '#';
          }) <= 10);
    const ProgramRun run = scales({"--calibrator", "program:file=" + example, "--calibrator",
                                   "min-max", "--format", "json", "--curves"});
    CHECK(run.errors.empty());
    REQUIRE(run.exitCode == 0);
    const auto outcomes = nlohmann::json::parse(run.output).at("outcomes");
    const auto& own = outcomes.at(0);
    CHECK(own["calibrator"] == "program");
    CHECK_THAT(own["settings"].get<std::string>(),
               containsText("file=" + example +
                            ";sha256=" + hexText(sha256(test::readBytes(example))) +
                            ";input=histogram;"
                            "bins=1024;"));
    CHECK_THAT(own["notes"].dump(), containsText("not one of Calibscope's calibrators: your own "
                                                 "program least_error.py"));
    // It minimises what the SQNR measures, but for the bins.
    CHECK(own["sqnr_db"] > outcomes.at(1)["sqnr_db"].get<double>() - 0.01);
    const auto& curve = own["curve"];
    const auto objective = curve["objective"].get<std::vector<double>>();
    const auto chosen = curve["chosen"].get<std::size_t>();
    CHECK(objective.size() == 1024);
    CHECK(objective.at(chosen) == *std::ranges::min_element(objective));
    CHECK(curve["threshold"].at(chosen) == own["threshold"]);
}

TEST_CASE("a program answers for each channel, under an affine scheme, from the values")
{
    const User user;
    const std::string path = user.folder.file("ends.py");
    test::writeBytes(path, "# calibscope: input=values\n"
                           "from calibscope.program import serve\n"
                           "serve(lambda tensor: (min(tensor.values), max(tensor.values)))\n");
    const std::string columns = "channel,low,high,scale,zero_point,min,max";
    const std::vector<std::string> shared = {"scales",    sample,   "--tensor",    "conv2d_10.w_0",
                                             "--scheme",  "affine", "--rows",      "channel",
                                             "--columns", columns,  "--calibrator"};
    auto own = shared;
    own.push_back("program:file=" + path);
    auto published = shared;
    published.emplace_back("min-max");
    const ProgramRun answered = runProgram("calib", own);
    CHECK(answered.errors.empty());
    CHECK(textLines(answered.output).size() > 3);
    CHECK(answered.output == runProgram("calib", published).output);
}

TEST_CASE("a program that a recipe names with a path is run with --allow-programs alone")
{
    const User user;
    const std::string ran = user.folder.file("ran");
    const fs::path script = user.folder.path() / "mine.sh";
    test::writeBytes(script.string(), "#!/bin/sh\ntouch " + ran +
                                          "\nwhile read -r line; do echo '{\"threshold\": 2}'; "
                                          "done\n");
    fs::permissions(script, fs::perms::owner_all);
    const std::string recipe = user.folder.file("recipe.json");
    test::writeBytes(recipe, R"({"id": "mine", "title": "Mine", "rules": [
        {"calibrator": "program", "settings": {"file": "./mine.sh"}}]})");
    const ProgramRun refused = scales({"--recipe-file", recipe});
    CHECK(refused.exitCode == 3);
    CHECK_THAT(refused.errors, containsText("--allow-programs"));
    CHECK(textLines(refused.output).size() == 1);
    CHECK_FALSE(fs::exists(ran));
    const ProgramRun allowed =
        scales({"--recipe-file", recipe, "--allow-programs", "--columns", "recipe,threshold"});
    CHECK(allowed.errors.empty());
    CHECK(allowed.output == "recipe,threshold\nmine,2\n");
    CHECK(fs::exists(ran));
}

TEST_CASE(
    "programs in the user's folder are named without a path, and run as the recipes there say")
{
    const User user;
    User::script(user.programs() / "two.sh", R"({"threshold": 2})");
    const ProgramRun named =
        scales({"--calibrator", "program:file=two.sh", "--columns", "threshold"});
    CHECK(named.errors.empty());
    CHECK(named.output == "threshold\n2\n");
    fs::create_directories(user.folder.path() / "calibscope/recipes");
    test::writeBytes(user.folder.file("calibscope/recipes/mine.json"),
                     R"({"id": "mine", "title": "Mine", "rules": [
        {"calibrator": "program", "settings": {"file": "two.sh"}}]})");
    CHECK(scales({"--recipe", "mine", "--columns", "threshold"}).output == "threshold\n2\n");

    const ProgramRun missing = scales({"--calibrator", "program:file=three.sh"});
    CHECK(missing.exitCode == 2);
    CHECK_THAT(missing.errors, containsText("a file elsewhere has a path, as ./three.sh"));
    CHECK_THAT(scales({"--calibrator", "program"}).errors, containsText("name it with file=NAME"));
}

TEST_CASE("a wrong answer is a sentence, and costs its row alone")
{
    const User user;
    const std::string nan = User::script(user.folder.path() / "nan.sh", R"({"threshold": NaN})");
    const ProgramRun run = scales({"--calibrator", "program:file=" + nan, "--calibrator", "min-max",
                                   "--columns", "calibrator"});
    CHECK(run.exitCode == 3);
    CHECK(run.output == "calibrator\nmin-max\n");
    CHECK_THAT(run.errors, containsText("nan.sh: its answer is not valid JSON, where NaN is no "
                                        "number: {\"threshold\": NaN}"));
    const std::string fails = user.folder.file("fails.py");
    test::writeBytes(fails, "raise ValueError('no bins')\n");
    CHECK_THAT(scales({"--calibrator", "program:file=" + fails}).errors,
               containsText("fails.py: has ended before it answered (exit code 1); it wrote: "
                            "Traceback"));
}

TEST_CASE("integers of a range of one's own say whose it is")
{
    const User user;
    const std::string two = User::script(user.folder.path() / "two.sh", R"({"threshold": 2})");
    const std::string output = user.folder.file("integers.h5");
    const ProgramRun run = runProgram(
        "calib", {"materialize", sample, "--calibrator", "program:file=" + two, "-o", output});
    CHECK(run.exitCode == 0);
    CHECK_THAT(test::readBytes(output), containsText("file=" + two + ";sha256="));
}

}  // namespace own_calibrator_test
