// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/steps_model.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <QFont>

#include <cmath>

namespace steps_model_test {

using namespace calibscope;

ExplainRow rowOf(const std::string& name, double threshold, double sqnrDb)
{
    ExplainRow row{.step = {.name = name,
                            .choice = makeChoice("min-max", {}, SchemeKind::SymmetricRestricted,
                                                 Granularity::Tensor)},
                   .outcome = Outcome{}};
    row.outcome->whole.clip.threshold = threshold;
    row.outcome->whole.quantizer.scale = threshold / 127.0;
    row.outcome->whole.metrics = {{"sqnr_db", sqnrDb}};
    row.outcome->whole.hasExactMetrics = true;
    return row;
}

struct Steps
{
    void setRows(const std::vector<ExplainRow>& others) { model.setRows(stepRows(others)); }

    TableModel<StepRow> model{stepsTable()};
};

QString text(const TableModel<StepRow>& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

TEST_CASE("each step tells its numbers and what it changed")
{
    Steps steps;
    TableModel<StepRow>& model = steps.model;
    steps.setRows({rowOf("percentile", 2.0, 30.0), rowOf("alpha", 2.0, 30.0),
                   rowOf("scheme", 4.0, 28.75), rowOf("last", 3.0, 29.0)});
    CHECK(text(model, 0, StepColumn::Step) == "percentile");
    CHECK(text(model, 0, StepColumn::Threshold) == "2");
    CHECK(text(model, 0, StepColumn::ScaleChange).isEmpty());
    CHECK(text(model, 1, StepColumn::ScaleChange) == "same");
    CHECK(text(model, 1, StepColumn::SqnrChange) == "same");
    CHECK(text(model, 2, StepColumn::ScaleChange) == "×2");
    CHECK(text(model, 2, StepColumn::SqnrChange) == "−1.25");
    CHECK(text(model, 3, StepColumn::ScaleChange) == "×0.75");
    CHECK(text(model, 3, StepColumn::SqnrChange) == "+0.25");
}

TEST_CASE("the step that changes the scale most stands out")
{
    Steps steps;
    TableModel<StepRow>& model = steps.model;
    steps.setRows({rowOf("from", 2.0, 30.0), rowOf("half", 1.0, 30.0), rowOf("to", 1.5, 30.0)});
    CHECK(model.row(1).isDecisive);
    CHECK(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(model.row(0).isDecisive);
    CHECK_FALSE(model.row(2).isDecisive);
    steps.setRows({rowOf("from", 2.0, 30.0), rowOf("same", 2.0, 30.0)});
    CHECK_FALSE(model.row(1).isDecisive);
}

TEST_CASE("steps without numbers say so")
{
    Steps steps;
    TableModel<StepRow>& model = steps.model;
    ExplainRow failed = rowOf("failed", 1.0, 1.0);
    failed.outcome->problem = "refuses affine schemes";
    ExplainRow waiting = rowOf("waiting", 1.0, 1.0);
    waiting.outcome.reset();
    ExplainRow estimate = rowOf("estimate", 1.0, 20.0);
    estimate.outcome->whole.hasExactMetrics = false;
    steps.setRows({waiting, failed, estimate});
    CHECK(text(model, 0, StepColumn::Scale) == "…");
    CHECK(text(model, 1, StepColumn::Threshold) == "failed");
    CHECK(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("refuses affine schemes"));
    CHECK(text(model, 2, StepColumn::Sqnr) == "≈20.00");
    CHECK(text(model, 2, StepColumn::ScaleChange) == "–");
}

TEST_CASE("a waterfall has the ends of each step, and one axis for all")
{
    Steps steps;
    ExplainRow failed = rowOf("failed", 1.0, 99.0);
    failed.outcome->problem = "a reason";
    steps.setRows(
        {rowOf("from", 2.0, 30.0), rowOf("loses", 4.0, 24.5), rowOf("gains", 3.0, 36.25), failed});
    const auto role = [&steps](int row, int wanted) {
        return steps.model.index(row, StepColumn::Waterfall).data(wanted);
    };
    CHECK_FALSE(role(0, StepFromRole).isValid());
    CHECK(role(0, StepToRole).toDouble() == 30.0);
    CHECK(role(1, StepFromRole).toDouble() == 30.0);
    CHECK(role(1, StepToRole).toDouble() == 24.5);
    CHECK(role(2, StepFromRole).toDouble() == 24.5);
    CHECK_FALSE(role(3, StepToRole).isValid());
    for (int row = 0; row < 4; ++row) {
        CHECK(role(row, StepLeastRole).toDouble() == 24.5);
        CHECK(role(row, StepMostRole).toDouble() == 36.25);
    }
    steps.setRows({rowOf("from", 2.0, 30.0), rowOf("same", 2.0, 30.0), rowOf("to", 2.0, 30.002)});
    CHECK(std::abs(role(2, StepLeastRole).toDouble() - 29.501) < 1e-9);
    CHECK(std::abs(role(2, StepMostRole).toDouble() - 30.501) < 1e-9);
}

}  // namespace steps_model_test
