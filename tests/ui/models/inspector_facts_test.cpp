// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/inspector_facts.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "tests/support/view_samples.h"

#include <algorithm>
#include <limits>

namespace inspector_facts_test {

using namespace calibscope;
using calibscope::test::Approx;

/// The value beside that name; empty if there is none.
QString fact(const FactSection& section, const QString& name)
{
    const auto found = std::ranges::find(section.facts, name, &std::pair<QString, QString>::first);
    return found == section.facts.end() ? QString() : found->second;
}

Histogram histogramOf(std::vector<std::uint64_t> counts, double high)
{
    return {.spec = {.bins = static_cast<int>(counts.size())},
            .low = 0.0,
            .high = high,
            .counts = std::move(counts),
            .notes = {}};
}

OutcomeRow entropyRow()
{
    OutcomeRow row;
    row.candidate.choice = makeChoice("entropy", {{"first-bin", "discarded"}},
                                      SchemeKind::SymmetricRestricted, Granularity::Tensor);
    row.candidate.choice.note = "treated as an activation";
    row.candidate.label = "entropy, first bin discarded";
    row.recipeTitles = {"NVIDIA, entropy"};
    return row;
}

TEST_CASE("a quantile of a histogram is linear inside its bin")
{
    const Histogram histogram = histogramOf({2, 0, 2}, 3.0);
    CHECK(estimatedQuantile(histogram, 0.25) == Approx(0.5));
    CHECK(estimatedQuantile(histogram, 0.5) == Approx(1.0));
    CHECK(estimatedQuantile(histogram, 0.75) == Approx(2.5));
    CHECK(estimatedQuantile(histogram, 1.0) == Approx(3.0));
    CHECK_FALSE(estimatedQuantile(histogramOf({0, 0}, 1.0), 0.5));
}

TEST_CASE("whether samples are enough is one sentence, of an affine scheme on the range's width")
{
    SampleStudy study{
        .choice = makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor),
        .unit = SampleUnit::Sample,
        .units = 16,
        .threshold = 2.0,
        .thresholdBand = SampleBand{.low = 1.95, .high = 2.05},
        .whyNoBand = {},
        .convergedWithin5 = 4};
    CHECK(studyAnswer(study) ==
          "16 samples are enough; others would give a threshold of 1.95 … 2.05 (95 %).");
    study.convergedWithin5 = 15;
    study.choice.scheme.kind = SchemeKind::Affine;
    CHECK(studyAnswer(study) == "16 samples are not enough; others would give a width of the "
                                "range of 1.95 … 2.05 (95 %).");
    study.thresholdBand.reset();
    CHECK(studyAnswer(study) == "16 samples are too few to tell.");
    study.whyNoBand = "one sample alone";
    CHECK(studyAnswer(study) == "whether 16 samples are enough is unknown: one sample alone");
}

TEST_CASE("where there is a problem there is no result")
{
    OutcomeRow row = entropyRow();
    row.outcome = Outcome{.problem = "affine is refused"};
    CHECK(resultFacts(row).facts.empty());
}

TEST_CASE("a result has more digits than the table, shares as percent, and marks estimates")
{
    OutcomeRow row = entropyRow();
    Outcome outcome;
    ScaleRow& whole = outcome.whole;
    whole.quantizer.scale = 0.029277937316;
    whole.quantizer.clip = {-3.7183, 3.7183};
    whole.metrics = {{"sqnr_db", 28.8912}, {"clipped_share", 1.302e-5}};
    whole.hasExactMetrics = true;
    row.outcome = outcome;
    CHECK(fact(resultFacts(row), "Scale") == "0.0292779373");
    CHECK(fact(resultFacts(row), "Clip range") == "−3.7183 … 3.7183");
    CHECK(fact(resultFacts(row), "SQNR") == "28.89");
    CHECK(fact(resultFacts(row), "Clipped") == "0.001302 %");
    CHECK(fact(resultFacts(row), "Zero point").isEmpty());
    whole.hasExactMetrics = false;
    whole.quantizer.zeroPoint = -12.0;
    row.outcome = outcome;
    CHECK(fact(resultFacts(row), "SQNR") == "≈ 28.89");
    CHECK(fact(resultFacts(row), "Zero point") == "−12");
}

