// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/run_program.h"
#include "tests/support/sharded_recording.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace sharded_profile_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;
using test::ShardedRecording;

namespace fs = std::filesystem;

using Arguments = std::vector<std::string>;

ProgramRun run(const std::string& command, Arguments arguments, const Arguments& more = {})
{
    arguments.insert(arguments.begin(), command);
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram("calib", arguments);
}

std::string printed(const std::string& command, const std::string& path, const Arguments& options)
{
    const ProgramRun ended = run(command, {path}, options);
    INFO(ended.errors);
    CHECK(ended.exitCode == 0);
    return ended.output;
}

std::string made(const ShardedRecording& recording, const std::string& name,
                 const Arguments& inputs, const std::string& command = "profile")
{
    const std::string path = recording.whole().folder().file(name);
    const ProgramRun ended = run(command, inputs, {"-o", path});
    INFO(ended.errors);
    CHECK(ended.exitCode == 0);
    return path;
}

/// What of a tensor does not depend on how its values are summed.
void checkAlike(const std::string& profile, const std::string& whole)
{
    const Arguments counted{
        "--columns", "tensor,role,values,nan,inf,first_nan,zeros,min,max,absmax,p50,p99,p99_9,"
                     "p99_99,p99_999"};
    CHECK(printed("stats", profile, counted) == printed("stats", whole, counted));
    for (const char* tensor : {"front", "behind"})
        for (const char* growth : {"fixed", "double", "redistribute"}) {
            const Arguments histogram{"--tensor", tensor, "--growth", growth};
            CHECK(printed("histogram", profile, histogram) ==
                  printed("histogram", whole, histogram));
        }
    for (const char* calibrator : {"min-max", "percentile", "entropy", "kl-window", "mse"}) {
        const Arguments scales{
            "--calibrator",
            calibrator,
            "--tensor",
            "front",
            "--tensor",
            "behind",
            "--tensor",
            "norm",
            "--estimate",
            "--columns",
            "tensor,role,calibrator,settings,histogram,scheme,bits,low,high,threshold,scale,"
            "zero_point,values,min,max"};
        CHECK(printed("scales", profile, scales) == printed("scales", whole, scales));
    }
    const Arguments perChannel{"--calibrator",
                               "min-max",
                               "--granularity",
                               "channel",
                               "--estimate",
                               "--columns",
                               "tensor,channel,low,high,scale,notes"};
    CHECK(printed("scales", profile, perChannel) == printed("scales", whole, perChannel));
}

double meanOf(const std::string& path, const std::string& tensor)
{
    std::istringstream table(printed("stats", path, {"--tensor", tensor, "--columns", "mean"}));
    std::string title;
    double mean = 0.0;
    table >> title >> mean;
    return mean;
}

TEST_CASE("a profile of other channels and other samples in each file is that of the whole")
{
    for (const auto& [samples, channels] :
         std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>>{
             {{0, 24}, {0, 4, 7}}, {{0, 24}, {0, 1, 5, 7}}, {{0, 16, 24}, {0, 3, 7}}}) {
        const ShardedRecording recording(samples, channels);
        Arguments paths = recording.paths();
        std::ranges::reverse(paths);
        const std::string profile = made(recording, "P.h5", paths);
        checkAlike(profile, recording.whole().path());
        // Leaves of the sums are other values.
        CHECK(meanOf(profile, "front") ==
              test::Approx(meanOf(recording.whole().path(), "front")).epsilon(1e-13));
    }
}

TEST_CASE("units, steps and waves make the same bytes of shards")
{
    const ShardedRecording recording({0, 16, 24}, {0, 1, 5, 7}, 12000);
    const std::string expected = test::readBytes(made(recording, "P.h5", recording.paths()));
    for (const Arguments& options :
         {Arguments{"--unit", "1"}, Arguments{"--unit", "1", "--waves", "3"},
          Arguments{"--jobs", "1"}}) {
        Arguments arguments = recording.paths();
        arguments.insert(arguments.end(), options.begin(), options.end());
        CHECK(test::readBytes(made(recording, "Q.h5", arguments)) == expected);
    }
    const std::string folder = recording.whole().folder().file("D");
    const std::string output = recording.whole().folder().file("S.h5");
    for (const char* step : {"sums", "epochs", "counts"})
        for (const char* part : {"3/3", "1/3", "2/3"})
            if (std::string(step) != "epochs" || std::string(part) == "1/3") {
                Arguments arguments{"--parts", folder, "--unit", "1", "--step", step};
                if (std::string(step) != "epochs")
                    arguments.insert(arguments.end(), {"--part", part});
                const ProgramRun ended = run("profile", recording.paths(), arguments);
                INFO(ended.errors);
                CHECK(ended.exitCode == 0);
            }
    CHECK(run("profile", recording.paths(),
              {"--parts", folder, "--unit", "1", "--step", "finish", "-o", output})
              .exitCode == 0);
    CHECK(test::readBytes(output) == expected);
}

