// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/percentile.h"

#include "tests/support/catch.h"

#include <array>
#include <utility>
#include <vector>

namespace stats_percentile_test {

using namespace calibscope;

// float32 values that are not whole binary fractions, so that the order of operations shows.
const std::vector<float> ascending{0.1F, 0.2F, 0.7F, 1.3F, 2.9F, 3.1F, 8.25F};

TensorProfile profileOf(const std::vector<float>& values, Domain domain)
{
    TensorProfile profile;
    profile.moments.add(values);
    for (std::size_t rank = 0; rank < values.size(); ++rank)
        profile.orders.push_back({.request = {.domain = domain, .rank = rank},
                                  .value = static_cast<double>(values[rank])});
    return profile;
}

TEST_CASE("percentiles equal NumPy's to the last bit")
{
    // NumPy 1.24.2: numpy.percentile(array, alpha).hex()
    constexpr std::array<std::pair<double, double>, 9> expected{{{0.0, 0x1.99999a0000000p-4},
                                                                 {10.0, 0x1.47ae14ccccccdp-3},
                                                                 {37.3, 0x1.af837a9a9fbe7p-1},
                                                                 {50.0, 0x1.4ccccc0000000p+0},
                                                                 {90.0, 0x1.4a3d706666668p+2},
                                                                 {99.0, 0x1.fc39580a3d707p+2},
                                                                 {99.9, 0x1.0702de0083129p+3},
                                                                 {99.999, 0x1.07fd77fae2972p+3},
                                                                 {100.0, 0x1.0800000000000p+3}}};
    for (const Domain domain : {Domain::Magnitude, Domain::Signed})
        for (const auto& [alpha, value] : expected)
            CHECK(percentileOf(profileOf(ascending, domain), domain, alpha) == value);
}

TEST_CASE("a percentile that falls on a value needs that value's neighbour only in name")
{
    CHECK(percentilePlace(5, 50.0).lower == 2);
    CHECK(percentilePlace(5, 50.0).fraction == 0.0);
    CHECK(percentileBetween(3.0, 7.0, 0.0) == 3.0);
}

TEST_CASE("both ends of the range and a single value have no neighbour beyond")
{
    CHECK(percentileOrders(Domain::Magnitude, 9, 100.0) ==
          std::vector<OrderRequest>{{.domain = Domain::Magnitude, .rank = 8}});
    CHECK(percentileOrders(Domain::Signed, 9, 0.0) ==
          std::vector<OrderRequest>{{.domain = Domain::Signed, .rank = 0}});
    for (const double alpha : {0.0, 50.0, 99.999, 100.0})
        CHECK(percentileOf(profileOf({0.7F}, Domain::Magnitude), Domain::Magnitude, alpha) ==
              static_cast<double>(0.7F));
}

TEST_CASE("without finite values or collected orders there is no percentile")
{
    CHECK(percentileOrders(Domain::Magnitude, 0, 99.0).empty());
    CHECK_FALSE(percentileOf(TensorProfile{}, Domain::Magnitude, 99.0));
    CHECK_FALSE(percentileOf(profileOf(ascending, Domain::Signed), Domain::Magnitude, 99.0));
}

TEST_CASE("a percentile never leaves the interval of its neighbours")
{
    for (int step = 0; step <= 1000; ++step) {
        const double fraction = step / 1001.0;
        const double value = percentileBetween(0.1, 0.3, fraction);
        CHECK(value >= 0.1);
        CHECK(value <= 0.3);
    }
}

}  // namespace stats_percentile_test
