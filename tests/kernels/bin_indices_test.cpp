// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/bin_indices.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace bin_indices_test {

using namespace calibscope;

void checkBins(std::span<const float> values, const kernels::EqualBins& equal)
{
    std::vector<std::uint32_t> bins(values.size() + kernels::vectorRoom);
    std::vector<std::uint32_t> plain(bins.size());
    const auto [kept, zeros] = kernels::binIndices(values, equal, bins);
    const auto [plainKept, plainZeros] = kernels::binIndicesPlain(values, equal, plain);
    CHECK(zeros == plainZeros);
    bins.resize(kept);
    plain.resize(plainKept);
    CHECK(bins == plain);
}

TEST_CASE("bins by vectors are those of the division, for all kinds, lengths and widths")
{
    // Widths of bins on whose edges values of the grids lie, near which a product with the inverse
    // would be off; odd ones; and one with almost all values beyond the last bin.
    for (const double width : {0.125, 1.0 / 24.0, 0.0041, 1e-42, 4.0 / 2048.0, 1e-310})
        for (const bool ofMagnitude : {false, true})
            for (const auto& [kind, values] : test::kernelSamples())
                for (const std::span<const float> cut : test::cutsOf(values)) {
                    INFO(kind << ", " << cut.size() << " values, width " << width);
                    checkBins(cut, {.low = ofMagnitude ? 0.0 : -4.125,
                                    .width = width,
                                    .count = 2048,
                                    .ofMagnitude = ofMagnitude});
                }
}

TEST_CASE("bins whose low end or width is none of float32's, or that are many, are divided")
{
    for (const kernels::EqualBins& equal :
         {kernels::EqualBins{.low = -0.1, .width = 0.01, .count = 512},
          kernels::EqualBins{.low = -4.0, .width = 1e-6, .count = 1U << 23},
          kernels::EqualBins{.low = -3e38, .width = 3e35, .count = 2048},
          kernels::EqualBins{.low = 0.0, .width = 1e300, .count = 4}})
        for (const auto& [kind, values] : test::kernelSamples()) {
            INFO(kind << ", width " << equal.width);
            checkBins(values, equal);
        }
}

TEST_CASE("values at an edge and beside it find the bin that the division gives")
{
    for (const double width : {0.125, 0.1, 1.0 / 3.0, 6.14159 / 8192.0, 7e-12, 1.7e20})
        for (const double low :
             {0.0, -0.75 * static_cast<double>(static_cast<float>(width)), -3.5}) {
            INFO("width " << width << " from " << low);
            std::vector<float> values;
            for (int bin = 0; bin <= 8192; ++bin) {
                const float edge = static_cast<float>(low + bin * width);
                values.push_back(std::nextafter(edge, -1e30F));
                values.push_back(edge);
                values.push_back(std::nextafter(edge, 1e30F));
            }
            checkBins(values, {.low = low, .width = width, .count = 8192});
        }
}

}  // namespace bin_indices_test
