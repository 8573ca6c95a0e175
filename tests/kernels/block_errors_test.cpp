// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/block_errors.h"

#include "core/kernels/float_ends.h"
#include "tests/support/catch.h"
#include "tests/support/each_target.h"
#include "tests/support/kernel_samples.h"

namespace block_errors_test {

using namespace calibscope;
using kernels::Halves;
using kernels::Lattice;

using Places = std::vector<std::uint16_t>;

std::vector<float> finiteOf(std::span<const float> values)
{
    std::vector<float> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](float x) { return std::isfinite(x); });
    return finite;
}

kernels::ValueBlock blockOf(std::span<const float> finite)
{
    const kernels::FloatEnds ends = kernels::floatEndsPlain(finite);
    return {.values = finite, .least = ends.least, .greatest = ends.greatest};
}

void checkAgainstPlain(std::span<const float> finite, const Lattice& lattice)
{
    INFO(finite.size() << " values, scale " << lattice.scale << ", shift " << lattice.shift
                       << ", places " << lattice.low << " to " << lattice.high << ", clipped at "
                       << lattice.clipLow << " and " << lattice.clipHigh << ", rounding "
                       << static_cast<int>(lattice.halves));
    const kernels::ValueBlock block = blockOf(finite);
    Places plainPlaces(finite.size() + kernels::vectorRoom);
    const auto plain = kernels::blockErrorsPlain(block, lattice, 0.0, plainPlaces);
    plainPlaces.resize(finite.size());
    for (const double known : {0.0, plain.largest, 2.0 * plain.largest}) {
        Places places(finite.size() + kernels::vectorRoom);
        const auto errors = kernels::blockErrors(block, lattice, known, places);
        places.resize(finite.size());
        CHECK(places == plainPlaces);
        auto expected = plain;
        expected.largest = std::max(known, plain.largest);
        CHECK(errors == expected);
    }
}

/// `bits` wide, of the scale that makes most values fit.
std::vector<Lattice> latticesFor(double absMax, int bits)
{
    const double qmax = static_cast<double>((1 << (bits - 1)) - 1);
    const double scale = absMax > 0.0 ? absMax / qmax : 1.0;
    const double inside = 0.7 * absMax;
    return {{.scale = scale, .low = -qmax, .high = qmax, .clipLow = -absMax, .clipHigh = absMax},
            {.scale = 0.7 * scale,
             .low = -qmax - 1,
             .high = qmax,
             .clipLow = -inside,
             .clipHigh = inside},
            // Affine: a zero point at an end, so places lie on one side.
            {.scale = 0.5 * scale,
             .low = 0.0,
             .high = 2.0 * qmax + 1.0,
             .clipLow = -inside,
             .clipHigh = absMax},
            {.scale = scale,
             .shift = -1.0 / 3.0 * qmax + 0.25,
             .low = -qmax - 1,
             .high = qmax,
             .clipLow = -inside,
             .clipHigh = inside}};
}

TEST_CASE("errors of vectors have the bits of those of values one by one")
{
    test::withEachTarget([] {
        for (const auto& [kind, all] : test::kernelSamples())
            for (const std::span<const float> cut : test::cutsOf(all))
                for (const Halves halves : {Halves::ToEven, Halves::AwayFromZero, Halves::Up})
                    for (const double scale : {1e-40, 0.01, 0.25, 1.0, 3e30})
                        for (const double shift : {0.0, 0.37, 3e5}) {
                            INFO(kind);
                            checkAgainstPlain(finiteOf(cut), {.scale = scale,
                                                              .shift = shift,
                                                              .low = -128.0,
                                                              .clipLow = -100.0 * scale,
                                                              .clipHigh = 100.0 * scale,
                                                              .halves = halves});
                        }
    });
}

