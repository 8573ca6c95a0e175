// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/entry_lints.h"
#include "tests/exchange/sample_entries.h"
#include "tests/support/catch.h"
#include "tests/support/profiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace entry_lints_test {

using namespace calibscope;
using namespace calibscope::exchange;
using namespace calibscope::test;

/// -2, -1.998, ... 4: 3001 values.
std::vector<float> steps()
{
    std::vector<float> values;
    for (int place = 0; place <= 3000; ++place)
        values.push_back(static_cast<float>(place - 1000) / 500.0F);
    return values;
}

Findings lintsWith(const ScaleEntry& entry, const TensorProfile& profile)
{
    return lintsOf(entry, profile, fitOf(entry, profile));
}

std::optional<FindingLevel> levelOf(const Findings& lints, std::string_view id)
{
    const auto found = std::ranges::find(lints, id, &Finding::id);
    return found == lints.end() ? std::nullopt : std::optional(found->level);
}

ScaleEntry rangeEntry(double low, double high)
{
    ScaleEntry entry = activationEntry("x", 1.0);
    entry.values = {{.range = {low, high}}};
    return entry;
}

TEST_CASE("a range that fits has no lint, and deviates by nothing")
{
    const TensorProfile profile = profileOf(steps());
    CHECK(lintsWith(activationEntry("x", 4.0), profile).empty());
    CHECK(lintsWith(rangeEntry(-2.0, 4.0), profile).empty());
    CHECK(*fitOf(activationEntry("x", 4.0), profile).deviation == 0.0);
    CHECK(*fitOf(activationEntry("x", 3.0), profile).deviation == -0.25);
    // A threshold that lost its last digits as a float32 scale clips nothing.
    CHECK(*fitOf(activationEntry("x", 4.0 * (1.0 - 6e-8)), profile).clippedShare == 0.0);
}

TEST_CASE("what a level with a zero point rounds to is not clipped")
{
    // -2 to 4 in 256 steps of 0.0235 whose zero point is rounded: the low end moves to -1.9904.
    const double scale = 6.0 / 255.0;
    const TensorProfile profile = profileOf(steps());
    ScaleEntry entry = rangeEntry(scale * (-128.0 + 43.4), scale * (127.0 + 43.4));
    CHECK(*fitOf(entry, profile).clippedShare > 0.0);
    entry.values.front().scale = scale;
    CHECK(*fitOf(entry, profile).clippedShare > 0.0);
    entry.values.front().zeroPoint = -43.4;
    CHECK(*fitOf(entry, profile).clippedShare == 0.0);
    CHECK(lintsWith(entry, profile).empty());
    // Half a step and a thousandth is beyond it.
    CHECK_FALSE(
        isClipped(4.0 + 0.499 * scale, {.range = {-2.0, 4.0}, .scale = scale, .zeroPoint = 0.0}));
    CHECK(isClipped(4.0 + 0.501 * scale, {.range = {-2.0, 4.0}, .scale = scale, .zeroPoint = 0.0}));
    CHECK_FALSE(isClipped(std::nan(""), {.range = {-2.0, 4.0}}));
}

TEST_CASE("a symmetric range is as wide as data of one sign")
{
    // 0 to 4 by int8 around 0: half of the levels, as under a threshold of 4.
    std::vector<float> values = steps();
    std::erase_if(values, [](float value) { return value < 0.0F; });
    const TensorProfile profile = profileOf(values);
    const double scale = 4.0 / 127.0;
    ScaleEntry entry = rangeEntry(-128.0 * scale, 127.0 * scale);
    CHECK(levelOf(lintsWith(entry, profile), "too-wide") == FindingLevel::Warning);
    entry.values.front().scale = scale;
    entry.values.front().zeroPoint = 0.0;
    CHECK(lintsWith(entry, profile).empty());
    // Twice as wide is too wide, however it is stated.
    entry = rangeEntry(-300.0 * scale, 300.0 * scale);
    entry.values.front().scale = scale;
    entry.values.front().zeroPoint = 0.0;
    CHECK(levelOf(lintsWith(entry, profile), "too-wide") == FindingLevel::Warning);
}

TEST_CASE("scales of groups are no missing value")
{
    ScaleEntry entry = activationEntry("x", 1.0);
    entry.values.clear();
    CHECK(levelOf(lintsOf(entry), "unusable") == FindingLevel::Error);
    entry.layout = "groups of 32";
    CHECK(lintsOf(entry).empty());
}

TEST_CASE("scales of no use are errors")
{
    for (const double threshold : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        INFO(threshold);
        const Findings lints = lintsOf(activationEntry("x", threshold));
        CHECK(levelOf(lints, "unusable") == FindingLevel::Error);
        CHECK(lintsWith(activationEntry("x", threshold), profileOf(steps())).empty());
    }
    CHECK(levelOf(lintsOf(ScaleEntry{.name = "x"}), "unusable") == FindingLevel::Error);
    CHECK(lintsOf(activationEntry("x", 1e-45)).empty());
}

TEST_CASE("the share that a range clips makes a warning or an error")
{
    const TensorProfile profile = profileOf(steps());
    // Above 3.9 lie 50 of 3001 values, above 3 lie 500.
    const EntryFit few = fitOf(activationEntry("x", 3.9), profile);
    CHECK(*few.clippedShare == Approx(50.0 / 3001.0).margin(2.0 / 3001.0));  // the sketch's bins
    CHECK(levelOf(lintsWith(activationEntry("x", 3.9), profile), "clips") == FindingLevel::Warning);
    CHECK(levelOf(lintsWith(activationEntry("x", 3.0), profile), "clips") == FindingLevel::Error);
    CHECK(!levelOf(lintsWith(activationEntry("x", 3.996), profile), "clips"));
}

