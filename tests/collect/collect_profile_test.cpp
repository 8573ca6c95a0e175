// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"

#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace collect_profile_test {

using namespace calibscope;
using calibscope::test::Approx;

/// 6 samples of 4 channels of 50 values, half of them zero, two not finite.
std::vector<float> someValues()
{
    std::mt19937 engine(17);
    std::normal_distribution<float> normal(0.2F, 1.0F);
    std::vector<float> values(1200);
    for (float& value : values) {
        value = normal(engine);
        if (value < 0.0F && value > -0.8F)
            value = 0.0F;
    }
    values[100] = std::nanf("");
    values[700] = -std::numeric_limits<float>::infinity();
    return values;
}

TensorInfo someInfo()
{
    TensorInfo info;
    info.name = "a";
    info.shape = {6, 4, 50};
    info.batchAxis = 0;
    info.batchSize = 2;
    info.channelAxis = 1;
    return info;
}

/// The values in blocks of a given size, cut at batches too.
ValueSource inBlocks(const std::vector<float>& values, std::size_t blockSize)
{
    const TensorInfo info = someInfo();
    return {
        .info = info, .visit = [&values, blockSize](const BlockVisitor& visitor, const Progress&) {
            constexpr std::size_t batchValues = 400;
            for (std::size_t first = 0; first < values.size();) {
                const std::size_t batch = first / batchValues;
                const std::size_t count = std::min(blockSize, (batch + 1) * batchValues - first);
                visitor({.values = std::span(values).subspan(first, count),
                         .firstIndex = first,
                         .batch = batch});
                first += count;
            }
        }};
}

std::vector<double> finiteOf(const std::vector<float>& values, Domain domain)
{
    std::vector<double> finite;
    for (const float value : values)
        if (std::isfinite(value))
            finite.push_back(
                static_cast<double>(domain == Domain::Magnitude ? std::abs(value) : value));
    return finite;
}

const std::vector<HistogramSpec> allSpecs{
    {.growth = "fixed", .bins = 32, .domain = Domain::Magnitude},
    {.growth = "fixed", .bins = 32, .domain = Domain::Signed},
    {.growth = "double", .bins = 16, .domain = Domain::Magnitude},
    {.growth = "redistribute", .bins = 16, .domain = Domain::Signed}};

TEST_CASE("the size of blocks changes no count, extent, sketch or histogram")
{
    const std::vector<float> values = someValues();
    TensorProfile whole = collectProfile(inBlocks(values, 400));
    collectMore(whole, inBlocks(values, 400), allSpecs, {});
    for (const std::size_t blockSize : {1U, 7U, 50U, 333U}) {
        const ValueSource source = inBlocks(values, blockSize);
        TensorProfile profile = collectProfile(source);
        collectMore(profile, source, allSpecs, {});
        CHECK(profile.extents() == whole.extents());
        CHECK(profile.batches == whole.batches);
        CHECK(profile.channels == whole.channels);
        CHECK(profile.sketch == whole.sketch);
        CHECK(profile.firstNotFinite.nan == 100U);
        CHECK(profile.firstNotFinite.infinite == 700U);
        CHECK(profile.histograms == whole.histograms);
        CHECK(profile.moments.mean == Approx(whole.moments.mean).epsilon(1e-12));
        CHECK(profile.moments.m4 == Approx(whole.moments.m4).epsilon(1e-12));
    }
}

TEST_CASE("extents per batch and channel are those of their values")
{
    const std::vector<float> values = someValues();
    const TensorProfile profile = collectProfile(inBlocks(values, 64));
    REQUIRE(profile.batches.size() == 3);
    REQUIRE(profile.channels.size() == 4);
    for (std::size_t batch = 0; batch < 3; ++batch) {
        Extents expected;
        expected.add(std::span(values).subspan(batch * 400, 400));
        CHECK(profile.batches[batch] == expected);
    }
    for (std::size_t channel = 0; channel < 4; ++channel) {
        Extents expected;
        for (std::size_t sample = 0; sample < 6; ++sample)
            expected.add(std::span(values).subspan(sample * 200 + channel * 50, 50));
        CHECK(profile.channels[channel] == expected);
    }
}

TEST_CASE("order statistics are those of std::nth_element, in both domains")
{
    const std::vector<float> values = someValues();
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        const std::vector<double> finite = finiteOf(values, domain);
        std::vector<OrderRequest> requests;
        for (std::size_t rank = 0; rank < finite.size(); rank += rank < 20 || rank > 1170 ? 1 : 23)
            requests.push_back({.domain = domain, .rank = rank});
        const ValueSource source = inBlocks(values, 100);
        TensorProfile profile = collectProfile(source);
        collectMore(profile, source, {}, requests);
        for (const OrderRequest& request : requests) {
            std::vector<double> ordered = finite;
            const auto place = ordered.begin() + static_cast<std::ptrdiff_t>(request.rank);
            std::ranges::nth_element(ordered, place);
            CHECK(profile.order(request) == *place);
        }
    }
}

