// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace profile_test {

using namespace calibscope;
using test::ProgramRun;
using test::runProgram;

constexpr std::size_t samples = 24;
constexpr std::size_t channels = 3;
constexpr std::size_t width = 50;
constexpr std::size_t perSample = channels * width;

std::vector<float> recorded(unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.3F, 1.0F);
    std::vector<float> values(samples * perSample);
    for (std::size_t place = 0; place < values.size(); ++place)
        values[place] = normal(engine) * (1.0F + 0.01F * static_cast<float>(place / perSample));
    return values;
}

/// How far samples are padded differs; the fourth batch counts nowhere.
std::vector<double> maskOf(std::size_t first, std::size_t end)
{
    std::vector<double> flags;
    for (std::size_t sample = first; sample < end; ++sample)
        for (std::size_t place = 0; place < width; ++place)
            flags.push_back(sample / 4 != 3 && place < 20 + sample % 7 * 5 ? 1.0 : 0.0);
    return flags;
}

/// The samples from `first` to before `end` of two activations, one with a mask, and a weight.
void record(test::H5File& file, std::size_t first, std::size_t end)
{
    for (const unsigned seed : {1U, 2U}) {
        const std::vector<float> all = recorded(seed);
        const std::vector<float> own(all.begin() + static_cast<std::ptrdiff_t>(first * perSample),
                                     all.begin() + static_cast<std::ptrdiff_t>(end * perSample));
        const std::string path = "/activations/a" + std::to_string(seed);
        if (seed == 1)
            file.write(path, {end - first, channels, width}, own);
        else
            file.write(path, {end - first, channels, width},
                       std::vector<double>(own.begin(), own.end()), test::Stored::Float16);
        file.attribute(path, "layout", "NCW");
        file.attribute(path, "batch_size", std::int64_t{4});
    }
    file.write("/activations/a2.mask", {end - first, 1, width}, maskOf(first, end),
               test::Stored::Uint8);
    std::vector<float> weight = recorded(3);
    weight.resize(8 * 20);
    file.write("/weights/w", {8, 20}, weight);
    file.attribute("/", "format", "calibration-dump");
    file.attribute("/", "first_sample", static_cast<std::int64_t>(first));
}

struct Recording
{
    Recording()
    {
        record(whole, 0, samples);
        const std::size_t ends[] = {0, 8, 12, samples};
        for (std::size_t part = 0; part < 3; ++part)
            record(parts[part], ends[part], ends[part + 1]);
    }

    [[nodiscard]] std::string made(const std::string& name, const std::vector<std::string>& inputs,
                                   const std::string& command = "profile") const
    {
        std::vector<std::string> arguments{command};
        arguments.insert(arguments.end(), inputs.begin(), inputs.end());
        const std::string path = whole.folder().file(name);
        arguments.insert(arguments.end(), {"-o", path});
        const ProgramRun run = runProgram("calib", arguments);
        CHECK(run.exitCode == 0);
        INFO(run.errors);
        return path;
    }

    test::H5File whole;
    test::H5File parts[3];
};

std::string printed(const std::string& command, const std::string& path,
                    const std::vector<std::string>& options)
{
    std::vector<std::string> arguments{command, path};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = runProgram("calib", arguments);
    INFO(run.errors);
    CHECK(run.exitCode == 0);
    return run.output;
}

const std::string scaleColumns =
    "tensor,role,recipe,preset,calibrator,settings,histogram,scheme,bits,low,high,threshold,scale,"
    "zero_point,exactness,values,min,max,sqnr_db,mse,kl,sqnr_bound_db,bounds,notes";

TEST_CASE("a profile of a recording's parts prints what the whole dump prints")
{
    const Recording recording;
    const std::string profile = recording.made(
        "P.h5", {recording.parts[2].path(), recording.parts[0].path(), recording.parts[1].path()});
    const std::string other =
        recording.made("Q.h5", {recording.parts[0].path(), recording.parts[1].path(),
                                recording.parts[2].path(), "--jobs", "1"});
    CHECK(test::readBytes(profile) == test::readBytes(other));
    const std::vector<std::string> counted{
        "--columns",
        "tensor,role,values,nan,inf,zeros,min,max,absmax,p50,p99,p99_9,p99_99,p99_999"};
    CHECK(printed("stats", profile, counted) == printed("stats", recording.whole.path(), counted));
    for (const char* tensor : {"a1", "a2"})
        for (const char* growth : {"fixed", "double", "redistribute"}) {
            const std::vector<std::string> histogram{"--tensor", tensor, "--growth", growth};
            CHECK(printed("histogram", profile, histogram) ==
                  printed("histogram", recording.whole.path(), histogram));
        }
    for (const char* calibrator : {"min-max", "percentile", "entropy", "kl-window", "mse"}) {
        const std::vector<std::string> scales{"--calibrator", calibrator,  "--tensor",  "a*",
                                              "--estimate",   "--columns", scaleColumns};
        CHECK(printed("scales", profile, scales) ==
              printed("scales", recording.whole.path(), scales));
    }
}