TEST_CASE("errors of vectors have the plain form's bits from 4 to 16 bits, for odd values too")
{
    auto samples = test::kernelSamples();
    std::vector<float> halves;  // of levels, where the scale is a power of two
    for (int half = -40000; half < 40000; half += 7)
        halves.push_back(static_cast<float>(half) * 0.5F * 0.03125F);
    samples.push_back({"halves of levels", halves});
    std::vector<float> wide;  // 1e-44 to 1e30 of both signs
    for (float x = 1e-44F; x < 1e30F; x *= 1.3F)
        wide.insert(wide.end(), {x, -x, std::nextafter(x, 0.0F)});
    samples.push_back({"1e-44 to 1e30", wide});
    samples.push_back({"one value", {0.3F}});
    test::withEachTarget([&] {
        for (const auto& [kind, all] : samples) {
            INFO(kind);
            const std::vector<float> finite = finiteOf(all);
            double absMax = 0.0;
            for (const float x : finite)
                absMax = std::max(absMax, static_cast<double>(std::abs(x)));
            for (const int bits : {4, 8, 16}) {
                for (const Lattice& lattice : latticesFor(absMax, bits))
                    checkAgainstPlain(finite, lattice);
                for (const Halves rule : {Halves::ToEven, Halves::AwayFromZero, Halves::Up})
                    checkAgainstPlain(finite, {.scale = 0.03125,
                                               .low = -std::ldexp(1.0, bits - 1),
                                               .high = std::ldexp(1.0, bits - 1) - 1.0,
                                               .clipLow = -3.0,
                                               .clipHigh = 4.0,
                                               .halves = rule});
            }
        }
    });
}

TEST_CASE("values next to the middle between levels are placed as their quotient says")
{
    // Scales whose inverse is not exact: a product in float32 is on the wrong side of some.
    std::vector<float> values;
    constexpr double scale = 0.1 / 127.0;
    for (int level = -130; level < 130; ++level) {
        const auto middle = static_cast<float>((level + 0.5) * scale);
        values.insert(values.end(),
                      {std::nextafter(middle, -1.0F), middle, std::nextafter(middle, 1.0F)});
    }
    test::withEachTarget([&] {
        for (const double shift : {0.0, 5.0, 0.5, -77.3})
            checkAgainstPlain(values,
                              {.scale = scale, .shift = shift, .clipLow = -0.1, .clipHigh = 0.1});
    });
}

TEST_CASE("places whose lowest is too far from 0 for float32 are still right")
{
    const std::vector<float> values = test::normalValues(100);
    test::withEachTarget([&] {
        checkAgainstPlain(values, {.scale = 1e-8, .low = 1e8 - 100.0, .high = 1e8 + 7.0});
        checkAgainstPlain(values, {.scale = 1e-8, .low = -1e8, .high = -1e8 + 7.0});
    });
}

TEST_CASE("halves go to the even place, away from zero or up, in whole vectors too")
{
    std::vector<float> values(32, 0.5F);
    values[1] = 1.5F;
    values[2] = -0.5F;
    values[3] = -1.5F;
    values[4] = 9.5F;  // clamped to 8
    const auto placesOf = [&](Halves halves) {
        Places places(values.size() + kernels::vectorRoom);
        const kernels::QuantizedErrors errors = kernels::blockErrors(
            blockOf(values), {.low = -8.0, .high = 8.0, .halves = halves}, 0.0, places);
        CHECK(errors.largest == 1.5);
        places.resize(5);
        return places;
    };
    test::withEachTarget([&] {
        CHECK(placesOf(Halves::ToEven) == Places{8, 10, 8, 6, 16});
        CHECK(placesOf(Halves::AwayFromZero) == Places{9, 10, 7, 6, 16});
        CHECK(placesOf(Halves::Up) == Places{9, 10, 8, 7, 16});
    });
}

TEST_CASE("squares of vectors are summed as value by value")
{
    test::withEachTarget([] {
        for (const auto& [kind, all] : test::kernelSamples())
            for (const std::span<const float> cut : test::cutsOf(all)) {
                INFO(kind << ", " << cut.size() << " values");
                const std::vector<float> finite = finiteOf(cut);
                CHECK(kernels::squaresOf(finite) == kernels::squaresOfPlain(finite));
            }
    });
}

}  // namespace block_errors_test
