// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/entropy_trial.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <cmath>
#include <numeric>
#include <random>

namespace window_trial_test {

using namespace calibscope;
using calibscope::test::Approx;
using calibscope::test::grownHistogram;

std::vector<float> skewed(std::size_t count)
{
    std::mt19937 engine(7);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    for (float& value : values) {
        const float x = normal(engine);
        value = x > 0.0F ? x * x * x : 0.3F * x;
    }
    return values;
}

struct Tested
{
    explicit Tested(SchemeKind kind, const std::vector<float>& values = skewed(20000))
        : settings(calibrator("kl-window").parameters, {}, "kl-window"), scheme{.kind = kind}
    {
        profile.moments.add(values);
        const CalibratorNeeds needs = calibrator("kl-window").needs(input(), profile.extents());
        for (const HistogramSpec& spec : needs.histograms)
            profile.histograms.push_back(grownHistogram(values, spec));
    }
    CalibratorInput input() const { return {.settings = settings, .scheme = scheme}; }

    Settings settings;
    Scheme scheme;
    TensorProfile profile;
};

double sumOf(const std::vector<double>& counts)
{
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

/// Glow's smoothing: each empty bin is given 1e-4 counts, taken evenly from the others.
std::vector<double> smoothed(std::vector<double> counts)
{
    double empty = 0.0;
    for (const double count : counts)
        empty += count == 0.0 ? 1.0 : 0.0;
    const double taken = 1e-4 * empty / (static_cast<double>(counts.size()) - empty);
    for (double& count : counts)
        count = count == 0.0 ? 1e-4 : count - taken;
    return counts;
}

double divergenceOf(const EntropyTrial& trial)
{
    const std::vector<double> p = smoothed(trial.truncated);
    const std::vector<double> q = smoothed(trial.coarse);
    double sum = 0.0;
    for (std::size_t bin = 0; bin < p.size(); ++bin)
        if (p[bin] > 0.0 && q[bin] > 0.0)
            sum += p[bin] / sumOf(p) * std::log(p[bin] / sumOf(p) * sumOf(q) / q[bin]);
    return sum;
}

TEST_CASE("each point of a window's curve has the histograms that its divergence compares")
{
    for (const SchemeKind kind : {SchemeKind::SymmetricRestricted, SchemeKind::Affine}) {
        const Tested tested(kind);
        const Curve curve = calibrator("kl-window").calibrate(tested.input(), tested.profile).curve;
        REQUIRE(curve.threshold.size() > 100);
        for (std::size_t point = 0; point < curve.threshold.size(); point += 16) {
            const auto trial =
                windowTrialAt(tested.input(), tested.profile, curve.threshold[point]);
            REQUIRE(trial);
            CAPTURE(point, curve.threshold[point]);
            CHECK(trial->threshold == curve.threshold[point]);
            // The search adds by levels, but for the least.
            CHECK(trial->divergence == Approx(curve.value[point]).margin(1e-11));
            // Sums of at most 512 terms, in another order of operations.
            CHECK(divergenceOf(*trial) == Approx(curve.value[point]).epsilon(1e-9));
            CHECK(trial->isSigned);
            CHECK(trial->edges.size() == trial->truncated.size() + 1);
            CHECK(sumOf(trial->truncated) == Approx(20000.0));
        }
    }
}

TEST_CASE("as magnitudes a window's bins are folded over at 0, and keep their counts")
{
    EntropyTrial trial;
    trial.edges = {-1.5, -0.5, 0.5, 1.5, 2.5};
    trial.truncated = {8.0, 4.0, 2.0, 1.0};
    trial.coarse = {6.0, 6.0, 2.0, 1.0};
    trial.isSigned = true;
    const EntropyTrial folded = asMagnitudes(trial);
    CHECK_FALSE(folded.isSigned);
    CHECK(folded.edges == std::vector<double>{0.0, 1.0, 2.0, 3.0});
    // The bin of -0.5 to 0.5 lies in the first one, halves of all others in two.
    CHECK(folded.truncated == std::vector<double>{4.0 + 4.0 + 1.0, 4.0 + 1.0 + 0.5, 0.5});
    CHECK(folded.coarse == std::vector<double>{6.0 + 3.0 + 1.0, 3.0 + 1.0 + 0.5, 0.5});
}

TEST_CASE("odd data have no window to show")
{
    const Tested constant(SchemeKind::Affine, std::vector<float>(100, 2.5F));
    CHECK_FALSE(windowTrialAt(constant.input(), constant.profile, 1.0));
    const Tested zeros(SchemeKind::Affine, std::vector<float>(100, 0.0F));
    CHECK_FALSE(windowTrialAt(zeros.input(), zeros.profile, 1.0));
    const Tested usual(SchemeKind::Affine);
    CHECK_FALSE(windowTrialAt(usual.input(), usual.profile, std::nan("")));
    CHECK_FALSE(windowTrialAt(usual.input(), TensorProfile(), 1.0));
}

}  // namespace window_trial_test