TEST_CASE("a list of a recording's parts prints what the whole dump prints")
{
    const Recording recording;
    const std::string list = recording.whole.folder().file("run.dumplist");
    std::string paths;
    for (const test::H5File& part : recording.parts)
        paths += part.path() + "\n";
    test::writeBytes(list, paths);
    const std::vector<std::string> options{"--calibrator", "entropy",    "--calibrator",    "mse",
                                           "--columns",    scaleColumns, "--allow-external"};
    CHECK(printed("scales", list, options) == printed("scales", recording.whole.path(), options));
    CHECK(printed("stats", list, {"--allow-external"}) ==
          printed("stats", recording.whole.path(), {}));
}

TEST_CASE("what needs values says so and names the remedy, the rest is there")
{
    const Recording recording;
    const std::string profile = recording.made("P.h5", {recording.whole.path()});
    const ProgramRun percentile =
        runProgram("calib", {"stats", profile, "--tensor", "a1", "--percentile", "12.5"});
    CHECK(percentile.exitCode == 2);
    CHECK(percentile.errors.find("the profile holds no percentile") != std::string::npos);
    CHECK(percentile.errors.find("calib profile") != std::string::npos);
    const ProgramRun exact = runProgram(
        "calib", {"scales", profile, "--tensor", "a1", "--calibrator", "min-max", "--exact"});
    CHECK(exact.exitCode == 3);
    CHECK(exact.errors.find("a profile holds no values; open the dump") != std::string::npos);
    const ProgramRun layout =
        runProgram("calib", {"stats", profile, "--tensor", "a1", "--batch-size", "2"});
    CHECK(layout.exitCode == 2);
    CHECK(layout.errors.find("a profile is understood as when it was made") != std::string::npos);
    // Of 16 bits nothing is missing.
    const std::vector<std::string> any{"--tensor", "a2", "--percentile", "12.5,77"};
    CHECK(printed("stats", profile, any) == printed("stats", recording.whole.path(), any));
}

TEST_CASE("errors of 16-bit tensors are exact without the values")
{
    const Recording recording;
    const std::string profile = recording.made("P.h5", {recording.whole.path()});
    for (const char* calibrator : {"min-max", "mse", "entropy"}) {
        const auto value = [&](const std::string& path, const std::string& column) {
            const std::string table = printed("scales", path,
                                              {"--tensor", "a2", "--calibrator", calibrator,
                                               "--format", "csv", "--columns", column});
            return table.substr(column.size() + 1);
        };
        CHECK(value(profile, "sqnr_bound_db") == value(recording.whole.path(), "sqnr_bound_db"));
        CHECK(value(profile, "scale") == value(recording.whole.path(), "scale"));
        // The same errors, added in another order.
        for (const char* column : {"sqnr_db", "mse", "cosine"})
            CHECK(std::stod(value(profile, column)) ==
                  test::Approx(std::stod(value(recording.whole.path(), column))).epsilon(1e-11));
        for (const char* column : {"max_error", "levels_used", "clipped_share"})
            CHECK(value(profile, column) == value(recording.whole.path(), column));
    }
}

TEST_CASE("merging profiles of different files gives the profile of all, but what needs values")
{
    const Recording recording;
    const std::string whole = recording.made(
        "P.h5", {recording.parts[0].path(), recording.parts[1].path(), recording.parts[2].path()});
    const std::string outer =
        recording.made("A.h5", {recording.parts[0].path(), recording.parts[2].path()});
    const std::string inner = recording.made("B.h5", {recording.parts[1].path()});
    const std::string merged = recording.made("M.h5", {outer, inner}, "merge");
    const std::vector<std::string> counted{
        "--columns", "tensor,values,nan,inf,zeros,min,max,absmax,mean,std,kurtosis"};
    const std::vector<std::string> sixteenBits{"--tensor", "a2"};
    CHECK(printed("stats", merged, sixteenBits) == printed("stats", whole, sixteenBits));
    const std::vector<std::string> histogram{"--tensor", "a2", "--growth", "fixed"};
    CHECK(printed("histogram", merged, histogram) == printed("histogram", whole, histogram));

    const ProgramRun twice = runProgram(
        "calib", {"merge", outer, inner, outer, "-o", recording.whole.folder().file("X.h5")});
    CHECK(twice.exitCode == 2);
    CHECK(twice.errors.find("would be counted twice") != std::string::npos);
}

