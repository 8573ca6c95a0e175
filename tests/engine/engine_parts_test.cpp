// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_parts.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>

namespace engine_parts_test {

using namespace calibscope;
using namespace calibscope::engine;
using calibscope::test::TemporaryFolder;
namespace fs = std::filesystem;

TEST_CASE("a file's state changes with its path, its size, its time and its header")
{
    const TemporaryFolder folder;
    const auto then = fs::file_time_type::clock::now() - std::chrono::hours(1);
    const auto stateOf = [&](const std::string& name, const std::string& text, auto time) {
        std::ofstream(folder.file(name), std::ios::trunc) << text;
        fs::last_write_time(folder.file(name), time);
        return fileState(folder.file(name));
    };
    const std::set<std::string> states{stateOf("a", "text", then), stateOf("b", "text", then),
                                       stateOf("a", "longer", then), stateOf("a", "tixt", then),
                                       stateOf("a", "text", then + std::chrono::nanoseconds(1000))};
    CHECK(states.size() == 5);
    CHECK_FALSE(states.contains(""));
    const std::string state = stateOf("a", "text", then);
    CHECK(fileState(folder.file("a")) == state);
    CHECK(stateOf("a", "text", then) != state);  // written again: the time could be set back
}

TEST_CASE("a file that was just written, or is from tomorrow, has no state to rely on")
{
    const TemporaryFolder folder;
    std::ofstream(folder.file("a")) << "text";
    CHECK(fileState(folder.file("a")).empty());
    fs::last_write_time(folder.file("a"),
                        fs::file_time_type::clock::now() + std::chrono::hours(24));
    CHECK(fileState(folder.file("a")).empty());
    CHECK(fileState(folder.file("missing")).empty());
    CHECK(fileState(folder.path().string()).empty());
    // Its dumps change without it.
    std::ofstream(folder.file("a.dumplist")) << "a\n";
    fs::last_write_time(folder.file("a.dumplist"),
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    CHECK(fileState(folder.file("a.dumplist")).empty());
}

TEST_CASE("the running program's state tells its file")
{
    CHECK(programState().find("bytes") != std::string::npos);
    CHECK(programState() == programState());
}

}  // namespace engine_parts_test
