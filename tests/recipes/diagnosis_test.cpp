// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/diagnosis.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace recipes_diagnosis_test {

using namespace calibscope;

/// The quantile of a standard normal distribution, by halving.
double normalQuantile(double share)
{
    double low = -10.0;
    double high = 10.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2.0;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < share ? low : high) = middle;
    }
    return low;
}

/// As many values as wanted at equal steps of a distribution: no draw, no chance.
std::vector<float> atQuantiles(std::size_t count, const std::function<double(double)>& quantile)
{
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(
            quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count))));
    return values;
}

std::vector<float> normal(std::size_t count, double mean = 0.0, double deviation = 1.0)
{
    return atQuantiles(count,
                       [=](double share) { return mean + deviation * normalQuantile(share); });
}

std::vector<float> joined(std::vector<float> values, const std::vector<float>& others)
{
    values.insert(values.end(), others.begin(), others.end());
    return values;
}

std::string idsOf(const Diagnosis& diagnosis)
{
    std::string ids;
    for (const TensorFinding& finding : diagnosis.findings)
        ids += (ids.empty() ? "" : " ") + std::string(findingId(finding.kind));
    return ids;
}

std::string found(const std::vector<float>& values)
{
    return idsOf(diagnosed(test::profileOf(values)));
}

double measureOf(const Diagnosis& diagnosis, FindingKind kind)
{
    const auto finding = std::ranges::find(diagnosis.findings, kind, &TensorFinding::kind);
    return finding == diagnosis.findings.end() ? std::numeric_limits<double>::quiet_NaN()
                                               : finding->measure;
}

/// A profile whose channels, or batches, have these largest magnitudes.
TensorProfile withParts(std::vector<Extents> TensorProfile::*parts, const std::vector<float>& ends)
{
    TensorProfile profile;
    for (const float end : ends) {
        Extents extents;
        extents.add(end);
        extents.add(-end / 2.0F);
        profile.moments.add(std::vector<float>{end, -end / 2.0F});
        (profile.*parts).push_back(extents);
    }
    return profile;
}

Outcome outcome(double rounding, double clipping, double sqnr)
{
    Outcome made;
    made.whole.metrics = {
        {"sqnr_db", sqnr}, {"mse_rounding", rounding}, {"mse_clipping", clipping}};
    return made;
}

TEST_CASE("an ordinary tensor has nothing to be told")
{
    CHECK(found(normal(20000)).empty());
    CHECK(found(atQuantiles(20000, [](double share) { return share - 0.5; })).empty());
    // Laplace: the largest of n is ln(n / 1) against ln(1000) at the 99.9th percentile: below 3.
    CHECK(found(atQuantiles(20000, [](double share) {
              return share < 0.5 ? std::log(2.0 * share) : -std::log(2.0 * (1.0 - share));
          })).empty());
}

TEST_CASE("empty and constant tensors are told as such and as nothing else")
{
    CHECK(found({}) == "empty");
    CHECK(found({std::numeric_limits<float>::quiet_NaN()}) == "empty");
    CHECK(found(std::vector<float>(5000, 2.5F)) == "constant");
    CHECK(found(std::vector<float>(5000, 0.0F)) == "constant");
    CHECK(diagnosisText(diagnosed(test::profileOf({2.5F, 2.5F})), {}) ==
          "Constant: all values are 2.5.");
}

TEST_CASE("without its sketch a profile is diagnosed by its extents alone")
{
    TensorProfile profile = test::profileOf(
        atQuantiles(20000, [](double share) { return share < 0.9995 ? share : 1000.0 * share; }));
    REQUIRE(idsOf(diagnosed(profile)) == "heavy-tail one-sided");
    profile.sketch = {};
    CHECK(idsOf(diagnosed(profile)) == "one-sided");
}

TEST_CASE("zeros count from nine in ten on")
{
    std::vector<float> values = normal(1000);
    CHECK(found(joined(values, std::vector<float>(9000, 0.0F))) == "mostly-zeros");
    CHECK(found(joined(values, std::vector<float>(8990, 0.0F))).empty());
}