TEST_CASE("statistics tell counts with their share, and nothing of values that are not there")
{
    TensorProfile profile;
    profile.info.shape = {1, 5};
    profile.moments.add(
        std::vector<float>{-1.0F, 0.0F, 0.0F, 3.0F, std::numeric_limits<float>::quiet_NaN()});
    profile.firstNotFinite.nan = 4;
    profile.histograms = {histogramOf({2, 1, 1}, 3.0)};
    profile.histograms[0].spec = {.domain = Domain::Magnitude};
    const FactSection section = statisticsFacts(profile);
    CHECK(fact(section, "min … max") == "−1 … 3");
    CHECK(fact(section, "zeros") == "2 (40 %)");
    CHECK(fact(section, "NaN") == "1 (20 %), first at [0, 4]");
    CHECK(fact(section, "infinite") == "0");
    CHECK(fact(section, "mean") == "0.5");
    CHECK(fact(section, "p99.9 of |x|").startsWith("≈ 2.99"));
    profile.moments.add(std::vector<float>(1000, 0.5F));
    profile.histograms[0].counts = {1003, 0, 1};
    profile.histograms[0].high = 3e30;  // of one value that the sketch has no more
    CHECK(fact(statisticsFacts(profile), "p99.9 of |x|") == "at most 1");

    const FactSection empty = statisticsFacts(TensorProfile{});
    CHECK(fact(empty, "min … max").isEmpty());
    CHECK(fact(empty, "zeros") == "0");
}

TEST_CASE("provenance says where a tensor lies and whether its layout is a guess")
{
    const TensorInfo tensor{.name = "a",
                            .path = "/activations/a",
                            .batchAxis = 0,
                            .layoutRule = "shape",
                            .isGuess = true,
                            .compression = "none"};
    const FactSection section = provenanceFacts(tensor);
    CHECK(fact(section, "path") == "/activations/a");
    CHECK(fact(section, "batch axis") == "0");
    CHECK(fact(section, "channel axis") == "none");
    CHECK(fact(section, "layout guessed by") == "shape");
    CHECK(fact(section, "checksum").isEmpty());
}

TEST_CASE("statistics and provenance report how much of a tensor its mask counts")
{
    TensorProfile profile;
    profile.info.mask = {.path = "/m", .counted = 613, .of = 1000};
    const QString text = "61.3 % of positions count (mask /m)";
    CHECK(statisticsFacts(profile).sentences == QStringList{text});
    CHECK(fact(provenanceFacts(profile.info), "mask") == text);
    CHECK(fact(provenanceFacts({}), "mask").isEmpty());
    profile.info.mask->counted = 999'999;
    profile.info.mask->of = 1'000'000;
    CHECK(maskText(profile.info).starts_with("99.9 %"));
    profile.info.mask->counted = 1;
    CHECK(maskText(profile.info).starts_with("0.1 %"));
}

TEST_CASE("statistics tell what reading has lost, a sentence each")
{
    TensorProfile profile;
    profile.moments.add(std::vector<float>{0.0F, 1.0F});
    CHECK(statisticsFacts(profile).sentences.isEmpty());
    profile.moments.extents.add(ReadingLoss::Underflow);
    profile.moments.extents.add(ReadingLoss::Rounding);
    CHECK(statisticsFacts(profile).sentences ==
          QStringList{"1 value other than 0 is read as 0: too small for float32",
                      "1 integer beyond 16777216 loses digits in float32"});
}

