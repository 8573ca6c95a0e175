// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"
#include "tests/support/sharded_recording.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/types.h>
#include <sys/wait.h>

namespace profile_ranks_test {

using namespace calibscope;
using test::ProgramRun;
using test::quoted;

namespace fs = std::filesystem;

/// Launchers differ in what they pass on: MPICH's hydra ends with the signal's number and gives
/// ranks PMI_SIZE.
constexpr bool isOpenMpi = std::string_view(CALIBSCOPE_MPIRUN_OPTIONS) != "";
constexpr int killedCode = isOpenMpi ? 128 + SIGKILL : SIGKILL;
constexpr const char* countVariable = isOpenMpi ? "OMPI_COMM_WORLD_SIZE" : "PMI_SIZE";

/// A profile's command line for so many ranks; 0: without a launcher.
std::string commandFor(int ranks, const std::vector<std::string>& arguments,
                       const std::string& program = "mpi/calib")
{
    std::string command;
    if (ranks > 0)
        command = quoted(CALIBSCOPE_MPIRUN) + " " CALIBSCOPE_MPIRUN_OPTIONS +
                  // A folder of its own: two launchers that start at once make the usual one twice.
                  (isOpenMpi ? " --mca orte_tmpdir_base \"$PWD\"" : "") + " -n " +
                  std::to_string(ranks) + " ";
    command += quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/" + program) + " profile";
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    return command;
}

ProgramRun run(int ranks, const std::vector<std::string>& arguments,
               const std::string& program = "mpi/calib")
{
    const test::TemporaryFolder folder;
    const std::string command = "cd " + quoted(folder.path().string()) + " && " +
                                commandFor(ranks, arguments, program) +
                                " >output 2>errors </dev/null";
    const int status = std::system(command.c_str());
    return {.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .output = test::readBytes(folder.file("output")),
            .errors = test::readBytes(folder.file("errors"))};
}

std::vector<float> noise(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> values(count);
    for (std::size_t place = 0; place < count; ++place)
        values[place] =
            normal(engine) * (1.0F + static_cast<float>(place) / static_cast<float>(count));
    return values;
}

/// Tensors that are cut into units of 1 MiB and such that are not, in three files.
class Recording
{
public:
    Recording()
    {
        std::size_t first = 0;
        for (unsigned part = 0; part < 3; ++part) {
            write(m_parts[part], part, 24 + 8 * part, first);
            first += 24 + 8 * part;
        }
    }

    [[nodiscard]] std::vector<std::string> paths(bool isReversed = false) const
    {
        std::vector<std::string> paths{m_parts[0].path(), m_parts[1].path(), m_parts[2].path()};
        if (isReversed)
            std::swap(paths.front(), paths.back());
        return paths;
    }
    [[nodiscard]] std::string file(const std::string& name) const
    {
        return m_parts[0].folder().file(name);
    }
    [[nodiscard]] std::vector<std::string> with(const std::string& output,
                                                const std::vector<std::string>& options = {},
                                                bool isReversed = false) const
    {
        std::vector<std::string> arguments = paths(isReversed);
        arguments.insert(arguments.end(), {"-o", file(output)});
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    }

    /// Puts what no filter has made in place of a chunk of the second file.
    void damage(const std::string& dataset, const test::Shape& offset)
    {
        m_parts[1].writeChunk(dataset, offset, std::string(900, 'x'));
    }

private:
    static void write(test::H5File& file, unsigned part, std::size_t count, std::size_t first)
    {
        const auto shape = [&](std::size_t perSample) {
            return test::Shape{count, 8, perSample / 8};
        };
        const auto describe = [&](const std::string& path) {
            file.attribute(path, "layout", "NCW");
            file.attribute(path, "batch_size", std::int64_t{6});
        };
        std::vector<float> pieces = noise(count * 40000, 10 + part);
        // Zeros over the places where units meet, a NaN and an infinity behind them.
        for (std::size_t place = 6 * 40000 - 900; place < 6 * 40000 + 700; ++place)
            pieces[place] = 0.0F;
        if (part > 0) {
            pieces[pieces.size() - 5] = std::numeric_limits<float>::quiet_NaN();
            pieces[pieces.size() - 9] = -std::numeric_limits<float>::infinity();
        }
        file.write("/activations/contiguous", shape(40000), pieces);
        describe("/activations/contiguous");
        file.write("/activations/packed", shape(16000), noise(count * 16000, 20 + part),
                   {.chunk = {4, 8, 500}, .hasShuffle = true, .gzip = 1});
        describe("/activations/packed");
        const std::vector<float> half = noise(count * 800, 30 + part);
        file.write("/activations/half", shape(800), std::vector<double>(half.begin(), half.end()),
                   test::Stored::Float16);
        describe("/activations/half");
        std::vector<double> flags;  // not of every position, and of one sample of none
        for (std::size_t position = 0; position < count * 8; ++position)
            flags.push_back(position / 8 != 7 && (position * 5 + part) % 7 != 0 ? 1.0 : 0.0);
        for (const char* masked : {"contiguous", "half"})
            file.write(std::string("/activations/") + masked + ".mask", {count, 8}, flags,
                       test::Stored::Uint8);
        file.write("/activations/narrow", shape(80), noise(count * 80, 40 + part));
        describe("/activations/narrow");
        file.write("/weights/w", {16, 30}, noise(480, 5));
        file.attribute("/", "format", "calibration-dump");
        file.attribute("/", "first_sample", static_cast<std::int64_t>(first));
    }

