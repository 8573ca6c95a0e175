// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_model.h"

#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "ui/document/decisions.h"
#include "ui/plot/number_label.h"

#include <limits>

namespace layer_model_test {

using namespace calibscope::test;
using namespace calibscope;

CandidateEffect effect(const char* label, double db, bool isDecided = false)
{
    return {.candidate = label,
            .label = label,
            .isDecided = isDecided,
            .outputSqnrDb = db,
            .differenceDb = db - 20.0,
            .problem = {}};
}

LayerCandidates someCandidates()
{
    LayerCandidates found;
    found.decided.input.tensor = "x";
    found.decided.weight.tensor = "w";
    found.input = {effect("min-max", 20.0, true), effect("percentile 99.99", 26.1)};
    found.weight = {effect("max", 20.0, true), effect("mse", 20.2), effect("l2", 0.0)};
    found.weight[2].outputSqnrDb.reset();
    found.weight[2].differenceDb.reset();
    found.weight[2].problem = "needs channels";
    found.bestInput = 1;
    found.bestWeight = 1;
    found.bestSqnrDb = 26.4;
    found.bestDifferenceDb = 6.4;
    return found;
}

TEST_CASE("candidates of both operands are listed, with what each would change")
{
    TableModel<LayerCandidateRow> model(layerCandidateTable());
    model.setRows(candidateEffectRows(someCandidates()));
    REQUIRE(model.rowCount() == 5);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    CHECK(text(0, LayerCandidateColumn::Operand) == "input  x");
    CHECK(text(0, LayerCandidateColumn::Difference) == "as it is");
    CHECK(text(0, LayerCandidateColumn::Accept).isEmpty());
    CHECK(text(1, LayerCandidateColumn::Candidate) == "★ percentile 99.99");
    CHECK(text(1, LayerCandidateColumn::Output) == "26.1");
    CHECK(text(1, LayerCandidateColumn::Difference) == "+6.1");
    CHECK(text(1, LayerCandidateColumn::Accept) == "accept");
    CHECK(text(3, LayerCandidateColumn::Operand) == "weight  w");
    CHECK(text(4, LayerCandidateColumn::Output) == "failed");
    CHECK(model.index(4, 0).data(Qt::ToolTipRole).toString() == "needs channels");
    CHECK_FALSE(model.index(4, LayerCandidateColumn::Output).data(tableSortRole).isValid());
}

TEST_CASE("the best alone and the best together are sentences")
{
    CHECK(bestSingleSentence(someCandidates()) == "percentile 99.99 on the input: +6.1 dB here.");
    CHECK(bestPairSentence(someCandidates()) ==
          "Best together: percentile 99.99 on the input, mse on the weight: 26.4 dB (+6.4).");
    LayerCandidates settled = someCandidates();
    settled.input.pop_back();
    settled.weight.resize(1);
    settled.bestInput = settled.bestWeight = 0;
    CHECK(bestSingleSentence(settled).isEmpty());
    CHECK_THAT(bestPairSentence(settled).toStdString(), containsText("No pair of candidates"));
    CHECK(bestPairSentence({}).isEmpty());
}

TEST_CASE("a pair of layers has its gain, or the reason why there is none")
{
    TableModel<Equalization> model(equalizationTable());
    model.setRows({{.first = "y1",
                    .second = "y2",
                    .activation = "y1",
                    .through = {},
                    .firstBeforeDb = 30.0,
                    .firstAfterDb = 31.0,
                    .secondBeforeDb = 20.0,
                    .secondAfterDb = 24.5,
                    .leastScale = 0.25,
                    .largestScale = 8.0,
                    .dominant = {{.channel = 7, .absMax = 80.0, .ratio = 12.5}}},
                   {.first = "y2",
                    .second = "y3",
                    .activation = "y2",
                    .through = {},
                    .whyNot = "is used elsewhere"}});
    REQUIRE(model.rowCount() == 2);
    const auto text = [&](int row, int column) {
        return model.index(row, column).data().toString();
    };
    CHECK(text(0, EqualizationColumn::Gain) == "+4.5");
    CHECK(text(0, EqualizationColumn::SecondDb) == "20.0 → 24.5");
    CHECK(text(0, EqualizationColumn::Scales) == "0.25 … 8");
    CHECK(text(0, EqualizationColumn::Dominant) == "7 (×12.5)");
    CHECK(text(1, EqualizationColumn::Gain) == "–");
    CHECK(text(1, EqualizationColumn::Notes) == "is used elsewhere");
    CHECK(model.index(0, EqualizationColumn::Gain).data(tableSortRole).toDouble() == 4.5);
    CHECK_FALSE(model.index(1, EqualizationColumn::Gain).data(tableSortRole).isValid());
}

struct ModelledLayers : LayeredDocument
{
    ModelledLayers()
    {
        layers().start();
        list();
        model.refresh();
    }
    QString text(int row, int column) const { return model.index(row, column).data().toString(); }
    TableModel<LayerRow> model{layerTable(document), [this] { return std::span(layers().rows()); }};
};

TEST_CASE("rows are layers, those that cannot be computed with their reason")
{
    ModelledLayers test;
    REQUIRE(test.model.rowCount() == 3);
    CHECK(test.text(0, LayerColumn::Layer) == "y1");
    CHECK(test.text(0, LayerColumn::Output) == "…");
    CHECK(test.text(2, LayerColumn::Output) == "–");
    CHECK(test.text(2, LayerColumn::Notes) == "input `gone` is not in the dump");
}

TEST_CASE("numbers come with their interval, and say how many positions they are from")
{
    ModelledLayers test;
    test.answerLayer(30.0);
    CHECK(test.text(0, LayerColumn::Output) == "30.0 ± 1.5");
    CHECK(test.text(0, LayerColumn::Ac) == "28.0");
    CHECK(test.text(0, LayerColumn::InputDb) == "31.0");
    CHECK(test.text(0, LayerColumn::WeightDb) == "36.0");
    CHECK(test.text(0, LayerColumn::Positions) ==
          QStringLiteral("≈ 256 of %1").arg(countLabel(10000)));
    CHECK(test.text(0, LayerColumn::Residual) == "3×10⁻⁷");
    CHECK(test.model.index(0, LayerColumn::Output).data(tableSortRole).toDouble() == 30.0);
    CHECK_FALSE(test.model.index(2, LayerColumn::Output).data(tableSortRole).isValid());
    test.layers().computeExactly(0);
    test.answerAll();
    CHECK(test.text(0, LayerColumn::Positions) == QStringLiteral("all %1").arg(countLabel(10000)));
    CHECK(test.text(0, LayerColumn::Output) == "30.0");
}

TEST_CASE("a row says what quantizes its operands, and who says so")
{
    ModelledLayers test;
    CHECK(test.text(0, LayerColumn::Input) == "x1  percentile 99.999");
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(test.text(0, LayerColumn::Input) == "x1  min-max (accepted)");
    CHECK_THAT(test.text(2, LayerColumn::Input).toStdString(), containsText("float"));
}

TEST_CASE("what is to be known of a row is told in sentences")
{
    ModelledLayers test;
    test.answerLayer(30.0);
    const std::string told = layerSentences(test.layers().rows()[0]).join(u' ').toStdString();
    CHECK_THAT(told,
               containsText("From 256 of " + countLabel(10000).toStdString() + " positions.") &&
                   containsText("residual of 3×10⁻⁷") && containsText("Attributes as recorded.") &&
                   containsText("(the bias) gains 0.5 dB"));
    LayerRow found = test.layers().rows()[0];
    found.found.attributes = "found by recomputing: pads 1, strides 2";
    found.found.residual.reset();
    found.found.notes = {"estimated, seed 1"};
    CHECK(layerSentences(found).last() == "estimated, seed\u00a01");  // on one line
    const std::string other = layerSentences(found).join(u' ').toStdString();
    CHECK_THAT(other, containsText("Attributes found by recomputing: pads 1, strides 2.") &&
                          containsText("no recorded output to check it with"));
    CHECK(layerSentences(test.layers().rows()[2]) ==
          QStringList{"input `gone` is not in the dump"});
}

TEST_CASE("infinite and missing ratios have a text")
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    CHECK(layerDbText(inf, 0.3) == "∞");
    CHECK(layerDbText({}) == "–");
    CHECK(dbChangeText(6.1) == "+6.1");
    CHECK(dbChangeText(-0.3) == "−0.3");
}

}  // namespace layer_model_test
