// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/batch_first.h"

#include "tests/support/catch.h"

#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace batch_first_test {

using namespace calibscope;

using Lengths = std::vector<std::uint64_t>;

template <typename Element>
std::vector<Element> moved(const std::vector<Element>& values, const Lengths& count,
                           std::size_t axis)
{
    std::vector<Element> result(values.size());
    moveAxisToFront(std::as_bytes(std::span(values)), count, axis, sizeof(Element),
                    std::as_writable_bytes(std::span(result)));
    return result;
}

TEST_CASE("the batch axis moves to the front, and what names axes moves with it")
{
    const TensorInfo info{
        .shape = {7, 4, 3}, .batchAxis = 1, .batchSize = 2, .channelAxis = 0, .layout = "TNC"};
    const TensorInfo first = batchFirst(info);
    CHECK(first.shape == Lengths{4, 7, 3});
    CHECK(first.batchAxis == 0);
    CHECK(first.batchSize == 2);
    CHECK(first.channelAxis == 1);
    CHECK(first.layout == "NTC");
    CHECK(first.batchCount() == info.batchCount());
    CHECK(first.channelCount() == info.channelCount());
    CHECK(first.valuesPerSample() == info.valuesPerSample());
}

TEST_CASE("a channel axis behind the batch axis stays where it is")
{
    CHECK(batchFirst({.shape = {7, 4, 3}, .batchAxis = 1, .channelAxis = 2}).channelAxis == 2);
    CHECK(batchFirst({.shape = {7, 4, 3}, .batchAxis = 2, .channelAxis = 1}).channelAxis == 2);
    CHECK_FALSE(batchFirst({.shape = {7, 4}, .batchAxis = 1}).channelAxis);
}

TEST_CASE("without a batch axis, or with the first one, nothing moves")
{
    for (const std::optional<int> axis : {std::optional<int>(), std::optional(0)}) {
        const TensorInfo info =
            batchFirst({.shape = {7, 4}, .batchAxis = axis, .channelAxis = 1, .layout = "NC"});
        CHECK(info.shape == Lengths{7, 4});
        CHECK(info.channelAxis == 1);
        CHECK(info.layout == "NC");
    }
    CHECK(batchFirst({}).shape.empty());
    CHECK(batchFirst({.shape = {7, 4}, .batchAxis = 1, .layout = "NCHW"}).layout == "NCHW");
}

TEST_CASE("moving an axis there and back changes nothing")
{
    const Lengths shape{2, 3, 5, 7};
    CHECK(movedToFront(shape, 2) == Lengths{5, 2, 3, 7});
    CHECK(movedBack({5, 2, 3, 7}, 2) == shape);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        CHECK(movedBack(movedToFront(shape, axis), axis) == shape);
}

TEST_CASE("a box with its last axis in front is its transpose")
{
    CHECK(moved<char>({'a', 'b', 'c', 'd', 'e', 'f'}, {2, 3}, 1) ==
          std::vector<char>{'a', 'd', 'b', 'e', 'c', 'f'});
}

TEST_CASE("each element of a box lands where its indices tell")
{
    const Lengths count{3, 4, 5, 2};
    std::vector<std::uint16_t> words(120);
    std::iota(words.begin(), words.end(), std::uint16_t{0});
    const std::vector<double> doubles(words.begin(), words.end());
    for (std::size_t axis = 0; axis < count.size(); ++axis) {
        std::vector<std::uint16_t> expected;
        const Lengths to = movedToFront(count, axis);
        for (std::uint64_t at = 0; at < words.size(); ++at) {
            Lengths index(4);
            std::uint64_t rest = at;
            for (std::size_t place = 4; place-- > 0; rest /= to[place])
                index[place] = rest % to[place];
            index = movedBack(index, axis);
            expected.push_back(static_cast<std::uint16_t>(
                ((index[0] * 4 + index[1]) * 5 + index[2]) * 2 + index[3]));
        }
        CHECK(moved(words, count, axis) == expected);
        CHECK(moved(doubles, count, axis) == std::vector<double>(expected.begin(), expected.end()));
    }
}

TEST_CASE("an index with the batch axis in front is found again in the file's order")
{
    TensorInfo info;
    info.shape = {2, 3, 4};
    for (int axis = 0; axis < 3; ++axis) {
        info.batchAxis = axis;
        const auto place = static_cast<std::size_t>(axis);
        const std::vector<std::uint64_t> moved = movedToFront(info.shape, place);
        std::uint64_t visited = 0;
        for (std::uint64_t i = 0; i < moved[0]; ++i)
            for (std::uint64_t j = 0; j < moved[1]; ++j)
                for (std::uint64_t k = 0; k < moved[2]; ++k) {
                    const std::vector<std::uint64_t> at = movedBack({i, j, k}, place);
                    CHECK(indexInFile(info, visited++) == (at[0] * 3 + at[1]) * 4 + at[2]);
                }
    }
}

}  // namespace batch_first_test