    test::H5File m_parts[3];
};

/// Many tensors, so that a run lasts.
void writeMany(test::H5File& file, int count)
{
    for (int tensor = 0; tensor < count; ++tensor) {
        const std::string path = "/activations/a" + std::to_string(tensor);
        file.write(path, {16, 4, 4000}, noise(16 * 4 * 4000, static_cast<unsigned>(tensor)));
        file.attribute(path, "layout", "NCW");
        file.attribute(path, "batch_size", std::int64_t{2});
    }
    file.attribute("/", "format", "calibration-dump");
}

std::string afterNumbers(const std::string& stat, int fields)
{
    std::size_t place = stat.rfind(") ") + 2;
    for (int field = 0; field < fields; ++field)
        place = stat.find(' ', place) + 1;
    return stat.substr(place, stat.find(' ', place) - place);
}

/// Processes whose command line holds a text, by their parents.
std::multimap<pid_t, pid_t> processesWith(const std::string& text)
{
    std::multimap<pid_t, pid_t> found;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const std::string line = test::readBytes(entry.path() / "cmdline");
        const std::string stat = test::readBytes(entry.path() / "stat");
        if (line.find(text) != std::string::npos &&
            line.find(CALIBSCOPE_MPIRUN) == std::string::npos &&
            line.find("sh\0-c", 0, 5) == std::string::npos && !stat.empty())
            found.emplace(std::stoi(afterNumbers(stat, 1)), std::stoi(name));
    }
    return found;
}

/// A process of a run: a rank, or the child of one in which its dumps are read.
pid_t processOf(const std::string& output, bool isChild)
{
    const std::multimap<pid_t, pid_t> all = processesWith(output);
    std::set<pid_t> ranks;
    for (const auto& [parent, process] : all)
        ranks.insert(process);
    pid_t last = 0;
    for (const auto& [parent, process] : all)
        if (ranks.contains(parent) == isChild)
            last = std::max(last, process);
    return last;
}

/// Runs it, and sends a signal to one of its processes when some tensors are finished.
ProgramRun stopped(int ranks, const std::vector<std::string>& arguments, const std::string& output,
                   int signal, bool ofChild)
{
    ProgramRun ended;
    std::thread other([&] { ended = run(ranks, arguments); });
    const std::string finished = output + ".parts/tensor-3";
    for (int look = 0; look < 20000 && !fs::exists(finished); ++look)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (const pid_t process = processOf(output, ofChild); process > 0)
        ::kill(process, signal);
    other.join();
    return ended;
}

TEST_CASE("any number of ranks, units, waves and orders of the files make the same bytes")
{
    const Recording recording;
    const ProgramRun alone = run(0, recording.with("P.h5"), "calib");
    INFO(alone.errors);
    REQUIRE(alone.exitCode == 0);
    const std::string expected = test::readBytes(recording.file("P.h5"));
    const std::vector<std::vector<std::string>> options{
        {}, {"--unit", "1"}, {"--unit", "1", "--waves", "3"}, {"--unit", "2", "--jobs", "2"}};
    struct Case
    {
        int ranks;
        std::size_t options;
        bool isReversed;
    };
    for (const Case& each : {Case{1, 0, true}, Case{2, 1, false}, Case{3, 2, true},
                             Case{3, 3, false}, Case{7, 1, true}}) {
        const ProgramRun many =
            run(each.ranks, recording.with("Q.h5", options[each.options], each.isReversed));
        INFO(each.ranks << " ranks: " << many.errors);
        CHECK(many.exitCode == 0);
        CHECK(test::readBytes(recording.file("Q.h5")) == expected);
        CHECK_FALSE(fs::exists(recording.file("Q.h5.parts")));
        fs::remove(recording.file("Q.h5"));
    }
    // One process in units.
    for (const std::vector<std::string>& own : options) {
        CHECK(run(0, recording.with("Q.h5", own), "calib").exitCode == 0);
        CHECK(test::readBytes(recording.file("Q.h5")) == expected);
    }
}

