// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/check_structure.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_file.h"
#include "tests/support/file_bytes.h"
#include "tests/support/h5_file.h"

#include <string>
#include <vector>

namespace dataset_check_test {

using namespace calibscope;
using structure::checkStructure;
using test::replaced;
using test::stored;
using test::tensorOf;

TEST_CASE("a float that became an integer leaves a doubt")
{
    test::H5File file;
    file.write("/a", {4}, std::vector<float>{1, 2, 3, 4});
    const std::string bytes = test::readBytes(file.path());
    CHECK(checkStructure(file.path()).firstDoubt().empty());
    // Version 1, a float of little endian with an implied mantissa, sign at 31.
    const std::size_t type = bytes.find(std::string("\x11\x20\x1f\0\x04\0\0\0", 8));
    REQUIRE(type != std::string::npos);
    test::writeBytes(file.path(), replaced(bytes, type, "\x10"));
    CHECK(checkStructure(file.path()).firstDoubt().find("its element type has room for ") == 0);
    CHECK_FALSE(tensorOf(file.path(), "/a").doubts.empty());
}

TEST_CASE("a shape that became smaller leaves a doubt where its dataset cannot grow so")
{
    const std::string bytesOfShape = std::string("\x01\x02\x01\0\0\0\0\0", 8);
    const auto doubtsWith = [&](const test::Storage& storage, std::uint64_t columns) {
        test::H5File file;
        file.write("/a", {6, 4}, std::vector<float>(24, 1.0F), storage);
        const std::string bytes = test::readBytes(file.path());
        const std::size_t shape = bytes.find(bytesOfShape);
        REQUIRE(shape != std::string::npos);
        test::writeBytes(file.path(), replaced(bytes, shape + 16, stored(columns, 8)));
        return tensorOf(file.path(), "/a").doubts;
    };
    CHECK(doubtsWith({.chunk = {2, 4}}, 4).empty());
    CHECK(doubtsWith({.chunk = {2, 4}}, 1) ==
          std::vector<std::string>{"axis 1 of its shape has length 1 but room for 4: check whether "
                                   "the file is damaged"});
}

TEST_CASE("a shape that lost axes leaves a doubt, and is not a single value")
{
    const auto damagedTo = [&](const std::string& bytesOfShape, const test::Storage& storage) {
        test::H5File file;
        file.write("/a", {6, 4}, std::vector<float>(24, 1.0F), storage);
        const std::string bytes = test::readBytes(file.path());
        const std::size_t shape = bytes.find(std::string("\x01\x02\x01\0\0\0\0\0", 8));
        REQUIRE(shape != std::string::npos);
        test::writeBytes(file.path(), replaced(bytes, shape, bytesOfShape));
        return tensorOf(file.path(), "/a");
    };
    // No word of how long they may become; one axis of the two.
    CHECK(damagedTo(std::string("\x01\x02\0", 3), {}).doubts ==
          std::vector<std::string>{
              "its shape has room for 16 bytes more in the file: it may have had more axes"});
    CHECK(damagedTo("\x01\x01", {.chunk = {2, 4}}).unreadable.sentence.find("damaged") !=
          std::string::npos);
    const std::string scalar = damagedTo(std::string("\x01\0", 2), {}).unreadable.sentence;
    CHECK(scalar.find("its shape is a single value with room for axes behind it") !=
          std::string::npos);
}

TEST_CASE("the storage of a single value is as large as one")
{
    test::H5File file;
    file.write("/a", {6, 4}, std::vector<float>(24, 1.0F));
    file.write("/b", {}, std::vector<float>{1.0F});
    const std::string bytes = test::readBytes(file.path());
    CHECK(checkStructure(file.path()).firstReason().empty());
    const std::size_t storage = bytes.rfind(stored(4, 8));
    REQUIRE(storage != std::string::npos);
    test::writeBytes(file.path(), replaced(bytes, storage, stored(96, 8)));
    CHECK(checkStructure(file.path())
              .firstReason()
              .find("its storage is not that of a single value") != std::string::npos);
}

}  // namespace dataset_check_test
