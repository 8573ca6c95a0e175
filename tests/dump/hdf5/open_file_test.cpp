// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_growing.h"
#include "tests/support/h5py.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace open_file_test {

using namespace calibscope;
using test::GrowingFile;
using Shape = std::vector<std::uint64_t>;

constexpr const char* growingNote =
    "/: the file is still being written, or its writer did not close it: this is what was there "
    "when it was opened";

std::string refusalOf(const std::string& path, bool allowGrowing = false)
{
    try {
        static_cast<void>(DumpFile::open(path, {.allowGrowing = allowGrowing}));
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

std::shared_ptr<const DumpFile> lookAt(const std::string& path)
{
    return DumpFile::open(path, {.allowGrowing = true});
}

/// As GrowingFile writes them.
std::vector<float> batches(std::size_t count)
{
    std::vector<float> values;
    for (std::size_t batch = 0; batch < count; ++batch)
        values.insert(values.end(), 32, static_cast<float>(batch));
    return values;
}

/// Calls by which this thread has read so far; nothing where the system does not count them.
std::optional<std::uint64_t> readCalls()
{
    std::ifstream file("/proc/thread-self/io");
    std::string name;
    std::uint64_t count = 0;
    while (file >> name >> count)
        if (name == "syscr:")
            return count;
    return std::nullopt;
}

/// Calls that it takes to list a file; what is counted besides is little.
std::uint64_t callsToList(const std::string& path, std::size_t tensors)
{
    const std::uint64_t before = readCalls().value_or(0);
    const auto dump = DumpFile::open(path);
    const std::uint64_t after = readCalls().value_or(0);
    CHECK(dump->tensors().size() == tensors);
    for (const std::size_t tensor : {std::size_t{0}, tensors / 2, tensors - 1})
        CHECK(test::valuesOf(dump->source(tensor)) ==
              std::vector<float>(32, static_cast<float>(tensor)));
    return after - before;
}

TEST_CASE("a file that is open for SWMR is shown for a look, as it was when it was opened")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    GrowingFile writer(path);
    writer.append(3);
    const auto first = lookAt(path);
    REQUIRE(first->tensors().size() == 1);
    CHECK(first->tensors().front().shape == Shape{12, 8});
    CHECK(first->tensors().front().batchCount() == 3);
    CHECK(first->warnings() == std::vector<std::string>{growingNote});
    CHECK(test::valuesOf(first->source(0)) == batches(3));

    writer.append(500);  // other blocks of the index come into being
    CHECK(test::valuesOf(first->source(0)) == batches(3));
    const auto second = lookAt(path);
    CHECK(second->tensors().front().shape == Shape{2012, 8});
    CHECK(test::valuesOf(second->source(0)) == batches(503));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
    CHECK_THROWS_WITH(test::valuesOf(second->source(0)),
                      path + ":/activations/a: cannot be read: the file was changed since it was "
                             "opened; open it again");
}

TEST_CASE("what was listed of a file that grows can be read when its writer has closed it")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    auto writer = std::make_unique<GrowingFile>(path);
    writer->append(3);
    const auto dump = lookAt(path);
    CHECK(dump->isGrowing());
    writer->append(30);
    writer.reset();
    CHECK(test::valuesOf(dump->source(0)) == batches(3));
    CHECK_FALSE(lookAt(path)->isGrowing());
}

TEST_CASE("a file that grows while it is opened is opened all the same")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    GrowingFile writer(path);
    writer.append(3);
    int steps = 0;
    const Progress progress({}, [&](std::uint64_t, std::uint64_t, std::string_view) {
        if (steps++ == 0)
            writer.append(100);
    });
    const auto dump = DumpFile::open(path, {.allowGrowing = true}, progress);
    CHECK(steps > 0);
    REQUIRE(dump->tensors().size() == 1);
    CHECK(dump->tensors().front().unreadable.empty());
    CHECK(dump->tensors().front().shape == Shape{412, 8});
    CHECK(lookAt(path)->tensors().front().shape == Shape{412, 8});
}

