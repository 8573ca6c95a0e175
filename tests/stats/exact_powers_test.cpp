// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/exact_powers.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace exact_powers_test {

using namespace calibscope;
using calibscope::test::Approx;

/// 20 000 values from 999.5 to 1000.5: their mean is 3500 times their deviation. In Python:
///     s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
///     float32(1000 + float32((s >> 40) * 2**-24 - 0.5))
std::vector<float> farFrom0()
{
    std::vector<float> values;
    std::uint64_t state = 1;
    while (values.size() < 20000) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        values.push_back(1000.0F + (static_cast<float>(state >> 40U) * 0x1p-24F - 0.5F));
    }
    return values;
}

Moments momentsOf(std::span<const float> values)
{
    Moments moments;
    moments.add(values);
    return moments;
}

struct Summed
{
    ExactPowers powers;
    Extents extents;

    void add(std::span<const float> values)
    {
        const Moments leaf = momentsOf(values);
        powers.add(leaf);
        extents += leaf.extents;
    }
    [[nodiscard]] Moments moments() const { return powers.moments(extents); }
};

void checkEqual(const Moments& a, const Moments& b)
{
    CHECK(a.extents == b.extents);
    CHECK(a.sum == b.sum);
    CHECK(a.sumSquares == b.sumSquares);
    CHECK(a.mean == b.mean);
    CHECK(a.m2 == b.m2);
    CHECK(a.m3 == b.m3);
    CHECK(a.m4 == b.m4);
}

TEST_CASE("powers over several leaves are those worked out by hand")
{
    Summed summed;
    summed.add(std::vector<float>{1.0F, 2.0F});
    summed.add(std::vector<float>{});
    summed.add(std::vector<float>{6.0F, 3.0F});
    const Moments moments = summed.moments();
    CHECK(summed.powers.count() == 4);
    CHECK(moments.sum == 12.0);
    CHECK(moments.sumSquares == 50.0);
    CHECK(moments.mean == 3.0);
    CHECK(moments.m2 == 14.0);  // 4 + 1 + 0 + 9
    CHECK(moments.m3 == 18.0);  // -8 - 1 + 0 + 27
    CHECK(moments.m4 == 98.0);  // 16 + 1 + 0 + 81
}

TEST_CASE("no value, one value and equal values have no distance from their mean")
{
    checkEqual(Summed{}.moments(), Moments{});
    Summed nothing;
    nothing.add(std::vector<float>{std::nanf(""), std::numeric_limits<float>::infinity()});
    CHECK(nothing.moments().mean == 0.0);
    CHECK(nothing.moments().extents.nan == 1);
    Summed constant;
    for (const std::size_t count : {1U, 4097U, 100000U})
        constant.add(std::vector<float>(count, 0.1F));
    CHECK(constant.moments().mean == static_cast<double>(0.1F));
    CHECK(constant.moments().m2 == 0.0);
    CHECK(constant.moments().m4 == 0.0);
    CHECK(std::isnan(constant.moments().kurtosis()));
}

TEST_CASE("moments far from 0 agree with exact fractions, however the values are cut")
{
    // From fractions.Fraction in Python 3.11, rounded once. A leaf adds some 256 terms to each of
    // 16 lanes: roundings of 1e-16 that add up to 1e-14 at most. Its mean is off by one of them,
    // 1e-13 of the deviation here, which enters m3 alone to the first power: 3 x 1e-13 x m2.
    const std::vector<float> values = farFrom0();
    for (const std::size_t leaf : {17U, 4096U, 5000U, 20000U}) {
        Summed summed;
        for (std::size_t first = 0; first < values.size(); first += leaf)
            summed.add(std::span(values).subspan(first, std::min(leaf, values.size() - first)));
        const Moments moments = summed.moments();
        CHECK(moments.mean == Approx(0x1.f40008e6c2268p+9).epsilon(2e-16));
        CHECK(moments.m2 == Approx(0x1.9e030822ad8f9p+10).epsilon(1e-14));
        CHECK(moments.m3 == Approx(-0x1.4d00665131a04p+1).epsilon(0).margin(1e-9));
        CHECK(moments.m4 == Approx(0x1.ef0216f213fddp+7).epsilon(1e-14));
    }
}

TEST_CASE("any order and grouping of leaves gives the same moments to the bit")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal(0.3F, 2.0F);
    std::vector<std::vector<float>> leaves(60);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        leaves[leaf].resize(1 + engine() % 9000);
        const float scale = std::ldexp(1.0F, static_cast<int>(leaf) - 30);
        for (float& value : leaves[leaf])
            value = scale * normal(engine);
    }
    leaves[7][0] = std::nanf("");
    leaves[9][0] = -std::numeric_limits<float>::infinity();
    Summed whole;
    for (const std::vector<float>& leaf : leaves)
        whole.add(leaf);
    for (int round = 0; round < 20; ++round) {
        std::ranges::shuffle(leaves, engine);
        std::vector<Summed> groups(1 + engine() % 8);
        for (const std::vector<float>& leaf : leaves)
            groups[engine() % groups.size()].add(leaf);
        std::ranges::shuffle(groups, engine);
        Summed merged;
        for (const Summed& group : groups) {
            merged.powers += group.powers;
            merged.extents += group.extents;
        }
        REQUIRE(merged.powers == whole.powers);
        checkEqual(merged.moments(), whole.moments());
    }
}

TEST_CASE("least and greatest float32 do not leave the sums' range")
{
    Summed summed;
    const float least = std::numeric_limits<float>::denorm_min();
    const float most = std::numeric_limits<float>::max();
    summed.add(std::vector<float>{least, 2.0F * least, 3.0F * least});
    const double unit = static_cast<double>(least);
    CHECK(summed.moments().mean == 2.0 * unit);
    CHECK(summed.moments().m2 == 2.0 * unit * unit);
    CHECK(summed.moments().m4 == 2.0 * std::pow(unit, 4));
    Summed large;
    large.add(std::vector<float>{most, -most});
    large.add(std::vector<float>{most, -most});
    CHECK(large.moments().mean == 0.0);
    CHECK(large.moments().m4 == 4.0 * std::pow(static_cast<double>(most), 4));
}

}  // namespace exact_powers_test
