// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npz_writer.h"

#include "core/tensor/npy_header.h"
#include "tests/support/catch.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace npz_writer_test {

using namespace calibscope;

std::string archive()
{
    std::string text;
    NpzWriter npz([&text](std::string_view part) { text += part; });
    npz.add("real", std::vector<double>{1.5, -0.0, std::numeric_limits<double>::infinity()});
    npz.add("whole", std::vector<std::uint64_t>{0, 7});
    npz.add("large", std::vector<std::uint64_t>{1, std::uint64_t{1} << 63U});
    npz.add("texts", std::vector<std::string>{"aé\U0001F600", "", "\xff"});
    npz.add("none", std::vector<std::string>{});
    npz.finish();
    return text;
}

/// The member's .npy, by the header in front of it.
std::string member(const std::string& text, const std::string& name)
{
    const std::size_t at = text.find(name + ".npy\x93NUMPY");
    REQUIRE(at != std::string::npos);
    const std::size_t begin = at + name.size() + 4;
    return text.substr(begin, text.find("PK", begin) - begin);
}

std::string elements(const std::string& npy)
{
    return npy.substr(static_cast<std::size_t>(parseNpyHeader(npy, "x").firstByte));
}

std::uint64_t wide(const std::string& bytes, std::size_t index)
{
    std::uint64_t number = 0;
    for (std::size_t byte = 8; byte-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes.at(8 * index + byte));
    return number;
}

TEST_CASE("arrays are written in little endian with the type that holds them")
{
    const std::string text = archive();
    const std::string real = member(text, "real");
    CHECK(parseNpyHeader(real, "x").type == NpyType::Float64);
    CHECK(parseNpyHeader(real, "x").shape == std::vector<std::uint64_t>{3});
    CHECK(std::bit_cast<double>(wide(elements(real), 0)) == 1.5);
    CHECK(wide(elements(real), 1) == std::uint64_t{1} << 63U);  // the sign of -0
    const std::string whole = member(text, "whole");
    CHECK(parseNpyHeader(whole, "x").type == NpyType::Int64);
    CHECK(wide(elements(whole), 1) == 7);
    CHECK(parseNpyHeader(member(text, "large"), "x").type == NpyType::Uint64);
}

TEST_CASE("texts are as wide as the longest, in code points")
{
    const std::string npy = member(archive(), "texts");
    CHECK(parseNpyHeader(npy, "x").descr == "<U3");
    using namespace std::string_literals;
    CHECK(elements(npy) == "a\0\0\0\xe9\0\0\0\0\xf6\x01\0"s + std::string(12, '\0') +
                               "\xfd\xff\0\0"s + std::string(8, '\0'));
    CHECK(parseNpyHeader(member(archive(), "none"), "x").descr == "<U1");
    CHECK(elements(member(archive(), "none")).empty());
}

TEST_CASE("the same arrays give the same bytes, and the list at the end has all of them")
{
    const std::string text = archive();
    CHECK(text == archive());
    CHECK(text.starts_with("PK\x03\x04"));
    const std::string end = text.substr(text.size() - 22);
    CHECK(end.starts_with("PK\x05\x06"));
    CHECK(end[8] == 5);
    CHECK(end[10] == 5);
    std::size_t entries = 0;
    for (std::size_t at = text.find("PK\x01\x02"); at != std::string::npos;
         at = text.find("PK\x01\x02", at + 1))
        ++entries;
    CHECK(entries == 5);
}

TEST_CASE("headers end at a multiple of 64 bytes, shapes are tuples of Python")
{
    const std::string text = npyText("<f4", std::vector<std::uint64_t>{2, 3}, "");
    CHECK(text.size() % 64 == 0);
    CHECK(text.back() == '\n');
    CHECK(shapeLiteral(std::vector<std::uint64_t>{2, 3}) == "(2, 3)");
    CHECK(shapeLiteral(std::vector<std::uint64_t>{7}) == "(7,)");
    CHECK(shapeLiteral({}) == "()");
}

}  // namespace npz_writer_test
