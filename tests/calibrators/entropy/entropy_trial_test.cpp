// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy_trial.h"

#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <cmath>
#include <limits>
#include <random>

namespace entropy_trial_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::grownHistogram;

std::vector<float> heavyTailed(std::size_t count)
{
    std::mt19937 engine(5);
    std::exponential_distribution<float> exponential(1.0F);
    std::vector<float> values(count);
    for (float& value : values)
        value = std::pow(exponential(engine), 2.0F);
    return values;
}

struct Tested
{
    Tested(const std::vector<float>& values, const GivenSettings& given)
        : settings(calibrator("entropy").parameters, given, "entropy")
    {
        profile.moments.add(values);
        const CalibratorNeeds needs = calibrator("entropy").needs(input(), profile.extents());
        for (const HistogramSpec& spec : needs.histograms)
            profile.histograms.push_back(grownHistogram(values, spec));
    }
    CalibratorInput input() const { return {.settings = settings, .scheme = scheme}; }
    Curve curve() const { return calibrator("entropy").calibrate(input(), profile).curve; }
    std::optional<EntropyTrial> at(double threshold) const
    {
        return entropyTrialAt(input(), profile, threshold);
    }

    Settings settings;
    Scheme scheme;
    TensorProfile profile;
};

/// KL in nats of two histograms, each divided by its sum.
double kl(const std::vector<double>& from, const std::vector<double>& to)
{
    double fromTotal = 0.0;
    double toTotal = 0.0;
    for (const double mass : from)
        fromTotal += mass;
    for (const double mass : to)
        toTotal += mass;
    double sum = 0.0;
    for (std::size_t bin = 0; bin < from.size(); ++bin) {
        if (from[bin] == 0.0)
            continue;
        if (to[bin] == 0.0)
            return std::numeric_limits<double>::infinity();
        const double share = from[bin] / fromTotal;
        sum += share * std::log(share / (to[bin] / toTotal));
    }
    return sum;
}

TEST_CASE("the two histograms of a candidate have the divergence that the curve shows")
{
    const auto given =
        GENERATE(GivenSettings{}, GivenSettings{{"outliers-in-q", "no"}},
                 GivenSettings{{"empty-bins", "spread"}},
                 GivenSettings{{"empty-bins", "spread"}, {"outliers-in-q", "no"}},
                 GivenSettings{{"first-bin", "discarded"}, {"levels", "64"}},
                 GivenSettings{{"empty-bins", "smooth"}, {"bins", "256"}},
                 GivenSettings{{"direction", "coarse-to-truncated"}, {"empty-bins", "spread"}},
                 GivenSettings{{"level-by", "edge"}, {"threshold-at", "index-half"}},
                 GivenSettings{{"threshold-at", "right-edge"}, {"first-candidate", "200"}});
    const Tested tested(heavyTailed(5000), given);
    const Curve curve = tested.curve();
    REQUIRE(curve.value.size() > 40);
    for (std::size_t point = 0; point < curve.value.size(); point += 7) {
        const auto trial = tested.at(curve.threshold[point]);
        REQUIRE(trial);
        CHECK(trial->threshold == curve.threshold[point]);
        const double divergence = trial->isCoarseFirst ? kl(trial->coarse, trial->truncated)
                                                       : kl(trial->truncated, trial->coarse);
        if (std::isinf(curve.value[point])) {
            CHECK(std::isinf(divergence));
            continue;
        }
        CHECK(divergence == Approx(curve.value[point]).margin(1e-9));
        CHECK(trial->divergence == Approx(curve.value[point]).margin(1e-9));
    }
}

TEST_CASE("the truncated histogram holds all counts, the coarse one those that its rule lets in")
{
    const Tested written(heavyTailed(5000), {});
    const Tested open(heavyTailed(5000), {{"outliers-in-q", "no"}});
    const double threshold = written.curve().threshold[100];
    const auto sum = [](const std::vector<double>& counts) {
        double total = 0.0;
        for (const double count : counts)
            total += count;
        return total;
    };
    CHECK(sum(written.at(threshold)->truncated) == 5000.0);
    CHECK(sum(written.at(threshold)->coarse) == Approx(5000.0).epsilon(1e-12));
    const auto trial = open.at(threshold);
    CHECK(trial->beyond > 0.0);
    CHECK(sum(trial->truncated) == 5000.0);
    CHECK(sum(trial->coarse) == Approx(5000.0 - trial->beyond).epsilon(1e-12));
    CHECK(trial->edges.size() == trial->truncated.size() + 1);
    CHECK(trial->edges.front() == 0.0);
}

TEST_CASE("what the last bin adds is told, and is little where nothing lies beyond")
{
    const Tested open(heavyTailed(5000), {{"outliers-in-q", "no"}});
    const Curve curve = open.curve();
    const auto early = open.at(curve.threshold.front());
    CHECK(early->ofLastBin > 0.0);
    CHECK(early->beyond > 100.0);
    const auto last = open.at(curve.threshold.back());
    CHECK(last->beyond == 0.0);
    CHECK(std::abs(last->ofLastBin) <= last->divergence + 1e-12);
}

TEST_CASE("any threshold finds the nearest candidate, also beyond both ends")
{
    const Tested tested(heavyTailed(5000), {});
    const Curve curve = tested.curve();
    const double step = curve.threshold[1] - curve.threshold[0];
    CHECK(tested.at(0.0)->threshold == curve.threshold.front());
    CHECK(tested.at(1e9)->threshold == curve.threshold.back());
    CHECK(tested.at(curve.threshold[40] + 0.4 * step)->threshold == curve.threshold[40]);
    CHECK(tested.at(curve.threshold[40] + 0.6 * step)->threshold == curve.threshold[41]);
    CHECK_FALSE(tested.at(std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("there is no candidate without data, without candidates, without the histogram")
{
    CHECK_FALSE(Tested({}, {}).at(1.0));
    CHECK_FALSE(Tested({0.0F, 0.0F}, {}).at(1.0));
    CHECK_FALSE(Tested(heavyTailed(500), {{"bins", "64"}}).at(1.0));  // fewer bins than levels
    Tested without(heavyTailed(500), {});
    without.profile.histograms.clear();
    CHECK_FALSE(without.at(1.0));
}

}  // namespace entropy_trial_test
