// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/channel_values.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <map>
#include <numeric>
#include <stop_token>
#include <string_view>
#include <vector>

namespace channel_values_test {

using namespace calibscope;

/// 4 samples in batches of 2, 3 channels, 2 positions: the value is its flat index.
struct Numbered
{
    TensorInfo info{
        .name = "t", .shape = {4, 3, 2}, .batchAxis = 0, .batchSize = 2, .channelAxis = 1};
    std::vector<float> values = std::vector<float>(24);

    Numbered() { std::iota(values.begin(), values.end(), 0.0F); }
};

std::map<std::uint64_t, std::vector<float>> channelsOf(const ValueSource& source,
                                                       std::uint64_t memoryBytes)
{
    std::map<std::uint64_t, std::vector<float>> found;
    visitChannels(source, memoryBytes,
                  [&](std::uint64_t channel, const ValueSource& values) {
                      std::uint64_t expected = 0;
                      values.visit(
                          [&](const Block& block) {
                              CHECK(block.firstIndex == expected);
                              CHECK(block.batch == expected / 4);  // 2 samples of 2 positions
                              expected += block.values.size();
                              auto& own = found[channel];
                              own.insert(own.end(), block.values.begin(), block.values.end());
                          },
                          {});
                  },
                  {});
    return found;
}

TEST_CASE("a channel's values come in recorded order, whatever the memory")
{
    const Numbered numbered;
    const ValueSource source = sourceOf(numbered.info, numbered.values);
    const std::map<std::uint64_t, std::vector<float>> expected = {
        {0, {0, 1, 6, 7, 12, 13, 18, 19}},
        {1, {2, 3, 8, 9, 14, 15, 20, 21}},
        {2, {4, 5, 10, 11, 16, 17, 22, 23}}};
    constexpr std::uint64_t channelBytes = 8 * sizeof(float);
    CHECK(channelsOf(source, 1 << 20) == expected);           // all at once
    CHECK(channelsOf(source, 2 * channelBytes) == expected);  // two, then one
    CHECK(channelsOf(source, channelBytes - 1) == expected);  // not even one: filtered
}

TEST_CASE("the first and the last axis can be channels too")
{
    const std::vector<float> matrix = {0, 1, 2, 3, 4, 5};
    const TensorInfo rows{.name = "m", .shape = {2, 3}, .channelAxis = 0};
    CHECK(channelsOf(sourceOf(rows, matrix), 1 << 20)[1] == std::vector<float>{3, 4, 5});
    const TensorInfo columns{.name = "m", .shape = {2, 3}, .channelAxis = 1};
    CHECK(channelsOf(sourceOf(columns, matrix), 1 << 20)[1] == std::vector<float>{1, 4});
}

TEST_CASE("one channel is a source of its own, wherever blocks are cut")
{
    const Numbered numbered;
    for (const std::size_t blockSize : {1U, 3U, 5U, 24U}) {
        ValueSource source = test::sourceInParts(numbered.values, blockSize);
        source.info = numbered.info;
        const ValueSource channel = sourceOfChannel(source, 1);
        CHECK(channel.info.shape == std::vector<std::uint64_t>{4, 2});
        CHECK(channel.info.batchCount() == 2);
        CHECK_FALSE(channel.info.channelAxis);
        std::vector<float> own;
        channel.visit(
            [&own](const Block& block) {
                CHECK(block.firstIndex == own.size());
                own.insert(own.end(), block.values.begin(), block.values.end());
            },
            {});
        CHECK(own == std::vector<float>{2, 3, 8, 9, 14, 15, 20, 21});
    }
}

TEST_CASE("a channel that a source does not have is an error that says how many it has")
{
    const Numbered numbered;
    const ValueSource source = sourceOf(numbered.info, numbered.values);
    CHECK_THROWS_WITH(sourceOfChannel(source, 3),
                      test::containsText("there is no channel 3, it has 3"));
    const TensorInfo plain{.name = "p", .shape = {24}};
    CHECK_THROWS_WITH(sourceOfChannel(sourceOf(plain, numbered.values), 0),
                      test::containsText("there is no channel 0, it has 0"));
}

TEST_CASE("each channel is a step, after which the work can be stopped")
{
    const Numbered numbered;
    const ValueSource source = sourceOf(numbered.info, numbered.values);
    std::stop_source stop;
    std::vector<std::uint64_t> done;
    std::vector<std::uint64_t> visited;
    const Progress progress(stop.get_token(),
                            [&](std::uint64_t values, std::uint64_t total, std::string_view) {
                                CHECK(total == 24);
                                done.push_back(values);
                            });
    const auto visit = [&](std::uint64_t channel, const ValueSource&) {
        visited.push_back(channel);
        if (channel == 1)
            stop.request_stop();
    };
    CHECK_THROWS_AS(visitChannels(source, 1 << 20, visit, progress), Cancelled);
    CHECK(visited == std::vector<std::uint64_t>{0, 1});
    CHECK(done.back() == 8);
}

}  // namespace channel_values_test
