// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/zero_ends.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace zero_ends_test {

using namespace calibscope;

TensorInfo rowsOf(std::uint64_t rows)
{
    TensorInfo info;
    info.elementType = ElementKind::Float32;
    info.shape = {rows, 24};
    return info;
}

template <typename Counter>
void add(Counter& counter, const std::vector<float>& values, std::size_t first, std::size_t end,
         std::uint64_t place, std::mt19937& engine)
{
    while (first < end) {
        const std::size_t count = std::min<std::size_t>(1 + engine() % 900, end - first);
        counter.add({.values = std::span(values).subspan(first, count),
                     .firstIndex = first,
                     .place = place + first * sizeof(float)});
        first += count;
    }
}

TEST_CASE("zero blocks of parts counted by anyone are those of all values counted in order")
{
    std::mt19937 engine(11);
    for (int round = 0; round < 60; ++round) {
        const TensorInfo info = rowsOf(400);
        std::vector<float> values(info.valueCount());
        for (float& value : values)
            value = 1.0F + static_cast<float>(engine() % 7);
        // Runs about as long as a block of 512 bytes; some begin and end where such blocks do.
        const std::uint64_t place = engine() % 2 == 0 ? 512 : 100;
        for (int run = 0; run < 25; ++run) {
            const std::size_t first =
                engine() % 60 * 128 + (engine() % 2 == 0 ? 0 : engine() % 128);
            const std::size_t count = engine() % 2 == 0 ? 128 * (engine() % 4) : engine() % 400;
            for (std::size_t index = first; index < std::min(first + count, values.size()); ++index)
                values[index] = 0.0F;
        }
        ZeroBlockCounter all(info);
        add(all, values, 0, values.size(), place, engine);
        const ZeroBlocks expected = all.finish();

        ZeroBlocks found;
        std::vector<ZeroRun> ends;
        for (std::size_t first = 0; first < values.size();) {
            const std::size_t end =
                std::min<std::size_t>(first + 24 * (1 + engine() % 90), values.size());
            ZeroEndsCounter part(info);
            add(part, values, first, end, place, engine);
            const ZeroBlocks own = part.finish(ends);
            found.runs += own.runs;
            found.values += own.values;
            found.otherRuns += own.otherRuns;
            first = end;
        }
        std::ranges::shuffle(ends, engine);
        const ZeroBlocks ofEnds = zeroBlocksOf(info, ends);
        found.runs += ofEnds.runs;
        found.values += ofEnds.values;
        found.otherRuns += ofEnds.otherRuns;
        CHECK(found == expected);
    }
}

}  // namespace zero_ends_test