TEST_CASE("any number of ranks makes the same bytes of channels in several files")
{
    const test::ShardedRecording recording({0, 16, 24}, {0, 1, 5, 7}, 12000);
    const auto with = [&](const std::string& output, const std::vector<std::string>& options) {
        std::vector<std::string> arguments = recording.paths();
        arguments.insert(arguments.end(), {"-o", recording.whole().folder().file(output)});
        arguments.insert(arguments.end(), options.begin(), options.end());
        return arguments;
    };
    const ProgramRun alone = run(0, with("P.h5", {}), "calib");
    INFO(alone.errors);
    REQUIRE(alone.exitCode == 0);
    for (const int ranks : {1, 2, 3}) {
        const ProgramRun many = run(ranks, with("Q.h5", {"--unit", "1", "--fresh"}));
        INFO(ranks << " ranks: " << many.errors);
        CHECK(many.exitCode == 0);
        CHECK(test::readBytes(recording.whole().folder().file("Q.h5")) ==
              test::readBytes(recording.whole().folder().file("P.h5")));
    }
}

TEST_CASE("what can't be read is left out alike by one rank and by three")
{
    Recording recording;
    recording.damage("/activations/packed", {20, 0, 0});
    recording.damage("/activations/packed", {8, 0, 500});
    std::vector<std::string> arguments = recording.with("P.h5", {"--unit", "1"});
    arguments.insert(arguments.begin(), "/nowhere/file.h5");
    const ProgramRun alone = run(0, arguments, "calib");
    INFO(alone.errors);
    REQUIRE(alone.exitCode == 3);
    CHECK(alone.errors.find("/nowhere/file.h5") != std::string::npos);
    CHECK(alone.errors.find("/activations/packed: its values cannot be read (chunk [8, 0, 500]") !=
          std::string::npos);
    const std::string expected = test::readBytes(recording.file("P.h5"));
    for (const int ranks : {1, 3}) {
        fs::remove(recording.file("P.h5"));
        const ProgramRun many = run(ranks, arguments);
        INFO(many.errors);
        CHECK(many.exitCode == 3);
        CHECK(test::readBytes(recording.file("P.h5")) == expected);
        for (std::size_t begin = 0; begin < alone.errors.size();) {
            const std::size_t end = alone.errors.find('\n', begin);
            const std::string line = alone.errors.substr(begin, end - begin);
            CHECK(many.errors.find(line) != std::string::npos);
            CHECK(many.errors.find(line) == many.errors.rfind(line));  // told once
            begin = end + 1;
        }
    }
}

TEST_CASE("after a rank was killed there is no profile, and another number of ranks goes on")
{
    test::H5File file;
    writeMany(file, 40);
    const std::string expected = file.folder().file("P.h5");
    REQUIRE(run(0, {file.path(), "-o", expected}, "calib").exitCode == 0);
    const std::string output = file.folder().file("Q.h5");
    const std::vector<std::string> arguments{file.path(), "-o", output, "--waves", "40"};
    const ProgramRun killed = stopped(3, arguments, output, SIGKILL, false);
    INFO(killed.errors);
    CHECK(killed.exitCode == killedCode);
    CHECK_FALSE(fs::exists(output));
    REQUIRE(fs::exists(output + ".parts/tensor-3"));

    const ProgramRun again = run(2, arguments);
    CHECK(again.exitCode == 2);
    CHECK(again.errors.find("--resume") != std::string::npos);
    std::vector<std::string> others = arguments;
    others.insert(others.end(), {"--resume", "--percentile", "12"});
    const ProgramRun otherwise = run(2, others);
    INFO(otherwise.errors);
    CHECK(otherwise.exitCode == 2);
    CHECK(otherwise.errors.find("inputs or options") != std::string::npos);
    CHECK(fs::exists(output + ".parts/tensor-3"));

    // What is finished is not made again: it would not be this.
    std::vector<std::string> resumed = arguments;
    resumed.emplace_back("--resume");
    const ProgramRun on = run(2, resumed);
    INFO(on.errors);
    CHECK(on.exitCode == 0);
    CHECK(test::readBytes(output) == test::readBytes(expected));
    CHECK_FALSE(fs::exists(output + ".parts"));
}

