// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/safetensors_header.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace safetensors_header_test {

using namespace calibscope;
using Counts = SafetensorsHeader::Counts;

Counts countsOf(std::vector<std::uint64_t> numbers)
{
    return numbers;
}

SafetensorsHeader parsed(const std::string& text)
{
    return parseSafetensorsHeader(text, "m");
}

/// The only entry's shape where the header gives it that value.
Counts shapeBy(const std::string& value)
{
    const SafetensorsHeader header = parsed(R"({"a":{"shape":)" + value + R"(,"dtype":"F32"}})");
    REQUIRE(header.entries.size() == 1);
    CHECK(header.entries[0].dtype == "F32");
    return header.entries[0].shape;
}

std::string refusalOf(const std::string& text)
{
    try {
        static_cast<void>(parsed(text));
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST_CASE("entries come by their names, with what the header says of each")
{
    const SafetensorsHeader header =
        parsed(R"({"b":{"dtype":"F32","shape":[3,2],"data_offsets":[4,28],"more":{"shape":[1]}},)"
               R"("__metadata__":{"format":"pt","n":3,"list":["x"]},"a":7,)"
               R"("c":[{"dtype":"F32"}],"B":{"shape":[]}})");
    REQUIRE(header.entries.size() == 4);
    const SafetensorsHeader::Entry& whole = header.entries[2];
    CHECK(whole.name == "b");
    CHECK(whole.dtype == "F32");
    CHECK(whole.shape == countsOf({3, 2}));
    CHECK(whole.offsets == countsOf({4, 28}));
    CHECK(header.entries[0].name == "B");
    CHECK(header.entries[0].shape == countsOf({}));
    for (const std::size_t other : {std::size_t{1}, std::size_t{3}}) {
        CHECK_FALSE(header.entries[other].dtype);
        CHECK_FALSE(header.entries[other].shape);
    }
    CHECK(header.metadata == std::map<std::string, std::string>{{"format", "pt"}});
}

TEST_CASE("a shape is a list of whole numbers from 0 on, or none")
{
    CHECK(shapeBy("[0,18446744073709551615]") == countsOf({0, UINT64_MAX}));
    for (const char* other :
         {"[1,-1]", "[1.0]", "[18446744073709551616]", "[1,[2]]", "[[],1]", "[1,{}]", "[\"1\"]",
          "[1,null,2]", "[true]", "5", "{\"a\":[1]}", "{\"a\":1}", "null", "\"[1]\""}) {
        INFO(other);
        CHECK_FALSE(shapeBy(other));
    }
}

TEST_CASE("of names and members that occur twice the last one counts")
{
    const SafetensorsHeader header = parsed(
        R"({"a":{"dtype":"F32","shape":[1]},"__metadata__":{"x":"1","y":"2","y":3},)"
        R"("b":{"dtype":"F16","dtype":7,"shape":[1],"shape":[2],"data_offsets":[1],"data_offsets":{}},)"
        R"("a":{"dtype":"BF16"}})");
    REQUIRE(header.entries.size() == 2);
    CHECK(header.entries[0].dtype == "BF16");
    CHECK_FALSE(header.entries[0].shape);
    CHECK_FALSE(header.entries[1].dtype);
    CHECK(header.entries[1].shape == countsOf({2}));
    CHECK_FALSE(header.entries[1].offsets);
    CHECK(header.metadata == std::map<std::string, std::string>{{"x", "1"}});
    CHECK(parsed(R"({"__metadata__":{"x":"1"},"__metadata__":{}})").metadata.empty());
}

TEST_CASE("what is no object of JSON is refused")
{
    const std::string noObject = "m: its header is damaged: it is not an object of JSON";
    for (const char* text : {"[1]", "7", "\"a\"", R"([{"a":{"shape":[1]}}])", R"([{"shape":[1]}])"})
        CHECK(refusalOf(text) == noObject);
    for (const char* text : {"", "{", R"({"a":)", R"({"a":{"shape":[1]})", "{}}", "[1",
                             "{\"a\":\"\xff\"}", R"({"a":{"shape":[1e999]}})"})
        CHECK(refusalOf(text) == "m: is not valid JSON; it may be damaged or truncated");
    const auto nested = [](std::size_t depth) {
        return R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    CHECK(refusalOf(nested(63)) == "none");
    CHECK(refusalOf(nested(64)) == "m: is nested deeper than 64");
}

}  // namespace safetensors_header_test