TEST_CASE("whoever needs all values opens no file that is still being written")
{
    const test::TemporaryFolder folder;
    const std::string path = folder.file("growing.h5");
    const std::string beginning =
        path + ": it is still being written, or its writer did not close it: ";
    {
        GrowingFile writer(path);
        writer.append(1);
        CHECK(refusalOf(path) == beginning +
                                     "calib info and the window show what is there so far; if no "
                                     "writer is running, mend a copy with h5clear -s");
    }
    CHECK(refusalOf(path) == "none");
    CHECK(lookAt(path)->warnings().empty());
    GrowingFile writer(path, false);
    writer.append(1);
    for (const bool allowGrowing : {false, true})
        CHECK(refusalOf(path, allowGrowing) ==
              beginning + "if no writer is running, mend a copy with h5clear -s");
}

TEST_CASE("what a writer for SWMR that was killed has left is shown too")
{
    const test::TemporaryFolder folder;
    GrowingFile writer(folder.file("growing.h5"));
    writer.append(7);
    std::filesystem::copy_file(folder.file("growing.h5"), folder.file("left.h5"));
    const auto dump = lookAt(folder.file("left.h5"));
    CHECK(dump->warnings() == std::vector<std::string>{growingNote});
    CHECK(test::valuesOf(dump->source(0)) == batches(7));
}

TEST_CASE("what is damaged in a file that grows may be half written")
{
    const test::TemporaryFolder folder;
    GrowingFile writer(folder.file("growing.h5"));
    writer.append(7);
    const std::string bytes = test::readBytes(folder.file("growing.h5"));
    const std::string path = folder.file("left.h5");
    std::string damaged = bytes;
    const std::size_t index = damaged.find("EAHD");  // of the chunks
    REQUIRE(index != std::string::npos);
    damaged[index + 20] = static_cast<char>(damaged[index + 20] ^ 1);
    test::writeBytes(path, damaged);
    CHECK_THAT(lookAt(path)->tensors().front().unreadable.sentence,
               test::containsText("it is damaged, or still being written, at byte "));
    test::writeBytes(path, bytes.substr(0, 60));  // behind the superblock
    CHECK_THAT(refusalOf(path, true),
               test::containsText(": is truncated, or still being written: it has 60 of the "));
}

TEST_CASE("a file whose writer has flushed a dataset alone may still be being written")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "import os\n"
                          "for name, first in (('file', True), ('dataset', False)):\n"
                          "    if os.fork() == 0:\n"
                          "        file = h5py.File(name + '.h5', 'w')\n"
                          "        a = file.create_dataset('a', (0, 16, 32), 'f4', chunks=(4, 16, "
                          "32), maxshape=(None, 16, 32))\n"
                          "        if first:\n"
                          "            file.flush()\n"
                          "        for batch in range(200):\n"
                          "            a.resize(4 * (batch + 1), axis=0)\n"
                          "            a[4 * batch:] = batch\n"
                          "            a.flush()\n"
                          "        os._exit(0)\n"
                          "    os.wait()\n");
    const auto dump = DumpFile::open(folder.file("file.h5"));
    CHECK_THAT(dump->tensors().front().unreadable.sentence,
               test::containsText("it is damaged, or still being written, at byte ") &&
                   test::containsText("the structure there is not in the file"));
    CHECK(dump->warnings() ==
          std::vector<std::string>{"/: the file goes on behind the end that its header states: it "
                                   "may still be being written, or its writer did not close it"});
    CHECK_THAT(refusalOf(folder.file("dataset.h5")),
               test::containsText("dataset.h5: is damaged, or still being written, at byte "));
}

TEST_CASE("the structure of many tensors takes few reads, fewest where it lies on pages")
{
    const test::TemporaryFolder folder;
    const std::size_t tensors = 400;
    const std::string plain = folder.file("plain.h5");
    const std::string pages = folder.file("pages.h5");
    const std::string smallPages = folder.file("small_pages.h5");
    test::writeManyTensors(plain, tensors, 0);
    test::writeManyTensors(pages, tensors, std::size_t{1} << 20);
    test::writeManyTensors(smallPages, tensors, 4096);
    const std::uint64_t ofPlain = callsToList(plain, tensors);
    const std::uint64_t ofPages = callsToList(pages, tensors);
    const std::uint64_t ofSmallPages = callsToList(smallPages, tensors);
    if (!readCalls()) {
        WARN("the system does not count calls: only what was read was compared");
        return;
    }
    // A read for each object's header alone would be as many as there are tensors.
    CAPTURE(ofPlain, ofPages, ofSmallPages);
    CHECK(ofPlain < tensors);
    CHECK(ofSmallPages < tensors);
    CHECK(ofPages < tensors / 10);
}

}  // namespace open_file_test
