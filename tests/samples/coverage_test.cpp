// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"
#include "core/samples/study_samples.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace coverage_test {

using namespace calibscope;
using namespace calibscope::samples;

// How often bands hold what they claim to hold, over made streams whose truth is known. What was
// measured is in resources/docs/samples.md; a band of 95 % that holds its truth in 90 % of its
// streams, the least that is promised, does so in fewer than 168 of 200 once in 400 times.

constexpr std::size_t streams = 200;
constexpr double leastShare = 168.0 / 200.0;

enum class Values {
    Exponential,
    Normal,
    TwoKinds,   ///< exponential, and by chance of the batch twice as large
    Scattered,  ///< exponential, each batch times exp(N(0, 0.5^2))
    Following,  ///< likewise, and the exponents follow each other: an autoregression of 0.9
};

std::vector<float> streamOf(Values kind, std::size_t batches, std::size_t batchValues,
                            unsigned seed)
{
    std::mt19937 engine(seed);
    std::exponential_distribution<float> exponential;
    std::normal_distribution<float> normal;
    std::vector<float> values;
    float exponent = normal(engine);
    for (std::size_t batch = 0; batch < batches; ++batch) {
        const float size = kind == Values::TwoKinds && engine() % 2 == 0 ? 2.0F
                           : kind >= Values::Scattered                   ? std::exp(0.5F * exponent)
                                                                         : 1.0F;
        constexpr float follows = 0.9F;
        exponent = kind == Values::Following
                       ? follows * exponent + std::sqrt(1.0F - follows * follows) * normal(engine)
                       : normal(engine);
        for (std::size_t index = 0; index < batchValues; ++index)
            values.push_back(size *
                             (kind == Values::Normal ? normal(engine) : exponential(engine)));
    }
    return values;
}

SampleStudy studyOf(const std::vector<float>& values, std::size_t batches, const Choice& choice)
{
    const TensorInfo info{.name = "a",
                          .role = Role::Activation,
                          .shape = {batches, values.size() / batches},
                          .batchAxis = 0,
                          .batchSize = 1};
    const ValueSource source = sourceOf(info, values);
    SampleStudy study =
        studySamples(source, collectProfile(source), std::vector{choice}, {.orders = 0}).front();
    REQUIRE(study.thresholdBand);
    return study;
}

SampleBand bandOf(const std::vector<float>& values, std::size_t batches, const Choice& choice)
{
    return *studyOf(values, batches, choice).thresholdBand;
}

struct Stream
{
    Values kind = Values::Exponential;
    std::size_t batches = 0;
    std::size_t batchValues = 0;
    const char* alpha = "";
    double truth = 0.0;
};

struct Coverage
{
    double closed = 0.0;  ///< share of the streams
    double held = 0.0;    ///< share of the closed bands that hold the truth
    std::size_t alike = 0;
    std::size_t converged = 0;
};

Coverage coverageOf(const Stream& stream)
{
    const Choice choice = makeChoice("percentile", {{"alpha", stream.alpha}},
                                     SchemeKind::SymmetricRestricted, Granularity::Tensor);
    std::size_t closed = 0;
    std::size_t held = 0;
    Coverage coverage;
    for (unsigned seed = 0; seed < streams; ++seed) {
        const SampleStudy study =
            studyOf(streamOf(stream.kind, stream.batches, stream.batchValues, 1000 + seed),
                    stream.batches, choice);
        const SampleBand& band = *study.thresholdBand;
        closed += band.high ? 1U : 0U;
        held += band.high && band.low <= stream.truth && stream.truth <= *band.high ? 1U : 0U;
        coverage.alike += study.hasAlikeNeighbours() ? 1U : 0U;
        coverage.converged += study.convergence() == Convergence::Converged ? 1U : 0U;
    }
    coverage.closed = static_cast<double>(closed) / static_cast<double>(streams);
    coverage.held = static_cast<double>(held) / static_cast<double>(closed);
    return coverage;
}

