// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the searches on exact values are, each as a ratio to a literal pass over the same values
// (above 1: faster). Medians of interleaved rounds, in one thread.
#include "core/calibrators/curve/threshold_search.h"
#include "core/calibrators/l2/row_sums.h"
#include "core/calibrators/l2/scale_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

using namespace calibscope;

namespace {

constexpr int rounds = 21;

std::vector<float> drawn(std::size_t count)
{
    std::mt19937 engine(1);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(engine); });
    return values;
}

/// One iteration as the definition says it.
double literalPass(const std::vector<float>& values, double scale)
{
    double xz = 0.0;
    double zz = 0.0;
    double error = 0.0;
    for (const float value : values) {
        const double x = static_cast<double>(value);
        const double z = std::clamp(std::nearbyint(x / scale), -128.0, 127.0);
        xz += x * z;
        zz += z * z;
        error += (scale * z - x) * (scale * z - x);
    }
    return xz / zz + error;
}

double secondsOf(auto work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Median time of the first over that of the second, and the two.
void compare(const char* what, int repeats, auto literal, auto ours)
{
    std::vector<double> ratios;
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const double slow = secondsOf([&] {
            for (int repeat = 0; repeat < repeats; ++repeat)
                literal(repeat);
        });
        const double fast = secondsOf([&] {
            for (int repeat = 0; repeat < repeats; ++repeat)
                ours(repeat);
        });
        ratios.push_back(slow / fast);
        times.push_back(fast / repeats * 1e6);
    }
    std::ranges::nth_element(ratios, ratios.begin() + rounds / 2);
    std::ranges::nth_element(times, times.begin() + rounds / 2);
    fmt::print("{:<52} {:8.2f} x a literal pass, {:10.1f} us\n", what, ratios[rounds / 2],
               times[rounds / 2]);
}

volatile double sink = 0.0;

}  // namespace

int main()
{
    const LevelRule rule{.low = -128, .high = 127};
    // An iteration moves the scale by less and less: steps as they are in the middle of one.
    const auto scaleAt = [](int step) { return 0.03 * (1.0 - 1e-4 * step); };

    const std::vector<float> row = drawn(4096);
    for (const std::size_t size : {1024U, 4096U, 16384U, 65536U}) {
        const std::vector<float> values = drawn(size);
        const RowSums sums(values, rule);
        SortedSums sortedRow(SortedValues(values), rule);
        compare(
            fmt::format("L2 iteration, row of {}", size).c_str(), 20,
            [&](int step) { sink = literalPass(values, scaleAt(step)); },
            [&](int step) { sink = sums.at(scaleAt(step)).xz; });
        compare(
            "the same, sorted", 20, [&](int step) { sink = literalPass(values, scaleAt(step)); },
            [&](int step) { sink = sortedRow.at(scaleAt(step)).xz; });
    }

    const std::vector<float> tensor = drawn(std::size_t{1} << 20);
    SortedSums sorted(SortedValues(tensor), rule);
    compare(
        "L2 iteration, tensor of 1 Mi values, sorted", 3,
        [&](int step) { sink = literalPass(tensor, scaleAt(step)); },
        [&](int step) { sink = sorted.at(scaleAt(step)).xz; });
    compare(
        "sorting a tensor of 1 Mi values", 1, [&](int) { sink = literalPass(tensor, scaleAt(0)); },
        [&](int) { sink = static_cast<double>(SortedValues(tensor).size()); });

    std::vector<Quantizer> quantizers;
    for (int factor = 0; factor < 11; ++factor)
        quantizers.push_back(makeQuantizer({}, {.threshold = 4.0 - 0.2 * factor}).quantizer);
    const ValueSource source = sourceOf({.shape = {row.size()}}, row);
    compare(
        "bound search, 11 factors, p = 4, row of 4096", 2,
        [&](int) {
            for (const Quantizer& quantizer : quantizers)
                sink = literalPass(row, quantizer.scale);
        },
        [&](int) { sink = errorNorms(source, quantizers, 4.0, 4.0, {}).front(); });
    return 0;
}
