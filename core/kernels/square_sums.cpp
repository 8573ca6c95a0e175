// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/square_sums.h"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/square_sums.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, summingLanes>;

/// Knuth's TwoSum: what an addition rounds away goes to `low`.
void addExactly(hn::Vec<Doubles> term, hn::Vec<Doubles>& high, hn::Vec<Doubles>& low)
{
    const auto sum = hn::Add(high, term);
    const auto part = hn::Sub(sum, high);
    low = hn::Add(low, hn::Add(hn::Sub(high, hn::Sub(sum, part)), hn::Sub(term, part)));
    high = sum;
}

SquareSums vectorSquareSums(const float* values, std::size_t size)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const std::size_t step = hn::Lanes(doubles);
    SquareSums sums;
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        auto high = hn::Zero(doubles);
        auto low = hn::Zero(doubles);
        for (std::size_t first = lane; first < size; first += summingLanes) {
            const auto x = hn::PromoteTo(doubles, hn::LoadU(floats, values + first));
            addExactly(hn::Mul(x, x), high, low);  // the square is exact: 24 bits times 24
        }
        hn::StoreU(high, doubles, &sums.high[lane]);
        hn::StoreU(low, doubles, &sums.low[lane]);
    }
    return sums;
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorSquareSums);
}

SquareSums squareSums(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(vectorSquareSums)(values.data(), values.size());
}

SquareSums squareSumsPlain(std::span<const float> values)
{
    SquareSums sums;
    for (std::size_t index = 0; index < values.size(); ++index) {
        double& high = sums.high[index % summingLanes];
        const double x = static_cast<double>(values[index]);
        const double term = x * x;
        const double sum = high + term;
        const double part = sum - high;
        sums.low[index % summingLanes] += (high - (sum - part)) + (term - part);
        high = sum;
    }
    return sums;
}

}  // namespace calibscope::kernels
#endif
