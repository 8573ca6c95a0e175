// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/npy.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace npy_test {

using namespace calibscope;
using namespace calibscope::deploy;
using namespace calibscope::test;
using namespace std::string_literals;

/// A file as NumPy writes it, but for the padding.
std::string npyFile(std::string_view header, const std::string& elements)
{
    std::string text = "\x93NUMPY\x01\x00"s;
    text += static_cast<char>(header.size());
    text += '\0';
    return text + std::string(header) + elements;
}

std::string refusalOf(const std::string& text)
{
    try {
        (void)parseNpy(text, "a.npy");
    } catch (const Error& error) {
        CHECK(error.fault() == Fault::Input);
        return error.what();
    }
    return {};
}

std::string bytesOf(const std::vector<float>& values)
{
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST_CASE("an array is written as numpy.save() writes it")
{
    // python3: numpy.save(f, numpy.array([[1, -2], [3, 0.5], [0, 7]], numpy.float32)), NumPy 1.24
    const std::vector<float> values{1.0F, -2.0F, 3.0F, 0.5F, 0.0F, 7.0F};
    const std::string text = npyText(npyArray(values, {3, 2}, NpyType::Float32));
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }";
    CHECK(text == "\x93NUMPY\x01\x00\x76\x00"s + header +
                      std::string(118 - header.size() - 1, ' ') + "\n" + bytesOf(values));
    CHECK(text.size() == 128 + 24);
}

TEST_CASE("shapes of one axis and of none are tuples of Python")
{
    CHECK_THAT(npyText(npyArray(std::vector{1.0F}, {1}, NpyType::Uint8)),
               containsText("'shape': (1,), }") && containsText("'|u1'"));
    CHECK_THAT(npyText(npyArray(std::vector{1.0F}, {}, NpyType::Bool)),
               containsText("'shape': (), }") && containsText("'|b1'"));
}

TEST_CASE("every type of elements reads back what was written")
{
    const std::vector<float> values{0.0F, 1.0F, 100.0F, 17.0F};
    for (const NpyType type : {NpyType::Int8, NpyType::Int16, NpyType::Int32, NpyType::Int64,
                               NpyType::Uint8, NpyType::Uint16, NpyType::Uint32, NpyType::Uint64,
                               NpyType::Float16, NpyType::Float32, NpyType::Float64}) {
        INFO(npyTypeText(type));
        const NpyArray array = parseNpy(npyText(npyArray(values, {2, 2}, type)), "a.npy");
        CHECK(array.type == type);
        CHECK(array.shape == std::vector<std::uint64_t>{2, 2});
        CHECK(array.count() == 4);
        CHECK(floatsOf(array) == values);
    }
    const NpyArray flags = npyArray(values, {4}, NpyType::Bool);
    CHECK(floatsOf(flags) == std::vector<float>{0.0F, 1.0F, 1.0F, 1.0F});
}

TEST_CASE("float16 takes the nearest, ties to even")
{
    // Patterns by numpy.float32(x).astype(numpy.float16).view(numpy.uint16), NumPy 1.24
    const std::vector<float> values{1.0F,    -2.0F,         65504.0F, 65519.0F, 65520.0F,
                                    1e-8F,   5.9604645e-8F, 6.1e-5F,  0.1F,     2049.0F,
                                    2051.0F, infinity,      -0.0F};
    const NpyArray array = npyArray(values, {values.size()}, NpyType::Float16);
    std::vector<int> patterns;
    for (std::size_t index = 0; index < array.bytes.size(); index += 2)
        patterns.push_back(static_cast<unsigned char>(array.bytes[index]) |
                           static_cast<unsigned char>(array.bytes[index + 1]) << 8);
    CHECK(patterns == std::vector<int>{0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00, 0x0000, 0x0001,
                                       0x03ff, 0x2e66, 0x6800, 0x6802, 0x7c00, 0x8000});
    CHECK(std::isnan(floatsOf(npyArray(std::vector{std::nanf("")}, {1}, NpyType::Float16))[0]));
}

TEST_CASE("a value that an integer type does not hold is refused")
{
    const auto write = [](float value, NpyType type) {
        return npyText(npyArray(std::vector{value}, {1}, type));
    };
    CHECK_THROWS_AS(write(300.0F, NpyType::Uint8), Error);
    CHECK_THROWS_AS(write(-1.0F, NpyType::Uint64), Error);
    CHECK_THROWS_AS(write(0.5F, NpyType::Int32), Error);
    CHECK_THROWS_AS(write(infinity, NpyType::Int64), Error);
    CHECK_THROWS_AS(write(std::nanf(""), NpyType::Int64), Error);
    CHECK_THROWS_AS(write(9223372036854775808.0F, NpyType::Int64), Error);
    CHECK_NOTHROW(write(-9223372036854775808.0F, NpyType::Int64));
    CHECK_NOTHROW(write(255.0F, NpyType::Uint8));
}

