// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/result_cache.h"

#include "core/collect/collect_profile.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace result_cache_test {

using namespace calibscope;
using namespace calibscope::engine;

/// Two batches of two channels, with all that is odd.
ValueSource oddValues()
{
    static const std::vector<float> values{0.25F, -0.0F,  std::numeric_limits<float>::quiet_NaN(),
                                           3e38F, 1e-41F, std::numeric_limits<float>::infinity(),
                                           -7.5F, 0.1F};
    return {.info = {.name = "odd",
                     .path = "/odd",
                     .elementType = ElementKind::Float32,
                     .shape = {2, 2, 2},
                     .batchAxis = 0,
                     .batchSize = 1,
                     .channelAxis = 1},
            .visit = [](const BlockVisitor& visit, const Progress&) {
                const std::span all(values);
                visit({.values = all.first(4), .firstIndex = 0, .batch = 0});
                visit({.values = all.last(4), .firstIndex = 4, .batch = 1});
            }};
}

/// With a histogram by each rule: some tools have edges of their own.
TensorProfile fullProfile()
{
    TensorProfile profile = collectProfile(oddValues());
    std::vector<HistogramSpec> specs;
    for (const GrowthRule& rule : growthRules())
        specs.push_back({.growth = std::string(rule.id), .bins = 7, .domain = rule.domain});
    collectMore(profile, oddValues(), specs,
                std::vector<OrderRequest>{{Domain::Magnitude, 2}, {Domain::Signed, 1}});
    return profile;
}

TEST_CASE("a profile comes back with everything, also the tools' own edges")
{
    const TensorProfile profile = fullProfile();
    const auto again = profileFrom(profileBytes(profile));
    REQUIRE(again);
    CHECK(again->info.path == "/odd");
    CHECK(again->moments.extents == profile.moments.extents);
    CHECK(again->moments.sum == profile.moments.sum);
    CHECK(again->moments.m4 == profile.moments.m4);
    CHECK(again->batches == profile.batches);
    CHECK(again->channels == profile.channels);
    CHECK(again->sketch == profile.sketch);
    CHECK(again->firstNotFinite.nan == 2);
    CHECK(again->firstNotFinite.infinite == 5);
    REQUIRE(again->histograms.size() == growthRules().size());
    CHECK(again->histograms == profile.histograms);
    const auto hasOwnEdges = [](const Histogram& histogram) { return !histogram.edges.empty(); };
    CHECK(std::ranges::any_of(again->histograms, hasOwnEdges));
    REQUIRE(again->orders.size() == profile.orders.size());
    for (std::size_t place = 0; place < profile.orders.size(); ++place) {
        CHECK(again->orders[place].request == profile.orders[place].request);
        CHECK(again->orders[place].value == profile.orders[place].value);
    }
    CHECK(profileBytes(*again) == profileBytes(profile));
}

TEST_CASE("bytes that are those of no profile give none")
{
    const std::string bytes = profileBytes(fullProfile());
    CHECK_FALSE(profileFrom(""));
    CHECK_FALSE(profileFrom("\xa0"));  // an empty object
    CHECK_FALSE(profileFrom("\x01"));
    for (std::size_t length = 0; length < bytes.size(); length += 13)
        CHECK_FALSE(profileFrom(bytes.substr(0, length)));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
        (void)profileFrom(damaged);  // whatever it is, it does not throw
    }
}

}  // namespace result_cache_test
