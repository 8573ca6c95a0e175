// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/tensor_info.h"

#include "tests/support/catch.h"

#include <cstdint>
#include <vector>

namespace tensor_info_test {

using namespace calibscope;

TEST_CASE("a channel's value is found again by its flat index, for a channel axis anywhere")
{
    TensorInfo info;
    info.shape = {2, 3, 4};
    for (int axis = 0; axis < 3; ++axis) {
        info.channelAxis = axis;
        std::vector<std::uint64_t> seen(info.channelCount(), 0);
        for (std::uint64_t index = 0; index < info.valueCount(); ++index) {
            const std::uint64_t channel = info.channelOf(index);
            CHECK(info.flatIndexOf(channel, seen[channel]++) == index);
        }
    }
}

TEST_CASE("an index is told per axis, the last one running fastest")
{
    CHECK(indexText({2, 3, 4}, 0) == "[0, 0, 0]");
    CHECK(indexText({2, 3, 4}, 23) == "[1, 2, 3]");
    CHECK(indexText({2, 3, 4}, 14) == "[1, 0, 2]");
    CHECK(indexText({5}, 4) == "[4]");
    CHECK(indexText({}, 0) == "[]");
}

TEST_CASE("a batch of more samples than there are, however many, is the only one")
{
    TensorInfo info;
    info.shape = {5, 2};
    info.batchAxis = 0;
    info.batchSize = UINT64_MAX;
    CHECK(info.batchCount() == 1);
    info.batchSize = 2;
    CHECK(info.batchCount() == 3);
    info.batchSize = 5;
    CHECK(info.batchCount() == 1);
}

}  // namespace tensor_info_test