TEST_CASE("members of the header may come in another order, and version 2 is read")
{
    const NpyArray array =
        parseNpy(npyFile("{\"shape\": (2,), 'fortran_order': False, 'descr': '<f4'}\n",
                         bytesOf({1.0F, 2.0F})),
                 "a.npy");
    CHECK(floatsOf(array) == std::vector<float>{1.0F, 2.0F});
    const std::string header = "{'descr': '|i1', 'fortran_order': False, 'shape': (), }\n";
    std::string text = "\x93NUMPY\x02\x00"s;
    text += static_cast<char>(header.size());
    text += "\0\0\0"s + header + "\x05";
    CHECK(floatsOf(parseNpy(text, "a.npy")) == std::vector<float>{5.0F});
}

TEST_CASE("what is not an array of numbers in C order is refused with its reason")
{
    const std::string four = bytesOf({1.0F});
    CHECK(refusalOf("") == "a.npy: is not a .npy file");
    CHECK(refusalOf("PK\x03\x04 an archive of NumPy") == "a.npy: is not a .npy file");
    CHECK(refusalOf("\x93NUMPY\x09\x00\x00\x00"s) ==
          "a.npy: is a .npy file of version 9; 1 to 3 are known");
    CHECK(refusalOf("\x93NUMPY\x01\x00\xff\xff"s) == "a.npy: truncated in its header");
    CHECK(refusalOf("\x93NUMPY\x02\x00\xff\xff"s) == "a.npy: truncated in its header");
    CHECK(refusalOf(npyFile("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", four)) ==
          "a.npy: holds elements of type \"|O\"; little-endian numbers and bool are taken");
    CHECK_THAT(
        refusalOf(npyFile("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", four)),
        containsText("\">f4\""));
    CHECK_THAT(refusalOf(npyFile("{'descr': '', 'fortran_order': False, 'shape': (1,), }\n", four)),
               containsText("type \"\""));
    CHECK(refusalOf(npyFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n",
                            four)) == "a.npy: holds records, which are not tensors");
    CHECK(refusalOf(npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }\n", four)) ==
          "a.npy: is in Fortran's order; C's is taken");
    CHECK_THAT(
        refusalOf(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", four)),
        containsText("has 4 bytes of elements"));
    CHECK_THAT(
        refusalOf(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }\n", four)),
        containsText("its shape is none"));
    // 2^32 * 2^32 elements of 4 bytes are 0 bytes in 64 bits.
    CHECK_THAT(refusalOf(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, "
                                 "4294967296), }\n",
                                 "")),
               containsText("has 0 bytes of elements"));
    std::string ones;
    for (int axis = 0; axis < 33; ++axis)
        ones += "1,";
    CHECK_THAT(refusalOf(npyFile(
                   "{'descr': '<f4', 'fortran_order': False, 'shape': (" + ones + "), }\n", four)),
               containsText("its shape is none"));
    for (const std::string header :
         {"", "{", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4", "{'descr'", "{'a': 1}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } import os",
          "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }"}) {
        INFO(header);
        CHECK_FALSE(refusalOf(npyFile(header, four)).empty());
    }
}

TEST_CASE("an array's file that lost its end or has more than its shape is refused")
{
    const std::string text =
        npyText(npyArray(std::vector<float>(10, 1.0F), {10}, NpyType::Float32));
    for (std::size_t length = 0; length < text.size(); ++length) {
        INFO(length);
        CHECK_FALSE(refusalOf(text.substr(0, length)).empty());
    }
    CHECK_FALSE(refusalOf(text + "x").empty());
}

TEST_CASE("a shape with an axis of length 0 has no elements")
{
    const NpyArray array = parseNpy(npyText(npyArray({}, {3, 0}, NpyType::Int64)), "a.npy");
    CHECK(floatsOf(array).empty());
    CHECK(array.count() == 0);
}

TEST_CASE("an array is read from a file")
{
    const TemporaryFolder folder;
    writeBytes(folder.file("a.npy"), npyText(npyArray(std::vector{2.5F}, {}, NpyType::Float64)));
    CHECK(floatsOf(readNpy(folder.file("a.npy"))) == std::vector<float>{2.5F});
    CHECK_THROWS_AS(readNpy(folder.file("b.npy")), Error);
}

}  // namespace npy_test