TEST_CASE("a range of more than twice the data's is a warning")
{
    const TensorProfile profile = profileOf(steps());
    CHECK(!levelOf(lintsWith(activationEntry("x", 7.9), profile), "too-wide"));
    CHECK(levelOf(lintsWith(activationEntry("x", 8.1), profile), "too-wide") ==
          FindingLevel::Warning);
    CHECK(levelOf(lintsWith(rangeEntry(-6.5, 6.0), profile), "too-wide") == FindingLevel::Warning);
}

TEST_CASE("ends of one sign, ends exchanged, and a factor of 127 are errors")
{
    const TensorProfile profile = profileOf(steps());
    CHECK(levelOf(lintsWith(rangeEntry(0.0, 4.0), profile), "one-sided") == FindingLevel::Error);
    CHECK(levelOf(lintsWith(rangeEntry(-4.0, 2.0), profile), "exchanged-ends") ==
          FindingLevel::Error);
    CHECK(levelOf(lintsOf(rangeEntry(4.0, -2.0)), "exchanged-ends") == FindingLevel::Error);
    for (const double factor : {127.0, 1.0 / 127.0}) {
        INFO(factor);
        const auto lints = lintsWith(activationEntry("x", 4.0 * factor), profile);
        CHECK(levelOf(lints, "scale-for-range") == FindingLevel::Error);
        CHECK(!levelOf(lints, "too-wide"));
    }
    // Data of one sign may have such a range.
    CHECK(!levelOf(lintsWith(rangeEntry(0.0, 4.0), profileOf({0.0F, 1.0F, 4.0F})), "one-sided"));
}

TEST_CASE("a threshold that is the high end alone is told")
{
    std::vector<float> values = steps();
    std::ranges::transform(values, values.begin(), std::negate{});
    const TensorProfile profile = profileOf(values);  // -4 to 2
    CHECK(levelOf(lintsWith(activationEntry("x", 2.0), profile), "negative-side") ==
          FindingLevel::Warning);
    CHECK(!levelOf(lintsWith(activationEntry("x", 4.0), profile), "negative-side"));
}

TEST_CASE("channels: their number, and one far below the widest")
{
    TensorProfile profile = profileOf({1.0F, -1.0F, 0.01F, -0.01F});
    profile.info.role = Role::Weight;
    profile.channels.resize(2);
    profile.channels[0].add(std::vector<float>{1.0F, -1.0F});
    profile.channels[1].add(std::vector<float>{0.01F, -0.01F});
    CHECK(levelOf(lintsWith(weightEntry("w", {1.0, 0.01, 3.0}), profile), "channel-count") ==
          FindingLevel::Error);
    CHECK(lintsWith(weightEntry("w", {1.0, 0.01}), profile).empty());
    CHECK(*fitOf(weightEntry("w", {1.0, 0.015}), profile).deviation == Approx(0.5));
    ScaleEntry whole = weightEntry("w", {1.0});
    whole.isPerChannel = false;
    CHECK(levelOf(lintsWith(whole, profile), "channels-apart") == FindingLevel::Warning);
    profile.channels[1] = {};
    profile.channels[1].add(std::vector<float>{0.02F});
    CHECK(lintsWith(whole, profile).empty());  // 50 times
    CHECK(*fitOf(weightEntry("w", {1.0, 0.01}), profile, 1).clippedShare == 0.25);
}

TEST_CASE("a channel of zeros may have the scale 0")
{
    TensorProfile profile = profileOf({1.0F, 0.0F});
    profile.channels.resize(2);
    profile.channels[0].add(std::vector<float>{1.0F});
    profile.channels[1].add(std::vector<float>{0.0F});
    CHECK(areZeroChannels(weightEntry("w", {1.0, 0.0}), profile));
    CHECK(!areZeroChannels(weightEntry("w", {0.0, 1.0}), profile));
    CHECK(!areZeroChannels(weightEntry("w", {1.0, 1.0}), profile));
    CHECK(!areZeroChannels(weightEntry("w", {1.0, -1.0}), profile));
    // Other tools give it the scale 1: no sign that scales and ranges were mixed up.
    profile = profileOf({0.01F, 0.0F});
    profile.channels.resize(2);
    profile.channels[0].add(std::vector<float>{0.01F});
    profile.channels[1].add(std::vector<float>{0.0F});
    CHECK(lintsWith(weightEntry("w", {0.01, 127.0}), profile).empty());
    CHECK_FALSE(lintsWith(weightEntry("w", {0.03, 1.0}), profile).empty());
}

TEST_CASE("a head of another algorithm or version than asked for is a note")
{
    const ScaleFile file = readScales("TRT-8205-EntropyCalibration2\na: 3f800000\n", "a");
    CHECK(headLints(file).empty());
    CHECK(headLints(file, {{"version", "8205"}}).empty());
    const auto lints = headLints(file, {{"version", "8501"}, {"algorithm", "MinMaxCalibration"}});
    REQUIRE(lints.size() == 2);
    CHECK(lints[0].id == "other-header");
    CHECK(highestLevel(lints) == FindingLevel::Note);
}

TEST_CASE("data without a finite value, or of zeros, give no lint of the range")
{
    CHECK(lintsWith(activationEntry("x", 1.0), profileOf({})).empty());
    CHECK(lintsWith(activationEntry("x", 1.0), profileOf({0.0F, 0.0F})).empty());
    const EntryFit fit = fitOf(activationEntry("x", 1.0), profileOf({std::nanf("")}));
    CHECK(!fit.clippedShare);
    CHECK(!fit.deviation);
}

}  // namespace entry_lints_test
