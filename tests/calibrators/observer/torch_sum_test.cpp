// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/torch_sum.h"

#include "tests/support/catch.h"

#include <cmath>
#include <vector>

namespace torch_sum_test {

using namespace calibscope;

/// sqrt(0), sqrt(1), ...: rounded alike everywhere.
std::vector<float> roots(std::size_t count)
{
    std::vector<float> values(count);
    for (std::size_t index = 0; index < count; ++index)
        values[index] = std::sqrt(static_cast<float>(index));
    return values;
}

TEST_CASE("sums of float32 are torch.sum's to the last bit")
{
    // torch 1.13.1, AVX2, one thread: torch.arange(n, dtype=torch.float32).sqrt().sum()
    CHECK(torchSum(roots(7)) == 10.8318214F);
    CHECK(torchSum(roots(8)) == 13.4775734F);
    CHECK(torchSum(roots(100)) == 661.462952F);
    CHECK(torchSum(roots(2047)) == 61719.8555F);
    CHECK(torchSum(roots(2048)) == 61765.1016F);
    CHECK(torchSum(roots(5000)) == 235666.688F);
    CHECK(torchSum(roots(30000)) == 3464014.75F);
}

TEST_CASE("what is added first decides: eight running sums, four registers at a time")
{
    const float little = 0x1p-24F;  // 1 + little is 1
    std::vector<float> values(64, 0.0F);
    values[0] = 1.0F;
    values[1] = little;
    values[33] = little;  // in the same lane of the same register as values[1]
    CHECK(torchSum(values) == 1.0F + 2 * little);
    values[33] = 0.0F;
    values[32] = little;  // in that of values[0]
    CHECK(torchSum(values) == 1.0F);
    CHECK(torchSum({}) == 0.0F);
    CHECK(torchSum(std::vector<float>{2.0F, 3.0F}) == 5.0F);
}

}  // namespace torch_sum_test
