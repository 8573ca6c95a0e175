// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/pdf_without_time.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace report_program_test {

using namespace calibscope::test;
namespace fs = std::filesystem;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun report(const std::vector<std::string>& further)
{
    std::vector<std::string> arguments = {"report",     sample,   "--recipe", "rebellions-vision",
                                          "--pictures", "worst:0"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return runProgram("calibscope", arguments);
}

TEST_CASE("the program writes a report without a display, and not over another one")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    const ProgramRun first = report({"-o", folder});
    CHECK(first.exitCode == 0);
    CHECK(first.output.empty());
    CHECK(fs::exists(folder + "/tensor/swish_13.tmp_0.html"));

    const ProgramRun second = report({"-o", folder});
    CHECK(second.exitCode == 4);
    CHECK_THAT(second.errors, containsText("--overwrite"));
    CHECK(report({"-o", folder, "--overwrite"}).exitCode == 0);
}

TEST_CASE("two runs write the same PDF, but for its time and id")
{
    const TemporaryFolder place;
    std::vector<std::string> pdfs;
    for (const char* name : {"one", "two"}) {
        REQUIRE(
            report({"-o", place.file(name), "--format", "pdf", "--tensor", "swish_13*"}).exitCode ==
            0);
        pdfs.push_back(withoutTimeAndId(readBytes(place.file(name) + "/report.pdf")));
    }
    CHECK((pdfs[0] == pdfs[1]));
}

TEST_CASE("rows of scales.csv are those of calib scales")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    REQUIRE(report({"-o", folder}).exitCode == 0);
    const ProgramRun scales =
        runProgram("calib", {"scales", sample, "--recipe", "rebellions-vision"});
    CHECK(readBytes(folder + "/scales.csv") == scales.output);
}

TEST_CASE("counts in a page's drawing are those of calib histogram")
{
    const TemporaryFolder place;
    REQUIRE(runProgram("calibscope", {"report", sample, "--recipe", "rebellions-vision", "--tensor",
                                      "swish_13*", "--format", "html", "-o", place.file("report")})
                .exitCode == 0);
    std::istringstream bins(
        runProgram("calib", {"histogram", sample, "--tensor", "swish_13.tmp_0"}).output);
    std::string line;
    std::getline(bins, line);
    REQUIRE(line == "low,high,count");
    std::string counts;
    while (std::getline(bins, line))
        counts += (counts.empty() ? "" : ",") + line.substr(line.rfind(',') + 1);
    CHECK(std::ranges::count(counts, ',') == 2047);
    CHECK_THAT(
        readBytes(place.file("report") + "/tensor/swish_13.tmp_0.html"),
        containsText("&quot;title&quot;:&quot;count&quot;,&quot;values&quot;:[" + counts + "]"));
}

TEST_CASE("rows of channels.csv are those of calib scales for each channel, whatever else has them")
{
    // The last two give weights the same scales.
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    const std::vector<std::string> further{"--recipe",          "nvidia-entropy", "--recipe",
                                           "nvidia-fractional", "--tensor",       "conv2d_10.w_0"};
    std::vector<std::string> words = further;
    words.insert(words.end(), {"-o", folder});
    REQUIRE(report(words).exitCode == 0);
    words = {"scales", sample, "--recipe", "rebellions-vision", "--rows", "channel"};
    words.insert(words.end(), further.begin(), further.end());
    const ProgramRun scales = runProgram("calib", words);
    std::istringstream lines(scales.output);
    std::string expected;
    for (std::string line; std::getline(lines, line);)
        if (line.find(",*,") == std::string::npos)
            expected += line + "\n";
    CHECK(std::ranges::count(expected, '\n') == 1 + 3 * 16);
    CHECK(readBytes(folder + "/channels.csv") == expected);
}

TEST_CASE("a failed gate is exit code 1 with the offenders, an unreadable file 3")
{
    const TemporaryFolder place;
    const ProgramRun gate = report({"-o", place.file("gate"), "--fail-if", "sqnr<28"});
    CHECK(gate.exitCode == 1);
    CHECK_THAT(gate.errors, containsText("softmax_10.tmp_0: percentile 99.999: sqnr_db is 27."));
    CHECK(fs::exists(place.file("gate") + "/index.html"));

    const ProgramRun missing = report({"/nowhere/b.h5", "-o", place.file("missing")});
    CHECK(missing.exitCode == 3);
    CHECK_THAT(missing.errors, containsText("/nowhere/b.h5"));
    CHECK(fs::exists(place.file("missing") + "/tensor/swish_13.tmp_0.html"));
}

