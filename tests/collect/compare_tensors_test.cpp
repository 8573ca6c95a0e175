// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/compare_tensors.h"

#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace compare_tensors_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::containsText;

const TensorInfo matrix{.name = "w", .role = Role::Weight, .shape = {4, 300}, .channelAxis = 0};

/// Four rows of the matrix, each wider than the one before.
std::vector<float> rows(unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(1200);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] = normal(engine) * std::pow(3.0F, static_cast<float>(index / 300));
    return values;
}

std::vector<float> times(std::vector<float> values, float factor)
{
    for (float& value : values)
        value *= factor;
    return values;
}

Choice minMax(Granularity granularity)
{
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, granularity);
}

TensorComparison compare(const std::vector<float>& a, const std::vector<float>& b,
                         const std::vector<Choice>& choices, const AnalyseOptions& options = {},
                         const TensorInfo& infoOfB = matrix)
{
    const ValueSource sourceA = sourceOf(matrix, a);
    const ValueSource sourceB = sourceOf(infoOfB, b);
    TensorProfile profileA = collectProfile(sourceA);
    TensorProfile profileB = collectProfile(sourceB);
    return compareTensors({sourceA, profileA}, {sourceB, profileB}, choices, options);
}

/// Signal-to-noise ratio of values under a scale for each channel, or one for all, by definition.
double sqnrUnder(const std::vector<double>& scales, const std::vector<float>& values)
{
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const double scale = scales.size() == 1 ? scales[0] : scales[index / 300];
        const double x = static_cast<double>(values[index]);
        const double error = x - std::clamp(std::nearbyint(x / scale), -127.0, 127.0) * scale;
        signal += x * x;
        noise += error * error;
    }
    return 10.0 * std::log10(signal / noise);
}

/// By its definition: of B from A, both in 2048 bins over the larger range, 1e-12 more in each.
double plainDivergence(const std::vector<float>& a, const std::vector<float>& b)
{
    double most = 0.0;
    for (const std::vector<float>* values : {&a, &b})
        for (const float value : *values)
            most = std::max(most, std::abs(static_cast<double>(value)));
    const auto shares = [most](const std::vector<float>& values) {
        std::vector<double> bins(2048, 1e-12);
        for (const float value : values) {
            const double place = std::floor(static_cast<double>(value) / (most / 1024.0)) + 1024.0;
            bins[static_cast<std::size_t>(std::min(place, 2047.0))] +=
                1.0 / static_cast<double>(values.size());
        }
        return bins;
    };
    const std::vector<double> from = shares(b);
    const std::vector<double> to = shares(a);
    double sum = 0.0;
    for (std::size_t bin = 0; bin < from.size(); ++bin)
        sum += from[bin] * std::log(from[bin] / to[bin]);
    return sum / (1.0 + 2048e-12);
}

double transferredSqnr(const ChoiceComparison& choice)
{
    REQUIRE(choice.transferred);
    const auto found =
        std::ranges::find(choice.transferred->metrics, "sqnr_db", &MetricValues::value_type::first);
    REQUIRE(found != choice.transferred->metrics.end());
    return found->second;
}

std::vector<double> scalesOf(const Outcome& outcome)
{
    std::vector<double> scales;
    for (const ScaleRow& channel : outcome.channels)
        scales.push_back(channel.quantizer.scale);
    if (scales.empty())
        scales.push_back(outcome.whole.quantizer.scale);
    return scales;
}

TEST_CASE("a recording compared with itself: equal scales, nothing lost")
{
    const std::vector<float> values = rows(1);
    const TensorComparison comparison =
        compare(values, values, {minMax(Granularity::Tensor), minMax(Granularity::Channel)});
    REQUIRE(comparison.drift);
    CHECK(comparison.drift->earthMover == 0.0);
    for (const ChoiceComparison& choice : comparison.choices) {
        CHECK(choice.scaleRatio() == 1.0);
        CHECK(choice.sqnrLossDb() == 0.0);
    }
}

TEST_CASE("A's scale on B's values gives what the definition gives")
{
    const std::vector<float> a = rows(1);
    const std::vector<float> b = times(rows(2), 1.7F);
    for (const Granularity granularity : {Granularity::Tensor, Granularity::Channel}) {
        const ChoiceComparison choice = compare(a, b, {minMax(granularity)}).choices.at(0);
        CHECK(choice.transferred->isExact);
        const double stale = sqnrUnder(scalesOf(choice.a), b);
        // Sums in another order agree to 1e-12; the logarithm keeps that.
        CHECK(transferredSqnr(choice) == Approx(stale).epsilon(1e-11));
        const double own = sqnrUnder(scalesOf(choice.b), b);
        CHECK(*choice.sqnrLossDb() == Approx(own - stale).epsilon(1e-9));
        CHECK(*choice.sqnrLossDb() > 3.0);
    }
}