TEST_CASE("profiles of shards are merged as the files are joined")
{
    const ShardedRecording recording;
    const Arguments paths = recording.paths();
    const std::string all = made(recording, "P.h5", paths);
    Arguments own;
    for (std::size_t file = 0; file < paths.size(); ++file)
        own.push_back(made(recording, "own" + std::to_string(file) + ".h5", {paths[file]}));
    const std::string first = made(recording, "A.h5", {paths[0], paths[1], paths[2]});
    const std::string second = made(recording, "B.h5", {paths[3], paths[4], paths[5]});
    const Arguments summed{"--columns", "tensor,values,nan,inf,first_nan,zeros,min,max,mean,"
                                        "std,kurtosis"};
    const Arguments sixteenBits{"--tensor", "behind"};
    const Arguments histogram{"--tensor", "behind", "--growth", "fixed"};
    for (const Arguments& profiles : {own, Arguments{second, first}}) {
        const std::string merged = made(recording, "M.h5", profiles, "merge");
        // Without orders of float32: what its columns need alone.
        CHECK(printed("stats", merged, summed) == printed("stats", all, summed));
        CHECK(printed("stats", merged, sixteenBits) == printed("stats", all, sixteenBits));
        CHECK(printed("histogram", merged, histogram) == printed("histogram", all, histogram));
    }
    // A weight in one piece and in several can't be compared; activations are of other samples.
    const std::string output = recording.whole().folder().file("X.h5");
    const ProgramRun mixed = run("merge", {own[4], own[5], first, own[3]}, {"-o", output});
    CHECK(mixed.exitCode == 3);
    CHECK_THAT(mixed.errors, test::containsText("/weights/w: its profile has values of the same "
                                                "samples as that of"));
    for (const char* tensor : {"front", "behind", "norm", "all"}) {
        const Arguments options{"--tensor", tensor, summed[0], summed[1]};
        CHECK(printed("stats", output, options) == printed("stats", all, options));
    }
    // A shard that is there again.
    fs::copy_file(paths[1], recording.whole().folder().file("copy.h5"));
    const std::string again =
        made(recording, "again.h5", {recording.whole().folder().file("copy.h5")});
    const ProgramRun twice = run("merge", {first, again}, {"-o", output});
    CHECK(twice.exitCode == 3);
    CHECK_THAT(twice.errors,
               test::containsText("/activations/front: its profile has values of the same samples "
                                  "as that of"));
    // Of others one is missing.
    const ProgramRun gap = run("merge", {own[0], own[2]}, {"-o", output});
    CHECK(gap.exitCode == 3);
    CHECK_THAT(gap.errors, test::containsText("/activations/front: its first channel is number 5, "
                                              "and number 1 is in no file of the same samples"));
    CHECK_THAT(gap.errors, test::containsText("/weights/w: its first channel is number 5"));
    CHECK(printed("stats", output, {"--columns", "tensor"}) == "tensor\nnorm\nall\n");
}

