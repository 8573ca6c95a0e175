// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/power_sums.h"

#include "core/kernels/summing_lanes.h"

#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/power_sums.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace calibscope::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, summingLanes / 2>;

/// Values as doubles; `isMasked`: those that are not finite count as `instead`.
template <bool isMasked>
hn::Vec<Doubles> loaded(const float* values, hn::Vec<Doubles> instead)
{
    const Doubles doubles;
    const hn::Rebind<float, Doubles> floats;
    const auto x = hn::PromoteTo(doubles, hn::LoadU(floats, values));
    if constexpr (isMasked)
        return hn::IfThenElse(hn::IsFinite(x), x, instead);
    return x;
}

template <bool isMasked>
void addValues(const float* values, std::size_t count, SummingLanes& sums, SummingLanes& squares)
{
    const Doubles doubles;
    const std::size_t step = hn::Lanes(doubles);
    const auto zero = hn::Zero(doubles);
    for (std::size_t lane = 0; lane < summingLanes; lane += 2 * step) {
        auto sum = zero;
        auto sumNext = zero;
        auto square = zero;
        auto squareNext = zero;
        for (std::size_t first = lane; first < count; first += summingLanes) {
            const auto x = loaded<isMasked>(values + first, zero);
            const auto next = loaded<isMasked>(values + first + step, zero);
            sum = hn::Add(sum, x);
            sumNext = hn::Add(sumNext, next);
            // The square of a float is exact in double: with or without a rounding of its own.
            square = hn::MulAdd(x, x, square);
            squareNext = hn::MulAdd(next, next, squareNext);
        }
        hn::StoreU(sum, doubles, &sums[lane]);
        hn::StoreU(sumNext, doubles, &sums[lane + step]);
        hn::StoreU(square, doubles, &squares[lane]);
        hn::StoreU(squareNext, doubles, &squares[lane + step]);
    }
}

struct MomentLanes
{
    SummingLanes second{};
    SummingLanes third{};
    SummingLanes fourth{};
};

template <bool isMasked>
void addDistances(const float* values, std::size_t count, double mean, MomentLanes& lanes)
{
    const Doubles doubles;
    const std::size_t step = hn::Lanes(doubles);
    const auto centre = hn::Set(doubles, mean);
    for (std::size_t lane = 0; lane < summingLanes; lane += step) {
        const float* next = values + count + count * lane / summingLanes;  // of the next piece
        auto second = hn::Zero(doubles);
        auto third = second;
        auto fourth = second;
        for (std::size_t first = lane; first < count; first += summingLanes) {
            hwy::Prefetch(next + first * step / summingLanes);
            // What is not finite counts as the mean: its distance is 0.
            const auto distance = hn::Sub(loaded<isMasked>(values + first, centre), centre);
            const auto square = hn::Mul(distance, distance);
            second = hn::Add(second, square);
            third = hn::Add(third, hn::Mul(square, distance));
            fourth = hn::Add(fourth, hn::Mul(square, square));
        }
        hn::StoreU(second, doubles, &lanes.second[lane]);
        hn::StoreU(third, doubles, &lanes.third[lane]);
        hn::StoreU(fourth, doubles, &lanes.fourth[lane]);
    }
}

template <bool isMasked>
PowerSums vectorSumsOf(const float* values, std::size_t size, double finite)
{
    const std::size_t count = size - size % summingLanes;
    SummingLanes sums{};
    SummingLanes squares{};
    addValues<isMasked>(values, count, sums, squares);
    for (std::size_t index = count; index < size; ++index)
        if (std::isfinite(values[index])) {
            const double x = static_cast<double>(values[index]);
            sums[index - count] += x;
            squares[index - count] += x * x;
        }
    PowerSums found{.sum = folded(sums), .sumSquares = folded(squares)};
    found.mean = found.sum / finite;
    MomentLanes lanes;
    addDistances<isMasked>(values, count, found.mean, lanes);
    for (std::size_t index = count; index < size; ++index)
        if (std::isfinite(values[index])) {
            const double distance = static_cast<double>(values[index]) - found.mean;
            const double square = distance * distance;
            lanes.second[index - count] += square;
            lanes.third[index - count] += square * distance;
            lanes.fourth[index - count] += square * square;
        }
    found.m2 = folded(lanes.second);
    found.m3 = folded(lanes.third);
    found.m4 = folded(lanes.fourth);
    return found;
}

PowerSums vectorSums(const float* values, std::size_t size, std::uint64_t finite)
{
    return finite == size ? vectorSumsOf<false>(values, size, static_cast<double>(finite))
                          : vectorSumsOf<true>(values, size, static_cast<double>(finite));
}

}  // namespace calibscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace calibscope::kernels {

namespace {
HWY_EXPORT(vectorSums);
}

PowerSums powerSums(std::span<const float> values, std::uint64_t finite)
{
    if (finite == 0)
        return {};
    return HWY_DYNAMIC_DISPATCH(vectorSums)(values.data(), values.size(), finite);
}

PowerSums powerSumsPlain(std::span<const float> values, std::uint64_t finite)
{
    if (finite == 0)
        return {};
    SummingLanes sums{};
    SummingLanes squares{};
    for (std::size_t index = 0; index < values.size(); ++index)
        if (std::isfinite(values[index])) {
            const double x = static_cast<double>(values[index]);
            sums[index % summingLanes] += x;
            squares[index % summingLanes] += x * x;
        }
    PowerSums found{.sum = folded(sums), .sumSquares = folded(squares)};
    found.mean = found.sum / static_cast<double>(finite);
    SummingLanes second{};
    SummingLanes third{};
    SummingLanes fourth{};
    for (std::size_t index = 0; index < values.size(); ++index)
        if (std::isfinite(values[index])) {
            const double distance = static_cast<double>(values[index]) - found.mean;
            const double square = distance * distance;
            second[index % summingLanes] += square;
            third[index % summingLanes] += square * distance;
            fourth[index % summingLanes] += square * square;
        }
    found.m2 = folded(second);
    found.m3 = folded(third);
    found.m4 = folded(fourth);
    return found;
}

}  // namespace calibscope::kernels
#endif