TEST_CASE(
    "a study tells when a scale has converged, between what it lies, and what is to be doubted")
{
    SampleStudy study = test::unconvergedStudy(test::choiceOf("percentile"));
    study.order = OrderSpread{
        .orders = 20, .thresholds = {3.9, 4.1}, .share = 0.05, .sqnrDb = Range{29.5, 30.0}};
    study.heldOut =
        HeldOut{.parts = {{}, {}, {}, {}}, .sqnrDb = 28.5, .seenSqnrDb = 30.0, .gapDb = 1.5};
    const FactSection section = studyFacts(study);
    CHECK(fact(section, "converged") == "after 4 (1 %), after 4 (5 %) of 4 batches");
    CHECK(fact(section, "threshold, 95 %") == "3 … 4.5");
    CHECK(fact(section, "threshold in 20 other orders") == "3.9 … 4.1, 5 %, 29.50 … 30.00 dB");
    CHECK(fact(section, "held out (4 parts)") == "28.50 dB, 1.50 dB below what was seen");
    CHECK(fact(section, "drawn") == "200 resamples, seed 1");
    CHECK(section.sentences.join(u' ').contains(QStringLiteral("± ")));
    study.thresholdBand = SampleBand{.low = 3.0, .high = std::nullopt};
    CHECK(studyFacts(study).facts[1].second == "3 or more");
    study.problem = "was recorded in one batch";
    CHECK(studyFacts(study).facts.empty());
    CHECK(studyFacts(study).sentences == QStringList{"was recorded in one batch"});
}

TEST_CASE("what a recipe does to all tensors is told by limit and by role")
{
    SqnrOverview overview;
    const auto add = [&](Role role, std::optional<double> db) {
        overview.entries.push_back({.tensor = 0, .role = role, .sqnrDb = db});
        overview.known += db ? 1U : 0U;
        overview.below += db && *db < 30.0 ? 1U : 0U;
    };
    CHECK(overviewFacts(overview, {}).facts.empty());
    for (const double db : {18.0, 25.0, 40.0})
        add(Role::Activation, db);
    add(Role::Weight, 45.0);
    add(Role::Weight, std::nullopt);
    const FactSection section = overviewFacts(overview, {.poor = 20.0, .good = 30.0});
    const std::vector<std::pair<QString, QString>> expected = {{"SQNR known of", "4 of 5"},
                                                               {"30 dB and above", "2"},
                                                               {"below 30 dB", "2"},
                                                               {"of these below 20 dB", "1"},
                                                               {"activations, median", "25 dB"},
                                                               {"activations, lowest", "18 dB"},
                                                               {"weights, median", "45 dB"},
                                                               {"weights, lowest", "45 dB"}};
    CHECK(section.facts == expected);
    overview.entries.push_back(
        {.tensor = 0, .role = Role::Weight, .sqnrDb = 700.0, .isOfOneValue = true});
    ++overview.known;
    ++overview.ofOneValue;
    const std::vector<std::pair<QString, QString>> facts =
        overviewFacts(overview, {.poor = 20.0, .good = 30.0}).facts;
    CHECK(facts[1] == std::pair<QString, QString>("30 dB and above", "2"));
    CHECK(facts[4] == std::pair<QString, QString>("signal of one value", "1"));
    CHECK(facts.back().second == "45 dB");
}

TEST_CASE("what the source states and what was chosen stand under headings of their own")
{
    Recipe recipe;
    recipe.title = "A recipe";
    recipe.source = "A paper";
    recipe.states = {"one", "two"};
    recipe.chosen = {"three"};
    const std::vector<FactSection> sections = recipeFacts(recipe);
    REQUIRE(sections.size() == 3);
    CHECK(sections[0].sentences == QStringList{"A paper"});
    CHECK(sections[1].title == "Source");
    CHECK(sections[1].sentences == QStringList{"one", "two"});
    CHECK(sections[2].title == "Our choice");
    CHECK(sections[2].sentences == QStringList{"three"});
    recipe.chosen.clear();
    CHECK(recipeFacts(recipe).size() == 2);
}

}  // namespace inspector_facts_test
