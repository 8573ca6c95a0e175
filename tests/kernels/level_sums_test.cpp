// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/level_sums.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace level_sums_test {

using namespace calibscope;

/// The finite values among the first `levelStretch`, and zeros to a multiple of 16.
std::vector<float> stretchOf(std::span<const float> values)
{
    std::vector<float> finite;
    for (const float value : values.first(std::min(values.size(), kernels::levelStretch)))
        if (std::isfinite(value))
            finite.push_back(value);
    finite.resize((finite.size() + 15) / 16 * 16);
    return finite;
}

TEST_CASE("level sums of vectors have the bits of those of values one by one")
{
    std::vector<std::uint16_t> places(kernels::levelStretch);
    std::vector<std::uint16_t> plainPlaces(kernels::levelStretch);
    for (const auto& [kind, all] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(all))
            for (const float perScale : {0x1p-100F, 0.25F, 4.0F, 32.7F, 8e3F, 0x1p100F})
                for (const auto& [low, high] : {std::pair(-127, 127), {-2, 1}, {0, 255}}) {
                    INFO(kind << ", " << cut.size() << " values, times " << perScale << ", to "
                              << high);
                    const std::vector<float> values = stretchOf(cut);
                    const kernels::LevelSumsRule rule{
                        .perScale = perScale, .low = low, .high = high};
                    const kernels::LevelSums sums = kernels::levelSums(values, rule, places);
                    CHECK(sums == kernels::levelSumsPlain(values, rule, plainPlaces));
                    CHECK(std::equal(places.begin(),
                                     places.begin() + static_cast<std::ptrdiff_t>(sums.near),
                                     plainPlaces.begin()));
                }
}

TEST_CASE("values that a product can't place for certain are named and not summed")
{
    std::vector<float> values(16);
    values[0] = 2.0F;
    values[5] = 2.5F;       // between 2 and 3
    values[6] = 2.499999F;  // so near that the rounding of the product may decide
    values[7] = -0.5F;
    values[8] = 7.5F;  // beyond the last level: clipped whatever it is rounded to
    values[9] = 2.499F;
    std::vector<std::uint16_t> places(values.size());
    const kernels::LevelSums sums =
        kernels::levelSums(values, {.perScale = 1.0F, .low = -4, .high = 3}, places);
    CHECK(sums.near == 3);
    places.resize(sums.near);
    CHECK(places == std::vector<std::uint16_t>{5, 6, 7});
    CHECK(sums.zz == 4 + 9 + 4);
    CHECK(sums.xz[0] == 4.0);
    CHECK(sums.xz[8] == 22.5);
}

}  // namespace level_sums_test
