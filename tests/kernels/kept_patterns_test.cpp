// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kept_patterns.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <bit>

namespace kept_patterns_test {

using namespace calibscope;

using Patterns = std::vector<std::uint32_t>;

Patterns roomFor(std::span<const float> values)
{
    return Patterns(values.size() + kernels::vectorRoom);
}

TEST_CASE("patterns are kept as value by value, for all kinds and lengths")
{
    for (const auto& [kind, values] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(values)) {
            INFO(kind << ", " << cut.size() << " values");
            Patterns kept = roomFor(cut);
            Patterns plain = roomFor(cut);
            const kernels::KeptPatterns counts = kernels::keepNonZero(cut, kept);
            const kernels::KeptPatterns plainCounts = kernels::keepNonZeroPlain(cut, plain);
            CHECK(counts.zeros == plainCounts.zeros);
            kept.resize(counts.kept);
            plain.resize(plainCounts.kept);
            CHECK(kept == plain);
        }
}

TEST_CASE("patterns of a key are kept as value by value, for the first and the last key too")
{
    constexpr int droppedBits = 13;
    for (const auto& [kind, values] : test::kernelSamples())
        for (const float like :
             {0.0F, 1e-39F, 0.125F, 3.25F, 1e30F, std::numeric_limits<float>::infinity()})
            for (const std::span<const float> cut : test::cutsOf(values)) {
                INFO(kind << ", " << cut.size() << " values, like " << like);
                const std::uint32_t key = std::bit_cast<std::uint32_t>(like) >> droppedBits;
                Patterns kept = roomFor(cut);
                Patterns plain = roomFor(cut);
                kept.resize(kernels::keepKey(cut, key, droppedBits, kept));
                plain.resize(kernels::keepKeyPlain(cut, key, droppedBits, plain));
                CHECK(kept == plain);
            }
}

}  // namespace kept_patterns_test