TEST_CASE("values that pile up at an end are saturated")
{
    // ReLU6 of a wide normal: 16 % above 6, and nothing below 0.
    std::vector<float> relu6 = normal(20000, 3.0, 3.0);
    for (float& value : relu6)
        value = std::clamp(value, 0.0F, 6.0F);
    const Diagnosis diagnosis = diagnosed(test::profileOf(relu6));
    CHECK(idsOf(diagnosis) == "saturated one-sided");
    CHECK(measureOf(diagnosis, FindingKind::Saturated) ==
          test::Approx(static_cast<double>(std::ranges::count(relu6, 6.0F)) / 20000.0)
              .epsilon(1e-15));
    CHECK_THAT(diagnosis.findings.front().finding.text, test::containsText("are 6, the largest"));
    // That of ReLU lies at 0, which is not saturation.
    std::vector<float> relu = normal(20000);
    for (float& value : relu)
        value = std::max(value, 0.0F);
    CHECK(found(relu) == "one-sided");
}

TEST_CASE("a region that repeats at an axis' ends counts from a twentieth of the values on")
{
    TensorProfile profile = test::profileOf(normal(2000));
    profile.info.shape = {2, 10, 100};
    profile.constantEnds = {.axis = 2, .values = 99};
    CHECK(idsOf(diagnosed(profile)).empty());
    profile.constantEnds.values = 258;
    const Diagnosis diagnosis = diagnosed(profile);
    CHECK(idsOf(diagnosis) == "constant-region");
    CHECK(measureOf(diagnosis, FindingKind::ConstantRegion) == 0.129);
    CHECK(diagnosis.findings.front().finding.text ==
          "constant region: 12.9 % of the values repeat their neighbours near an end of axis 2");
}

TEST_CASE("a heavy tail is the largest magnitude against the 99.9th percentile")
{
    const std::vector<float> values = atQuantiles(
        50000, [](double share) { return std::exp(1.2 * normalQuantile(share)) - 1.0; });
    const Diagnosis diagnosis = diagnosed(test::profileOf(values));
    std::vector<double> sorted;
    for (const float value : values)
        sorted.push_back(std::abs(static_cast<double>(value)));
    std::ranges::sort(sorted);
    // The sketch's bins are 2^-10 wide.
    CHECK(measureOf(diagnosis, FindingKind::HeavyTail) ==
          test::Approx(sorted.back() / sorted[49950]).epsilon(1.0 / 1024.0));
    // One value that stands for itself is one, too; in 900 values nothing is said.
    CHECK(found(joined(normal(20000), {25.0F})) == "heavy-tail");
    CHECK(found(joined(normal(900), {25.0F})).empty());
}

TEST_CASE("one-sided is a shorter side of an eighth or less")
{
    const auto ramp = [](double least, double most) {
        return atQuantiles(5000, [=](double share) { return least + share * (most - least); });
    };
    const Diagnosis positive = diagnosed(test::profileOf(ramp(0.5, 2.0)));
    CHECK(idsOf(positive) == "one-sided");
    CHECK(measureOf(positive, FindingKind::OneSided) == 0.0);
    CHECK_THAT(positive.findings.front().finding.text, test::containsText("nothing below 0"));
    CHECK_THAT(diagnosed(test::profileOf(ramp(-2.0, -0.5))).findings.front().finding.text,
               test::containsText("nothing above 0"));
    CHECK(found(ramp(-0.12, 1.0)) == "one-sided");
    CHECK(found(ramp(-0.13, 1.0)).empty());
}

TEST_CASE("two heaps are bimodal, one with shoulders is not")
{
    CHECK(found(joined(normal(10000, -4.0), normal(10000, 4.0))) == "bimodal");
    CHECK(found(joined(normal(18000, -4.0), normal(2500, 4.0))) == "bimodal");
    CHECK(found(joined(normal(19000, -4.0), normal(900, 4.0))).empty());  // below a tenth
    CHECK(found(joined(normal(10000, -1.0), normal(10000, 1.0))).empty());
    // Few values leave gaps by chance: no heap stands out of its own scatter.
    std::vector<float> few = atQuantiles(1100, [](double share) { return share - 0.5; });
    CHECK(found(few).empty());
}

TEST_CASE("values that pile up at the ends are not a heap, and a lattice's gaps no valley")
{
    std::vector<float> clipped = normal(20000);
    for (float& value : clipped)
        value = std::clamp(value, -1.5F, 1.5F);
    CHECK(found(clipped) == "saturated");
    std::vector<float> lattice = normal(20000, 0.0, 3.0);
    for (float& value : lattice)
        value = std::rint(value);
    CHECK(found(lattice) == "quantized");
    std::vector<float> heaps = joined(normal(10000, -12.0, 3.0), normal(10000, 12.0, 3.0));
    for (float& value : heaps)
        value = std::rint(value);
    CHECK(found(heaps) == "quantized bimodal");
}

