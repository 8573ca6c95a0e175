// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/growth_epochs.h"

#include "core/collect/collect_profile.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace growth_epochs_test {

using namespace calibscope;

constexpr std::size_t batchValues = 300;

TensorInfo infoOf(std::size_t batches)
{
    TensorInfo info;
    info.name = "a";
    info.shape = {batches, batchValues};
    info.batchAxis = 0;
    info.batchSize = 1;
    return info;
}

/// Batches whose deviation grows by `growth` from one to the next.
std::vector<float> batchesThatGrow(std::size_t batches, float growth, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.1F, 1.0F);
    std::vector<float> values;
    float scale = 1.0F;
    for (std::size_t batch = 0; batch < batches; ++batch, scale *= growth)
        for (std::size_t place = 0; place < batchValues; ++place)
            values.push_back(scale * normal(engine));
    return values;
}

/// All rules in all domains that they count.
std::vector<HistogramSpec> allSpecs()
{
    std::vector<HistogramSpec> specs;
    for (const GrowthRule& rule : growthRules())
        for (const Domain domain : {Domain::Magnitude, Domain::Signed})
            if (domain == Domain::Magnitude || rule.countsSigned)
                specs.push_back({.growth = std::string(rule.id), .bins = 64, .domain = domain});
    return specs;
}

/// The histograms of a pass over the values in order, which grow as they are counted.
std::vector<Histogram> inOnePass(const std::vector<float>& values, TensorProfile& profile)
{
    const ValueSource source = sourceOf(infoOf(values.size() / batchValues), values);
    profile = collectProfile(source);
    collectMore(profile, source, allSpecs(), {});
    return profile.histograms;
}

/// The same where the batches are counted in a random order.
Histogram inAnyOrder(const std::vector<float>& values, const TensorProfile& profile,
                     const HistogramSpec& spec, std::mt19937& engine)
{
    const std::vector<GrowthEpoch> epochs = growthEpochs(spec, profile.batches, profile.extents());
    std::vector<Histogram> counted;
    for (const GrowthEpoch& epoch : epochs)
        counted.push_back(epoch.bins);
    std::vector<std::size_t> order(profile.batches.size());
    for (std::size_t batch = 0; batch < order.size(); ++batch)
        order[batch] = batch;
    std::ranges::shuffle(order, engine);
    for (const std::size_t batch : order)
        counted[epochOf(epochs, batch)].add(
            std::span(values).subspan(batch * batchValues, batchValues));
    std::vector<EpochCounts> counts;
    for (const Histogram& histogram : counted)
        counts.push_back({.counts = histogram.counts, .leftOut = histogram.leftOut});
    return histogramOfEpochs(epochs, counts, profile.batches, profile.extents());
}

void checkAllRules(const std::vector<float>& values)
{
    std::mt19937 engine(11);
    TensorProfile profile;
    for (const Histogram& expected : inOnePass(values, profile)) {
        INFO(histogramText(expected.spec));
        CHECK(inAnyOrder(values, profile, expected.spec, engine) == expected);
    }
}

TEST_CASE("every rule counts by epoch, in any order, what a pass in order counts")
{
    checkAllRules(batchesThatGrow(66, 1.0F, 1));
    checkAllRules(batchesThatGrow(66, 1.02F, 2));
    checkAllRules(batchesThatGrow(40, 0.9F, 3));
}

TEST_CASE("so it is with zeros first, equal values, outliers, NaN and batches without a value")
{
    std::vector<float> values = batchesThatGrow(30, 1.0F, 4);
    const auto fill = [&](std::size_t first, std::size_t count, float value) {
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(first * batchValues),
                    count * batchValues, value);
    };
    fill(0, 1, std::nanf(""));
    fill(1, 2, 0.0F);
    fill(3, 1, 0.25F);
    fill(12, 1, std::numeric_limits<float>::infinity());
    values[20 * batchValues] = 3000.0F;
    values[25 * batchValues + 7] = -5.0e6F;
    checkAllRules(values);
    fill(0, 30, 0.0F);
    checkAllRules(values);
    fill(0, 30, -2.5F);
    checkAllRules(values);
    fill(0, 30, std::nanf(""));
    checkAllRules(values);
    std::vector<float> tiny = batchesThatGrow(20, 1.3F, 5);
    for (float& value : tiny)
        value *= 1e-44F;
    checkAllRules(tiny);
}

TEST_CASE("an epoch ends where a batch changes the bins, and nowhere else")
{
    std::vector<Extents> batches(6);
    Extents whole;
    const std::vector<float> largest{1.0F, 0.5F, 3.0F, 4.0F, 4.5F, 0.1F};
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        batches[batch].add(largest[batch]);
        whole += batches[batch];
    }
    // From 1: 3 doubles twice, to 4; 4 is the upper end and fits; 4.5 doubles once more.
    const auto epochs = growthEpochs({.growth = "double", .bins = 8}, batches, whole);
    REQUIRE(epochs.size() == 3);
    CHECK(epochs[0].firstBatch == 0);
    CHECK(epochs[1].firstBatch == 2);
    CHECK(epochs[1].bins.high == 4.0);
    CHECK(epochs[1].bins.counts.size() == 32);
    CHECK(epochs[2].firstBatch == 4);
    CHECK(epochs[2].bins.high == 8.0);
    CHECK(epochOf(epochs, 1) == 0);
    CHECK(epochOf(epochs, 3) == 1);
    CHECK(epochOf(epochs, 5) == 2);
    CHECK(growthEpochs({.growth = "fixed", .bins = 8}, batches, whole).size() == 1);
    CHECK(growthEpochs({.growth = "fixed", .bins = 8}, {}, {}).size() == 1);
}

TEST_CASE("counts in other bins than an epoch's are refused")
{
    std::vector<Extents> batches(1);
    batches[0].add(1.0F);
    const auto epochs = growthEpochs({.growth = "double", .bins = 8}, batches, batches[0]);
    const std::vector<EpochCounts> counts{{.counts = std::vector<std::uint64_t>(7)}};
    CHECK_THROWS_AS(histogramOfEpochs(epochs, counts, batches, batches[0]), std::invalid_argument);
}

}  // namespace growth_epochs_test