TEST_CASE("wrong words on the command line are exit code 2, and nothing is made")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    CHECK(runProgram("calibscope", {"report", sample}).exitCode == 2);
    CHECK(report({"-o", folder, "--fail-if", "speed<1"}).exitCode == 2);
    CHECK(report({"-o", folder, "--recipe", "magic"}).exitCode == 2);
    CHECK(runProgram("calibscope", {"report", sample, "-o", folder, "--pictures", "best:3"})
              .exitCode == 2);
    CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a disk that takes no more is told with the path, and nothing is left")
{
    const TemporaryFolder place;
    // The shell's limit stands for a full disk: writing fails, with another reason.
    const std::string command =
        "trap '' XFSZ; ulimit -f 8; exec " +
        quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calibscope") + " report " + quoted(sample) +
        " --recipe rebellions-vision --tensor 'relu*' -o " + quoted(place.file("report")) + " 2>" +
        quoted(place.file("errors")) + " </dev/null";
    const int status = std::system(command.c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 4);
    CHECK_THAT(readBytes(place.file("errors")), containsText("report"));
    CHECK_THAT(readBytes(place.file("errors")), containsText("File too large"));
    fs::remove(place.file("errors"));
    CHECK(fs::is_empty(place.path()));
}

TEST_CASE("a place below a file is told, and nothing is made")
{
    const TemporaryFolder place;
    writeBytes(place.file("file"), "no folder");
    const ProgramRun run = report({"-o", place.file("file/report")});
    CHECK(run.exitCode == 4);
    CHECK_THAT(run.errors, containsText("Not a directory"));
}

TEST_CASE("formats, contents, scope and presets are understood on the command line")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    REQUIRE(report({"-o", folder, "--format", "csv,pdf", "--content", "summary,ranking",
                    "--calibrator", "percentile:alpha=99.5", "--filter", "kind:weight",
                    "--no-footer", "--theme", "dark", "--scale", "1"})
                .exitCode == 0);
    CHECK(fs::exists(folder + "/report.pdf"));
    CHECK_FALSE(fs::exists(folder + "/index.html"));
    const std::string csv = readBytes(folder + "/scales.csv");
    CHECK_THAT(csv, containsText("alpha=99.5"));
    CHECK(csv.find(",activation,") == std::string::npos);
    CHECK(report({"-o", folder, "--overwrite", "--format", "docx"}).exitCode == 2);
    CHECK(report({"-o", folder, "--overwrite", "--scale", "9"}).exitCode == 2);
    CHECK(report({"-o", folder, "--overwrite", "--tensor", "nothing"}).exitCode == 3);
    CHECK(fs::exists(folder + "/report.pdf"));
}

TEST_CASE("a bias of a layer has no page: no recipe gives it a scale")
{
    H5File dump;
    dump.write("/activations/a", {2, 2}, std::vector<float>{1, 2, 3, 4});
    dump.write("/weights/b", {2}, std::vector<float>{1, 2});
    dump.attribute("/weights/b", "role", "bias");
    dump.attribute("/", "format", "calibration-dump");
    const TemporaryFolder place;
    const ProgramRun run =
        runProgram("calibscope", {"report", dump.path(), "--recipe", "nvidia-entropy", "--pictures",
                                  "worst:0", "-o", place.file("report")});
    CHECK(run.exitCode == 0);
    CHECK(fs::exists(place.file("report") + "/tensor/a.html"));
    CHECK_FALSE(fs::exists(place.file("report") + "/tensor/b.html"));
    CHECK(readBytes(place.file("report") + "/scales.csv").find(",b,") == std::string::npos);
}

TEST_CASE("a PDF of recorded tensors is written, with what pages in HTML say of them")
{
    const TemporaryFolder place;
    const std::string folder = place.file("report");
    const ProgramRun run =
        report({"--tensor", "swish_13.tmp_0", "--format", "pdf,html", "-o", folder});
    CHECK(run.exitCode == 0);
    CHECK(readBytes(folder + "/report.pdf").starts_with("%PDF-"));
    CHECK_THAT(readBytes(folder + "/tensor/swish_13.tmp_0.html"), containsText("One-sided"));
}

}  // namespace report_program_test