TEST_CASE("files that do not fit together are named, and leave exit code 3")
{
    const Recording recording;
    std::vector<float> weight(8 * 20, 1.0F);
    test::H5File different;
    different.write("/weights/w", {8, 20}, weight);
    different.attribute("/", "format", "calibration-dump");
    different.attribute("/", "first_sample", std::int64_t{200});
    const std::string output = recording.whole.folder().file("P.h5");
    const ProgramRun run = runProgram("calib", {"profile", recording.whole.path(), different.path(),
                                                "/nowhere.h5", "-o", output});
    CHECK(run.exitCode == 3);
    CHECK(run.errors.find("/weights/w: its values are not those in") != std::string::npos);
    CHECK(run.errors.find("/nowhere.h5") != std::string::npos);
    CHECK(printed("stats", output, {"--columns", "tensor,max"}).find("a1,") != std::string::npos);

    const ProgramRun overlapping = runProgram(
        "calib", {"profile", recording.whole.path(), recording.parts[1].path(), "-o", output});
    CHECK(overlapping.exitCode == 2);
    CHECK(overlapping.errors.find("first_sample") != std::string::npos);
    const ProgramRun nameless = runProgram("calib", {"profile", recording.whole.path()});
    CHECK(nameless.exitCode == 2);
}

TEST_CASE("first_sample stands on the root or on tensors, and does not contradict itself")
{
    test::H5File files[2];
    for (std::size_t part = 0; part < 2; ++part) {
        test::H5File& file = files[part];
        file.write("/activations/a", {4, 6}, std::vector<float>(24, part == 0 ? 2.0F : 1.0F));
        file.attribute("/activations/a", "layout", "NC");
        file.attribute("/activations/a", "first_sample", part == 0 ? std::int64_t{4} : 0);
        file.attribute("/", "format", "calibration-dump");
    }
    const std::string output = files[0].folder().file("P.h5");
    const std::vector<std::string> arguments{"profile", files[0].path(), files[1].path(), "-o",
                                             output};
    const ProgramRun run = runProgram("calib", arguments);
    INFO(run.errors);
    CHECK(run.exitCode == 0);
    CHECK(run.errors.find("order of their names") == std::string::npos);
    files[1].write("/activations/b", {4, 6}, std::vector<float>(24, 1.0F));
    files[1].attribute("/activations/b", "first_sample", std::int64_t{8});
    const ProgramRun refused = runProgram("calib", arguments);
    CHECK(refused.exitCode == 3);
    CHECK(refused.errors.find("elsewhere in the file") != std::string::npos);
}

TEST_CASE("steps shared among any number of processes make the same bytes")
{
    const Recording recording;
    const std::vector<std::string> files{recording.parts[0].path(), recording.parts[1].path(),
                                         recording.parts[2].path()};
    const std::vector<std::string> reversed(files.rbegin(), files.rend());
    const std::string expected = test::readBytes(recording.made("P.h5", files));
    const auto runStep = [&](const std::vector<std::string>& inputs, const std::string& folder,
                             std::vector<std::string> options) {
        std::vector<std::string> arguments{"profile"};
        arguments.insert(arguments.end(), inputs.begin(), inputs.end());
        arguments.insert(arguments.end(), {"--parts", folder});
        arguments.insert(arguments.end(), options.begin(), options.end());
        const ProgramRun run = runProgram("calib", arguments);
        INFO(run.errors);
        CHECK(run.exitCode == 0);
    };
    for (const std::size_t count : {1U, 2U, 3U, 7U}) {
        const std::string number = std::to_string(count);
        const std::string folder = recording.whole.folder().file("parts" + number);
        const std::string output = recording.whole.folder().file("P" + number + ".h5");
        const auto shared = [&](const std::string& step) {
            for (std::size_t share = count; share >= 1; --share)
                runStep(share % 2 == 0 ? files : reversed, folder,
                        {"--step", step, "--part", std::to_string(share) + "/" + number});
        };
        shared("sums");
        runStep(files, folder, {"--step", "epochs"});
        shared("counts");
        runStep(reversed, folder, {"--step", "finish", "-o", output});
        CHECK(test::readBytes(output) == expected);
    }
    // A run that lost some of what it had goes on, in another number of processes.
    const std::string folder = recording.whole.folder().file("parts7");
    for (const char* lost : {"sums-0-1", "counts-1-0", "counts-0-2"})
        CHECK(std::filesystem::remove(folder + "/" + lost));
    const std::string output = recording.whole.folder().file("Q.h5");
    runStep(files, folder, {"-o", output});
    CHECK(test::readBytes(output) == expected);
}

