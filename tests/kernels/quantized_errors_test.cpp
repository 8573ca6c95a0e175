// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/quantized_errors.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace quantized_errors_test {

using namespace calibscope;

std::vector<float> finiteOf(std::span<const float> values)
{
    std::vector<float> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](float x) { return std::isfinite(x); });
    return finite;
}

using Places = std::vector<std::uint32_t>;

TEST_CASE("errors of vectors have the bits of those of values one by one")
{
    using kernels::Halves;
    for (const auto& [kind, all] : test::kernelSamples())
        for (const std::span<const float> cut : test::cutsOf(all))
            for (const Halves halves : {Halves::ToEven, Halves::AwayFromZero, Halves::Up})
                for (const double scale : {1e-40, 0.01, 0.25, 1.0, 3e30})
                    for (const double shift : {0.0, 0.37}) {
                        INFO(kind << ", " << cut.size() << " values, scale " << scale << ", shift "
                                  << shift);
                        const std::vector<float> values = finiteOf(cut);
                        const kernels::Lattice lattice{.scale = scale,
                                                       .shift = shift,
                                                       .low = -128.0,
                                                       .clipLow = -100.0 * scale,
                                                       .clipHigh = 100.0 * scale,
                                                       .halves = halves};
                        Places places(values.size() + kernels::vectorRoom);
                        Places plain(places.size());
                        const auto errors = kernels::quantizedErrors(values, lattice, places);
                        CHECK(errors == kernels::quantizedErrorsPlain(values, lattice, plain));
                        places.resize(values.size());
                        plain.resize(values.size());
                        CHECK(places == plain);
                    }
}

TEST_CASE("halves go to the even place, away from zero or up, in whole vectors too")
{
    std::vector<float> values(32, 0.5F);
    values[1] = 1.5F;
    values[2] = -0.5F;
    values[3] = -1.5F;
    values[4] = 9.5F;  // clamped to 8
    const auto placesOf = [&](kernels::Halves halves) {
        Places places(values.size() + kernels::vectorRoom);
        kernels::quantizedErrors(values, {.low = -8.0, .high = 8.0, .halves = halves}, places);
        places.resize(5);
        return places;
    };
    CHECK(placesOf(kernels::Halves::ToEven) == Places{8, 10, 8, 6, 16});
    CHECK(placesOf(kernels::Halves::AwayFromZero) == Places{9, 10, 7, 6, 16});
    CHECK(placesOf(kernels::Halves::Up) == Places{9, 10, 8, 7, 16});
}

}  // namespace quantized_errors_test
