// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/locate_values.h"

#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "tests/support/catch.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace locate_values_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

std::uint64_t asItIs(std::uint64_t index)
{
    return index;
}

TensorInfo infoOf(std::vector<std::uint64_t> shape)
{
    TensorInfo info;
    info.name = info.path = "made";
    info.elementType = ElementKind::Float32;
    info.shape = std::move(shape);
    return info;
}

TEST_CASE("the largest magnitudes come first, of equal ones the earlier, NaN and infinity never")
{
    const std::vector<float> values{1.0F, notANumber, -3.0F, inf, 3.0F, 0.0F, -inf, 2.0F};
    const ValueSource source = sourceOf(infoOf({8}), values);
    const FoundValues found = largestPlaces(source, 3, {}, asItIs);
    CHECK(found.places == std::vector<std::uint64_t>{2, 4, 7});
    CHECK(found.values == std::vector<float>{-3.0F, 3.0F, 2.0F});
    CHECK(found.searched == 8);
    CHECK(largestPlaces(source, 100, {}, asItIs).places.size() == 5);
    const std::vector<float> none{notANumber, inf};
    CHECK(largestPlaces(sourceOf(infoOf({2}), none), 10, {}, asItIs).places.empty());
}

TEST_CASE("the largest of many values are those of a full sort")
{
    std::mt19937 random(9);
    std::vector<float> values(20000);
    for (float& value : values)  // coarse, so that many are equal
        value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 8.0F;
    std::vector<std::uint64_t> order(values.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::ranges::stable_sort(order, [&](std::uint64_t one, std::uint64_t other) {
        return std::abs(values[one]) > std::abs(values[other]);
    });
    order.resize(25);
    CHECK(largestPlaces(sourceOf(infoOf({20000}), values), 25, {}, asItIs).places == order);
}

TEST_CASE("marked values are told in order, and the search stops as there are enough")
{
    const std::vector<float> values{0.5F, -1.0F, 1.0F, notANumber, 1.5F, -1.2F, 9.0F, 1.0F};
    const ValueSource source = sourceOf(infoOf({8}), values);
    const MarkedValues magnitudes{.domain = Domain::Magnitude, .range = {1.0, 1.5}};
    const FoundValues all = markedPlaces(source, magnitudes, 100, {}, asItIs);
    CHECK(all.places == std::vector<std::uint64_t>{1, 2, 4, 5, 7});
    CHECK(all.isWhole);
    CHECK(all.searched == 8);
    const FoundValues some = markedPlaces(source, magnitudes, 2, {}, asItIs);
    CHECK(some.places == std::vector<std::uint64_t>{1, 2});
    CHECK_FALSE(some.isWhole);
    CHECK(some.searched == 4);
    CHECK(markedPlaces(source, {.domain = Domain::Signed, .range = {-1.2, -1.0}}, 9, {}, asItIs)
              .places.size() == 1);  // -1.2F lies below -1.2
}

TEST_CASE("places are those in the file, of one channel and with batches along any axis")
{
    H5File file;
    std::vector<float> values(2 * 3 * 4);
    std::iota(values.begin(), values.end(), 1.0F);
    file.write("/t", {2, 3, 4}, values);
    const auto dump = DumpFile::open(file.path());
    for (int batchAxis = 0; batchAxis < 3; ++batchAxis)
        for (int channelAxis = 0; channelAxis < 3; ++channelAxis) {
            if (channelAxis == batchAxis)
                continue;
            TensorInfo info = dump->tensors().front();
            info.batchAxis = batchAxis;
            info.batchSize = 1;
            info.channelAxis = channelAxis;
            const ValueSource source = dump->source(info);
            const auto inFile = [&info](std::uint64_t index) { return indexInFile(info, index); };
            for (std::uint64_t channel = 0; channel < info.channelCount(); ++channel) {
                std::vector<std::uint64_t> expected;
                for (std::uint64_t flat = 0; flat < values.size(); ++flat) {
                    const std::vector<std::uint64_t> index{flat / 12, flat / 4 % 3, flat % 4};
                    if (index[static_cast<std::size_t>(channelAxis)] == channel)
                        expected.push_back(flat);
                }
                std::ranges::reverse(expected);
                const FoundValues found = largestPlaces(source, 100, channel, inFile);
                CHECK(found.places == expected);
                for (std::size_t place = 0; place < found.places.size(); ++place)
                    CHECK(found.values[place] == values[found.places[place]]);
            }
        }
}

}  // namespace locate_values_test
