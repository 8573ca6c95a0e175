// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/centred_bins.h"

#include "tests/support/catch.h"
#include "tests/support/each_target.h"
#include "tests/support/kernel_samples.h"

namespace kernels_centred_bins_test {

using namespace calibscope;

using Bins = std::vector<std::uint32_t>;

TEST_CASE("centred bins of vectors are those of values one by one")
{
    test::withEachTarget([] {
        for (const auto& [kind, all] : test::kernelSamples())
            for (const std::span<const float> cut : test::cutsOf(all))
                for (const double width : {1e-45 / 1024, 1e-310, 0.003, 0.125, 1e27,
                                           std::numeric_limits<double>::infinity()}) {
                    INFO(kind << ", " << cut.size() << " values, width " << width);
                    std::vector<float> values;
                    std::ranges::copy_if(cut, std::back_inserter(values),
                                         [](float x) { return std::isfinite(x); });
                    Bins bins(values.size() + kernels::vectorRoom);
                    Bins plain(values.size());
                    kernels::centredBins(values, {.width = width}, bins);
                    kernels::centredBinsPlain(values, {.width = width}, plain);
                    bins.resize(values.size());
                    CHECK(bins == plain);
                }
    });
}

TEST_CASE("values next to a centred bin's edges are binned as their quotient says")
{
    test::withEachTarget([] {
        for (const double width : {0.1 / 1024, 1.0 / 3.0, 0.25, 7e-30, 3e29}) {
            std::vector<float> values;
            for (int edge = -1030; edge < 1030; ++edge) {
                const auto x = static_cast<float>(edge * width);
                values.insert(values.end(),
                              {x, std::nextafter(x, -1e38F), std::nextafter(x, 1e38F)});
            }
            values.insert(values.end(), {-1e-45F, 1e-45F, -0.0F, 1e38F, -1e38F, -1e-45F});
            INFO("width " << width);
            Bins bins(values.size() + kernels::vectorRoom);
            Bins plain(values.size());
            kernels::centredBins(values, {.width = width}, bins);
            kernels::centredBinsPlain(values, {.width = width}, plain);
            bins.resize(values.size());
            CHECK(bins == plain);
        }
    });
}

TEST_CASE("a centred bin holds its lower edge, and what lies just below an edge is not rounded up")
{
    std::vector<float> values(16);
    values[0] = 3.0F;
    values[1] = std::nextafter(3.0F, 0.0F);
    values[2] = -1.0F;
    values[3] = -1e-30F;
    values[4] = -7.0F;
    values[5] = 7.0F;
    Bins bins(values.size() + kernels::vectorRoom);
    kernels::centredBins(values, {.width = 1.0, .half = 4}, bins);
    bins.resize(7);
    CHECK(bins == Bins{7, 6, 3, 3, 0, 7, 4});
}

}  // namespace kernels_centred_bins_test
