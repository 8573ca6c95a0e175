// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/transfer_model.h"

#include "tests/support/catch.h"

namespace models_transfer_model_test {

using namespace calibscope;

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

struct Transfer
{
    void find(std::vector<ChoiceComparison> comparisons, const std::string& recipe = {})
    {
        found.both.emplace().comparison.choices = std::move(comparisons);
        found.candidates = {{.id = "one", .label = "min-max"}, {.id = "two", .label = "l2"}};
        model.setRows(transferRows(found, recipe));
    }

    PairReader::Found found;
    TableModel<TransferRow> model{transferTable()};
};

QString text(const TableModel<TransferRow>& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

TEST_CASE("each calibrator tells both scales and what B loses under that of A")
{
    Transfer transfer;
    const TableModel<TransferRow>& model = transfer.model;
    transfer.find({comparisonOf(2.0, 12.5), comparisonOf(1.0, 0.0)});
    CHECK(text(model, 0, TransferColumn::Calibrator) == "min-max");
    CHECK(text(model, 0, TransferColumn::ScaleA) == "0.25");
    CHECK(text(model, 0, TransferColumn::ScaleB) == "0.5");
    CHECK(text(model, 0, TransferColumn::Ratio) == "×2");
    CHECK(text(model, 0, TransferColumn::OwnDb) == "40.00");
    CHECK(text(model, 0, TransferColumn::TransferredDb) == "27.50");
    CHECK(text(model, 0, TransferColumn::LossDb) == "12.50");
    CHECK(model.row(0).isStale());
    CHECK(text(model, 1, TransferColumn::LossDb) == "0.00");
    CHECK_FALSE(model.row(1).isStale());
}

TEST_CASE("estimated losses are marked, and why there is none is told")
{
    Transfer transfer;
    const TableModel<TransferRow>& model = transfer.model;
    ChoiceComparison estimated = comparisonOf(2.0, 3.0);
    estimated.transferred->isExact = false;
    ChoiceComparison failed = comparisonOf(1.0, 0.0);
    failed.transferred.reset();
    failed.whyNotTransferred = "scales per row are not applied to another recording";
    transfer.find({estimated, failed});
    CHECK(text(model, 0, TransferColumn::LossDb) == "≈3.00");
    CHECK(text(model, 1, TransferColumn::LossDb) == "–");
    CHECK(model.index(1, 0).data(Qt::ToolTipRole).toString().contains("scales per row"));
}

TEST_CASE("the chosen recipe's calibrator comes first")
{
    Transfer transfer;
    transfer.find({comparisonOf(1.0, 0.0), comparisonOf(2.0, 1.0)}, "two");
    CHECK(text(transfer.model, 0, TransferColumn::Calibrator) == "l2");
    CHECK(text(transfer.model, 0, TransferColumn::Ratio) == "×2");
    CHECK(transferRows({}, "two").empty());
}

}  // namespace models_transfer_model_test
