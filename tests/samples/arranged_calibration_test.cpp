// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/arranged_calibration.h"

#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"
#include "core/stats/growth_rule.h"
#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace arranged_calibration_test {

using namespace calibscope;
using namespace calibscope::samples;

/// So many samples, two in each batch.
TensorInfo recordingOf(std::size_t samples, std::size_t valuesPerSample)
{
    return {.name = "a",
            .role = Role::Activation,
            .shape = {samples, valuesPerSample},
            .batchAxis = 0,
            .batchSize = 2};
}

/// Ten samples that reach unequally far; the second is of zeros, some values are not finite, many
/// are equal.
std::vector<float> someValues(std::size_t valuesPerSample)
{
    std::mt19937 engine(11);
    std::normal_distribution<float> normal(0.1F, 1.0F);
    std::vector<float> values(10 * valuesPerSample);
    for (std::size_t index = 0; index < values.size(); ++index) {
        const std::size_t sample = index / valuesPerSample;
        values[index] = normal(engine) * (1.0F + 0.3F * static_cast<float>(sample * 7 % 10));
        if (sample == 1 || values[index] < -1.5F)
            values[index] = sample == 1 ? 0.0F : -1.5F;
    }
    values[2 * valuesPerSample + 7] = std::nanf("");
    values[2 * valuesPerSample + 8] = std::numeric_limits<float>::infinity();
    return values;
}

/// The values of an arrangement of samples, as if they had been recorded so.
struct Rearranged
{
    Rearranged(const Arrangement& arrangement, const std::vector<float>& all)
    {
        const std::size_t valuesPerSample = all.size() / 10;
        for (const std::uint32_t unit : arrangement.units)
            values.insert(values.end(),
                          all.begin() + static_cast<std::ptrdiff_t>(unit * valuesPerSample),
                          all.begin() + static_cast<std::ptrdiff_t>((unit + 1) * valuesPerSample));
        info = recordingOf(arrangement.units.size(), valuesPerSample);
    }

    [[nodiscard]] Outcome outcome(const Choice& choice) const
    {
        const ValueSource source = sourceOf(info, values);
        TensorProfile profile = collectProfile(source);
        return analyse(source, profile, std::vector{choice}, {.effort = MetricEffort::None})
            .front();
    }

    TensorInfo info;
    std::vector<float> values;
};

/// Every calibrator with its defaults under schemes of both kinds, and percentiles.
std::vector<Choice> choicesOfAllCalibrators()
{
    std::vector<Choice> choices;
    const auto add = [&](std::string_view id, const GivenSettings& given, SchemeKind scheme) {
        choices.push_back(makeChoice(id, given, scheme, Granularity::Tensor));
    };
    for (const Calibrator& calibrator : calibrators()) {
        add(calibrator.id, {}, SchemeKind::SymmetricRestricted);
        if (!calibrator.isSymmetricOnly)
            add(calibrator.id, {}, SchemeKind::Affine);
    }
    for (const char* alpha : {"50", "90", "99", "100"})
        for (const SchemeKind scheme : {SchemeKind::SymmetricFull, SchemeKind::Affine})
            add("percentile", {{"alpha", alpha}}, scheme);
    return choices;
}

/// Searches of histograms under every rule of growth.
std::vector<Choice> choicesOfAllRules()
{
    std::vector<Choice> choices;
    for (const GrowthRule& rule : growthRules())
        for (const char* id : {"entropy", "kl-window", "percentile"}) {
            GivenSettings given = {{"growth", std::string(rule.id)}};
            if (std::string(id) == "percentile")
                given["estimator"] = "hist-centre";
            try {
                choices.push_back(
                    makeChoice(id, given, SchemeKind::SymmetricRestricted, Granularity::Tensor));
            } catch (const std::exception&) {  // it does not take that rule
            }
        }
    return choices;
}

