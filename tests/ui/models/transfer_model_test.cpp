#include "ui/models/transfer_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

using namespace calibscope;

namespace {

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

/// A calibrator whose scale on B is `ratio` times that on A, and what that costs.
TransferModel::Row rowOf(double ratio, double lossDb)
{
    TransferModel::Row row{.label = "min-max", .isRecipes = true, .comparison = {}};
    row.comparison.a.whole.quantizer.scale = 0.25;
    row.comparison.b.whole.quantizer.scale = 0.25 * ratio;
    row.comparison.b.whole.metrics = {{"sqnr_db", 40.0}};
    row.comparison.b.whole.hasExactMetrics = true;
    row.comparison.transferred = TransferredScales{.metrics = {{"sqnr_db", 40.0 - lossDb}}};
    return row;
}

QString text(const TransferModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

}  // namespace

TEST_CASE("each calibrator tells both scales and what B loses under that of A")
{
    TransferModel model;
    const QAbstractItemModelTester tester(&model, fatal);
    model.setRows({rowOf(2.0, 12.5), rowOf(1.0, 0.0)});
    CHECK(text(model, 0, TransferModel::ScaleA) == "0.25");
    CHECK(text(model, 0, TransferModel::ScaleB) == "0.5");
    CHECK(text(model, 0, TransferModel::Ratio) == "×2");
    CHECK(text(model, 0, TransferModel::OwnDb) == "40.00");
    CHECK(text(model, 0, TransferModel::TransferredDb) == "27.50");
    CHECK(text(model, 0, TransferModel::LossDb) == "12.50");
    CHECK(model.index(0, TransferModel::LossDb).data(TransferModel::StaleRole).toBool());
    CHECK(text(model, 1, TransferModel::LossDb) == "0.00");
    CHECK_FALSE(model.index(1, TransferModel::LossDb).data(TransferModel::StaleRole).toBool());
}

TEST_CASE("estimated losses are marked, and why there is none is told")
{
    TransferModel model;
    TransferModel::Row estimated = rowOf(2.0, 3.0);
    estimated.comparison.transferred->isExact = false;
    TransferModel::Row failed = rowOf(1.0, 0.0);
    failed.comparison.transferred.reset();
    failed.comparison.whyNotTransferred = "scales per row are not applied to another recording";
    model.setRows({estimated, failed});
    CHECK(text(model, 0, TransferModel::LossDb) == "≈3.00");
    CHECK(text(model, 1, TransferModel::LossDb) == "–");
    CHECK(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("scales per row"));
}
