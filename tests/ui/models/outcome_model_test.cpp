#include "ui/models/outcome_model.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>

using namespace calibscope;

namespace {

using Column = OutcomeModel::Column;

OutcomeRow rowOf(const std::string& label)
{
    OutcomeRow row;
    row.candidate.choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    row.candidate.label = label;
    return row;
}

OutcomeRow computed(const std::string& label, double sqnrDb)
{
    OutcomeRow row = rowOf(label);
    row.outcome.emplace();
    ScaleRow& whole = row.outcome->whole;
    whole.clip.threshold = 3.7351;
    whole.quantizer.scale = 3.7351 / 127.0;
    whole.metrics = {{"sqnr_db", sqnrDb}, {"clipped_share", 0.00066}, {"max_error", 0.01471}};
    whole.notes = {"tie"};
    whole.hasExactMetrics = true;
    return row;
}

struct TestedModel
{
    explicit TestedModel(std::vector<OutcomeRow> rows) { model.setRows(std::move(rows)); }

    QString text(int row, Column column) const
    {
        return model.index(row, column).data().toString();
    }

    OutcomeModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

}  // namespace

TEST_CASE("a computed row shows its numbers with the digits that matter")
{
    OutcomeRow row = computed("min-max", 28.947);
    row.recipeTitles = {"Moffett, BERT", "NVIDIA, entropy"};
    const TestedModel tested({row});
    CHECK(tested.text(0, Column::Calibrator) == "min-max");
    CHECK(tested.text(0, Column::Threshold) == "3.735");
    CHECK(tested.text(0, Column::Scale) == "0.0294");
    CHECK(tested.text(0, Column::Clipped) == "0.066");
    CHECK(tested.text(0, Column::Sqnr) == "28.95");
    CHECK(tested.text(0, Column::MaxError) == "0.0147");
    CHECK(tested.text(0, Column::Recipes) == "Moffett, BERT; NVIDIA, entropy");
}

TEST_CASE("estimated metrics say so")
{
    OutcomeRow row = computed("min-max", 28.947);
    row.outcome->whole.hasExactMetrics = false;
    const TestedModel tested({row});
    CHECK(tested.text(0, Column::Sqnr) == "≈28.95");
    CHECK(tested.text(0, Column::Scale) == "0.0294");
    CHECK(tested.model.index(0, 0).data(Qt::ToolTipRole).toString().contains("estimated"));
}

TEST_CASE("a row that is not computed waits, and one with a problem says which")
{
    OutcomeRow failed = rowOf("entropy");
    failed.outcome.emplace();
    failed.outcome->problem = "no histogram";
    OutcomeRow waiting = rowOf("min-max");
    waiting.isPending = true;
    const TestedModel tested({waiting, failed});
    CHECK(tested.text(0, Column::Scale) == "…");
    CHECK(tested.text(1, Column::Scale) == "–");
    CHECK(tested.model.index(1, 0).data(Qt::ToolTipRole).toString().contains("no histogram"));
}

TEST_CASE("the best SQNR is bold and has a star, ties too, unless all are alike")
{
    const auto isBold = [](const TestedModel& tested, int row) {
        return tested.model.index(row, 0).data(Qt::FontRole).value<QFont>().bold();
    };
    const auto hasStar = [](const TestedModel& tested, int row) {
        return tested.model.index(row, Column::Sqnr).data(Qt::DecorationRole).isValid();
    };
    const TestedModel tested({computed("a", 28.0), computed("b", 29.75), computed("c", 29.752)});
    CHECK_FALSE(isBold(tested, 0));
    CHECK(isBold(tested, 1));
    CHECK(isBold(tested, 2));
    CHECK(hasStar(tested, 1));
    CHECK_FALSE(hasStar(tested, 0));
    const TestedModel alike({computed("a", 28.0), computed("b", 28.001)});
    CHECK_FALSE(isBold(alike, 0));
    CHECK_FALSE(hasStar(alike, 1));
}

TEST_CASE("ticking asks for the row of that label")
{
    TestedModel tested({rowOf("a"), rowOf("b")});
    QSignalSpy requests(&tested.model, &OutcomeModel::tickRequested);
    CHECK(tested.model.setData(tested.model.index(1, 0), Qt::Checked, Qt::CheckStateRole));
    REQUIRE(requests.count() == 1);
    CHECK(requests[0][0].value<std::string>() == "b");
    CHECK(requests[0][1].toBool());
    CHECK_FALSE(tested.model.setData(tested.model.index(1, Column::Scale), 1, Qt::EditRole));
}

TEST_CASE("the same candidates with new numbers keep the selection, others reset")
{
    TestedModel tested({rowOf("a"), rowOf("b")});
    const QSignalSpy resets(&tested.model, &QAbstractItemModel::modelReset);
    const QSignalSpy changes(&tested.model, &QAbstractItemModel::dataChanged);
    tested.model.setRows({computed("a", 1.0), computed("b", 2.0)});
    CHECK(resets.count() == 0);
    CHECK(changes.count() == 1);
    tested.model.setRows({computed("a", 1.0)});
    CHECK(resets.count() == 1);
}

TEST_CASE("each row has a swatch in its own colour and a check box")
{
    const TestedModel tested({rowOf("a"), rowOf("b")});
    CHECK(tested.model.index(0, 0).data(Qt::DecorationRole).isValid());
    CHECK(tested.model.index(0, 0).flags().testFlag(Qt::ItemIsUserCheckable));
    CHECK(tested.model.index(0, 0).data(Qt::CheckStateRole).toInt() == Qt::Unchecked);
    CHECK_FALSE(tested.model.index(0, Column::Scale).data(Qt::CheckStateRole).isValid());
}