TEST_CASE("twice the values have twice the scale")
{
    const std::vector<float> a = rows(3);
    CHECK(compare(a, times(a, 2.0F), {minMax(Granularity::Tensor)}).choices.at(0).scaleRatio() ==
          2.0);
}

TEST_CASE("metrics that may not be exact are estimated, per channel not at all")
{
    const std::vector<float> a = rows(1);
    const TensorComparison comparison =
        compare(a, times(a, 1.5F), {minMax(Granularity::Tensor), minMax(Granularity::Channel)},
                {.effort = MetricEffort::Estimate});
    CHECK_FALSE(comparison.choices.at(0).transferred->isExact);
    CHECK(transferredSqnr(comparison.choices.at(0)) ==
          Approx(sqnrUnder(scalesOf(comparison.choices.at(0).a), times(a, 1.5F))).margin(0.05));
    CHECK_FALSE(comparison.choices.at(1).transferred.has_value());
    CHECK_THAT(comparison.choices.at(1).whyNotTransferred, containsText("exact values only"));
    CHECK(comparison.choices.at(0).sqnrLossBarDb() > 0.0);
    CHECK(comparison.choices.at(0).sqnrLossBarDb() < 0.1);
    CHECK_FALSE(compare(a, a, {minMax(Granularity::Tensor)}).choices.at(0).sqnrLossBarDb());
}

TEST_CASE("the divergence is exact where the sketches leave more than 1 % of it open")
{
    const TensorInfo info{.name = "a", .shape = {20000}};
    std::mt19937 engine(8);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> a(20000);
    std::ranges::generate(a, [&] { return normal(engine); });
    const std::vector<float> b = times(a, 1.01F);
    const auto comparedWith = [&](MetricEffort effort) {
        const ValueSource sourceA = sourceOf(info, a);
        const ValueSource sourceB = sourceOf(info, b);
        TensorProfile profileA = collectProfile(sourceA);
        TensorProfile profileB = collectProfile(sourceB);
        return compareTensors({sourceA, profileA}, {sourceB, profileB}, {}, {.effort = effort});
    };
    const TensorComparison estimated = comparedWith(MetricEffort::Estimate);
    const TensorComparison exact = comparedWith(MetricEffort::Bounded);
    CHECK_FALSE(estimated.drift->hasExactKl());
    CHECK(exact.drift->hasExactKl());
    CHECK(estimated.drift->klBound.contains(exact.drift->klDivergence));
    CHECK(exact.drift->klDivergence == Approx(plainDivergence(a, b)).epsilon(1e-9));
}

TEST_CASE("scales of another number of channels are not applied")
{
    TensorInfo other = matrix;
    other.shape = {3, 400};
    const TensorComparison comparison = compare(
        rows(1), rows(2), {minMax(Granularity::Channel), minMax(Granularity::Tensor)}, {}, other);
    CHECK_THAT(comparison.choices.at(0).whyNotTransferred,
               containsText("for 4 channels, the other recording has 3"));
    CHECK_FALSE(comparison.choices.at(0).sqnrLossDb().has_value());
    CHECK(comparison.choices.at(1).transferred.has_value());
}

TEST_CASE("a recording of zeros or NaN has no scale to apply, zeros have a fixed one")
{
    const std::vector<float> values = rows(1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Choice fixed = makeChoice("fixed", {{"threshold", "0.5"}},
                                    SchemeKind::SymmetricRestricted, Granularity::Tensor);
    for (const float odd : {0.0F, nan}) {
        const TensorComparison stale = compare(std::vector<float>(values.size(), odd), values,
                                               {minMax(Granularity::Tensor), fixed});
        CHECK_FALSE(stale.choices[0].transferred);
        CHECK_THAT(stale.choices[0].whyNotTransferred, containsText("has no scale"));
        CHECK_FALSE(stale.choices[0].scaleRatio());
        CHECK_FALSE(stale.choices[0].sqnrLossDb());
        CHECK(stale.choices[1].transferred.has_value() == (odd == 0.0F));
        CHECK(stale.choices[1].scaleRatio().has_value() == (odd == 0.0F));
    }
}

}  // namespace compare_tensors_test
