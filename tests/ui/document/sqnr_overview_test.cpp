// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/sqnr_overview.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/tensor_diagnosis.h"

namespace sqnr_overview_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

TensorInfo tensorOf(const std::string& name, Role role = Role::Activation)
{
    return {.name = name, .path = "/" + name, .role = role, .shape = {8, 4}};
}

struct Tested
{
    Tested()
    {
        document.open("/a.h5");
        FakeEngine::answer(waited.opens,
                           protocol::DumpOpened{
                               .tensors = {tensorOf("softmax_9.tmp_0"), tensorOf("w", Role::Weight),
                                           tensorOf("swish_1.tmp_0"), tensorOf("b", Role::Bias)}});
    }
    void take(int tensor, double db, FindingKind kind = FindingKind::RoundingBound)
    {
        document.previews().take(tensor, {.extents = {},
                                          .sparkline = {},
                                          .sqnrDb = db,
                                          .notes = {},
                                          .findings = {{kind, 0.99, "text"}}});
    }
    QString sentence() const
    {
        return overviewSentence(document, sqnrOverview(document, 30.0), 30.0);
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
};

TEST_CASE("the overview has activations, then weights, and no biases")
{
    Tested test;
    test.take(0, 29.0);
    const SqnrOverview overview = sqnrOverview(test.document, 30.0);
    REQUIRE(overview.entries.size() == 3);
    CHECK(overview.entries[1].tensor == 2);
    CHECK(overview.entries[2].tensor == 1);
    CHECK(overview.known == 1);
    CHECK(overview.waiting == 2);
    CHECK(overview.below == 1);
    edits::setExcluded(test.document, {0}, true);
    CHECK(sqnrOverview(test.document, 30.0).below == 0);
}

TEST_CASE("one sentence tells how many are below the limit, which, and why")
{
    Tested test;
    CHECK(test.sentence() == "Reading the tensors...");
    test.take(0, 27.2);
    CHECK(test.sentence() ==
          "1 of 1 is below 30 dB, a softmax: rounding, not clipping. 2 still to be read.");
    test.take(1, 40.0);
    test.take(2, 28.9);
    CHECK(test.sentence() ==
          "2 of 3 are below 30 dB, all softmax or swish: rounding, not clipping.");
    test.take(2, 28.9, FindingKind::ClippingBound);
    CHECK(test.sentence() ==
          "2 of 3 are below 30 dB, all softmax or swish: rounding in 1, clipping in 1.");
    test.take(0, 30.0);
    test.take(2, 31.0);
    CHECK(test.sentence() == "All 3 reach 30 dB.");
}

Extents extentsWith(double max, double second, std::uint64_t finite)
{
    Extents extents;
    extents.finite = finite;
    extents.max = max;
    extents.absSecond = second;
    return extents;
}

TEST_CASE("one value is the signal where it has 99 % of the energy, at least")
{
    CHECK(isSignalOfOneValue(extentsWith(2.9e37, 3.0, 216)));
    CHECK_FALSE(isSignalOfOneValue(extentsWith(6.0, 3.0, 216)));  // lone, and little energy
    CHECK(isSignalOfOneValue(extentsWith(10.0, 1.0, 2)));         // 100 of 101
    CHECK_FALSE(isSignalOfOneValue(extentsWith(9.9, 1.0, 2)));
    CHECK_FALSE(isSignalOfOneValue(extentsWith(5.0, 0.0, 1)));  // the only one
    CHECK_FALSE(isSignalOfOneValue({}));
}

TEST_CASE("an SQNR that one value makes is not counted as reached, and told with its tensor")
{
    Tested test;
    test.take(0, 31.0);
    test.take(2, 35.0);
    test.document.previews().take(1, {.extents = extentsWith(2.9e37, 3.0, 216),
                                      .sparkline = {},
                                      .sqnrDb = 743.0,
                                      .notes = {},
                                      .findings = {}});
    const SqnrOverview overview = sqnrOverview(test.document, 30.0);
    CHECK(overview.ofOneValue == 1);
    CHECK(overview.entries[2].isOfOneValue);
    CHECK(test.sentence() ==
          "2 of 3 reach 30 dB. One value alone makes the signal of w (2.9×10³⁷): its SQNR says "
          "nothing of the other values.");
    test.take(0, 29.0);
    CHECK_THAT(test.sentence().toStdString(), test::containsText("1 of 3 is below 30 dB") &&
                                                  test::containsText("signal of w (2.9×10³⁷)"));
}

TEST_CASE("tensors that can't be read are not said to reach the limit")
{
    Tested test;
    test.take(0, 40.0);
    test.take(1, 40.0);
    test.document.previews().fail(2, "its values are damaged");
    CHECK(sqnrOverview(test.document, 30.0).failed == 1);
    CHECK(test.sentence() == "2 that could be read reach 30 dB. 1 can't be read.");
    test.take(1, 20.0);
    CHECK(test.sentence().endsWith(" 1 can't be read."));
}

TEST_CASE("what was read and has no SQNR is counted, too")
{
    Tested test;
    test.take(0, 40.0);
    test.take(1, 40.0);
    test.document.previews().take(
        2, {.extents = {.nan = 3}, .sparkline = {}, .sqnrDb = {}, .notes = {}});
    CHECK(test.sentence() ==
          "All 2 reach 30 dB. 1 has no SQNR: integers, or no finite value but 0.");
    edits::chooseRecipe(test.document, "google-tpu");
    for (const int tensor : {0, 1, 2})
        test.document.previews().take(tensor,
                                      {.sqnrDb = tensor == 1 ? std::optional(40.0) : std::nullopt});
    CHECK(test.sentence() ==
          "The tensor reaches 30 dB. 2 activations are not covered by this recipe.");
}

TEST_CASE("what kind a tensor is, is told by a numbered name, else by its op")
{
    const auto kind = [](const char* name, const char* op) {
        TensorInfo tensor = tensorOf(name);
        tensor.op = op;
        return kindWord(tensor);
    };
    CHECK(kind("softmax_10.tmp_0", "Softmax") == "softmax");
    CHECK(kind("det.hardswish_81.tmp_0", "Div") == "hardswish");
    CHECK(kind("batch_norm_3.tmp_2", "BatchNormalization") == "batch_norm");
    CHECK(kind("conv2d_10.w_0", "Conv") == "conv2d");
    CHECK(kind("p2o.Add.235", "Add") == "Add");
    CHECK(kind("tmp_0", "Mul") == "Mul");
    CHECK(kind("x", "").isEmpty());
}

TEST_CASE("decisions are counted, and what follows the recipe has its SQNR")
{
    Tested test;
    CHECK(decisionOverview(test.document).decided == 0);
    test.take(0, 27.0);
    test.take(2, 33.0);
    (void)acceptRecipe(test.document, {0, 2});
    const DecisionOverview overview = decisionOverview(test.document);
    CHECK(overview.decided == 2);
    CHECK(overview.known == 2);
    CHECK(overview.meanDb == 30.0);
    CHECK(overview.worstDb == 27.0);
    CHECK(overview.recipeMeanDb == 30.0);
    CHECK(overview.recipeWorstDb == 27.0);
}

TEST_CASE("a tensor stands by what was accepted for it, beside it what the recipe would give")
{
    Tested test;
    (void)acceptCandidate(test.document, {0}, "entropy");
    while (!test.background.previews.empty()) {
        const std::optional<Choice>& choice = test.background.previews.front().request.choice;
        const bool isOfDecision = choice && choice->calibrator == "entropy";
        FakeEngine::answer(test.background.previews,
                           protocol::Preview{.sqnrDb = isOfDecision ? 31.0 : 27.0});
    }
    const SqnrOverview overview = sqnrOverview(test.document, 30.0);
    CHECK(overview.below == 2);
    CHECK(overview.entries[0].sqnrDb == 31.0);
    CHECK(overview.entries[0].recipeDb == 27.0);
    CHECK(overview.entries[1].sqnrDb == 27.0);
    CHECK_FALSE(overview.entries[1].recipeDb);
    CHECK(test.sentence().startsWith("2 of 3 are below 30 dB"));
}

TEST_CASE("a recipe says what it does, and one that covers nothing is called so at once")
{
    Tested test;
    CHECK(recipeWords(test.document) == "percentile 99.999; weights min-max");
    CHECK_FALSE(recipeCoversNone(test.document));
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    document.open("/a.h5");
    FakeEngine::answer(waited.opens,
                       protocol::DumpOpened{.tensors = {tensorOf("a"), tensorOf("b")}});
    edits::chooseRecipe(document, "google-tpu");
    CHECK(recipeCoversNone(document));
    CHECK(recipeWords(document).isEmpty());
    CHECK(overviewSentence(document, sqnrOverview(document, 30.0), 30.0)
              .endsWith(" covers none of these tensors."));
}

TEST_CASE("another recipe leaves of a diagnosis what is true under any")
{
    Tested test;
    test.take(0, 27.0);
    test.document.previews().take(2, {.extents = {},
                                      .sparkline = {},
                                      .sqnrDb = 20.0,
                                      .notes = {},
                                      .findings = {{FindingKind::HeavyTail, 4.0, "tail"},
                                                   {FindingKind::ClippingBound, 0.9, "clipping"}}});
    edits::chooseRecipe(test.document, "nvidia-entropy");
    const auto taken = test.document.previews().shared();
    REQUIRE(taken->find(2));
    REQUIRE(taken->find(2)->findings.size() == 1);
    CHECK(taken->find(2)->findings[0].kind == FindingKind::HeavyTail);
}

TEST_CASE("a diagnosis is one sentence in which rounding, the most frequent finding, comes last")
{
    const std::vector<TensorFinding> findings{
        {FindingKind::HeavyTail, 5.62, "heavy tail: 5.62 times"},
        {FindingKind::OneSided, 0.0, "one-sided: nothing below 0"},
        {FindingKind::DominantChannels, 1.0, "1 dominant channel (3), up to 56 times the median"},
        {FindingKind::RoundingBound, 0.978, "rounding-bound: 97.8 %"}};
    CHECK(diagnosisSentence({.findings = findings}) ==
          "Heavy tail (max 5.6 × p99.9), one-sided, 1 dominant channel (3), up to 56 times the "
          "median, rounding-bound (97.8 %).");
    CHECK(diagnosisSentence({.findings = findings}, 2) ==
          "Heavy tail (max 5.6 × p99.9), one-sided and 2 more.");
    CHECK(diagnosisTitles(findings) == "heavy tail, one-sided, dominant channels, rounding-bound");
    CHECK(diagnosisLines(findings).back() == "Rounding-bound: 97.8 %.");
    CHECK(diagnosisTitles({}).isEmpty());
    CHECK(diagnosisSentence(protocol::Preview{}).startsWith("No issues"));
    const std::vector<TensorFinding> usual{{FindingKind::RoundingBound, 1.0, "rounding-bound"}};
    CHECK(diagnosisSentence({.findings = usual}) == "No issues, rounding-bound (100 %).");
    // Below the limit something is wrong, known or not.
    for (const std::vector<TensorFinding>& found : {usual, {}})
        CHECK(diagnosisSentence({.sqnrDb = 29.3, .findings = found})
                  .startsWith("Nothing found that explains 29.3 dB: no heavy tail"));
}

TEST_CASE("a diagnosis begins with what makes every number after it meaningless")
{
    CHECK(diagnosisSentence({.extents = extentsWith(1e30, 3.0, 1000)})
              .startsWith("One value (1×10³⁰) is the signal"));
    CHECK(diagnosisSentence({.extents = extentsWith(1e-42, 9e-43, 1000)}).contains("subnormal"));
    // 127 times the least normal float32 is 1.4928e-36.
    CHECK(diagnosisSentence({.extents = extentsWith(1.4927e-36, 1e-36, 9)}).contains("subnormal"));
    CHECK(diagnosisSentence({.extents = extentsWith(1.493e-36, 1e-36, 9)}).startsWith("No issues"));
    CHECK(diagnosisSentence({.extents = extentsWith(0.0, 0.0, 9)}).startsWith("No issues"));
}

}  // namespace sqnr_overview_test
