// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace calibscope::test {

/// Values of one kind, on which a kernel must agree with its plain form.
struct KernelSample
{
    std::string kind;
    std::vector<float> values;
};

inline std::vector<float> normalValues(std::size_t count)
{
    std::mt19937 engine(7);
    std::normal_distribution<float> normal(0.0F, 1.5F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(engine); });
    return values;
}

/// Every kind that tensors have or must not break a kernel, each of 5003 values: a prime, so that
/// no vector and no piece divides it.
inline std::vector<KernelSample> kernelSamples()
{
    constexpr std::size_t count = 5003;
    constexpr float inf = std::numeric_limits<float>::infinity();
    const std::vector<float> normal = normalValues(count);
    const auto made = [&](auto valueOf) {
        std::vector<float> values = normal;
        std::ranges::transform(values, values.begin(), valueOf);
        return values;
    };
    std::vector<KernelSample> samples{
        {"normal", normal},
        {"ReLU", made([](float x) { return std::max(x, 0.0F); })},
        {"GELU", made([](float x) { return x * 0.5F * (1.0F + std::erf(x * 0.70710678F)); })},
        {"constant", std::vector<float>(count, -3.25F)},
        {"all zero", made([](float x) { return x < 0.0F ? -0.0F : 0.0F; })},
        {"denormal", made([](float x) { return x * 1e-39F; })},
        {"one outlier", normal},
        {"NaN and infinities", normal},
        {"only NaN", std::vector<float>(count, std::nanf(""))},
        {"coarse grid", made([](float x) { return std::round(x * 8.0F) / 8.0F; })},
        {"float16", made([](float x) { return std::ldexp(std::round(x * 512.0F), -9); })}};
    samples[6].values[4321] = 1e30F;
    samples[7].values[3] = std::nanf("");
    samples[7].values[17] = inf;
    samples[7].values[4999] = -inf;
    samples[7].values[5002] = std::nanf("");
    return samples;
}

/// The sample's first 0, 1, ... values, so that every remainder of a vector is met, and all.
inline std::vector<std::span<const float>> cutsOf(const std::vector<float>& values)
{
    std::vector<std::span<const float>> cuts;
    for (const std::size_t size : {0U, 1U, 7U, 15U, 16U, 17U, 33U, 4096U, 4097U})
        cuts.push_back(std::span(values).first(size));
    cuts.emplace_back(values);
    return cuts;
}

}  // namespace calibscope::test
