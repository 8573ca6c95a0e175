// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy_header.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <string>

namespace npy_header_test {

using namespace calibscope;
using namespace std::string_literals;

NpyHeader headerOf(const std::string& text)
{
    return parseNpyHeader("\x93NUMPY\x01\x00"s + static_cast<char>(text.size()) + '\0' + text,
                          "a.npy");
}

TEST_CASE("a header tells type, order and shape")
{
    const NpyHeader header =
        headerOf("{'descr': '>i2', 'fortran_order': True, 'shape': (3, 2), }\n");
    CHECK(header.type == NpyType::Int16);
    CHECK(header.isBigEndian);
    CHECK(header.isFortran);
    CHECK(header.shape == std::vector<std::uint64_t>{3, 2});
    CHECK(header.elementBytes() == 12U);
    CHECK(header.firstByte == 10 + 59);
    // Python 2 wrote its long numbers so.
    CHECK(headerOf("{'descr': '|u1', 'fortran_order': False, 'shape': (3L,), }").elementBytes() ==
          3U);
}

TEST_CASE("a header of no number type has none, and is read to its end")
{
    const NpyHeader header = headerOf("{'descr': [('a]', '<f4'), ('b', [('c', '|O')])], "
                                      "'fortran_order': False, 'shape': (2,), }");
    CHECK_FALSE(header.type);
    CHECK(header.descr == "[('a]', '<f4'), ('b', [('c', '|O')])]");
    CHECK(header.shape == std::vector<std::uint64_t>{2});
    CHECK_FALSE(header.elementBytes());
    CHECK_FALSE(headerOf("{'descr': '|f4', 'fortran_order': False, 'shape': ()}").type);
    CHECK_THROWS_AS(headerOf("{'descr': [('a', '<f4'"), Error);
    CHECK_THROWS_AS(headerOf("{'descr': ["), Error);
}

TEST_CASE("bytes beyond 64 bits are not counted, an axis of 0 has none")
{
    NpyHeader header{.type = NpyType::Float64, .shape = {1ULL << 62U}};
    CHECK_FALSE(header.elementBytes());
    header.shape.push_back(0);
    CHECK(header.elementBytes() == 0U);
}

TEST_CASE("the header's bytes are known from the first twelve")
{
    CHECK(npyHeaderBytes("\x93NUMPY\x01\x00\x76\x00"s, "a") == 128U);
    CHECK(npyHeaderBytes("\x93NUMPY\x02\x00\x74\x00\x00\x00"s, "a") == 128U);
    CHECK_THROWS_AS(npyHeaderBytes("\x93NUMPY\x02\x00\x74\x00\x00\x7f"s, "a"), Error);
}

}  // namespace npy_header_test
