// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/range_bins.h"

#include "core/kernels/targets.h"
#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

namespace kernels_range_bins_test {

using namespace calibscope;

using Bins = std::vector<std::uint32_t>;

TEST_CASE("range bins of vectors are those of values one by one, with each instruction set")
{
    constexpr float most = std::numeric_limits<float>::max();
    for (const std::string& target : kernels::targets()) {
        const kernels::UsedTarget used(target);
        for (const auto& [kind, all] : test::kernelSamples())
            for (const std::span<const float> cut : test::cutsOf(all))
                for (const kernels::RangeBins& range :
                     std::initializer_list<kernels::RangeBins>{{-3.0F, 3.0F, 2048},
                                                               {0.0F, 1.1F, 7},
                                                               {-1e-40F, 3e-39F, 100},
                                                               {-most, most, 16},
                                                               {1e30F, 1e30F, 5},
                                                               {-4.0F, 0.0F, 65536}}) {
                    INFO(target << ", " << kind << ", " << cut.size() << " values, " << range.low
                                << " to " << range.high);
                    Bins bins(cut.size() + kernels::vectorRoom);
                    Bins plain(cut.size());
                    kernels::rangeBins(cut, range, bins);
                    kernels::rangeBinsPlain(cut, range, plain);
                    bins.resize(cut.size());
                    CHECK(bins == plain);
                }
    }
}

TEST_CASE("the upper end lies in the last range bin; what is outside and what is not finite is "
          "told apart")
{
    constexpr float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> values{0.0F,   0.99F, 1.0F, 3.99F, 4.0F,
                                    -0.01F, 4.01F, inf,  -inf,  std::nanf("")};
    Bins bins(values.size() + kernels::vectorRoom);
    kernels::rangeBins(values, {0.0F, 4.0F, 4}, bins);
    bins.resize(values.size());
    CHECK(bins == Bins{0, 0, 1, 3, 3, 4, 4, 5, 5, 5});
}

}  // namespace kernels_range_bins_test