TEST_CASE("order statistics are exact where thousands of values share a sketch bin")
{
    std::vector<float> values(1200);
    for (std::size_t index = 0; index < values.size(); ++index)  // 1 to 1 + 2^-13 in single steps
        values[index] = (index % 3 == 0 ? -1.0F : 1.0F) + static_cast<float>(index) * 0x1p-23F;
    const ValueSource source = inBlocks(values, 400);
    TensorProfile profile = collectProfile(source);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        std::vector<double> ordered = finiteOf(values, domain);
        std::ranges::sort(ordered);
        for (const std::uint64_t rank : {0U, 1U, 399U, 400U, 401U, 800U, 1198U, 1199U}) {
            const OrderRequest request{.domain = domain, .rank = rank};
            collectMore(profile, source, {}, std::vector{request});
            CHECK(profile.order(request) == ordered[rank]);
        }
    }
}

TEST_CASE("order statistics far from both ends are counted in the same pass as those near them")
{
    std::mt19937 engine(23);
    std::normal_distribution<float> normal(0.0F, 2.0F);
    std::vector<float> values(60000);
    std::ranges::generate(values, [&] { return std::max(normal(engine), -1.0F); });
    const ValueSource source = sourceOf({.name = "x", .shape = {values.size()}}, values);
    TensorProfile profile = collectProfile(source);
    for (const Domain domain : {Domain::Magnitude, Domain::Signed}) {
        std::vector<double> ordered = finiteOf(values, domain);
        std::ranges::sort(ordered);
        std::vector<OrderRequest> requests;
        for (const std::uint64_t rank : {0U, 12U, 20000U, 30000U, 43615U, 43616U, 59990U, 59999U})
            requests.push_back({.domain = domain, .rank = rank});
        collectMore(profile, source, {}, requests);
        for (const OrderRequest& request : requests)
            CHECK(profile.order(request) == ordered[request.rank]);
    }
}

TEST_CASE("a fixed histogram is what a plain count gives")
{
    const std::vector<float> values = someValues();
    const ValueSource source = inBlocks(values, 31);
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, allSpecs, {});
    for (const HistogramSpec& spec : {allSpecs[0], allSpecs[1]}) {
        const std::vector<double> finite = finiteOf(values, spec.domain);
        const auto [least, greatest] = std::ranges::minmax(finite);
        const double low = spec.domain == Domain::Magnitude ? 0.0 : least;
        const double width = (greatest - low) / spec.bins;
        std::vector<std::uint64_t> counts(static_cast<std::size_t>(spec.bins));
        for (const double value : finite)
            ++counts[static_cast<std::size_t>(
                std::min(std::floor((value - low) / width), spec.bins - 1.0))];
        REQUIRE(profile.histogram(spec) != nullptr);
        CHECK(profile.histogram(spec)->counts == counts);
    }
}

TEST_CASE("a histogram that grows is asked for room once for each batch, in order")
{
    // Batches of 400: zeros, then up to 1, then up to 3 (which doubles twice).
    std::vector<float> values(1200, 0.0F);
    values[400] = 1.0F;
    values[1000] = -3.0F;
    const HistogramSpec spec{.growth = "double", .bins = 4, .domain = Domain::Magnitude};
    const ValueSource source = inBlocks(values, 7);
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, std::vector{spec}, {});
    const Histogram& histogram = *profile.histogram(spec);
    CHECK(histogram.high == 4.0);
    REQUIRE(histogram.counts.size() == 16);
    CHECK(histogram.counts[0] == 1198);
    CHECK(histogram.counts[3] == 1);
    CHECK(histogram.counts[12] == 1);
}

TEST_CASE("what a profile holds already is not read again")
{
    const std::vector<float> values = someValues();
    const ValueSource source = inBlocks(values, 400);
    TensorProfile profile = collectProfile(source);
    const std::vector<OrderRequest> orders{{.domain = Domain::Magnitude, .rank = 1100}};
    collectMore(profile, source, allSpecs, orders);
    const std::size_t histograms = profile.histograms.size();
    const ValueSource unreadable{.info = source.info,
                                 .visit = [](const BlockVisitor&, const Progress&) {
                                     FAIL("the values were read once more");
                                 }};
    collectMore(profile, unreadable, allSpecs, orders);
    CHECK(profile.histograms.size() == histograms);
    CHECK(profile.orders.size() == 1);
}

TEST_CASE("requests that are doubled or beyond the last value add nothing")
{
    const std::vector<float> values = someValues();
    const ValueSource source = inBlocks(values, 400);
    TensorProfile profile = collectProfile(source);
    const std::vector<HistogramSpec> twice{allSpecs[0], allSpecs[0]};
    const std::vector<OrderRequest> orders{{.domain = Domain::Signed, .rank = 5},
                                           {.domain = Domain::Signed, .rank = 5},
                                           {.domain = Domain::Signed, .rank = 1198}};
    REQUIRE(profile.extents().finite == 1198);
    collectMore(profile, source, twice, orders);
    CHECK(profile.histograms.size() == 1);
    CHECK(profile.orders.size() == 1);
}

TEST_CASE("a tensor of only NaN has extents, empty histograms and no order statistics")
{
    const std::vector<float> values(1200, std::nanf(""));
    const ValueSource source = inBlocks(values, 400);
    TensorProfile profile = collectProfile(source);
    collectMore(profile, source, allSpecs,
                std::vector<OrderRequest>{{.domain = Domain::Signed, .rank = 0}});
    CHECK(profile.extents().nan == 1200);
    CHECK(profile.extents().finite == 0);
    CHECK(profile.orders.empty());
    for (const Histogram& histogram : profile.histograms)
        CHECK(histogram.total() == 0);
}

}  // namespace collect_profile_test
