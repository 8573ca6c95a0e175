// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/moved_values.h"

#include "tests/support/catch.h"
#include "tests/support/onnx_model.h"

#include <limits>
#include <numeric>

namespace moved_values_test {

using namespace calibscope;
using namespace calibscope::model;
using namespace calibscope::test;

using Integers = std::vector<std::int64_t>;
using Shape = std::vector<std::uint64_t>;

/// 0, 1, 2, ... in that shape, or the values given.
StoredTensor counting(const Shape& shape, Integers values = {})
{
    StoredTensor tensor{.kind = ElementKind::Int64, .shape = shape, .bytes = {}};
    if (values.empty()) {
        values.resize(elementCount(shape).value_or(0));
        std::iota(values.begin(), values.end(), 0);
    }
    tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * 8);
    return tensor;
}

StoredTensor list(const Integers& values)
{
    return counting({values.size()}, values);
}

struct Made
{
    Shape shape;
    Integers values;
    bool operator==(const Made&) const = default;
};

std::optional<Made> made(const ::onnx::NodeProto& node, const std::vector<StoredTensor>& inputs)
{
    std::vector<std::optional<MovedInput>> known;
    for (const StoredTensor& input : inputs)
        known.push_back(
            MovedInput{.kind = input.kind, .shape = input.shape, .integers = integerValues(input)});
    const std::optional<ValueMove> move = moveOf(node, known);
    if (!move)
        return std::nullopt;
    const StoredTensor result = moved(*move, std::span(inputs).first(move->inputs));
    CHECK(result.shape == move->shape);
    return Made{result.shape, integerValues(result)};
}

::onnx::NodeProto nodeOf(const std::string& op, std::size_t inputs)
{
    ::onnx::GraphProto graph;
    std::vector<std::string> names;
    for (std::size_t input = 0; input < inputs; ++input)
        names.push_back("i" + std::to_string(input));
    return addNode(graph, op, names, {"y"});
}

::onnx::NodeProto withInts(::onnx::NodeProto node, const std::string& name, const Integers& values)
{
    setInts(node, name, values);
    return node;
}

::onnx::NodeProto withInt(::onnx::NodeProto node, const std::string& name, std::int64_t value)
{
    setInt(node, name, value);
    return node;
}

// Expected values are those of NumPy's functions of the same names.
TEST_CASE("squeeze and unsqueeze take axes as attribute, input, or none")
{
    const StoredTensor ones = counting({1, 2, 1});
    CHECK(made(nodeOf("Squeeze", 1), {ones}) == Made{{2}, {0, 1}});
    CHECK(made(nodeOf("Squeeze", 2), {ones, list({-1})}) == Made{{1, 2}, {0, 1}});
    CHECK(made(withInts(nodeOf("Squeeze", 1), "axes", {0}), {ones}) == Made{{2, 1}, {0, 1}});
    CHECK_FALSE(made(nodeOf("Squeeze", 2), {ones, list({1})}));  // its length is 2
    CHECK_FALSE(made(nodeOf("Squeeze", 2), {ones, list({3})}));

    const StoredTensor pair = counting({2});
    CHECK(made(nodeOf("Unsqueeze", 2), {pair, list({0, -1})}) == Made{{1, 2, 1}, {0, 1}});
    CHECK(made(withInts(nodeOf("Unsqueeze", 1), "axes", {1}), {pair}) == Made{{2, 1}, {0, 1}});
    CHECK_FALSE(made(nodeOf("Unsqueeze", 2), {pair, list({0, 0})}));
}

