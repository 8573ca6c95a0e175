// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_candidate_model.h"

#include "tests/support/catch.h"

namespace models_layer_candidate_model_test {

using namespace calibscope;
using namespace calibscope::test;

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

}  // namespace models_layer_candidate_model_test
