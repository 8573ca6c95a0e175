// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/host_methods.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/calibrators/calibrator.h"
#include "core/protocol/frame_reader.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include <unistd.h>

namespace host_methods_test {

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::test;

const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

TEST_CASE("an engine tells who it is and what it can be asked")
{
    const protocol::Hello hello = helloOfThisHost();
    CHECK(hello.program == "calib");
    CHECK_FALSE(hello.version.empty());
    CHECK(hello.protocol == protocol::protocolVersion);
    CHECK_FALSE(hello.host.empty());
    CHECK_FALSE(hello.home.empty());
    CHECK(hello.cores >= 1);
    CHECK(hello.memoryBytes > (std::uint64_t{1} << 20));
    for (const std::string method : {"open", "view", "hello", "folder", "identify", "digest"})
        CHECK(std::ranges::count(hello.methods, method) == 1);
    REQUIRE(hello.calibrators.size() == calibrators().size());
    for (std::size_t place = 0; place < hello.calibrators.size(); ++place) {
        CHECK(hello.calibrators[place].id == calibrators()[place].id);
        CHECK(hello.calibrators[place].parameters.size() == calibrators()[place].parameters.size());
    }
}

TEST_CASE("a folder's entries come by name, with kind, size and time, a thousand at a time")
{
    const TemporaryFolder folder;
    for (int file = 0; file < 1203; ++file)
        writeBytes(folder.file("f" + std::to_string(10000 + file)), "abc");
    std::filesystem::create_directory(folder.file("sub"));
    std::filesystem::create_symlink("sub", folder.file("t-link"));
    std::filesystem::create_symlink("nowhere", folder.file("u-broken"));
    const std::string path = std::filesystem::path(folder.file("sub")).parent_path().string();

    const protocol::FolderPage first = folderPage({.path = path + "/sub/.."}, {});
    CHECK(first.path == path);
    CHECK(folderPage({.path = path + "/."}, {}).path == path);
    CHECK(folderPage({.path = "/"}, {}).path == "/");
    CHECK(first.total == 1206);
    REQUIRE(first.entries.size() == 1000);
    CHECK(first.entries[0].name == "f10000");
    CHECK(first.entries[0].kind == protocol::EntryKind::File);
    CHECK(first.entries[0].bytes == 3);
    CHECK(first.entries[0].modifiedSeconds > 1'600'000'000);
    const protocol::FolderPage second = folderPage({.path = path, .first = 1000}, {});
    REQUIRE(second.entries.size() == 206);
    CHECK(second.entries[0].name == "f11000");
    CHECK(second.entries[203].kind == protocol::EntryKind::Folder);
    CHECK(second.entries[204].kind == protocol::EntryKind::Folder);  // a link to one
    CHECK(second.entries[205].kind == protocol::EntryKind::Other);   // a link to nowhere
    CHECK(folderPage({.path = path, .first = 5000}, {}).entries.empty());

    CHECK_THROWS_WITH(folderPage({.path = path + "/none"}, {}), containsText("/none"));
    CHECK_THROWS_WITH(folderPage({.path = path + "/f10000"}, {}), containsText("can't be read"));
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(folderPage({.path = path}, Progress(stop.get_token(), {})), Cancelled);
}

TEST_CASE("a file is identified, and one that is gone is told so")
{
    const protocol::IdentifiedFile found = identifiedFile({.path = sample});
    REQUIRE(found.identity);
    CHECK(found.identity->bytes == std::filesystem::file_size(sample));
    CHECK(found.identity->headerSha256 == headerSha256(sample));
    CHECK_FALSE(found.identity->modified.empty());
    CHECK_FALSE(identifiedFile({.path = sample + "x"}).identity);
    CHECK_FALSE(identifiedFile({.path = sample + "/x"}).identity);
    CHECK_THROWS_AS(identifiedFile({.path = CALIBSCOPE_SOURCE_DIR}), Error);
}

TEST_CASE("a file's digest is that of the command line, with progress up to its size")
{
    std::vector<std::uint64_t> steps;
    const Progress progress({}, [&](std::uint64_t done, std::uint64_t total, std::string_view) {
        CHECK(total == std::filesystem::file_size(sample));
        steps.push_back(done);
    });
    const protocol::DigestedFile digested = digestedFile({.path = sample}, progress);
    CHECK(digested.identity.sha256 == fileSha256(sample));
    CHECK(std::ranges::is_sorted(steps));
    CHECK_FALSE(steps.empty());
    CHECK_THROWS_AS(digestedFile({.path = sample + "x"}, {}), Error);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(digestedFile({.path = sample}, Progress(stop.get_token(), {})), Cancelled);
}

}  // namespace host_methods_test