TEST_CASE("bands of percentiles hold the stream's own percentile")
{
    // Of two kinds, half of the batches each: (u^2 + u) / 2 = 0.01 with u = exp(-t / 2).
    const double ofTwoKinds = -2.0 * std::log((std::sqrt(1.08) - 1.0) / 2.0);
    const std::vector<Stream> made = {
        {Values::Exponential, 6, 1000, "99", std::log(100.0)},
        {Values::Exponential, 16, 1000, "99.9", std::log(1000.0)},
        {Values::Exponential, 62, 200, "99", std::log(100.0)},
        {Values::Normal, 16, 2000, "99.9", 3.2905267314919255},
        {Values::TwoKinds, 16, 1000, "99", ofTwoKinds},
    };
    for (const Stream& stream : made) {
        const Coverage coverage = coverageOf(stream);
        INFO(stream.batches << " batches of " << stream.batchValues << ", percentile "
                            << stream.alpha << ": " << coverage.held);
        CHECK(coverage.closed > 0.5);
        CHECK(coverage.held >= leastShare);
        CHECK(coverage.alike < streams / 10);  // 1 of 20 by chance
    }
}

// The percentile 99 of exponential values times exp(N(0, 0.5^2)): the root t of
// E[exp(-t exp(-0.5 z))] = 0.01, by Python's sums over 801 z.
constexpr double ofScattered = 6.76015;

TEST_CASE("bands know that batches reach differently far")
{
    for (const std::size_t batches : {16U, 62U}) {
        const Coverage coverage = coverageOf(
            {Values::Scattered, batches, batches > 16 ? 200U : 1000U, "99", ofScattered});
        INFO(batches << " batches: " << coverage.held);
        CHECK(coverage.closed > 0.9);
        CHECK(coverage.held >= leastShare);
        CHECK(coverage.converged == 0);
    }
    // Of eight batches most bands are open, and those that are not hold less.
    const Coverage few = coverageOf({Values::Scattered, 8, 1000, "99", ofScattered});
    INFO(few.closed << " closed, " << few.held);
    CHECK(few.closed < 0.5);
    CHECK(few.held > 0.75);
    CHECK(few.converged == 0);
}

TEST_CASE("bands know that batches follow each other")
{
    const Coverage coverage = coverageOf({Values::Following, 62, 200, "99", ofScattered});
    INFO("62 batches: " << coverage.held);
    CHECK(coverage.held >= leastShare);
    CHECK(coverage.alike == streams);
    CHECK(coverage.converged == 0);
    // A correlation of 0.9 can't be seen for sure in sixteen; none is taken for converged.
    const Coverage few = coverageOf({Values::Following, 16, 200, "99", ofScattered});
    INFO("16 batches: " << few.held << ", alike " << few.alike);
    CHECK(few.held > 0.6);
    CHECK(few.alike > streams / 2);
    CHECK(few.converged == 0);
}

TEST_CASE("open bands of maxima hold the maximum of another recording")
{
    const Choice choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    for (const std::size_t batches : {6U, 16U, 62U}) {
        std::size_t held = 0;
        std::size_t exceeded = 0;
        for (unsigned seed = 0; seed < streams; ++seed) {
            const std::vector<float> recorded =
                streamOf(Values::Exponential, batches, 200, 1000 + seed);
            const SampleBand band = bandOf(recorded, batches, choice);
            CHECK_FALSE(band.high);
            const float another =
                std::ranges::max(streamOf(Values::Exponential, batches, 200, 5000 + seed));
            held += static_cast<double>(another) >= band.low ? 1U : 0U;
            exceeded += another > std::ranges::max(recorded) ? 1U : 0U;
        }
        INFO(batches << " batches: " << held << " held, " << exceeded << " exceeded of "
                     << streams);
        CHECK(static_cast<double>(held) >= leastShare * static_cast<double>(streams));
        // A closed band would end at the recorded maximum, and be wrong every second time.
        CHECK(std::abs(static_cast<double>(exceeded) / static_cast<double>(streams) - 0.5) < 0.11);
    }
}

}  // namespace coverage_test
