// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/spread/unit_counts.h"

#include "core/base/error.h"
#include "tests/support/catch.h"
#include "tests/support/damaged_bytes.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace unit_counts_test {

using namespace calibscope;
using spread::UnitCounts;

using Batch = std::vector<float>;

std::vector<Batch> batchesThatWiden()
{
    std::mt19937 engine(21);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<Batch> batches(24);
    float scale = 1.0F;
    for (Batch& batch : batches) {
        for (std::size_t value = 0; value < 200; ++value)
            batch.push_back(value % 9 == 0 ? 0.0F : scale * normal(engine));
        scale *= 1.05F;
    }
    batches[3][1] = std::nanf("");
    return batches;
}

TensorProfile firstPass(const std::vector<Batch>& batches)
{
    TensorProfile profile;
    SketchCounter sketch;
    for (const Batch& batch : batches) {
        profile.batches.emplace_back().add(batch);
        profile.moments.extents += profile.batches.back();
        sketch.add(batch);
    }
    profile.sketch = sketch.sketch();
    return profile;
}

CalibratorNeeds allNeeds(std::uint64_t finite)
{
    CalibratorNeeds needs;
    for (const GrowthRule& rule : growthRules())
        needs.histograms.push_back(
            {.growth = std::string(rule.id), .bins = 40, .domain = rule.domain});
    for (const Domain domain : {Domain::Magnitude, Domain::Signed})
        for (const std::uint64_t rank :
             {std::uint64_t{0}, finite / 3, finite / 2, finite - 1, finite})
            needs.orders.push_back({.domain = domain, .rank = rank});
    return needs;
}

void count(UnitCounts& counts, const std::vector<Batch>& batches, std::size_t batch)
{
    for (std::size_t part = 0; part < counts.parts(); ++part)
        counts.add(part, batch, batches[batch]);
}

TEST_CASE("units counted by anyone in any order give what a pass in order gives")
{
    const std::vector<Batch> batches = batchesThatWiden();
    const TensorProfile profile = firstPass(batches);
    const CalibratorNeeds needs = allNeeds(profile.extents().finite);
    std::mt19937 engine(2);
    for (int round = 0; round < 8; ++round) {
        std::vector<UnitCounts> units(1 + engine() % 5, UnitCounts(profile, needs));
        std::vector<std::size_t> order(batches.size());
        for (std::size_t batch = 0; batch < order.size(); ++batch)
            order[batch] = batch;
        std::ranges::shuffle(order, engine);
        for (const std::size_t batch : order)
            count(units[engine() % units.size()], batches, batch);
        UnitCounts whole(profile, needs);
        for (const UnitCounts& unit : units)
            whole.addBytes(unit.bytes(), "a unit");
        TensorProfile found = profile;
        whole.finish(found, "a tensor");

        REQUIRE(found.histograms.size() == needs.histograms.size());
        for (const Histogram& histogram : found.histograms) {
            Histogram inOrder = emptyHistogram(histogram.spec);
            ValuesBefore before;
            for (std::size_t batch = 0; batch < batches.size(); ++batch) {
                growthRule(histogram.spec.growth)
                    .grow(inOrder, profile.batches[batch], before, profile.extents());
                before.add(profile.batches[batch]);
                inOrder.add(batches[batch]);
            }
            INFO(histogramText(histogram.spec));
            CHECK(histogram == inOrder);
        }
        CHECK(found.orders.size() == 8);  // the rank behind the last value has none
        for (const OrderStatistic& statistic : found.orders) {
            std::vector<double> sorted;
            for (const Batch& batch : batches)
                for (const float value : batch)
                    if (std::isfinite(value))
                        sorted.push_back(static_cast<double>(
                            statistic.request.domain == Domain::Magnitude ? std::abs(value)
                                                                          : value));
            std::ranges::sort(sorted);
            CHECK(statistic.value == sorted[statistic.request.rank]);
        }
    }
}

TEST_CASE("counts that are missing, doubled, damaged or of others are refused")
{
    const std::vector<Batch> batches = batchesThatWiden();
    const TensorProfile profile = firstPass(batches);
    const CalibratorNeeds needs = allNeeds(profile.extents().finite);
    UnitCounts first(profile, needs);
    count(first, batches, 0);
    TensorProfile found = profile;
    CHECK_THROWS_AS(first.finish(found, "a tensor"), Error);

    const std::string bytes = first.bytes();
    UnitCounts other(profile, CalibratorNeeds{.histograms = {needs.histograms.front()}});
    CHECK_THROWS_AS(other.addBytes(bytes, "a unit"), Error);
    CHECK(
        test::refusals(bytes, 300, "D/counts-0-0: it is damaged", [&](const std::string& damaged) {
            UnitCounts(profile, needs).addBytes(damaged, "D/counts-0-0");
        }) > 100);
}

}  // namespace unit_counts_test
