// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/sample_reader.h"

#include "core/base/error.h"
#include "tests/support/catch.h"

#include <stop_token>
#include <vector>

namespace sample_reader_test {

using namespace calibscope;

/// Value i of sample s is 1000 s + i; blocks of an odd length.
ValueSource countingSource(std::uint64_t samples, std::uint64_t values, std::uint64_t missing = 0)
{
    ValueSource source;
    source.info.path = "/a";
    source.info.shape = {samples, values};
    source.visit = [=](const BlockVisitor& visitor, const Progress& progress) {
        const std::uint64_t all = samples * values - missing;
        constexpr std::uint64_t length = 70001;
        std::vector<float> block;
        for (std::uint64_t first = 0; first < all; first += length) {
            block.clear();
            for (std::uint64_t i = first; i < std::min(first + length, all); ++i)
                block.push_back(static_cast<float>(1000 * (i / values) + i % values));
            visitor({.values = block, .firstIndex = first});
            progress.step(first, all, "values");
        }
    };
    return source;
}

void checkSamples(SampleReader& reader, std::uint64_t samples, std::uint64_t values)
{
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
        const std::span<const float> got = reader.next();
        REQUIRE(got.size() == values);
        CHECK(got.front() == static_cast<float>(1000 * sample));
        CHECK(got.back() == static_cast<float>(1000 * sample + values - 1));
    }
}

TEST_CASE("samples come one after another, of small tensors and of large ones")
{
    SampleReader small(countingSource(7, 11), {});
    checkSamples(small, 7, 11);
    SampleReader ofSmallSamples(countingSource(60000, 90), {});
    checkSamples(ofSmallSamples, 60000, 90);
    SampleReader ofLargeSamples(countingSource(9, 600000), {});
    checkSamples(ofLargeSamples, 9, 600000);
}

TEST_CASE("a reader that is given up early ends its thread")
{
    SampleReader reader(countingSource(60000, 90), {});
    CHECK(reader.next().size() == 90);
}

TEST_CASE("what goes wrong while reading is thrown where samples are taken")
{
    SampleReader few(countingSource(60000, 90, 5), {});
    CHECK_THROWS_AS(
        [&] {
            for (int sample = 0; sample < 60000; ++sample)
                static_cast<void>(few.next());
        }(),
        Error);
    CHECK_THROWS_AS(SampleReader(countingSource(4, 10, 3), {}), Error);

    std::stop_source stop;
    SampleReader cancelled(countingSource(60000, 90), Progress(stop.get_token(), {}));
    stop.request_stop();
    CHECK_THROWS_AS(
        [&] {
            for (int sample = 0; sample < 60000; ++sample)
                static_cast<void>(cancelled.next());
        }(),
        Cancelled);
}

}  // namespace sample_reader_test
