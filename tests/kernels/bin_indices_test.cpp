#include "core/kernels/bin_indices.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

using namespace calibscope;

TEST_CASE("bins by vectors are those of the division, for all kinds, lengths and widths")
{
    // Widths of bins on whose edges values of the grids lie, near which a product with the inverse
    // would be off; odd ones; and one with almost all values beyond the last bin.
    for (const double width : {0.125, 1.0 / 24.0, 0.0041, 1e-42, 4.0 / 2048.0, 1e-310})
        for (const bool ofMagnitude : {false, true})
            for (const auto& [kind, values] : test::kernelSamples())
                for (const std::span<const float> cut : test::cutsOf(values)) {
                    INFO(kind << ", " << cut.size() << " values, width " << width);
                    const kernels::EqualBins equal{.low = ofMagnitude ? 0.0 : -4.125,
                                                   .width = width,
                                                   .count = 2048,
                                                   .ofMagnitude = ofMagnitude};
                    std::vector<std::uint32_t> bins(cut.size() + kernels::vectorRoom);
                    std::vector<std::uint32_t> plain(bins.size());
                    const auto [kept, zeros] = kernels::binIndices(cut, equal, bins);
                    const auto [plainKept, plainZeros] =
                        kernels::binIndicesPlain(cut, equal, plain);
                    CHECK(zeros == plainZeros);
                    bins.resize(kept);
                    plain.resize(plainKept);
                    CHECK(bins == plain);
                }
}