TEST_CASE("shards that do not fit together leave their tensors out, with exit code 3")
{
    const auto write = [](test::H5File& file, const std::string& path, unsigned long long channels,
                          auto firstChannel, float value = 1.0F) {
        file.write(path, {4, channels}, std::vector<float>(4 * channels, value));
        file.attribute(path, "layout", "NC");
        file.attribute(path, "first_channel", firstChannel);
    };
    const auto finish = [](test::H5File& file) {
        file.write("/weights/all", {5, 6}, std::vector<float>(30, 1.0F));
        file.attribute("/", "format", "calibration-dump");
        file.attribute("/", "first_sample", std::int64_t{0});
    };
    test::H5File one;
    test::H5File two;
    write(one, "/activations/gap", 3, std::int64_t{0});
    write(two, "/activations/gap", 3, std::int64_t{4});
    write(one, "/activations/overlap", 3, std::int64_t{0});
    write(two, "/activations/overlap", 3, std::int64_t{2});
    write(one, "/activations/text", 3, std::int64_t{0});
    write(two, "/activations/text", 3, std::string("three"));
    write(one, "/activations/negative", 3, std::int64_t{-1});
    write(two, "/activations/negative", 3, std::int64_t{3});
    write(one, "/activations/fraction", 3, 0.5);
    write(two, "/activations/fraction", 3, std::int64_t{3});
    write(one, "/activations/same", 3, std::int64_t{0});
    write(two, "/activations/same", 3, std::int64_t{0}, 2.0F);
    for (test::H5File* file : {&one, &two}) {
        file->write("/activations/copied", {4, 2},
                    std::vector<float>(8, file == &one ? 1.0F : 2.0F));
        file->attribute("/activations/copied", "layout", "NC");
        finish(*file);
    }
    const std::string output = one.folder().file("P.h5");
    const ProgramRun ended = run("profile", {one.path(), two.path()}, {"-o", output});
    CHECK(ended.exitCode == 3);
    const auto isTold = [&](const std::string& sentence) {
        CHECK_THAT(ended.errors, test::containsText(sentence));
    };
    isTold(two.path() + ":/activations/gap: its first channel is number 4, and number 3 is in no "
                        "file of the same samples; name the file that holds it");
    isTold(two.path() + ":/activations/overlap: its first channel is number 2, but " + one.path() +
           " has the channels up to number 2 of the same samples");
    isTold(two.path() +
           ":/activations/text: its attribute first_channel is not a whole number from "
           "0 on");
    isTold(one.path() +
           ":/activations/negative: its attribute first_channel is not a whole number");
    isTold(one.path() +
           ":/activations/fraction: its attribute first_channel is not a whole number");
    isTold("/activations/same: its values are not those in ");
    isTold("though it holds the same channels of them");
    isTold("/activations/copied: its values are not those in ");
    isTold("though it is of the same samples and has no first_channel");
    CHECK(printed("stats", output, {"--columns", "tensor"}) == "tensor\nall\n");
    const ProgramRun units =
        run("profile", {one.path(), two.path()}, {"-o", output, "--unit", "1"});
    CHECK(units.errors == ended.errors);
    // With one of the tensors alone the files are known to hold shards nevertheless.
    const ProgramRun asked =
        run("profile", {one.path(), two.path()}, {"-o", output, "--tensor", "copied"});
    CHECK(asked.exitCode == 3);
    CHECK_THAT(asked.errors, test::containsText("/activations/copied: its values are not those"));
}

TEST_CASE("files of the last channels that are missing are told where the recorder says how many")
{
    const auto write = [](test::H5File& file, std::int64_t first) {
        file.write("/activations/a", {4, 3}, std::vector<float>(12, 1.0F));
        file.attribute("/activations/a", "layout", "NC");
        file.attribute("/activations/a", "first_channel", first);
        file.attribute("/activations/a", "channels", std::int64_t{9});
        file.write("/weights/all", {5, 6}, std::vector<float>(30, 1.0F));
        file.attribute("/", "format", "calibration-dump");
        file.attribute("/", "first_sample", std::int64_t{0});
    };
    test::H5File one;
    test::H5File two;
    test::H5File three;
    write(one, 0);
    write(two, 3);
    write(three, 6);
    const std::string output = one.folder().file("P.h5");
    const std::string sentence = "/activations/a: it says that there are 9 channels, but the files "
                                 "of its samples hold 6; name those that hold the others";
    for (const Arguments& units : {Arguments{}, Arguments{"--unit", "1"}}) {
        Arguments more{"-o", output};
        more.insert(more.end(), units.begin(), units.end());
        const ProgramRun ended = run("profile", {one.path(), two.path()}, more);
        CHECK(ended.exitCode == 3);
        CHECK_THAT(ended.errors, test::containsText(sentence));
        CHECK(printed("stats", output, {"--columns", "tensor"}) == "tensor\nall\n");
        CHECK(run("profile", {one.path(), two.path(), three.path()}, more).exitCode == 0);
    }
    // Each by itself, and put together.
    std::vector<std::string> own;
    for (const test::H5File* file : {&one, &two, &three}) {
        own.push_back(one.folder().file("own" + std::to_string(own.size()) + ".h5"));
        CHECK(run("profile", {file->path()}, {"-o", own.back()}).exitCode == 0);
    }
    const ProgramRun merged = run("merge", {own[0], own[1]}, {"-o", output});
    CHECK(merged.exitCode == 3);
    CHECK_THAT(merged.errors, test::containsText(sentence));
    CHECK(run("merge", own, {"-o", output}).exitCode == 0);
    CHECK(printed("stats", output, {"--columns", "tensor,values", "--tensor", "a"}) ==
          "tensor,values\na,36\n");
}

TEST_CASE("a file of some channels has a profile of its own")
{
    const ShardedRecording recording({0, 24}, {0, 3, 7});
    const std::string profile = made(recording, "P.h5", {recording.paths()[1]});
    CHECK(printed("stats", profile, {"--columns", "tensor,values", "--tensor", "front"}) ==
          "tensor,values\nfront,3840\n");
}

}  // namespace sharded_profile_test
