// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/run_program.h"

#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <sys/stat.h>
#include <sys/wait.h>

namespace finished_parts_test {

using namespace calibscope;
using test::ProgramRun;

namespace fs = std::filesystem;

/// Four tensors, and a profile of them that was made without trouble.
class Recording
{
public:
    explicit Recording(int tensors = 4, std::size_t width = 50)
    {
        std::mt19937 engine(5);
        std::normal_distribution<float> normal(0.3F, 1.0F);
        for (int tensor = 0; tensor < tensors; ++tensor) {
            std::vector<float> values(8 * width);
            for (float& value : values)
                value = normal(engine);
            m_file.write(place(tensor), {8, 2, width / 2}, values);
            m_file.attribute(place(tensor), "layout", "NCW");
        }
        REQUIRE(profiled("whole.h5", {}).exitCode == 0);
        m_whole = test::readBytes(path("whole.h5"));
    }

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_file.folder().file(name);
    }
    [[nodiscard]] const std::string& whole() const { return m_whole; }
    [[nodiscard]] ProgramRun profiled(const std::string& name,
                                      std::vector<std::string> options) const
    {
        options.insert(options.begin(), {"profile", m_file.path(), "-o", path(name)});
        return test::runProgram("calib", options);
    }
    /// The same where no file may have more than so many blocks of 512 bytes, as on a full disk.
    [[nodiscard]] ProgramRun stopped(const std::string& name, std::size_t blocks,
                                     const std::string& options = {}) const
    {
        const std::string command =
            "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + "; exec " +
            test::quoted(std::string(CALIBSCOPE_PROGRAM_DIR) + "/calib") + " profile " +
            test::quoted(m_file.path()) + " -o " + test::quoted(path(name)) + " " + options +
            " 2>" + test::quoted(path("errors")) + " </dev/null";
        const int status = std::system(("sh -c " + test::quoted(command)).c_str());
        return {.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                .output = {},
                .errors = test::readBytes(path("errors"))};
    }
    /// Blocks that hold the profile of each tensor, but not that of all.
    [[nodiscard]] std::size_t blocksOfAPart() const { return m_whole.size() / 512 / 2; }

private:
    static std::string place(int tensor) { return "/activations/a" + std::to_string(tensor); }

    test::H5File m_file;
    std::string m_whole;
};

bool says(const ProgramRun& run, const std::string& words)
{
    return run.errors.find(words) != std::string::npos;
}

void flipBit(const std::string& path, std::size_t bit)
{
    std::string bytes = test::readBytes(path);
    bytes[bit / 8 % bytes.size()] ^= static_cast<char>(1U << (bit % 8));
    test::writeBytes(path, bytes);
}

TEST_CASE("one damaged byte of a profile is refused, or changes no number")
{
    const Recording recording;
    const std::string path = recording.path("damaged.h5");
    const auto printed = [&] {
        return test::runProgram("calib",
                                {"scales", path, "--estimate", "--calibrator", "mse", "--columns",
                                 "tensor,calibrator,low,high,scale,sqnr_db,mse,kl,values,min,max"});
    };
    test::writeBytes(path, recording.whole());
    const ProgramRun sound = printed();
    REQUIRE(sound.exitCode == 0);
    std::mt19937 engine(9);
    int refused = 0;
    for (int round = 0; round < 40; ++round) {
        std::string damaged = recording.whole();
        const std::size_t place = engine() % (round % 4 == 0 ? 4096 : damaged.size());
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << (engine() % 8)));
        test::writeBytes(path, damaged);
        const ProgramRun run = printed();
        INFO(place << ": " << run.errors);
        CHECK((run.exitCode == 3 || run.output == sound.output));
        refused += run.exitCode == 3 ? 1 : 0;
    }
    CHECK(refused > 20);
}

TEST_CASE("finished tensors that are damaged are computed anew, which is said")
{
    const Recording recording;
    const std::string output = recording.path("P.h5");
    const ProgramRun stopped = recording.stopped("P.h5", recording.blocksOfAPart());
    INFO(stopped.errors);
    REQUIRE(stopped.exitCode == 4);
    CHECK(says(stopped, "--resume"));
    const std::string parts = output + ".parts/";
    CHECK(recording.profiled("P.h5", {}).exitCode == 2);
    flipBit(parts + "tensor-0", 8 * 900 + 3);
    flipBit(parts + "tensor-1", 0);
    fs::rename(parts + "tensor-2", parts + "former");
    fs::copy(parts + "tensor-3", parts + "tensor-2");
    const ProgramRun resumed = recording.profiled("P.h5", {"--resume"});
    CHECK(resumed.exitCode == 0);
    for (const char* tensor : {"tensor-0", "tensor-1", "tensor-2"})
        CHECK(says(resumed, parts + tensor + ": it is damaged"));
    CHECK_FALSE(says(resumed, "tensor-3"));
    CHECK((test::readBytes(output) == recording.whole()));
    // Somebody else's file stays, and its folder.
    CHECK(fs::exists(parts + "former"));
    CHECK_FALSE(fs::exists(parts + "key"));
}

TEST_CASE("a link or a pipe among finished tensors is neither followed nor waited for")
{
    const Recording recording;
    const std::string output = recording.path("P.h5");
    const std::string parts = output + ".parts/";
    const std::string elsewhere = recording.path("elsewhere");
    for (const char* name : {"tensor-1", "key"})
        for (const bool isPipe : {false, true}) {
            REQUIRE(recording.stopped("P.h5", recording.blocksOfAPart(), "--fresh").exitCode == 4);
            fs::rename(parts + name, elsewhere);
            if (isPipe)
                REQUIRE(::mkfifo((parts + name).c_str(), 0600) == 0);
            else
                fs::create_symlink(elsewhere, parts + name);
            const ProgramRun resumed = recording.profiled("P.h5", {"--resume", "--timeout", "5"});
            INFO(resumed.errors);
            CHECK(resumed.exitCode == 2);
            CHECK(says(resumed, parts + name + ": it is a link, a pipe"));
            CHECK_FALSE(fs::exists(output));
            const ProgramRun fresh = recording.profiled("P.h5", {"--fresh"});
            CHECK(fresh.exitCode == 0);
            CHECK((test::readBytes(output) == recording.whole()));
            CHECK(fs::exists(elsewhere));
            CHECK_FALSE(fs::exists(parts));
            fs::remove(elsewhere);
            fs::remove(output);
        }
}

TEST_CASE("a disk that is full at any place is named, and nothing else is blamed")
{
    // Large enough for several threads to each tensor, and of several at once.
    const Recording recording(10, 10000);
    const std::size_t blocks = recording.whole().size() / 512;
    for (std::size_t share = 0; share <= 21; ++share) {
        const std::size_t limit = 8 + blocks * share / 20;
        const ProgramRun stopped = recording.stopped("P.h5", limit, "--fresh");
        INFO(limit << " of " << blocks << ": " << stopped.errors);
        CHECK(stopped.exitCode == (limit > blocks ? 0 : 4));
        CHECK_FALSE(says(stopped, "crashed"));
        CHECK(says(stopped, " be written") == (limit <= blocks));
        CHECK(fs::exists(recording.path("P.h5")) == (limit > blocks));
    }
    CHECK((test::readBytes(recording.path("P.h5")) == recording.whole()));
}

}  // namespace finished_parts_test
