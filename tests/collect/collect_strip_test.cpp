// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_strip.h"

#include "core/collect/collect_profile.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <limits>
#include <random>
#include <stop_token>
#include <vector>

namespace collect_strip_test {

using namespace calibscope;

using Counts = std::vector<std::uint64_t>;

/// 2 samples, a batch each, of 2 channels with 3 values.
const TensorInfo twoByTwo{
    .name = "t", .shape = {2, 2, 3}, .batchAxis = 0, .batchSize = 1, .channelAxis = 1};
const std::vector<float> values = {
    0.0F, 1.0F,  -1.0F,  // batch 0, channel 0
    2.0F, 2.0F,  4.0F,   // batch 0, channel 1
    3.0F, -4.0F, 0.5F,   // batch 1, channel 0
    2.0F, 0.0F,  1.5F,   // batch 1, channel 1
};

Strip stripOf(StripRows rows, Domain domain, std::uint64_t columns, const Range& range)
{
    return collectStrip(sourceOf(twoByTwo, values), rows, domain, columns, range);
}

TEST_CASE("a strip has a row for each channel or for each batch")
{
    // |x| in [0, 1), [1, 2), [2, 3), [3, 4]
    const Strip channels = stripOf(StripRows::Channel, Domain::Magnitude, 4, {0.0, 4.0});
    CHECK(channels.rows == 2);
    CHECK(channels.columns == 4);
    CHECK(channels.range == Range{0.0, 4.0});
    CHECK(channels.counts == Counts{2, 2, 0, 2, 1, 1, 3, 1});
    CHECK(channels.row(1).front() == 1);
    const Strip batches = stripOf(StripRows::Batch, Domain::Magnitude, 4, {0.0, 4.0});
    CHECK(batches.counts == Counts{1, 2, 2, 1, 2, 1, 1, 2});
}

TEST_CASE("a strip of x keeps the signs, and of a part of the range only what lies in it")
{
    CHECK(stripOf(StripRows::Channel, Domain::Signed, 2, {-4.0, 4.0}).counts == Counts{2, 4, 0, 6});
    // [1, 1.5), [1.5, 2]: the upper end is in, all else is out.
    CHECK(stripOf(StripRows::Channel, Domain::Signed, 2, {1.0, 2.0}).counts == Counts{1, 0, 0, 4});
}

TEST_CASE("a strip leaves NaN and infinities out, and equal values are in its first column")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> odd = {nan, inf, 1.0F, -inf};
    const TensorInfo info{.name = "o", .shape = {4}, .channelAxis = 0};
    CHECK(collectStrip(sourceOf(info, odd), StripRows::Channel, Domain::Signed, 2, {0.0, 1.0})
              .counts == Counts{0, 0, 0, 0, 0, 1, 0, 0});
    CHECK(
        collectStrip(sourceOf(info, odd), StripRows::Batch, Domain::Signed, 3, {1.0, 1.0}).counts ==
        Counts{1, 0, 0});
}

TEST_CASE("the columns of a strip add up to the histogram of the whole range, whatever the blocks")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal(0.5F, 2.0F);
    std::vector<float> many(7 * 5 * 11);
    std::ranges::generate(many, [&] { return normal(engine); });
    const TensorInfo info{.name = "m", .shape = {7, 5, 11}, .batchAxis = 0, .channelAxis = 1};
    for (const std::size_t blockSize : {1U, 4U, 13U, 1000U}) {
        ValueSource source = test::sourceInParts(many, blockSize);
        source.info = info;
        TensorProfile profile = collectProfile(source);
        const HistogramSpec spec{.growth = "fixed", .bins = 16, .domain = Domain::Signed};
        collectMore(profile, source, std::vector{spec}, {});
        const Range range{profile.extents().min, profile.extents().max};
        const Strip strip = collectStrip(source, StripRows::Channel, Domain::Signed, 16, range);
        Counts sums(16);
        for (std::uint64_t row = 0; row < strip.rows; ++row)
            for (std::size_t column = 0; column < 16; ++column)
                sums[column] += strip.row(row)[column];
        CHECK(sums == profile.histogram(spec)->counts);
    }
}

TEST_CASE("a strip without columns or channels is refused, and one that is stopped ends")
{
    const TensorInfo plain{.name = "p", .shape = {12}};
    const ValueSource source = sourceOf(plain, values);
    CHECK_THROWS_AS(collectStrip(source, StripRows::Channel, Domain::Signed, 4, {0.0, 1.0}),
                    std::invalid_argument);
    CHECK_THROWS_AS(collectStrip(source, StripRows::Batch, Domain::Signed, 0, {0.0, 1.0}),
                    std::invalid_argument);
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(collectStrip(source, StripRows::Batch, Domain::Signed, 4, {0.0, 1.0},
                                 Progress(stop.get_token(), {})),
                    Cancelled);
}

}  // namespace collect_strip_test
