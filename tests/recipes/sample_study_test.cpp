// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/sample_study.h"

#include "tests/support/catch.h"

namespace sample_study_test {

using namespace calibscope;
using calibscope::test::Approx;

SampleStudy studyOf(std::vector<double> thresholds)
{
    SampleStudy study;
    for (const double threshold : thresholds)
        study.curve.push_back({.units = study.curve.size() + 1, .threshold = threshold});
    study.units = thresholds.size();
    study.threshold = thresholds.back();
    study.scale = study.threshold / 127.0;
    findConverged(study);
    return study;
}

TEST_CASE("a curve settles at the first point from which on it stays within 1 and 5 percent")
{
    const SampleStudy study = studyOf({50.0, 96.0, 94.0, 95.0, 98.5, 101.0, 99.0, 100.0});
    CHECK(study.convergedWithin5 == 4);  // 5 % off is within
    CHECK(study.convergedWithin1 == 6);
    CHECK(studyOf({3.0}).convergedWithin1 == 1);
    CHECK(studyOf({1.0, 0.0, 0.0}).convergedWithin5 == 2);
    CHECK_FALSE(SampleStudy{}.convergedWithin1);
}

TEST_CASE("without a band it is unknown whether a study has converged")
{
    SampleStudy study = studyOf({100.0, 100.0});
    CHECK(study.convergence() == Convergence::Unknown);
    CHECK(study.flags().empty());
    study.thresholdBand = {.low = 95.0, .high = 105.0};
    CHECK(study.convergence() == Convergence::Converged);
    study.thresholdBand = {.low = 94.9, .high = 100.0};
    CHECK(study.convergence() == Convergence::NotConverged);
    study.thresholdBand = {.low = 99.0, .high = 105.1};
    CHECK(study.convergence() == Convergence::NotConverged);
    CHECK(study.flags() == std::vector<std::string>{"not converged after 2 batches"});
    study.thresholdBand = {.low = 99.0};  // open above
    CHECK(study.convergence() == Convergence::Converged);
    study.problem = "no";
    CHECK(study.convergence() == Convergence::Unknown);
}

TEST_CASE("a study whose second half still moved the threshold has not converged")
{
    SampleStudy study = studyOf({90.0, 90.0, 90.0, 100.0});
    study.thresholdBand = {.low = 99.0, .high = 101.0};
    study.unit = SampleUnit::Sample;
    CHECK(study.convergence() == Convergence::NotConverged);
    CHECK(study.flags() == std::vector<std::string>{"not converged after 4 samples"});
    SampleStudy early = studyOf({90.0, 100.0, 100.0, 100.0});
    early.thresholdBand = study.thresholdBand;
    CHECK(early.convergence() == Convergence::Converged);
}

TEST_CASE("the scale's band follows the threshold's")
{
    SampleStudy study = studyOf({127.0});
    CHECK_FALSE(study.scaleBand());
    study.thresholdBand = {.low = 63.5, .high = 254.0};
    CHECK(study.scaleBand()->low == Approx(0.5));
    CHECK(*study.scaleBand()->high == Approx(2.0));
    study.thresholdBand->high.reset();
    CHECK_FALSE(study.scaleBand()->high);
    study.threshold = 0.0;  // scale 1 stands for nothing
    CHECK_FALSE(study.scaleBand());
}

TEST_CASE("neighbours that are alike are reported with what they are worth")
{
    SampleStudy study = studyOf({100.0});
    study.units = 16;
    study.likeness = {.correlation = 0.8123, .independentUnits = 16.0};
    CHECK(study.flags().empty());
    study.likeness->independentUnits = 1.66;
    CHECK(study.flags() ==
          std::vector<std::string>{
              "neighbouring batches are alike (correlation 0.81): 16 count as 2 independent ones"});
}

TEST_CASE("an order that moves the threshold by more than 1 percent is told")
{
    SampleStudy study = studyOf({100.0});
    study.order = OrderSpread{.orders = 20, .thresholds = {99.0, 100.0}, .share = 0.01};
    CHECK(study.flags().empty());
    study.order->share = 0.01234;
    CHECK(study.flags() == std::vector<std::string>{
                               "depends on the order of the batches: thresholds differ by 1.2 %"});
    study.order->share = 1.234;
    CHECK(study.flags().front().find("by 120 %") != std::string::npos);
}

}  // namespace sample_study_test
