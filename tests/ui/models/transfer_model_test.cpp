#include "ui/models/transfer_model.h"

#include "tests/support/catch.h"

#include <QAbstractItemModelTester>

namespace transfer_model_test {

using namespace calibscope;

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

/// A calibrator whose scale on B is `ratio` times that on A, and what that costs.
ChoiceComparison comparisonOf(double ratio, double lossDb)
{
    ChoiceComparison comparison;
    comparison.a.whole.quantizer.scale = 0.25;
    comparison.b.whole.quantizer.scale = 0.25 * ratio;
    comparison.b.whole.metrics = {{"sqnr_db", 40.0}};
    comparison.b.whole.hasExactMetrics = true;
    comparison.transferred = TransferredScales{.metrics = {{"sqnr_db", 40.0 - lossDb}}};
    return comparison;
}

/// What was found stands beside the table.
struct Transfer
{
    void find(std::vector<ChoiceComparison> comparisons, const std::string& recipe = {})
    {
        found.both.emplace().comparison.choices = std::move(comparisons);
        found.candidates = {{.id = "one", .label = "min-max"}, {.id = "two", .label = "l2"}};
        model.refresh(recipe);
    }

    PairReader::Found found;
    TransferModel model{[this]() -> const PairReader::Found& { return found; }};
};

QString text(const TransferModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

TEST_CASE("each calibrator tells both scales and what B loses under that of A")
{
    Transfer transfer;
    const TransferModel& model = transfer.model;
    const QAbstractItemModelTester tester(&transfer.model, fatal);
    transfer.find({comparisonOf(2.0, 12.5), comparisonOf(1.0, 0.0)});
    CHECK(text(model, 0, TransferModel::Calibrator) == "min-max");
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
    Transfer transfer;
    const TransferModel& model = transfer.model;
    ChoiceComparison estimated = comparisonOf(2.0, 3.0);
    estimated.transferred->isExact = false;
    ChoiceComparison failed = comparisonOf(1.0, 0.0);
    failed.transferred.reset();
    failed.whyNotTransferred = "scales per row are not applied to another recording";
    transfer.find({estimated, failed});
    CHECK(text(model, 0, TransferModel::LossDb) == "≈3.00");
    CHECK(text(model, 1, TransferModel::LossDb) == "–");
    CHECK(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("scales per row"));
}

TEST_CASE("the chosen recipe's calibrator comes first, and what is gone already is blank")
{
    Transfer transfer;
    transfer.find({comparisonOf(1.0, 0.0), comparisonOf(2.0, 1.0)}, "two");
    CHECK(text(transfer.model, 0, TransferModel::Calibrator) == "l2");
    CHECK(text(transfer.model, 0, TransferModel::Ratio) == "×2");
    transfer.found = {};
    CHECK_FALSE(transfer.model.index(0, 0).data().isValid());
    transfer.model.refresh({});
    CHECK(transfer.model.rowCount() == 0);
}

}  // namespace transfer_model_test
