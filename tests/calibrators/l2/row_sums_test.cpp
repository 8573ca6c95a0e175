// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/l2/row_sums.h"

#include "tests/support/catch.h"
#include "tests/support/kernel_samples.h"

#include <cmath>
#include <random>

namespace row_sums_test {

using namespace calibscope;
using calibscope::test::Approx;

/// Of the error: what s z is rounded to in double is in the plain sums alone.
constexpr double errorTolerance = 1e-11;

std::vector<float> finiteOf(const std::vector<float>& values)
{
    std::vector<float> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](float x) { return std::isfinite(x); });
    return finite;
}

ScaleSums direct(const std::vector<float>& values, double scale, const LevelRule& rule)
{
    DirectSums sums(scale, rule);
    sums.add(values);
    return sums.sums();
}

double absMaxOf(const std::vector<float>& values)
{
    double most = 0.0;
    for (const float value : values)
        most = std::max(most, std::abs(static_cast<double>(value)));
    return most;
}

/// The alternation from the largest magnitude until the same double comes again.
double settledScale(double start, const auto& sumsAt)
{
    double scale = start;
    for (int iteration = 0; iteration < 1000; ++iteration) {
        const ScaleSums sums = sumsAt(scale);
        const double next = sums.xz / sums.zz;
        if (next == scale)
            break;
        scale = next;
    }
    return scale;
}

TEST_CASE("row sums have the bits of sums value by value, for all kinds, rules and scales")
{
    for (const auto& [kind, values] : test::kernelSamples()) {
        const std::vector<float> finite = finiteOf(values);
        const double most = std::max(absMaxOf(finite), 1e-40);
        for (const Rounding rounding :
             {Rounding::HalfEven, Rounding::HalfAway, Rounding::FloorHalf})
            for (const int high : {1, 7, 127, 255, 2047}) {
                const LevelRule rule{.low = -high, .high = high, .rounding = rounding};
                const RowSums row(finite, rule);
                for (const double share : {1.0, 0.99999, 0.3, 0.01, 1e-6, 50.0}) {
                    const double scale = share * most / high;
                    INFO(kind << ", levels to " << high << ", scale " << scale);
                    const ScaleSums fast = row.at(scale);
                    const ScaleSums plain = direct(finite, scale, rule);
                    CHECK(fast.xz == plain.xz);
                    CHECK(fast.zz == plain.zz);
                    CHECK(fast.error == Approx(plain.error).epsilon(errorTolerance));
                }
            }
    }
}

TEST_CASE("values on borders between levels go where the rounding says, in a row as alone")
{
    std::mt19937 engine(8);
    std::vector<float> values(5000);
    for (float& value : values)
        value = static_cast<float>(static_cast<int>(engine() % 401) - 200) / 8.0F;
    for (const Rounding rounding : {Rounding::HalfEven, Rounding::HalfAway, Rounding::FloorHalf}) {
        const LevelRule rule{.low = -128, .high = 127, .rounding = rounding};
        const RowSums row(values, rule);
        for (const double scale : {0.25, 1.0, 0.125, 0.2500001}) {
            CHECK(row.at(scale).xz == direct(values, scale, rule).xz);
            CHECK(row.at(scale).zz == direct(values, scale, rule).zz);
        }
    }
}

TEST_CASE("a row of one lattice has no error, and an empty row no sums")
{
    const LevelRule rule;
    // 1/127 is not a double: s z misses x by less than a double's last place, which is no error.
    const double scale = 1.0 / 127.0;
    CHECK(RowSums(std::vector<float>(100, 1.0F), rule).at(scale).error == 0.0);
    CHECK(RowSums({}, rule).at(scale).zz == 0.0);
}

TEST_CASE("the alternation over rows settles at the same doubles as value by value")
{
    std::mt19937 engine(3);
    std::normal_distribution<float> normal(0.0F, 0.02F);
    std::student_t_distribution<float> student(5.0F);
    const LevelRule rule{.low = -128, .high = 127};
    for (int number = 0; number < 60; ++number) {
        INFO("row " << number);
        std::vector<float> values(number % 3 == 0 ? 1024 : 4096);
        std::ranges::generate(values,
                              [&] { return number % 2 == 0 ? normal(engine) : student(engine); });
        const double start = absMaxOf(values) / rule.high;
        const RowSums row(values, rule);
        const double fast = settledScale(start, [&](double scale) { return row.at(scale); });
        const double plain =
            settledScale(start, [&](double scale) { return direct(values, scale, rule); });
        CHECK(fast == plain);
    }
}

}  // namespace row_sums_test
