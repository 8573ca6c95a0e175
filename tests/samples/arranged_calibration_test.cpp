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

using namespace calibscope;
using namespace calibscope::samples;

namespace {

constexpr std::size_t valuesPerSample = 80;

/// So many samples, two in each batch.
TensorInfo recordingOf(std::size_t samples)
{
    return {.name = "a",
            .role = Role::Activation,
            .shape = {samples, valuesPerSample},
            .batchAxis = 0,
            .batchSize = 2};
}

/// Ten samples that reach unequally far; the second is of zeros, some values are not finite, many
/// are equal.
std::vector<float> someValues()
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
    values[170] = std::nanf("");
    values[171] = std::numeric_limits<float>::infinity();
    return values;
}

/// The values of an arrangement of samples, as if they had been recorded so.
struct Rearranged
{
    Rearranged(const Arrangement& arrangement, const std::vector<float>& all)
    {
        for (const std::uint32_t unit : arrangement.units)
            values.insert(values.end(), all.begin() + unit * valuesPerSample,
                          all.begin() + (unit + 1) * valuesPerSample);
        info = recordingOf(arrangement.units.size());
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

/// Every calibrator with its defaults under schemes of both kinds, and the histogram searches under
/// every rule of growth.
std::vector<Choice> someChoices()
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
    for (const GrowthRule& rule : growthRules())
        for (const char* id : {"entropy", "mse", "kl-window", "percentile"}) {
            GivenSettings given = {{"growth", std::string(rule.id)}};
            if (std::string(id) == "percentile")
                given["estimator"] = "hist-centre";
            try {
                add(id, given, SchemeKind::SymmetricRestricted);
            } catch (const std::exception&) {  // has no such setting
            }
        }
    for (const char* alpha : {"50", "90", "99", "100"})
        for (const SchemeKind scheme : {SchemeKind::SymmetricFull, SchemeKind::Affine})
            add("percentile", {{"alpha", alpha}}, scheme);
    return choices;
}

}  // namespace

TEST_CASE("each arrangement gives what analyse() gives on values that were recorded so")
{
    const std::vector<float> values = someValues();
    const ValueSource source = sourceOf(recordingOf(10), values);
    const TensorProfile profile = collectProfile(source);
    const UnitFacts facts = unitFacts(source, profile, SampleUnit::Sample, {});
    const std::vector<Choice> choices = someChoices();
    std::vector<Arrangement> arrangements = {firstUnits(facts.batchOf, 4),
                                             firstUnits(facts.batchOf, 10),
                                             shuffledBatches(facts.batchOf, 3, 0)};
    for (const std::size_t units : {10U, 6U})
        arrangements.push_back(drawnUnits(facts.batchOf, units, 3, 0));

    const auto found = [&](std::uint64_t memoryBytes) {
        return calibrateArrangements({.choices = choices,
                                      .arrangements = arrangements,
                                      .isAsked = [](std::size_t, std::size_t) { return true; }},
                                     source, facts, memoryBytes, {});
    };
    const std::vector<ArrangedAnswers> atOnce = found(std::uint64_t{1} << 26);
    const std::vector<ArrangedAnswers> oneByOne = found(20000);  // for the counts of one each
    std::size_t compared = 0;
    for (std::size_t arrangement = 0; arrangement < arrangements.size(); ++arrangement) {
        const Rearranged rearranged(arrangements[arrangement], values);
        for (std::size_t choice = 0; choice < choices.size(); ++choice) {
            INFO(choices[choice].calibrator << " " << choices[choice].settings.toText() << " "
                                            << schemeText(choices[choice].scheme.kind)
                                            << ", arrangement " << arrangement);
            const Outcome expected = rearranged.outcome(choices[choice]);
            for (const std::vector<ArrangedAnswers>* answers : {&atOnce, &oneByOne}) {
                const ArrangedAnswers& own = (*answers)[choice];
                if (!expected.problem.empty()) {
                    CHECK(own.problem == expected.problem);
                    continue;
                }
                REQUIRE(own.problem.empty());
                const Quantizer& quantizer = own.answers[arrangement].quantizer;
                CHECK(quantizer.scale == expected.whole.quantizer.scale);
                CHECK(quantizer.zeroPoint == expected.whole.quantizer.zeroPoint);
                CHECK(quantizer.clip == expected.whole.quantizer.clip);
                ++compared;
            }
        }
    }
    CHECK(compared > 100 * arrangements.size());
}

TEST_CASE("what needs all values says so where they do not fit")
{
    const std::vector<float> values = someValues();
    const ValueSource source = sourceOf(recordingOf(10), values);
    const UnitFacts facts = unitFacts(source, collectProfile(source), SampleUnit::Batch, {});
    const std::vector<Choice> choices = {
        makeChoice("l2", {}, SchemeKind::SymmetricFull, Granularity::Tensor),
        makeChoice("percentile", {}, SchemeKind::SymmetricFull, Granularity::Tensor)};
    const std::vector<Arrangement> all = {firstUnits(facts.batchOf, 5)};
    const std::vector<ArrangedAnswers> found =
        calibrateArrangements({.choices = choices,
                               .arrangements = all,
                               .isAsked = [](std::size_t, std::size_t) { return true; }},
                              source, facts, 1000, {});
    CHECK(found[0].problem.find("do not fit") != std::string::npos);
    CHECK(found[1].problem.empty());
    CHECK(found[1].answers[0].threshold > 0.0);
}