TEST_CASE("reshape copies lengths at 0 and finds the one at -1")
{
    const StoredTensor six = counting({2, 3});
    const Integers values = {0, 1, 2, 3, 4, 5};
    CHECK(made(nodeOf("Reshape", 2), {six, list({0, -1, 1})}) == Made{{2, 3, 1}, values});
    CHECK(made(nodeOf("Reshape", 2), {six, list({-1})}) == Made{{6}, values});
    CHECK(made(withInts(nodeOf("Reshape", 1), "shape", {3, 2}), {six}) == Made{{3, 2}, values});
    CHECK_FALSE(made(nodeOf("Reshape", 2), {six, list({4, -1})}));
    CHECK_FALSE(made(nodeOf("Reshape", 2), {six, list({-1, -1})}));
    CHECK_FALSE(made(nodeOf("Reshape", 2), {six, list({2, -2})}));
    CHECK_FALSE(made(withInt(nodeOf("Reshape", 2), "allowzero", 1), {six, list({0, 3})}));
}

TEST_CASE("transpose")
{
    const StoredTensor six = counting({1, 2, 3});
    CHECK(made(nodeOf("Transpose", 1), {six}) == Made{{3, 2, 1}, {0, 3, 1, 4, 2, 5}});
    CHECK(made(withInts(nodeOf("Transpose", 1), "perm", {0, 2, 1}), {six}) ==
          Made{{1, 3, 2}, {0, 3, 1, 4, 2, 5}});
    CHECK_FALSE(made(withInts(nodeOf("Transpose", 1), "perm", {0, 1}), {six}));
    CHECK_FALSE(made(withInts(nodeOf("Transpose", 1), "perm", {0, 1, 1}), {six}));
}

TEST_CASE("concat joins along its axis")
{
    const StoredTensor six = counting({2, 3});
    const StoredTensor two = counting({2, 1}, {10, 11});
    CHECK(made(withInt(nodeOf("Concat", 2), "axis", 1), {six, two}) ==
          Made{{2, 4}, {0, 1, 2, 10, 3, 4, 5, 11}});
    CHECK(made(withInt(nodeOf("Concat", 2), "axis", -2), {two, two}) ==
          Made{{4, 1}, {10, 11, 10, 11}});
    CHECK_FALSE(made(withInt(nodeOf("Concat", 2), "axis", 0), {six, two}));
    // Empty inputs cost no time, however many rows they claim.
    const StoredTensor empty = counting({std::uint64_t{1} << 40U, 0});
    CHECK(made(withInt(nodeOf("Concat", 2), "axis", 1), {empty, empty})->values.empty());
}

TEST_CASE("slice counts from both ends, in either direction")
{
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const StoredTensor ten = counting({10});
    const auto sliced = [&](std::int64_t start, std::int64_t end, std::int64_t step) {
        const auto result =
            made(nodeOf("Slice", 5), {ten, list({start}), list({end}), list({0}), list({step})});
        REQUIRE(result);
        return result->values;
    };
    CHECK(sliced(2, 5, 1) == Integers{2, 3, 4});
    CHECK(sliced(-3, last, 1) == Integers{7, 8, 9});
    CHECK(sliced(least, 10, 4) == Integers{0, 4, 8});
    CHECK(sliced(8, least, -3) == Integers{8, 5, 2});
    CHECK(sliced(last, 7, -1) == Integers{9, 8});
    CHECK(sliced(-1, least, least) == Integers{9});
    CHECK(sliced(0, 10, last) == Integers{0});
    CHECK(sliced(5, 2, 1).empty());
    CHECK(sliced(2, 5, -1).empty());
    CHECK(sliced(least, least, -1).empty());
    CHECK_FALSE(made(nodeOf("Slice", 5), {ten, list({0}), list({1}), list({0}), list({0})}));

    const StoredTensor grid = counting({3, 4});
    CHECK(made(nodeOf("Slice", 4), {grid, list({1}), list({-1}), list({-1})}) ==
          Made{{3, 2}, {1, 2, 5, 6, 9, 10}});
    ::onnx::NodeProto former = withInts(nodeOf("Slice", 1), "starts", {1, 1});
    setInts(former, "ends", {3, 2});
    CHECK(made(former, {grid}) == Made{{2, 1}, {5, 9}});
}

}  // namespace moved_values_test
