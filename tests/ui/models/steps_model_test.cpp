#include "ui/models/steps_model.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <QAbstractItemModelTester>
#include <QFont>

namespace steps_model_test {

using namespace calibscope;

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

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

/// A table of rows that stand beside it.
struct Steps
{
    void setRows(std::vector<ExplainRow> others)
    {
        rows = std::move(others);
        model.refresh();
    }

    std::vector<ExplainRow> rows;
    StepsModel model{[this]() -> const std::vector<ExplainRow>& { return rows; }};
};

QString text(const StepsModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

TEST_CASE("each step tells its numbers and what it changed")
{
    Steps steps;
    StepsModel& model = steps.model;
    const QAbstractItemModelTester tester(&model, fatal);
    steps.setRows({rowOf("percentile", 2.0, 30.0), rowOf("alpha", 2.0, 30.0),
                   rowOf("scheme", 4.0, 28.75), rowOf("last", 3.0, 29.0)});
    CHECK(text(model, 0, StepsModel::Step) == "percentile");
    CHECK(text(model, 0, StepsModel::Threshold) == "2");
    CHECK(text(model, 0, StepsModel::ScaleChange).isEmpty());
    CHECK(text(model, 1, StepsModel::ScaleChange) == "same");
    CHECK(text(model, 1, StepsModel::SqnrChange) == "same");
    CHECK(text(model, 2, StepsModel::ScaleChange) == "×2");
    CHECK(text(model, 2, StepsModel::SqnrChange) == "−1.25");
    CHECK(text(model, 3, StepsModel::ScaleChange) == "×0.75");
    CHECK(text(model, 3, StepsModel::SqnrChange) == "+0.25");
}

TEST_CASE("the step that changes the scale most stands out")
{
    Steps steps;
    StepsModel& model = steps.model;
    steps.setRows({rowOf("from", 2.0, 30.0), rowOf("half", 1.0, 30.0), rowOf("to", 1.5, 30.0)});
    CHECK(model.index(1, 0).data(StepsModel::DecisiveRole).toBool());
    CHECK(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(model.index(0, 0).data(StepsModel::DecisiveRole).toBool());
    CHECK_FALSE(model.index(2, 0).data(StepsModel::DecisiveRole).toBool());
    steps.setRows({rowOf("from", 2.0, 30.0), rowOf("same", 2.0, 30.0)});
    CHECK_FALSE(model.index(1, 0).data(StepsModel::DecisiveRole).toBool());
}

TEST_CASE("steps without numbers say so")
{
    Steps steps;
    StepsModel& model = steps.model;
    ExplainRow failed = rowOf("failed", 1.0, 1.0);
    failed.outcome->problem = "refuses affine schemes";
    ExplainRow waiting = rowOf("waiting", 1.0, 1.0);
    waiting.outcome.reset();
    ExplainRow estimate = rowOf("estimate", 1.0, 20.0);
    estimate.outcome->whole.hasExactMetrics = false;
    steps.setRows({waiting, failed, estimate});
    CHECK(text(model, 0, StepsModel::Scale) == "…");
    CHECK(text(model, 1, StepsModel::Threshold) == "failed");
    CHECK(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("refuses affine schemes"));
    CHECK(text(model, 2, StepsModel::Sqnr) == "≈20.00");
    CHECK(text(model, 2, StepsModel::ScaleChange) == "–");
}

TEST_CASE("a waterfall has the ends of each step, and one axis for all")
{
    Steps steps;
    ExplainRow failed = rowOf("failed", 1.0, 99.0);
    failed.outcome->problem = "a reason";
    steps.setRows(
        {rowOf("from", 2.0, 30.0), rowOf("loses", 4.0, 24.5), rowOf("gains", 3.0, 36.25), failed});
    const auto role = [&steps](int row, int wanted) {
        return steps.model.index(row, StepsModel::Waterfall).data(wanted);
    };
    CHECK_FALSE(role(0, StepsModel::FromRole).isValid());
    CHECK(role(0, StepsModel::ToRole).toDouble() == 30.0);
    CHECK(role(1, StepsModel::FromRole).toDouble() == 30.0);
    CHECK(role(1, StepsModel::ToRole).toDouble() == 24.5);
    CHECK(role(2, StepsModel::FromRole).toDouble() == 24.5);
    CHECK_FALSE(role(3, StepsModel::ToRole).isValid());
    for (int row = 0; row < 4; ++row) {
        CHECK(role(row, StepsModel::LeastRole).toDouble() == 24.5);
        CHECK(role(row, StepsModel::MostRole).toDouble() == 36.25);
    }
}

}  // namespace steps_model_test
