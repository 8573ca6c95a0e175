// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/held_values.h"

#include "tests/support/catch.h"

#include <vector>

namespace held_values_test {

using namespace calibscope;

/// Tells how often it is read.
struct CountedSource
{
    std::vector<float> values{1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
    int passes = 0;

    ValueSource source()
    {
        const auto visit = [this](const BlockVisitor& visitor, const Progress&) {
            ++passes;
            const std::span<const float> all(values);
            visitor({.values = all.first(2), .firstIndex = 0, .batch = 0});
            visitor({.values = all.subspan(2, 1), .firstIndex = 2, .batch = 0});
            visitor({.values = all.subspan(3), .firstIndex = 3, .batch = 1});
        };
        return {.info = {.name = "t", .shape = {5}}, .visit = visit};
    }
};

struct Seen
{
    std::vector<float> values;
    std::uint64_t firstIndex;
    std::uint64_t batch;
    bool operator==(const Seen&) const = default;
};

std::vector<Seen> seenIn(const ValueSource& source, const Progress& progress = {})
{
    std::vector<Seen> seen;
    source.visit(
        [&](const Block& block) {
            seen.push_back(
                {{block.values.begin(), block.values.end()}, block.firstIndex, block.batch});
        },
        progress);
    return seen;
}

TEST_CASE("held values are the same blocks, read once however often they are visited")
{
    CountedSource counted;
    const std::vector<Seen> expected = seenIn(counted.source());
    const ValueSource held = heldInMemory(counted.source());
    CHECK(counted.passes == 2);
    CHECK(held.isInMemory);
    CHECK(held.info.name == "t");
    CHECK(seenIn(held) == expected);
    CHECK(seenIn(heldInMemory(held)) == expected);
    CHECK(counted.passes == 2);
}

TEST_CASE("a visit of held values can be stopped")
{
    CountedSource counted;
    const ValueSource held = heldInMemory(counted.source());
    std::stop_source stop;
    stop.request_stop();
    CHECK_THROWS_AS(seenIn(held, Progress(stop.get_token(), {})), Cancelled);
}

TEST_CASE("a source is held where it takes a third of the memory at most")
{
    CountedSource counted;
    constexpr std::uint64_t bytes = 5 * sizeof(float);
    CHECK_FALSE(heldIfSmall(counted.source(), 3 * bytes - 1).isInMemory);
    CHECK(counted.passes == 0);
    CHECK(heldIfSmall(counted.source(), 3 * bytes).isInMemory);
    CHECK(counted.passes == 1);
}

}  // namespace held_values_test