TEST_CASE("one heap far from 0 is no two, and uses few levels")
{
    const std::vector<float> far = normal(9216, 1000.0, 1.0);
    CHECK(found(far) == "far-from-zero");
    std::vector<float> below = far;
    for (float& value : below)
        value = -value;
    CHECK(found(below) == "far-from-zero");
    const Diagnosis diagnosis = diagnosed(test::profileOf(far));
    CHECK(measureOf(diagnosis, FindingKind::FarFromZero) ==
          test::Approx(1.0 - double{*std::ranges::min_element(far)} /
                                 double{*std::ranges::max_element(far)}));
    // The sketch's bins are a 1024th wide: narrower heaps than that are not seen.
    CHECK(found(joined(normal(5000, 1000.0, 1.0), normal(5000, 1020.0, 1.0))) ==
          "far-from-zero bimodal");
    CHECK(found(normal(9216, 10.0, 1.0)) == "one-sided");
}

TEST_CASE("values on a lattice are quantized already, and nothing is better than their scale")
{
    std::vector<float> values = normal(20000, 0.0, 20.0);
    for (float& value : values)
        value = 0.037F * std::rint(value);
    const TensorProfile profile = test::profileOf(values);
    const Outcome chosen = outcome(1.0, 0.0, 20.0);
    const Diagnosis diagnosis =
        diagnosed(profile, &chosen, std::vector<Outcome>{outcome(0.0, 0.0, 127.0)});
    CHECK(idsOf(diagnosis) == "quantized");
    CHECK(measureOf(diagnosis, FindingKind::Quantized) == test::Approx(0.037).epsilon(1e-6));
    CHECK_FALSE(diagnosis.better);
    values[7] += 0.01F;
    CHECK(found(values).empty());
}

TEST_CASE("NaN and infinities are told with their share")
{
    std::vector<float> values = normal(1400);
    values.insert(values.end(), 599, std::numeric_limits<float>::quiet_NaN());
    values.push_back(-std::numeric_limits<float>::infinity());
    const Diagnosis diagnosis = diagnosed(test::profileOf(values));
    CHECK(idsOf(diagnosis) == "not-finite");
    CHECK(measureOf(diagnosis, FindingKind::NotFinite) == 0.3);
    CHECK(diagnosis.findings.front().finding.text ==
          "not finite: 30 % of the values (599 NaN, 1 infinity)");
}

TEST_CASE("a batch with the counts and ends of an earlier one repeats it")
{
    TensorProfile profile = test::profileOf(normal(4000));
    const auto batch = [](float scale, float second) {
        std::vector<float> values = normal(1000, 0.0, static_cast<double>(scale));
        values.push_back(10.0F * scale);
        values.push_back(second);
        Extents extents;
        extents.add(values);
        return extents;
    };
    profile.batches = {batch(1.0F, 9.0F), batch(1.01F, 9.0F), batch(1.0F, 9.5F)};
    CHECK(idsOf(diagnosed(profile)).empty());
    profile.batches.push_back(batch(1.01F, 9.0F));
    const Diagnosis diagnosis = diagnosed(profile);
    CHECK(idsOf(diagnosis) == "repeated-batches");
    CHECK(diagnosis.findings.front().finding.text ==
          "1 repeated batch: batch 3 has the counts and ends of batch 1");
    // Ends that many values have say nothing.
    profile.batches.assign(4, batch(1.0F, 10.0F));
    CHECK(idsOf(diagnosed(profile)).empty());
}

TEST_CASE("one value far out is a heavy tail and nothing else")
{
    std::vector<float> values = normal(20000);
    values[4321] = 1000.0F;
    TensorProfile profile = test::profileOf(values);
    const auto parts = [&](std::size_t count) {
        std::vector<Extents> made(count);
        for (std::size_t i = 0; i < values.size(); ++i)
            made[i % count].add(values[i]);
        return made;
    };
    profile.channels = parts(16);
    profile.batches = parts(8);
    Outcome chosen = outcome(1.0, 0.0, 1.0);
    chosen.whole.quantizer.clip = {-1000.0, 1000.0};
    CHECK(idsOf(diagnosed(profile, &chosen)) == "heavy-tail");
}

