// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/check_structure.h"

#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/dump/structure/stored_bytes.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_file.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"
#include "tests/support/h5_unusual.h"
#include "tests/support/h5py.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace check_structure_test {

using namespace calibscope;
using structure::checkStructure;
using test::replaced;
using test::stored;
using test::tensorOf;

const std::string script = std::string(CALIBSCOPE_SOURCE_DIR) + "/tests/support/sound_files.py";

/// What the walk says of a file, whether it refuses the file or an object or attribute in it;
/// empty: all is sound.
std::string verdictOn(const std::string& path)
{
    try {
        return checkStructure(path).firstReason();
    } catch (const Error& error) {
        return error.what();
    }
}

/// The verdict on a file of these bytes.
std::string verdictOnBytes(const test::TemporaryFolder& folder, const std::string& bytes)
{
    test::writeBytes(folder.file("damaged.h5"), bytes);
    return verdictOn(folder.file("damaged.h5"));
}

/// Bytes of a file that may be changed, each by itself, without a word.
std::set<std::size_t> unwatchedBytes(const test::TemporaryFolder& folder, const std::string& bytes)
{
    std::set<std::size_t> unwatched;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
        if (verdictOnBytes(folder, damaged).empty())
            unwatched.insert(at);
    }
    return unwatched;
}

std::vector<std::string> pathsOfReadable(const std::string& path)
{
    std::vector<std::string> paths;
    const auto dump = DumpFile::open(path);
    for (const TensorInfo& info : dump->tensors())
        if (info.isReadable())
            paths.push_back(info.path);
    return paths;
}

TEST_CASE("the checksum of metadata is lookup3's")
{
    // Bob Jenkins, lookup3.c, driver5().
    CHECK(structure::lookup3("") == 0xdeadbeefU);
    CHECK(structure::lookup3("Four score and seven years ago") == 0x17770551U);
}

TEST_CASE("files of all kinds that h5py writes are sound")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "import runpy\nrunpy.run_path(r'" + script + "', run_name='__main__')\n");
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        if (entry.path().extension() != ".h5")
            continue;
        ++count;
        INFO(entry.path().filename());
        CHECK(verdictOn(entry.path().string()).empty());
        CHECK(checkStructure(entry.path().string()).firstDoubt().empty());
    }
    CHECK(count > 10);
}

TEST_CASE("nodes and numbers of other sizes, and shared messages, are sound")
{
    const test::TemporaryFolder folder;
    const auto verdict = [&](const test::Unusual& kind) {
        test::writeUnusual(folder.file("unusual.h5"), kind);
        return verdictOn(folder.file("unusual.h5"));
    };
    for (const bool isLatest : {false, true}) {
        CHECK(verdict({.isLatest = isLatest, .hasSmallNodes = true}).empty());
        CHECK(verdict({.isLatest = isLatest, .hasSharedMessages = true}) == "");
        for (const std::size_t addressBytes : {4U, 8U})
            for (const std::size_t lengthBytes : {4U, 8U})
                CHECK(verdict({.isLatest = isLatest,
                               .addressBytes = addressBytes,
                               .lengthBytes = lengthBytes})
                          .empty());
    }
}

TEST_CASE("in the latest format no byte of metadata can change without a word")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "with h5py.File('small.h5', 'w', libver='latest') as file:\n"
                          "    file['values'] = np.full(16, 1.5, 'f4')\n"
                          "    file['values'].attrs['batch_size'] = 4\n"
                          "    file.create_dataset('chunks', data=np.full((4, 6), 2.5, 'f4'),"
                          " chunks=(3, 4))\n");
    const std::string bytes = test::readBytes(folder.file("small.h5"));
    const std::set<std::size_t> unwatched = unwatchedBytes(folder, bytes);
    const std::string value = std::string("\0\0\xc0\x3f", 4);  // 1.5
    const std::size_t values = bytes.find(value + value + value);
    REQUIRE(values != std::string::npos);
    for (std::size_t at = values; at < values + 64; ++at)
        CHECK(unwatched.count(at) == 1);
    // What else may change: values of the chunks, and what belongs to nobody.
    const std::string chunkValue = std::string("\0\0\x20\x40", 4);  // 2.5
    for (const std::size_t at : unwatched)
        CHECK((bytes[at] == '\0' || value.find(bytes[at]) != std::string::npos ||
               chunkValue.find(bytes[at]) != std::string::npos));
}

