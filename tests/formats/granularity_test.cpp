// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/granularity.h"

#include "tests/support/catch.h"

namespace granularity_test {

using namespace calibscope;

TensorInfo tensorOf(std::vector<std::uint64_t> shape, Role role, std::optional<int> channelAxis)
{
    TensorInfo info;
    info.path = "/t";
    info.shape = std::move(shape);
    info.role = role;
    info.channelAxis = channelAxis;
    return info;
}

bool isShape(const MatrixShape& matrix, std::uint64_t outer, std::uint64_t length,
             std::uint64_t inner)
{
    return matrix.outer == outer && matrix.length == length && matrix.inner == inner;
}

TEST_CASE("a weight's rows are its channels, an activation's lie along them")
{
    CHECK(isShape(matrixShape(tensorOf({64, 128}, Role::Weight, 0)), 64, 128, 1));
    CHECK(isShape(matrixShape(tensorOf({128, 64}, Role::Weight, 1)), 1, 128, 64));
    CHECK(isShape(matrixShape(tensorOf({8, 4, 3, 3}, Role::Weight, 0)), 8, 36, 1));
    CHECK(isShape(matrixShape(tensorOf({3, 3, 4, 8}, Role::Weight, 3)), 1, 36, 8));
    CHECK(isShape(matrixShape(tensorOf({4, 8, 3, 3}, Role::Weight, 1)), 1, 4, 72));
    CHECK(isShape(matrixShape(tensorOf({2, 16, 5, 7}, Role::Activation, 1)), 2, 16, 35));
    CHECK(isShape(matrixShape(tensorOf({2, 40, 120}, Role::Activation, 2)), 80, 120, 1));
    CHECK(isShape(matrixShape(tensorOf({2, 40, 120}, Role::Activation, {})), 80, 120, 1));
    CHECK(isShape(matrixShape(tensorOf({7}, Role::Weight, 0)), 1, 7, 1));
    CHECK(isShape(matrixShape(tensorOf({}, Role::Unknown, {})), 1, 1, 1));
}

TEST_CASE("groups of a weight lie along the one axis that its layer sums over, if they fill it")
{
    CHECK(groupAxis(tensorOf({64, 128}, Role::Weight, 0), 32) == 1);
    CHECK(groupAxis(tensorOf({128, 64}, Role::Weight, 1), 32) == 0);
    CHECK(groupAxis(tensorOf({8, 64, 1, 1}, Role::Weight, 0), 64) == 1);
    CHECK(groupAxis(tensorOf({64, 8, 3, 3}, Role::Weight, 1), 16) == 0);   // a ConvTranspose
    CHECK_FALSE(groupAxis(tensorOf({8, 64, 3, 3}, Role::Weight, 0), 32));  // three axes
    CHECK_FALSE(groupAxis(tensorOf({64, 1, 1, 1}, Role::Weight, 0), 2));
    CHECK_FALSE(groupAxis(tensorOf({64, 120}, Role::Weight, 0), 32));
    CHECK_FALSE(groupAxis(tensorOf({64, 128}, Role::Weight, {}), 32));
    CHECK_FALSE(groupAxis(tensorOf({64, 128}, Role::Activation, 1), 32));
    CHECK_FALSE(groupAxis(tensorOf({64, 0}, Role::Weight, 0), 32));
    CHECK_FALSE(groupAxis(tensorOf({64}, Role::Weight, 0), 32));
}

TEST_CASE("an axis that is given decides, from behind if it is negative")
{
    const TensorInfo conv = tensorOf({8, 4, 3, 3}, Role::Weight, 0);
    CHECK(isShape(matrixShape(conv, 1), 8, 4, 9));
    CHECK(isShape(matrixShape(conv, -1), 96, 3, 1));
    CHECK_THROWS_WITH(matrixShape(conv, 4), test::containsText("there is no axis 4"));
}

TEST_CASE("a row's values are found where they lie")
{
    const MatrixShape matrix{.outer = 2, .length = 3, .inner = 4};
    CHECK(matrix.rows() == 8);
    CHECK(matrix.indexOf(0, 2) == 8);
    CHECK(matrix.indexOf(5, 1) == 17);  // (1 * 3 + 1) * 4 + 1
}

TEST_CASE("scales are counted with the short groups and tiles at the ends")
{
    const MatrixShape matrix{.outer = 7, .length = 100};
    const auto count = [&](const char* text) {
        return parseGranularity(text, "x").blocks(matrix, 5);
    };
    CHECK(count("tensor") == 1);
    CHECK(count("channel") == 5);
    CHECK(count("row") == 7);
    CHECK(count("g32") == 7 * 4);
    CHECK(count("g100") == 7);
    CHECK(count("g128") == 7);
    CHECK(count("b4x64") == 2 * 2);
    CHECK(count("b128x128") == 1);
    CHECK(parseGranularity("g32", "x").blocks({.outer = 0, .length = 5}, 0) == 0);
}

TEST_CASE("a granularity reads back as it is written, and others are refused")
{
    for (const char* text : {"tensor", "channel", "row", "g2", "g1048576", "b128x128", "b1x16"})
        CHECK(parseGranularity(text, "x").text() == text);
    for (const char* text : {"", "g", "g1", "g-3", "g32x", "b128", "b0x4", "bx4", "b1025x1025",
                             "g99999999999999999999", "rows"}) {
        INFO(text);
        CHECK_THROWS_WITH(parseGranularity(text, "int4"),
                          test::containsText("int4: granularity " + std::string(text)));
    }
}

}  // namespace granularity_test
