// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/comparison_model.h"

#include "tests/support/catch.h"
#include "ui/plot/number_label.h"

#include <QFont>

namespace models_comparison_model_test {

using namespace calibscope;

QString text(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::DisplayRole).toString();
}

TEST_CASE("each statistic tells A, B, what B has more, and that in a word")
{
    TableModel<StatisticPair> model(statisticsTable());
    model.setRows({{.id = "max", .title = "max", .a = 2.0, .b = 3.0},
                   {.id = "p99", .title = "99 % of |x|", .a = 4.0, .b = 2.0, .isExact = false},
                   {.id = "values", .title = "values", .a = 4096.0, .b = 4096.0, .isCount = true},
                   {.id = "min", .title = "min", .a = 0.0, .b = -1.0},
                   {.id = "mean", .title = "mean", .a = {}, .b = 1.0}});
    CHECK(text(model, 0, StatisticColumn::A) == "2");
    CHECK(text(model, 0, StatisticColumn::Absolute) == "+1");
    CHECK(text(model, 0, StatisticColumn::Relative) == "+50 %");
    CHECK(text(model, 0, StatisticColumn::Word) == "higher");
    CHECK(text(model, 1, StatisticColumn::A) == "≈4");
    CHECK(text(model, 1, StatisticColumn::Absolute) == "≈−2");
    CHECK(text(model, 1, StatisticColumn::Word) == "lower");
    CHECK(text(model, 2, StatisticColumn::A) == countLabel(4096));
    CHECK(text(model, 2, StatisticColumn::Relative) == "0 %");
    CHECK(text(model, 2, StatisticColumn::Word) == "equal");
    CHECK(text(model, 3, StatisticColumn::Relative) == "–");
    CHECK(text(model, 3, StatisticColumn::Word) == "lower");
    CHECK(text(model, 4, StatisticColumn::A) == "–");
    CHECK(text(model, 4, StatisticColumn::Word).isEmpty());
}

TEST_CASE("a large change stands out, none is grey")
{
    TableModel<StatisticPair> model(statisticsTable());
    model.setRows({{.id = "max", .title = "max", .a = 2.0, .b = 4.0},
                   {.id = "min", .title = "min", .a = 2.0, .b = 2.001},
                   {.id = "std", .title = "std", .a = 1.0, .b = 1.0},
                   {.id = "p99", .title = "p99", .a = 1.0, .b = 1.09999999},  // +10 %
                   {.id = "p9", .title = "p9", .a = 1.0, .b = 1.0998}});
    const auto isBold = [&](int row) {
        return model.index(row, StatisticColumn::Relative).data(Qt::FontRole).value<QFont>().bold();
    };
    CHECK(isBold(0));
    CHECK_FALSE(isBold(1));
    CHECK_FALSE(isBold(2));
    CHECK(isBold(3));
    CHECK_FALSE(isBold(4));
    CHECK(model.index(2, StatisticColumn::A).data(Qt::ForegroundRole).isValid());
    CHECK_FALSE(model.index(1, StatisticColumn::A).data(Qt::ForegroundRole).isValid());
}

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

}  // namespace models_comparison_model_test