/// Compares the choices on arrangements of ten samples with analyse(); returns on how many both
/// gave an answer.
std::size_t compared(const std::vector<Choice>& choices, std::size_t valuesPerSample,
                     const std::vector<std::uint64_t>& memories)
{
    const std::vector<float> values = someValues(valuesPerSample);
    const ValueSource source = sourceOf(recordingOf(10, valuesPerSample), values);
    const UnitFacts facts = unitFacts(source, collectProfile(source), SampleUnit::Sample, {});
    std::vector<Arrangement> arrangements = {unitsFrom(facts.batchOf, 0, 4),
                                             shuffledBatches(facts.batchOf, 3, 0)};
    for (const std::size_t units : {10U, 6U})
        arrangements.push_back(drawnUnits(facts.batchOf, units, 3, 0));
    std::vector<std::vector<ArrangedAnswers>> found;
    for (const std::uint64_t memoryBytes : memories)
        found.push_back(calibrateArrangements(
            {.choices = choices,
             .arrangements = arrangements.size(),
             .arranged = [&](std::size_t index) { return arrangements[index]; },
             .isAsked = [](std::size_t, std::size_t) { return true; }},
            source, facts, memoryBytes, {}));
    std::size_t answered = 0;
    for (std::size_t arrangement = 0; arrangement < arrangements.size(); ++arrangement) {
        const Rearranged rearranged(arrangements[arrangement], values);
        for (std::size_t choice = 0; choice < choices.size(); ++choice) {
            INFO(choices[choice].calibrator << " " << choices[choice].settings.toText() << " "
                                            << schemeText(choices[choice].scheme.kind)
                                            << ", arrangement " << arrangement);
            const Outcome expected = rearranged.outcome(choices[choice]);
            for (const std::vector<ArrangedAnswers>& answers : found) {
                const ArrangedAnswers& own = answers[choice];
                CHECK(own.problem == expected.problem);
                if (!own.problem.empty() || !expected.problem.empty())
                    continue;
                const Quantizer& quantizer = own.answers[arrangement].quantizer;
                CHECK(quantizer.scale == expected.whole.quantizer.scale);
                CHECK(quantizer.zeroPoint == expected.whole.quantizer.zeroPoint);
                CHECK(quantizer.clip == expected.whole.quantizer.clip);
                ++answered;
            }
        }
    }
    return answered;
}

constexpr std::uint64_t enoughMemory = std::uint64_t{1} << 27;

TEST_CASE("each arrangement gives what analyse() gives on values that were recorded so")
{
    CHECK(compared(choicesOfAllCalibrators(), 80, {enoughMemory}) > 100);
}

TEST_CASE("histograms of arrangements are those of the values, for every rule of growth")
{
    // Samples of 80 values are counted one by one, those of 2500 from tables: of all arrangements
    // at once; of one after another; and where there is no room for one's tables, one by one, too.
    CHECK(compared(choicesOfAllRules(), 80, {enoughMemory}) > 50);
    CHECK(compared(choicesOfAllRules(), 2500, {enoughMemory, 8000000, 400000}) > 150);
}

TEST_CASE("histograms for which there is no room are refused")
{
    const std::vector<float> values = someValues(2500);
    const ValueSource source = sourceOf(recordingOf(10, 2500), values);
    const UnitFacts facts = unitFacts(source, collectProfile(source), SampleUnit::Sample, {});
    const std::vector<Choice> choices = {
        makeChoice("entropy", {}, SchemeKind::SymmetricFull, Granularity::Tensor),
        makeChoice("min-max", {}, SchemeKind::SymmetricFull, Granularity::Tensor)};
    const std::vector<ArrangedAnswers> found = calibrateArrangements(
        {.choices = choices,
         .arrangements = 1,
         .arranged = [&](std::size_t) { return unitsFrom(facts.batchOf, 0, 10); },
         .isAsked = [](std::size_t, std::size_t) { return true; }},
        source, facts, 60000, {});
    CHECK(found[0].problem.find("too many bins") != std::string::npos);
    CHECK(found[1].problem.empty());
}

TEST_CASE("what needs all values says so where they do not fit")
{
    const std::vector<float> values = someValues(80);
    const ValueSource source = sourceOf(recordingOf(10, 80), values);
    const UnitFacts facts = unitFacts(source, collectProfile(source), SampleUnit::Batch, {});
    const std::vector<Choice> choices = {
        makeChoice("l2", {}, SchemeKind::SymmetricFull, Granularity::Tensor),
        makeChoice("percentile", {}, SchemeKind::SymmetricFull, Granularity::Tensor)};
    const std::vector<Arrangement> all = {unitsFrom(facts.batchOf, 0, 5)};
    const std::vector<ArrangedAnswers> found =
        calibrateArrangements({.choices = choices,
                               .arrangements = all.size(),
                               .arranged = [&](std::size_t index) { return all[index]; },
                               .isAsked = [](std::size_t, std::size_t) { return true; }},
                              source, facts, 1000, {});
    CHECK(found[0].problem.find("do not fit") != std::string::npos);
    CHECK(found[1].problem.empty());
    CHECK(found[1].answers[0].threshold > 0.0);
}

}  // namespace arranged_calibration_test