TEST_CASE("a link that the library would refuse is refused before, also under a right checksum")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "with h5py.File('small.h5', 'w', libver='latest') as file:\n"
                          "    file['values'] = np.full(16, 1.5, 'f4')\n");
    const std::string path = folder.file("small.h5");
    const std::string bytes = test::readBytes(path);
    const std::size_t header = bytes.find("OHDR");
    const std::size_t name = bytes.find("values");
    REQUIRE(header != std::string::npos);
    REQUIRE(name != std::string::npos);
    REQUIRE((static_cast<unsigned char>(bytes[header + 5]) & 3U) == 0);  // one byte has its size
    const std::size_t end = header + 23 + static_cast<unsigned char>(bytes[header + 22]);
    REQUIRE(name < end);
    const std::size_t flags = name - 2;  // then the length of the name
    REQUIRE(bytes[flags] == '\0');
    const auto verdictWith = [&](const std::string& link) {
        std::string damaged = bytes;
        damaged.replace(flags, link.size(), link);
        damaged = replaced(damaged, end,
                           stored(structure::lookup3(damaged.substr(header, end - header)), 4));
        test::writeBytes(path, damaged);
        try {
            static_cast<void>(checkStructure(path));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(verdictWith(std::string(1, '\0')).empty());
    CHECK(verdictWith("\x80").find("a link has unknown flags") != std::string::npos);
    CHECK(verdictWith("\x20").find("a link has unknown flags") != std::string::npos);
    // The set of characters, which the link says now, is the former length: 6.
    CHECK(verdictWith("\x10").find("a link's name is in no known character set") !=
          std::string::npos);
}

TEST_CASE("any byte of the earliest format may change: the walk ends, and with a sentence or none")
{
    test::H5File file;
    file.write("/group/chunks", {8, 8}, std::vector<float>(64, 1.5F), {.chunk = {3, 8}, .gzip = 1});
    file.attribute("/group", "text", std::string("of variable length"));
    const std::string bytes = test::readBytes(file.path());
    const std::set<std::size_t> unwatched = unwatchedBytes(file.folder(), bytes);
    CHECK(unwatched.size() < bytes.size());
}

TEST_CASE("a damaged header is refused with its place, and the rest stays usable")
{
    test::H5File file;
    for (const char* name : {"/a", "/b", "/c"})
        file.write(name, {4}, std::vector<float>{1, 2, 3, 4});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t entry = bytes.find("SNOD") + 8 + 40;  // of /b: name, then header
    const std::uint64_t header = static_cast<unsigned char>(bytes[entry + 8]) +
                                 256U * static_cast<unsigned char>(bytes[entry + 9]);
    test::writeBytes(file.path(), replaced(bytes, header, "\x09"));
    CHECK(pathsOfReadable(file.path()) == std::vector<std::string>{"/a", "/c"});
    CHECK(tensorOf(file.path(), "/b").unreadable ==
          "it is damaged at byte " + std::to_string(header + 1) +
              ": its version is unknown; copy or record it again");
}

TEST_CASE("names one letter off known ones, and a text with a zero byte in it, are doubts")
{
    test::H5File file;
    file.write("/activations/a", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/", "format", std::string("calibration-dump"));
    file.attribute("/activations/a", "op_type", std::string("Conv"));
    file.attribute("/activations/a", "model", std::string("some text"));
    file.attribute("/activations/a", "batch_size", std::int64_t{2});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t op = bytes.find("Conv");
    const std::size_t text = bytes.find("some text");
    REQUIRE(op != std::string::npos);
    REQUIRE(text != std::string::npos);
    const auto doubtsWith = [&](std::size_t at, char byte) {
        test::writeBytes(file.path(), replaced(bytes, at, std::string(1, byte)));
        return tensorOf(file.path(), "/activations/a").doubts;
    };
    CHECK(doubtsWith(op, 'C').empty());
    CHECK(doubtsWith(op + 1, 'p') ==
          std::vector<std::string>{"attribute op_type is doubtful: it is \"Cpnv\", one letter off "
                                   "\"Conv\": check whether the file is damaged"});
    CHECK(doubtsWith(bytes.find("batch_size") + 9, 'f') ==
          std::vector<std::string>{"attribute batch_sizf is doubtful: its name is one letter off "
                                   "batch_size, which is missing: check whether the file is "
                                   "damaged"});
    CHECK(doubtsWith(bytes.find("batch_size") + 6, 'S') ==
          std::vector<std::string>{"attribute batch_Size is doubtful: its name is one letter off "
                                   "batch_size, which is missing: check whether the file is "
                                   "damaged"});
    CHECK(doubtsWith(text + 4, '\0') ==
          std::vector<std::string>{"its attribute model is left out: damaged at byte " +
                                   std::to_string(text + 4) + ": a zero byte is in a text"});
}

TEST_CASE("of a group that is damaged in part the other members stay usable")
{
    test::H5File file;
    for (const char* name : {"/g/a", "/g/b", "/g/c", "/g/sub/d"})
        file.write(name, {4}, std::vector<float>{1, 2, 3, 4});
    file.write("/e", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/g/c", "channel_axis", std::int64_t{0});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t members = bytes.rfind("SNOD");  // of /g, or of /g/sub
    REQUIRE(members != std::string::npos);
    std::size_t found = 0;
    for (std::size_t node = bytes.find("SNOD"); node != std::string::npos;
         node = bytes.find("SNOD", node + 1)) {
        if (bytes[node + 6] != 4)
            continue;
        ++found;
        // The name of /g/b lies in no heap.
        test::writeBytes(file.path(), replaced(bytes, node + 8 + 40, stored(60000, 8)));
        CHECK(pathsOfReadable(file.path()) ==
              std::vector<std::string>{"/e", "/g/a", "/g/c", "/g/sub/d"});
        const TensorInfo group = tensorOf(file.path(), "/g");
        CHECK(group.unreadable.sentence.find("the members of this group cannot all be listed "
                                             "(damaged at byte ") == 0);
        REQUIRE(tensorOf(file.path(), "/g/a").doubts.size() == 1);
        CHECK(
            tensorOf(file.path(), "/g/a").doubts.front().find("its group /g is damaged at byte ") ==
            0);
        CHECK(tensorOf(file.path(), "/e").doubts.empty());
        // The last of them, behind three that are sound, one of which is a group.
        test::writeBytes(file.path(), replaced(bytes, node + 8 + 3 * 40 + 8, stored(~0ULL, 8)));
        CHECK(pathsOfReadable(file.path()) ==
              std::vector<std::string>{"/e", "/g/a", "/g/b", "/g/c"});
        const auto dump = DumpFile::open(file.path());
        double sum = 0.0;
        for (const char* path : {"/g/a", "/g/c", "/e"})
            dump->source(dump->indexOf(path))
                .visit(
                    [&](const Block& block) {
                        for (const float value : block.values)
                            sum += static_cast<double>(value);
                    },
                    {});
        CHECK(sum == 30.0);
    }
    CHECK(found == 1);
}

TEST_CASE(
    "in the earliest format a lost or changed name leaves a doubt where something tells of it")
{
    test::H5File file;
    for (const char* name : {"/g/convolution_1", "/g/convolution_2", "/g/convolution_3", "/g/d"})
        file.write(name, {4}, std::vector<float>{1, 2, 3, 4});
    file.hardLink("/e", "/g/d");
    const std::string bytes = test::readBytes(file.path());
    const std::size_t heap = bytes.find("convolution_1");
    std::size_t node = bytes.find("SNOD");
    while (node != std::string::npos && bytes[node + 6] != 4)
        node = bytes.find("SNOD", node + 1);
    REQUIRE(node != std::string::npos);
    const std::size_t entry = 40;
    const auto doubtWith = [&](const std::string& damaged) {
        test::writeBytes(file.path(), damaged);
        return checkStructure(file.path()).firstDoubt();
    };
    CHECK(doubtWith(bytes).empty());
    // One member less.
    const std::string lost = "behind the last of its members there is more: some may be lost";
    CHECK(doubtWith(replaced(bytes, node + 6, stored(3, 2))) == lost);
    CHECK(tensorOf(file.path(), "/g/convolution_1").doubts ==
          std::vector<std::string>{"of its group /g: " + lost});
    CHECK(tensorOf(file.path(), "/e").doubts.front().find("it counts 2 links to it, and 1") == 0);
    // The same, and what it leaves is gone.
    std::string without = replaced(bytes, node + 6, stored(3, 2));
    without = replaced(without, node + 8 + 3 * entry, std::string(entry, '\0'));
    const std::string oneLess = "it counts 2 links to it, and 1 lead there: a name may be lost, or "
                                "of something else";
    CHECK(doubtWith(without) == oneLess);
    // A member's place is another's.
    const std::string second = bytes.substr(node + 8 + entry + 8, 8);
    CHECK(doubtWith(replaced(bytes, node + 8 + 8, second)) ==
          "it counts 1 links to it, and 2 lead there: a name may be lost, or of something else");
    // A name ends early: the rest of it stands in nobody's room.
    CHECK(doubtWith(replaced(bytes, heap + 6, std::string(1, '\0'))).empty());  // too short to tell
    const std::string longer = "a_convolution_that_has_a_long_name";
    test::H5File other;
    other.write("/" + longer, {4}, std::vector<float>{1, 2, 3, 4});
    const std::string named = test::readBytes(other.path());
    test::writeBytes(other.path(), replaced(named, named.find(longer) + 6, std::string(1, '\0')));
    CHECK(checkStructure(other.path()).firstDoubt() ==
          "no member is called \"ution_that_has_a_long_name\", which stands among their names");
    CHECK(tensorOf(other.path(), "/a_conv").doubts.size() == 1);
    // A name begins within another.
    const auto first = static_cast<unsigned char>(bytes[node + 8]);
    CHECK_FALSE(doubtWith(replaced(bytes, node + 8, stored(first + 12U, 8))).empty());
}

TEST_CASE("a member outside of the bounds of its node is opened by its address, with a doubt")
{
    test::H5File file;
    for (const char* name : {"/g/a", "/g/b"})
        file.write(name, {4}, std::vector<float>{1, 2, 3, 4});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t tree = bytes.rfind(std::string("TREE\0\0", 6));
    REQUIRE(tree != std::string::npos);
    // The greatest name of the node becomes that of /g/a.
    const std::size_t high = tree + 24 + 8 + 8;
    const auto offset = static_cast<unsigned char>(bytes[high]);
    test::writeBytes(file.path(), replaced(bytes, high, stored(offset - 8U, 8)));
    CHECK(pathsOfReadable(file.path()) == std::vector<std::string>{"/g/a", "/g/b"});
    CHECK(tensorOf(file.path(), "/g/b").doubts.front().find("its group /g is damaged at byte ") ==
          0);
}

TEST_CASE("a table of chunks that tells of more than it has is damage, and takes no time")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "with h5py.File('grows.h5', 'w', libver='latest') as file:\n"
                          "    file.create_dataset('a', data=np.ones((16, 4), 'f4'),"
                          " chunks=(4, 4), maxshape=(None, 4))\n");
    std::string bytes = test::readBytes(folder.file("grows.h5"));
    const std::size_t header = bytes.find("EAHD");
    REQUIRE(header != std::string::npos);
    const std::size_t set = header + 12 + 4 * 8;
    const std::size_t end = header + 12 + 6 * 8 + 8;  // of what the checksum covers
    const auto verdictWith = [&](std::uint64_t count) {
        bytes = replaced(bytes, set, stored(count, 8));
        bytes =
            replaced(bytes, end, stored(structure::lookup3(bytes.substr(header, end - header)), 4));
        return verdictOnBytes(folder, bytes);
    };
    CHECK(verdictWith(4).empty());
    CHECK(verdictWith(std::uint64_t{1} << 62)
              .find("a table of chunks tells of more chunks than it "
                    "has room for") != std::string::npos);
    CHECK(verdictWith(3).find("a chunk stands behind the last of its table") != std::string::npos);
}

TEST_CASE("what is of a newer version is told as such")
{
    test::H5File file;
    file.write("/a", {64}, std::vector<float>(64, 1.0F));
    const std::string bytes = test::readBytes(file.path());
    const std::size_t values = bytes.find(std::string("\0\0\x80\x3f\0\0\x80\x3f", 8));
    const std::size_t layout = bytes.find("\x03\x01" + stored(values, 8) + stored(256, 8));
    const std::size_t type = bytes.find(std::string("\x11\x20\x1f\0\x04\0\0\0", 8));
    REQUIRE(layout != std::string::npos);
    REQUIRE(type != std::string::npos);
    const auto reasonWith = [&](std::size_t at, char byte) {
        test::writeBytes(file.path(), replaced(bytes, at, std::string(1, byte)));
        return tensorOf(file.path(), "/a").unreadable.sentence;
    };
    CHECK(reasonWith(layout, 5) == "it is newer than this reader, or damaged, at byte " +
                                       std::to_string(layout + 1) +
                                       ": its storage is of version 5, not of 1 to 4; copy or "
                                       "record it again");
    CHECK(reasonWith(layout, 0).find("it is damaged at byte") == 0);
    // The complex numbers of HDF5 2.0: kind 11, version 5.
    CHECK(reasonWith(type, '\x5b').find("it is newer than this reader, or damaged, at byte") == 0);
    CHECK(reasonWith(type, '\x1b').find("it is damaged at byte") == 0);
    CHECK(reasonWith(type, '\x61').find("it is newer than this reader, or damaged, at byte") == 0);
}

TEST_CASE("values that two tensors claim are neither's")
{
    test::H5File file;
    file.write("/a", {64}, std::vector<float>(64, 1.0F));
    file.write("/b", {64}, std::vector<float>(64, 2.0F));
    file.write("/c", {4}, std::vector<float>(4, 3.0F));
    std::string bytes = test::readBytes(file.path());
    const std::size_t first = bytes.find(std::string("\0\0\x80\x3f\0\0\x80\x3f", 8));
    const std::size_t second = bytes.find(std::string("\0\0\0\x40\0\0\0\x40", 8));
    const std::size_t layout = bytes.find(stored(second, 8) + stored(256, 8));
    REQUIRE(layout != std::string::npos);
    test::writeBytes(file.path(), replaced(bytes, layout, stored(first, 8)));
    CHECK(pathsOfReadable(file.path()) == std::vector<std::string>{"/c"});
    CHECK(tensorOf(file.path(), "/a")
              .unreadable.sentence.find("what is there belongs to something else too") !=
          std::string::npos);
}

TEST_CASE("a chunk outside of the shape, out of order or beside the grid is damage")
{
    test::H5File file;
    file.write("/a", {6}, std::vector<float>(6, 1.0F), {.chunk = {2}});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t tree = bytes.find(std::string("TREE\x01", 5));
    const std::size_t second = tree + 24 + 24 + 8 + 8;  // prefix, key, address, size and mask
    const auto reasonWith = [&](std::uint64_t coordinate) {
        test::writeBytes(file.path(), replaced(bytes, second, stored(coordinate, 8)));
        return tensorOf(file.path(), "/a").unreadable.sentence;
    };
    CHECK(reasonWith(2).empty());
    CHECK(reasonWith(3).find("a chunk does not begin where chunks do") != std::string::npos);
    CHECK(reasonWith(4).find("its chunks are not in their order") != std::string::npos);
    CHECK(reasonWith(0).find("its chunks are not in their order") != std::string::npos);
    test::writeBytes(file.path(), replaced(bytes, second - 8, stored(9, 4)));
    CHECK(tensorOf(file.path(), "/a")
              .unreadable.sentence.find("a chunk has another size than its elements need") !=
          std::string::npos);
}

TEST_CASE("a tree or a header that leads to itself ends")
{
    test::H5File file;
    file.write("/a", {600}, std::vector<float>(600, 1.0F), {.chunk = {2}});
    std::string bytes = test::readBytes(file.path());
    const std::size_t root = bytes.find(std::string("TREE\x01\x01", 6));  // a node above the leaves
    REQUIRE(root != std::string::npos);
    test::writeBytes(file.path(), replaced(bytes, root + 24 + 24, stored(root, 8)));
    CHECK(tensorOf(file.path(), "/a")
              .unreadable.sentence.find("a tree's node is of another level than it should be") !=
          std::string::npos);
}

TEST_CASE("a file that its writer left open is told as such")
{
    if (!test::withoutH5py().empty()) {
        WARN(test::withoutH5py());
        return;
    }
    const test::TemporaryFolder folder;
    test::runH5py(folder, "import os\n"
                          "file = h5py.File('open.h5', 'w', libver='latest')\n"
                          "file['a'] = np.zeros(4, 'f4')\n"
                          "file.flush()\n"
                          "os._exit(0)\n");
    CHECK(verdictOn(folder.file("open.h5")) ==
          folder.file("open.h5") +
              ": it is still being written, or its writer did not close it: if "
              "no writer is running, mend a copy with h5clear -s");
}

TEST_CASE("a message whose type changed does not vanish from a header")
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/a", "channel_axis", std::int64_t{0});
    const std::string bytes = test::readBytes(file.path());
    const std::size_t name = bytes.find(std::string("channel_axis", 13));
    const std::size_t message = name - 16;  // 8 of the message, 8 of the attribute before its name
    REQUIRE(bytes[message] == 0x0c);
    const auto reasonWith = [&](char type) {
        test::writeBytes(file.path(), replaced(bytes, message, std::string(1, type)));
        return tensorOf(file.path(), "/a").unreadable.sentence;
    };
    CHECK(reasonWith(0x0c).empty());
    CHECK(reasonWith(0x2c).find("a message of its header is of no known type") !=
          std::string::npos);
    CHECK(reasonWith(0x0d).find("a message of its header is invalid for its type") !=
          std::string::npos);
    CHECK(reasonWith(0x0e).find("a message of its header is invalid for its type") !=
          std::string::npos);
    CHECK(reasonWith(0x08).find("its header has the same message twice") != std::string::npos);
}