TEST_CASE("a tensor at which a rank crashed is left out by the run that goes on")
{
    test::H5File file;
    writeMany(file, 40);
    const std::string output = file.folder().file("Q.h5");
    // Several tensors in a wave, so that each rank has one.
    const std::vector<std::string> arguments{file.path(), "-o", output, "--waves", "10"};
    std::string told;
    // One that was hit before it had a tensor tells none.
    for (int attempt = 0; attempt < 5 && told.empty(); ++attempt) {
        fs::remove_all(output + ".parts");
        const ProgramRun crashed = stopped(2, arguments, output, SIGSEGV, true);
        INFO(crashed.errors);
        CHECK(crashed.exitCode == 3);
        CHECK(crashed.errors.find("crashed (Segmentation fault)") != std::string::npos);
        CHECK_FALSE(fs::exists(output));
        if (fs::exists(output + ".parts/crashed"))
            told = test::readBytes(output + ".parts/crashed");
    }
    REQUIRE(told.starts_with(file.path() + "\t/activations/a"));
    const std::string path =
        told.substr(file.path().size() + 1, told.size() - file.path().size() - 2);

    std::vector<std::string> resumed = arguments;
    resumed.emplace_back("--resume");
    const ProgramRun on = run(3, resumed);
    INFO(on.errors);
    CHECK(on.exitCode == 3);
    CHECK(on.errors.find(file.path() + ":" + path + ": skipped: reading it crashed") !=
          std::string::npos);
    CHECK(fs::exists(output));
    CHECK_FALSE(fs::exists(output + ".parts"));
    const ProgramRun stats =
        test::runProgram("calib", {"stats", output, "--columns", "tensor", "--format", "csv"});
    CHECK(std::ranges::count(stats.output, '\n') == 40);  // the heading, and 39
}

TEST_CASE("what is wrong for all ranks is told once, and exit codes are calib's")
{
    const Recording recording;
    const ProgramRun none = run(3, recording.with("P.h5", {"--tensor", "nosuch"}));
    INFO(none.errors);
    CHECK(none.exitCode == 3);
    const std::size_t told = none.errors.find("nosuch");
    CHECK(told != std::string::npos);
    CHECK(none.errors.find("calib: ") == none.errors.rfind("calib: "));
    std::vector<std::string> twice = recording.with("P.h5");
    twice.push_back(twice.front());
    const ProgramRun same = run(2, twice);
    CHECK(same.exitCode == 2);
    CHECK(same.errors.find("is the same file as") != std::string::npos);
    const ProgramRun nowhere = run(2, {recording.paths()[0], "-o", "/nowhere/P.h5"});
    CHECK(nowhere.exitCode == 4);
    CHECK_FALSE(fs::exists(recording.file("P.h5")));
}

TEST_CASE("built without MPI, it refuses to do all of the work in each rank")
{
    const Recording recording;
    const ProgramRun refused = run(2, recording.with("P.h5"), "calib");
    CHECK(refused.exitCode == 2);
    CHECK(refused.errors.find("started 2 times (" + std::string(countVariable) + ")") !=
          std::string::npos);
    CHECK_FALSE(fs::exists(recording.file("P.h5")));
}

TEST_CASE("started by srun without a plugin for MPI, it says so before MPI ends it")
{
    const Recording recording;
    // What Slurm tells of a step, but for PMIx.
    const std::vector<std::string> step{"SLURM_STEP_NUM_TASKS", "SLURM_JOBID", "SLURM_STEP_ID",
                                        "SLURM_NODELIST"};
    for (const std::string& name : step)
        ::setenv(name.c_str(), "2", 1);
    const ProgramRun refused = run(0, recording.with("P.h5"));
    for (const std::string& name : step)
        ::unsetenv(name.c_str());
    INFO(refused.errors);
    CHECK(refused.exitCode == 2);
    CHECK(refused.errors.find("calib: it was started 2 times (SLURM_STEP_NUM_TASKS)") !=
          std::string::npos);
    CHECK(refused.errors.find("srun --mpi=pmix") != std::string::npos);
    CHECK_FALSE(fs::exists(recording.file("P.h5")));
    CHECK_FALSE(fs::exists(recording.file("P.h5.parts")));
}

}  // namespace profile_ranks_test
