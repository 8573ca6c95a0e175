// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/statistics_model.h"

#include "tests/support/catch.h"
#include "ui/plot/number_label.h"

#include <QFont>

namespace statistics_model_test {

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
                   {.id = "std", .title = "std", .a = 1.0, .b = 1.0}});
    const auto isBold = [&](int row) {
        return model.index(row, StatisticColumn::Relative).data(Qt::FontRole).value<QFont>().bold();
    };
    CHECK(isBold(0));
    CHECK_FALSE(isBold(1));
    CHECK_FALSE(isBold(2));
    CHECK(model.index(2, StatisticColumn::A).data(Qt::ForegroundRole).isValid());
    CHECK_FALSE(model.index(1, StatisticColumn::A).data(Qt::ForegroundRole).isValid());
}

}  // namespace statistics_model_test
