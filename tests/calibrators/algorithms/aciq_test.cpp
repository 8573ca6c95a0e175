// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <limits>

namespace aciq_test {

using namespace calibscope;
using calibscope::test::calibrated;

using Notes = std::vector<std::string>;

/// The largest magnitude is 1.
std::vector<float> values(std::size_t count)
{
    std::vector<float> all(count, 0.25F);
    all.front() = -1.0F;
    return all;
}

double threshold(std::size_t count, int bits)
{
    return *calibrated("aciq", values(count), {}, {.bits = bits}).clip.threshold;
}

TEST_CASE("aciq clips at a multiple of the deviation that the largest of N values stands for")
{
    // The formula in NumPy.
    CHECK(threshold(1000, 8) == 1.1406198740005493);
    CHECK(threshold(1000, 2) == 0.49723905324935913);
    CHECK(threshold(10, 8) == 1.975611686706543);
    CHECK(calibrated("aciq", values(1000)).notes == Notes{"threshold above the maximum"});
}

TEST_CASE("aciq has no constant for more than 8 bits and takes that of 8")
{
    const Calibration calibration = calibrated("aciq", values(1000), {}, {.bits = 12});
    CHECK(calibration.clip.threshold == threshold(1000, 8));
    CHECK(calibration.notes.front() == "the constant of 8 bits is taken: there is none for more");
}

TEST_CASE("aciq counts the values of the last sample, of the last batch, or all")
{
    TensorProfile profile;
    profile.batches.resize(2);
    profile.batches[0].add(values(990));
    profile.batches[1].add(std::vector<float>(10, 0.5F));
    profile.moments.extents = profile.batches[0];
    profile.moments.extents += profile.batches[1];
    const Calibrator& algorithm = calibrator("aciq");
    const Scheme scheme;
    const auto with = [&](const char* count) {
        const Settings settings(algorithm.parameters, {{"count", count}}, "aciq");
        return *algorithm.calibrate({.settings = settings, .scheme = scheme}, profile)
                    .clip.threshold;
    };
    CHECK(with("last-batch") == threshold(10, 8));
    profile.info.shape = {200, 5};  // all are finite: a sample's values follow from the shape
    profile.info.batchAxis = 0;
    CHECK(with("last-sample") == threshold(5, 8));
    CHECK(with("all") == threshold(1000, 8));
}

TEST_CASE("aciq of a channel finds its last batch in the values")
{
    const Calibrator& algorithm = calibrator("aciq");
    const Settings settings(algorithm.parameters, {{"count", "last-batch"}}, "aciq");
    const Settings ofSample(algorithm.parameters, {}, "aciq");
    const Scheme scheme;
    TensorProfile profile;
    profile.moments.add(values(1000));
    const std::vector<float> held = values(1000);
    const auto visit = [&held](const BlockVisitor& visitor, const Progress&) {
        visitor({.values = std::span(held).first(700)});
        visitor({.values = std::span(held).subspan(700, 290)});
        visitor({.values = std::span(held).last(10), .firstIndex = 990, .batch = 1});
    };
    const ValueSource source{.info = {.shape = {1000}}, .visit = visit};
    const Progress progress;
    const CalibratorValues own{.source = source, .memoryBytes = 0, .progress = progress};
    const CalibratorInput input{
        .settings = settings, .scheme = scheme, .values = &own, .isChannel = true};
    CHECK(algorithm.needs(input, profile.extents()).values);
    CHECK(*algorithm.calibrate(input, profile).clip.threshold == threshold(10, 8));
    // Samples of 4 of each channel's values, which blocks may part.
    const ValueSource samples{
        .info = {.shape = {250, 4, 2}, .batchAxis = 0, .batchSize = 5, .channelAxis = 2},
        .visit = visit};
    const CalibratorValues sampled{.source = samples, .memoryBytes = 0, .progress = progress};
    CHECK(*algorithm
               .calibrate(
                   {.settings = ofSample, .scheme = scheme, .values = &sampled, .isChannel = true},
                   profile)
               .clip.threshold == threshold(4, 8));
}

TEST_CASE("aciq leaves what is not finite out of the last sample's count")
{
    const Calibrator& algorithm = calibrator("aciq");
    const Settings settings(algorithm.parameters, {}, "aciq");
    const Scheme scheme;
    std::vector<float> held = values(40);
    held.back() = std::numeric_limits<float>::quiet_NaN();
    TensorProfile profile;
    profile.info = {.shape = {4, 10}, .batchAxis = 0};
    profile.moments.add(held);
    const ValueSource source{.info = profile.info,
                             .visit = [&held](const BlockVisitor& visitor, const Progress&) {
                                 visitor({.values = held});
                             }};
    const Progress progress;
    const CalibratorValues own{.source = source, .memoryBytes = 0, .progress = progress};
    const CalibratorInput input{.settings = settings, .scheme = scheme, .values = &own};
    CHECK(algorithm.needs(input, profile.extents()).values);
    CHECK(*algorithm.calibrate(input, profile).clip.threshold == threshold(9, 8));
}

TEST_CASE("aciq keeps all of a single value, and where float32 overflows")
{
    CHECK(threshold(1, 8) == 1.0);
    CHECK(calibrated("aciq", {-0.5F}).notes ==
          Notes{"of fewer than two values no deviation is known: the largest magnitude is taken"});
    const Calibration large = calibrated("aciq", {3e38F, 1.0F});
    CHECK(large.clip.threshold == static_cast<double>(3e38F));
    CHECK(large.notes == Notes{"the threshold overflows float32: the largest magnitude is taken"});
}

}  // namespace aciq_test
