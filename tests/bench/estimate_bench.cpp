// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of a slider or of a dragged threshold costs: an estimate from a profile.
// cmake --build --preset dev --target estimate_bench && .build/dev/bin/estimate_bench
#include "core/recipes/estimate.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

using namespace calibscope;

namespace {

std::vector<float> bell()
{
    std::mt19937 random(1);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(2'000'000);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

TensorProfile profileFor(const std::vector<float>& values, const Choice& choice)
{
    TensorProfile profile;
    profile.moments.add(values);
    SketchCounter counter;
    counter.add(values);
    profile.sketch = counter.sketch();
    for (const HistogramSpec& spec : needsOf(choice, profile.extents()).histograms) {
        Histogram histogram = emptyHistogram(spec);
        growthRule(spec.growth).grow(histogram, profile.extents(), {}, profile.extents());
        histogram.add(values);
        profile.histograms.push_back(histogram);
    }
    return profile;
}

double medianMs(const TensorProfile& profile, const Choice& choice)
{
    std::vector<double> ms;
    for (int round = 0; round < 15; ++round) {
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = estimateOutcome(profile, choice);
        const std::chrono::duration<double, std::milli> took =
            std::chrono::steady_clock::now() - start;
        if (!outcome.problem.empty())
            std::printf("  %s\n", outcome.problem.c_str());
        ms.push_back(took.count());
    }
    std::ranges::nth_element(ms, ms.begin() + 7);
    return ms[7];
}

}  // namespace

int main()
{
    const std::vector<float> values = bell();
    const std::vector<std::pair<const char*, GivenSettings>> steps = {
        {"fixed", {{"threshold", "2.5"}}}, {"min-max", {{"fraction", "0.9"}}},
        {"entropy", {{"bins", "1024"}}},   {"entropy", {{"bins", "2048"}}},
        {"entropy", {{"bins", "8192"}}},   {"mse", {}},
        {"mse", {{"bins", "8192"}}}};
    for (const auto& [calibrator, given] : steps) {
        const Choice choice =
            makeChoice(calibrator, given, SchemeKind::SymmetricRestricted, Granularity::Tensor);
        const TensorProfile profile = profileFor(values, choice);
        std::string text = calibrator;
        for (const auto& [id, value] : given)
            text += " " + id + "=" + value;
        std::printf("%-24s %8.3f ms\n", text.c_str(), medianMs(profile, choice));
    }
    return 0;
}
