// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "tests/support/two_dumps.h"

#include <QImage>

#include <set>

namespace snapshot_test {

using namespace calibscope;
using test::containsText;
using test::ProgramRun;
using test::runProgram;
using test::TemporaryFolder;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

ProgramRun snapshot(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "snapshot");
    return runProgram("calibscope", arguments);
}

std::size_t colourCount(const QImage& image)
{
    std::set<QRgb> colours;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            colours.insert(image.pixel(x, y));
    return colours.size();
}

TEST_CASE("a snapshot needs no display, and has the size, scale and theme that were asked for")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.png");
    const ProgramRun run =
        snapshot({sample, "--view", "browse", "--tensor", "swish_13.tmp_0", "--size", "900x600",
                  "--scale", "2", "--theme", "dark", "-o", file});
    CHECK(run.exitCode == 0);
    CHECK(run.errors.empty());
    const QImage picture(QString::fromStdString(file));
    CHECK(picture.size() == QSize(1800, 1200));
    CHECK(colourCount(picture) > 50);
    CHECK(picture.pixelColor(900, 1190).lightness() < 100);
}

TEST_CASE("two snapshots of the same are the same")
{
    const TemporaryFolder folder;
    const std::string one = folder.file("1.png");
    const std::string two = folder.file("2.png");
    for (const std::string& file : {one, two})
        CHECK(snapshot({sample, "--recipe", "nvidia-entropy", "--size", "800x600", "-o", file})
                  .exitCode == 0);
    CHECK(QImage(QString::fromStdString(one)) == QImage(QString::fromStdString(two)));
}

TEST_CASE("the start page needs no file")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.png");
    CHECK(snapshot({"--view", "start", "-o", file}).exitCode == 0);
    CHECK(QImage(QString::fromStdString(file)).size() == QSize(1600, 1000));
}

TEST_CASE("the summary of a dump is a view")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.png");
    const ProgramRun run =
        snapshot({sample, "--view", "summary", "--size", "1000x700", "-o", file});
    CHECK(run.exitCode == 0);
    CHECK(run.errors.empty());
    CHECK(colourCount(QImage(QString::fromStdString(file))) > 50);
}

TEST_CASE("each view of Calibrators is another picture")
{
    const TemporaryFolder folder;
    std::set<std::string> pictures;
    for (const std::string view : {"curves", "panels", "explain", "formats"}) {
        const std::string file = folder.file(view + ".png");
        CHECK(snapshot({sample, "--view", "calibrators", "--calibrators-view", view, "--size",
                        "900x700", "-o", file})
                  .exitCode == 0);
        const QImage picture(QString::fromStdString(file));
        pictures.insert(std::string(reinterpret_cast<const char*>(picture.constBits()),
                                    static_cast<std::size_t>(picture.sizeInBytes())));
    }
    CHECK(pictures.size() == 4);
}

TEST_CASE("what a snapshot can't show is a usage error that says what there is")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.png");
    const auto errorOf = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"-o", file});
        const ProgramRun run = snapshot(arguments);
        CHECK(run.exitCode == 2);
        return run.errors;
    };
    CHECK_THAT(errorOf({sample, "--view", "layers", "--layer", "none"}),
               containsText("there is no layer none"));
    CHECK_THAT(errorOf({sample, "--calibrators-view", "heat"}), containsText("all-tensors"));
    CHECK_THAT(errorOf({sample, "--view", "heat"}), containsText("start, summary, browse"));
    CHECK_THAT(errorOf({sample, "--recipe", "none"}), containsText("nvidia-entropy"));
    CHECK_THAT(errorOf({sample, "--tensor", "swish"}), containsText("there is no tensor swish"));
    CHECK_THAT(errorOf({sample, "--size", "big"}), containsText("1600x1000"));
    CHECK_THAT(errorOf({sample, "--size", "9000x10"}), containsText("8192"));
    CHECK_THAT(errorOf({sample, "--scale", "3"}), containsText("--scale"));
    CHECK_THAT(errorOf({"--view", "browse"}), containsText("name one"));
    CHECK(QImage(QString::fromStdString(file)).isNull());
}

TEST_CASE("a file that can't be read gives a picture that says so, and exit code 3")
{
    const TemporaryFolder folder;
    const std::string file = folder.file("a.png");
    const ProgramRun run = snapshot({"/nowhere/a.h5", "--size", "800x600", "-o", file});
    CHECK(run.exitCode == 3);
    CHECK_THAT(run.errors, containsText("/nowhere/a.h5"));
    CHECK(QImage(QString::fromStdString(file)).size() == QSize(800, 600));
}

TEST_CASE("a picture that can't be written is told, with exit code 4")
{
    const ProgramRun run = snapshot({sample, "--size", "800x600", "-o", "/nowhere/at/all/a.png"});
    CHECK(run.exitCode == 4);
    CHECK_THAT(run.errors, containsText("/nowhere/at/all/a.png"));
}

TEST_CASE("version and help need no display, and nonsense ends with 2")
{
    const ProgramRun version = runProgram("calibscope", {"--version"});
    CHECK(version.exitCode == 0);
    CHECK(version.output.starts_with("calibscope "));
    CHECK_THAT(runProgram("calibscope", {"--help"}).output, containsText("snapshot"));
    CHECK(runProgram("calibscope", {"--nonsense"}).exitCode == 2);
    CHECK(runProgram("calibscope", {"--theme", "purple"}).exitCode == 2);
}

TEST_CASE("a snapshot of two dumps shows the tensor that was asked for, not the worst pair")
{
    const TemporaryFolder folder;
    const test::TwoDumps dumps;  // "conv2" is the one that has drifted
    const auto shot = [&](const std::string& tensor) {
        const std::string file = folder.file(tensor + ".png");
        std::vector<std::string> arguments = {dumps.a.path(), dumps.b.path(), "--view", "compare",
                                              "--size",       "900x600",      "-o",     file};
        if (tensor != "none")
            arguments.insert(arguments.end(), {"--tensor", tensor});
        CHECK(snapshot(arguments).exitCode == 0);
        return QImage(QString::fromStdString(file));
    };
    const QImage worst = shot("conv2");
    CHECK(shot("out") != worst);
    CHECK(shot("none") == worst);
}

}  // namespace snapshot_test