TEST_CASE("a name that is not text is read, with a word")
{
    test::H5File file;
    file.write("/conv\xe9", {1}, std::vector<float>{1});
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->warnings().size() == 1);
    CHECK(dump->warnings().front() == "/conv\xe9: its name is not text; the file may be damaged");
    CHECK(dump->tensors().front().isReadable());
    // All that is made of it tells, too.
    CHECK(dump->tensors().front().doubts ==
          std::vector<std::string>{"its name is not text; the file may be damaged"});
}

TEST_CASE("a name with a tab is text, as an attribute's is")
{
    test::H5File file;
    file.write("/conv\t1", {1}, std::vector<float>{1});
    const auto dump = DumpFile::open(file.path());
    CHECK(dump->warnings().empty());
    CHECK(dump->tensors().front().doubts.empty());
}

TEST_CASE("of a group whose name is not text all that is made of its members tells")
{
    test::H5File file;
    file.write("/g\x01/conv", {1}, std::vector<float>{1});
    CHECK(DumpFile::open(file.path())->tensors().front().doubts ==
          std::vector<std::string>{"of its group /g\x01: its name is not text; the file may be "
                                   "damaged"});
}

TEST_CASE("texts of attributes that are none are told, with all that is made of the tensor")
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1, 2, 3, 4});
    file.write("/group/b", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/a", "op_type", std::string("Con\xf6"));
    file.attribute("/a", "inputs", std::vector<std::string>{"x", "y\x01"});
    file.attribute("/a", "note", std::string("two lines\n\tand \xc3\xb6"));
    file.attribute("/group", "model", std::string("\xff"));
    const auto dump = DumpFile::open(file.path());
    const auto doubtsOf = [&](const std::string& path) {
        return dump->tensors().at(dump->indexOf(path)).doubts;
    };
    const std::string sentence = " holds what is not text; the file may be damaged";
    CHECK(doubtsOf("/a") == std::vector<std::string>{"its attribute inputs" + sentence,
                                                     "its attribute op_type" + sentence});
    CHECK(doubtsOf("/group/b") ==
          std::vector<std::string>{"of its group /group: its attribute model" + sentence});
    CHECK(dump->warnings().size() == 3);
}

}  // namespace check_structure_test
