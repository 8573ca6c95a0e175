// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/dump_values.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <string>
#include <vector>

namespace attributes_check_test {

using namespace calibscope;

/// A file with a tensor and a text attribute of it.
struct TextDump
{
    test::H5File file;

    explicit TextDump(const std::vector<std::string>& texts)
    {
        file.write("/a", {4}, std::vector<float>{1, 2, 3, 4});
        file.attribute("/a", "channel_axis", std::int64_t{0});
        file.attribute("/a", "layout", texts);
    }
    [[nodiscard]] std::string bytes() const { return test::readBytes(file.path()); }
    /// The reference to the first text of that length: 4 bytes of length, 8 of address, 4 of index.
    [[nodiscard]] std::size_t referenceTo(std::size_t length) const
    {
        const std::string all = bytes();
        std::size_t at = all.find(numberBytes(length, 4));
        while (at != std::string::npos &&
               all.find("GCOL", addressAt(all, at + 4)) != addressAt(all, at + 4))
            at = all.find(numberBytes(length, 4), at + 1);
        REQUIRE(at < all.size());
        return at;
    }
    static std::size_t addressAt(const std::string& all, std::size_t at)
    {
        std::size_t address = 0;
        for (std::size_t byte = 8; byte-- > 0;)
            address = address << 8 | static_cast<unsigned char>(all[at + byte]);
        return address;
    }
    void write(std::size_t at, const std::string& by)
    {
        test::writeBytes(file.path(), bytes().replace(at, by.size(), by));
    }
    static std::string numberBytes(std::uint64_t number, std::size_t width)
    {
        std::string text;
        for (std::size_t byte = 0; byte < width; ++byte)
            text += static_cast<char>(number >> 8 * byte & 0xffU);
        return text;
    }

    /// The warnings of the opened dump, whose tensor can be read with what is left.
    [[nodiscard]] std::string warning() const
    {
        const auto dump = DumpFile::open(file.path());
        CHECK(test::valuesIn(file.path(), "/a") == std::vector<float>{1, 2, 3, 4});
        CHECK(dump->tensors().front().channelAxis == 0);
        return dump->warnings().empty() ? "" : dump->warnings().front();
    }
};

bool has(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

TEST_CASE("a text that is longer than its attribute tells is left out")
{
    TextDump dump({std::string(60000, 'A')});
    const std::size_t at = dump.referenceTo(60000);
    CHECK_FALSE(has(dump.warning(), "left out"));
    dump.write(at, TextDump::numberBytes(8, 4));
    CHECK(dump.warning() == "/a: its attribute layout is left out: damaged at byte " +
                                std::to_string(at) + ": it refers to 8 bytes, but 60000 are there");
}

TEST_CASE("a heap of zeros is not an endless list of texts")
{
    TextDump dump({"NCHW"});
    const std::size_t heap = dump.bytes().find("GCOL");
    dump.write(heap + 16, std::string(4080, '\0'));
    CHECK(has(dump.warning(), "/a: its attribute layout is left out: damaged at byte"));
    CHECK(has(dump.warning(), "the free space of the heap has no size"));
}

TEST_CASE("a text of which the heap ends before is left out")
{
    TextDump dump({"NCHW"});
    const std::size_t heap = dump.bytes().find("GCOL");
    dump.write(heap + 16 + 8, TextDump::numberBytes(5000, 8));
    CHECK(has(dump.warning(), "an item of the heap is larger than the heap"));
}

TEST_CASE("a reference to a heap or a text that is not there is left out")
{
    TextDump dump({"NCHW"});
    const std::size_t at = dump.referenceTo(4);
    dump.write(at + 12, TextDump::numberBytes(7, 4));
    CHECK(has(dump.warning(), "the heap there has no item 7"));
    dump.write(at + 4, TextDump::numberBytes(1 << 30, 8));
    CHECK(has(dump.warning(), "the structure there is not in the file"));
    dump.write(at + 4, TextDump::numberBytes(96, 8));
    CHECK(has(dump.warning(), "there is no \"GCOL\""));
}

TEST_CASE("an attribute that is left out makes what depends on it doubtful")
{
    test::H5File file;
    file.write("/group/a", {4}, std::vector<float>{1, 2, 3, 4});
    file.write("/b", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/group", "layout", std::string("NCHW"));
    std::string bytes = test::readBytes(file.path());
    bytes.replace(bytes.find("GCOL") + 16, 4080, std::string(4080, '\0'));
    test::writeBytes(file.path(), bytes);
    const TensorInfo below = test::listed(file.path(), "/group/a");
    REQUIRE(below.doubts.size() == 1);
    CHECK(has(below.doubts.front(), "of its group /group: its attribute layout is left out"));
    CHECK(test::listed(file.path(), "/b").doubts.empty());
}

TEST_CASE("many references to one long text do not take the memory")
{
    std::vector<std::string> texts(1000, "x");
    texts.front() = std::string(1 << 20, 'A');
    TextDump dump(texts);
    const std::size_t first = dump.referenceTo(1 << 20);
    const std::string reference = dump.bytes().substr(first, 16);
    std::string all;
    for (std::size_t text = 0; text < texts.size(); ++text)
        all += reference;
    dump.write(first, all);
    CHECK(has(dump.warning(), "the texts of the file's attributes take more than 32 MiB"));
}

TEST_CASE("an attribute whose message is damaged takes the object's others with it, with a word")
{
    TextDump dump({"NCHW"});
    const std::size_t name = dump.bytes().find(std::string("layout\0", 7));
    dump.write(name, std::string("lay\0", 4));
    const auto opened = DumpFile::open(dump.file.path());
    REQUIRE(!opened->warnings().empty());
    CHECK(has(opened->warnings().front(), "/a: its attributes are left out: damaged at byte"));
    CHECK(opened->tensors().front().isReadable());
}

TEST_CASE("a path that is too long is named by its beginning, and not followed")
{
    test::H5File file;
    std::string path;
    for (int level = 0; level < 4; ++level)
        path += "/" + std::string(50000, 'n');
    file.makeGroup(path);
    file.write("/a", {1}, std::vector<float>{1});
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->tensors().size() == 2);
    const TensorInfo& refused = dump->tensors().back();
    CHECK(refused.path == "/" + std::string(64, 'n') + "...");
    CHECK(refused.unreadable == "its path has 50001 bytes, more than 32768; use shorter names");
}

TEST_CASE("two attributes of one name are damage")
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1, 2, 3, 4});
    file.attribute("/a", "first", std::int64_t{0});
    file.attribute("/a", "other", std::int64_t{1});
    std::string bytes = test::readBytes(file.path());
    bytes.replace(bytes.find("other"), 5, "first");
    test::writeBytes(file.path(), bytes);
    const auto dump = DumpFile::open(file.path());
    REQUIRE(dump->warnings().size() == 1);
    CHECK(has(dump->warnings().front(), "two of its attributes have one name"));
}

}  // namespace attributes_check_test