TEST_CASE("channels that are dead, vanish or dominate are counted and named")
{
    std::vector<float> ends(16, 1.0F);
    CHECK(idsOf(diagnosed(withParts(&TensorProfile::channels, ends))).empty());
    ends[3] = 0.0F;
    ends[7] = 9e-5F;
    ends[9] = 0.0039F;  // 1/256 of the widest: below half of 127 levels
    ends[10] = 0.004F;  // 1/250
    const Diagnosis dead = diagnosed(withParts(&TensorProfile::channels, ends));
    CHECK(idsOf(dead) == "dead-channels vanishing-channels");
    CHECK(measureOf(dead, FindingKind::DeadChannels) == 2.0);
    CHECK(dead.findings.front().finding.text == "2 dead channels (3, 7)");
    CHECK(dead.findings.back().finding.text == "1 vanishing channel (9)");
    std::vector<float> wide(16, 1.0F);
    wide[5] = 9.0F;
    wide[2] = 20.0F;
    const Diagnosis dominant = diagnosed(withParts(&TensorProfile::channels, wide));
    CHECK(idsOf(dominant) == "dominant-channels");
    CHECK(dominant.findings.front().finding.text ==
          "2 dominant channels (2, 5), up to 20 times the median");
    wide.insert(wide.end(), {10.0F, 11.0F});
    CHECK(diagnosed(withParts(&TensorProfile::channels, wide)).findings.front().finding.text ==
          "4 dominant channels (2, 17, 16 and 1 other), up to 20 times the median");
    wide.resize(7);
    CHECK(idsOf(diagnosed(withParts(&TensorProfile::channels, wide))).empty());
}

TEST_CASE("a batch that reaches twice as far as the median one is unstable")
{
    CHECK(idsOf(diagnosed(withParts(&TensorProfile::batches, {1.0F, 1.1F, 0.9F, 2.2F}))) ==
          "unstable-batches");
    CHECK(idsOf(diagnosed(withParts(&TensorProfile::batches, {1.0F, 1.1F, 0.9F, 1.9F}))).empty());
    CHECK(idsOf(diagnosed(withParts(&TensorProfile::batches, {1.0F, 1.1F, 5.0F}))).empty());
}

TEST_CASE("the chosen candidate's error is told apart, and what would do better")
{
    const TensorProfile profile = test::profileOf(normal(2000));
    const Outcome clipped = outcome(1.0, 4.0, 20.0);
    Outcome rounded = outcome(4.0, 1.0, 20.4);
    // Half of 40 clips nothing of a normal distribution, half of 4 clips 4.6 % of it.
    rounded.whole.quantizer.clip = {-40.0, 40.0};
    const Outcome both = outcome(3.9, 1.0, 26.13);
    Outcome failed = outcome(1.0, 0.0, 99.0);
    failed.problem = "a reason";
    const Outcome infinite = outcome(0.0, 0.0, std::numeric_limits<double>::infinity());
    CHECK(idsOf(diagnosed(profile, &clipped)) == "clipping-bound");
    CHECK(measureOf(diagnosed(profile, &clipped), FindingKind::ClippingBound) == 0.8);
    CHECK(idsOf(diagnosed(profile, &rounded)) == "rounding-bound");
    CHECK(idsOf(diagnosed(profile, &both)).empty());
    Outcome tight = outcome(1e-3, 0.0, 40.0);
    tight.whole.quantizer.clip = {-4.0, 4.0};
    CHECK(idsOf(diagnosed(profile, &tight)).empty());
    CHECK(idsOf(diagnosed(profile, &infinite)).empty());
    CHECK(idsOf(diagnosed(profile, &failed)).empty());

    const std::vector<Outcome> candidates{clipped, rounded, failed, infinite, both, both};
    const Diagnosis diagnosis = diagnosed(profile, &clipped, candidates);
    REQUIRE(diagnosis.better);
    CHECK(diagnosis.better->index == 4);
    CHECK(diagnosisText(diagnosis, "mse") ==
          "Clipping-bound: 80 % of the error is clipping; mse gains 6.1 dB.");
    CHECK_FALSE(diagnosed(profile, &clipped, std::vector<Outcome>{rounded}).better);  // 0.4 dB
    CHECK_FALSE(diagnosed(profile, &both, candidates).better);
}

TEST_CASE("each finding has an id of its own")
{
    std::vector<std::string> ids;
    for (const FindingKind kind : findingKinds())
        ids.emplace_back(findingId(kind));
    CHECK(ids.size() == 18);
    std::ranges::sort(ids);
    CHECK(std::ranges::adjacent_find(ids) == ids.end());
}

}  // namespace recipes_diagnosis_test