TEST_CASE("steps say what is missing, what is damaged, and what does not belong together")
{
    const Recording recording;
    const std::string folder = recording.whole.folder().file("parts");
    const std::string output = recording.whole.folder().file("P.h5");
    const auto stepOf = [&](const std::string& file, const std::vector<std::string>& options) {
        std::vector<std::string> arguments{"profile", file, "--parts", folder};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return runProgram("calib", arguments);
    };
    const std::string whole = recording.whole.path();
    CHECK(stepOf(whole, {"--step", "epochs"}).exitCode == 2);
    CHECK(stepOf(whole, {"--step", "sums"}).exitCode == 0);
    const ProgramRun early = stepOf(whole, {"--step", "counts"});
    CHECK(early.exitCode == 2);
    CHECK(early.errors.find("run --step epochs") != std::string::npos);
    const ProgramRun other = stepOf(recording.parts[0].path(), {"--step", "sums"});
    CHECK(other.exitCode == 2);
    CHECK(other.errors.find("for other inputs") != std::string::npos);
    CHECK(stepOf(whole, {"--step", "sums", "--percentile", "12"}).exitCode == 2);
    CHECK(stepOf(whole, {"--step", "sums", "--part", "3/2"}).exitCode == 2);
    CHECK(stepOf(whole, {"--step", "finish"}).exitCode == 2);
    CHECK(stepOf(whole, {"-o", output}).exitCode == 0);
    const std::string profile = test::readBytes(output);
    for (const char* place : {"/counts-0-0", "/whole-0", "/sums-1-0"}) {
        std::string bytes = test::readBytes(folder + place);
        bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
        test::writeBytes(folder + place, bytes);
        const bool isRead = std::string_view(place) != "/sums-1-0";
        const ProgramRun damaged = stepOf(whole, {"--step", "finish", "-o", output});
        CHECK(damaged.exitCode == (isRead ? 2 : 0));
        CHECK((damaged.errors.find(place + std::string(": it is damaged")) != std::string::npos) ==
              isRead);
        CHECK((damaged.errors.find("is missing; run --step") != std::string::npos) == isRead);
        CHECK(stepOf(whole, {"-o", output}).exitCode == 0);
        CHECK(test::readBytes(output) == profile);
    }
}

TEST_CASE("started several times by a launcher, it refuses to do all of it each time")
{
    const Recording recording;
    const std::string folder = recording.whole.folder().file("parts");
    const std::string output = recording.whole.folder().file("P.h5");
    ::setenv("SLURM_STEP_NUM_TASKS", "4", 1);
    const ProgramRun all = runProgram("calib", {"profile", recording.whole.path(), "-o", output});
    const ProgramRun part = runProgram("calib", {"profile", recording.whole.path(), "--parts",
                                                 folder, "--step", "sums", "--part", "1/4"});
    ::setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    const ProgramRun one = runProgram("calib", {"profile", recording.whole.path(), "-o", output});
    ::unsetenv("SLURM_STEP_NUM_TASKS");
    CHECK(all.exitCode == 2);
    CHECK(all.errors.find("started 4 times (SLURM_STEP_NUM_TASKS)") != std::string::npos);
    CHECK(part.exitCode == 0);
    CHECK(one.exitCode == 0);
}

TEST_CASE("a damaged profile is refused with a sentence")
{
    const Recording recording;
    const std::string profile = recording.made("P.h5", {recording.whole.path()});
    const std::string bytes = test::readBytes(profile);
    std::mt19937 engine(9);
    for (int round = 0; round < 12; ++round) {
        std::string damaged = bytes;
        for (int place = 0; place < 40; ++place)
            damaged[engine() % damaged.size()] = static_cast<char>(engine());
        const std::string path = recording.whole.folder().file("damaged.h5");
        test::writeBytes(path, damaged);
        const ProgramRun run = runProgram("calib", {"stats", path});
        INFO(run.errors);
        CHECK((run.exitCode == 0 || run.exitCode == 3));
        CHECK((run.exitCode == 0 || !run.errors.empty()));
    }
}

}  // namespace profile_test
