// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/observer/torch_sum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace calibscope {

namespace {

constexpr std::size_t registers = 4;  // summed side by side
constexpr std::size_t levels = 4;     // of sums that are carried over

template <std::size_t lanes>
using Lanes = std::array<float, lanes>;

template <std::size_t lanes>
void addTo(Lanes<lanes>& sums, const Lanes<lanes>& further)
{
    for (std::size_t lane = 0; lane < lanes; ++lane)
        sums[lane] += further[lane];
}

/// ceil(log2 value); 0 for 0 and 1.
std::size_t ceilLog2(std::size_t value)
{
    return value > 1 ? static_cast<std::size_t>(std::bit_width(value - 1)) : 0;
}

/// PyTorch's row_sum: `row(index)` gives the values of a register.
template <std::size_t lanes, typename Row>
Lanes<lanes> rowSum(std::size_t rows, const Row& row)
{
    const std::size_t steps = rows / registers;
    const std::size_t power = std::max<std::size_t>(4, ceilLog2(steps) / levels);
    const std::size_t carryAfter = std::size_t{1} << power;
    std::array<std::array<Lanes<lanes>, registers>, levels> sums{};
    const auto addStep = [&](std::size_t step) {
        for (std::size_t place = 0; place < registers; ++place)
            addTo(sums[0][place], row(step * registers + place));
    };
    const auto carry = [&](std::size_t level) {
        for (std::size_t place = 0; place < registers; ++place) {
            addTo(sums[level][place], sums[level - 1][place]);
            sums[level - 1][place] = {};
        }
    };
    std::size_t step = 0;
    while (step + carryAfter <= steps) {
        for (const std::size_t end = step + carryAfter; step < end; ++step)
            addStep(step);
        for (std::size_t level = 1; level < levels; ++level) {
            carry(level);
            if ((step & ((carryAfter - 1) << (level * power))) != 0)
                break;
        }
    }
    for (; step < steps; ++step)
        addStep(step);
    for (std::size_t level = 1; level < levels; ++level)
        for (std::size_t place = 0; place < registers; ++place)
            addTo(sums[0][place], sums[level][place]);
    Lanes<lanes> total = sums[0][0];
    for (std::size_t rest = steps * registers; rest < rows; ++rest)
        addTo(total, row(rest));
    for (std::size_t place = 1; place < registers; ++place)
        addTo(total, sums[0][place]);
    return total;
}

template <std::size_t lanes>
float sumOf(std::span<const float> values)
{
    const std::size_t rows = values.size() / lanes;
    const Lanes<lanes> total = rowSum<lanes>(rows, [values](std::size_t row) {
        Lanes<lanes> held;
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * lanes), lanes, held.begin());
        return held;
    });
    float sum = 0.0F;
    for (const float value : values.subspan(rows * lanes))
        sum += value;
    for (const float part : total)
        sum += part;
    return sum;
}

}  // namespace

float torchSum(std::span<const float> values)
{
    constexpr std::size_t lanes = 8;  // float32 in a register of 256 bits
    return values.size() < lanes ? sumOf<1>(values) : sumOf<lanes>(values);
}

}  // namespace calibscope
