// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/result_model.h"

#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QIcon>
#include <QImage>
#include <QSignalSpy>

#include <cmath>
#include <limits>

namespace result_model_test {

using namespace calibscope;

OutcomeRow rowOf(const std::string& label, double sqnrDb, double mse)
{
    OutcomeRow row;
    row.candidate.choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    row.candidate.id = row.candidate.label = label;
    row.isTicked = true;
    Outcome outcome{.choice = row.candidate.choice};
    outcome.whole.clip.threshold = 1.0;
    outcome.whole.hasExactMetrics = true;
    outcome.whole.metrics = {{"sqnr_db", sqnrDb}, {"mse", mse}, {"kl", 0.5}};
    row.outcome = outcome;
    return row;
}

OutcomeRow pendingRow(const std::string& label)
{
    OutcomeRow row = rowOf(label, 0.0, 0.0);
    row.outcome.reset();
    row.isPending = true;
    return row;
}

/// A table of rows that stand beside it.
struct Results
{
    void setRows(std::vector<OutcomeRow> others)
    {
        rows = std::move(others);
        model.refresh();
    }

    std::vector<OutcomeRow> rows;
    ResultModel model{[this]() -> const std::vector<OutcomeRow>& { return rows; }};
};

QString shown(const ResultModel& model, int row, std::string_view id)
{
    return model.index(row, ResultModel::columnOf(id)).data().toString();
}

bool isBold(const ResultModel& model, int row, std::string_view id)
{
    return model.index(row, ResultModel::columnOf(id)).data(Qt::FontRole).value<QFont>().bold();
}

TEST_CASE("the table of results is a table, whatever rows it gets")
{
    Results results;
    ResultModel& model = results.model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    results.setRows({rowOf("a", 20.0, 1.0), pendingRow("b")});
    results.setRows({rowOf("a", 21.0, 1.0), pendingRow("b")});
    results.setRows({});
    CHECK(model.rowCount() == 0);
    CHECK(model.columnCount() == static_cast<int>(windowColumns().size()) + 2);
}

TEST_CASE("beside an imported range each row tells how far that one is from it")
{
    Results results;
    ResultModel& model = results.model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    results.setRows({rowOf("a", 20.0, 1.0), pendingRow("b")});
    const int without = model.columnCount();
    OutcomeRow imported = rowOf(importedId, 20.0, 1.0);
    Outcome wider = *imported.outcome;
    wider.whole.clip.threshold = 1.25;
    imported.outcome = wider;
    results.setRows({rowOf("a", 20.0, 1.0), pendingRow("b"), imported});
    REQUIRE(model.columnCount() == without + 1);
    REQUIRE(ResultModel::isDeviation(without));
    CHECK(model.index(0, without).data().toString() == "+25");
    CHECK(model.index(1, without).data().toString() == QString::fromUtf8("–"));
    CHECK(model.index(2, without).data().toString() == "0");
    CHECK(model.index(0, without).data(ResultModel::sortRole).toDouble() == 25.0);
    results.setRows({rowOf("a", 20.0, 1.0)});
    CHECK(model.columnCount() == without);
}

TEST_CASE("where both have a range for each channel, the deviation is from the least to the most")
{
    Results results;
    const auto perChannel = [](const std::string& label, std::vector<double> thresholds) {
        OutcomeRow row = rowOf(label, 20.0, 1.0);
        Outcome outcome = *row.outcome;
        for (const double threshold : thresholds) {
            ScaleRow channel;
            channel.clip.threshold = threshold;
            outcome.channels.push_back(channel);
        }
        outcome.whole.clip.threshold = std::ranges::max(thresholds);
        row.outcome = outcome;
        return row;
    };
    results.setRows({perChannel("a", {1.0, 2.0, 0.0}), perChannel("b", {1.0, 2.0}),
                     rowOf("c", 20.0, 4.0), perChannel(importedId, {0.5, 2.5, 1.0})});
    const int column = results.model.columnCount() - 1;
    REQUIRE(ResultModel::isDeviation(column));
    const auto text = [&](int row) { return results.model.index(row, column).data().toString(); };
    CHECK(text(0) == QString::fromUtf8("−50 to +25"));  // a channel of zeros is not a measure
    CHECK(results.model.index(0, column).data(ResultModel::sortRole).toDouble() == -50.0);
    CHECK(text(1) == "+25");  // of other channels: the widest ones
    CHECK(text(3) == "0");
}

TEST_CASE("the best of a column is bold with a star, lower or higher as its metric says")
{
    Results results;
    ResultModel& model = results.model;
    results.setRows({rowOf("a", 20.0, 4e-4), rowOf("b", 24.0, 1e-4), pendingRow("c")});
    CHECK(isBold(model, 1, "sqnr_db"));
    CHECK(isBold(model, 1, "mse"));
    CHECK_FALSE(isBold(model, 0, "sqnr_db"));
    CHECK_FALSE(isBold(model, 0, "kl"));  // nothing is better
    CHECK(model.index(1, ResultModel::columnOf("mse")).data(Qt::DecorationRole).isValid());
    CHECK_FALSE(model.index(0, ResultModel::columnOf("mse")).data(Qt::DecorationRole).isValid());
    CHECK(shown(model, 2, "mse") == "…");
}

TEST_CASE("where all look alike nothing is best, and all that look like the best are")
{
    Results results;
    ResultModel& model = results.model;
    results.setRows({rowOf("a", 20.001, 1.0), rowOf("b", 20.002, 1.0)});
    CHECK_FALSE(model.isBest(0, ResultModel::columnOf("sqnr_db")));
    CHECK_FALSE(model.isBest(1, ResultModel::columnOf("sqnr_db")));
    results.setRows({rowOf("a", 20.001, 1.0), rowOf("b", 20.002, 1.0), rowOf("c", 19.0, 1.0)});
    CHECK(model.isBest(0, ResultModel::columnOf("sqnr_db")));
    CHECK(model.isBest(1, ResultModel::columnOf("sqnr_db")));
}

TEST_CASE("what searched has its curve in its row, what did not a line")
{
    Results results;
    const auto rowWith = [](const Curve& curve) {
        OutcomeRow row = rowOf("a", 20.0, 1.0);
        Outcome outcome = *row.outcome;
        outcome.curve = curve;
        row.outcome = outcome;
        return row;
    };
    Curve curve{.objective = "KL divergence", .unit = "nats"};
    for (int trial = 1; trial <= 100; ++trial) {
        curve.threshold.push_back(trial);
        curve.value.push_back(trial == 1 ? std::numeric_limits<double>::infinity()
                                         : std::abs(trial - 40.0));
    }
    curve.chosen = 39;
    const auto pictureOf = [&] {
        return results.model.index(0, 0)
            .data(Qt::DecorationRole)
            .value<QIcon>()
            .pixmap(QSize(32, 16))
            .toImage();
    };
    const auto inks = [](const QImage& picture, int column) {
        int count = 0;
        for (int row = 0; row < picture.height(); ++row)
            count += qAlpha(picture.pixel(column, row)) > 0;
        return count;
    };
    results.setRows({rowWith(curve)});
    const QImage curved = pictureOf();
    const int chosen = curved.width() * 4 / 10;
    CHECK(inks(curved, chosen) > inks(curved, curved.width() * 7 / 10));  // the dot
    results.setRows({rowOf("a", 20.0, 1.0)});
    const QImage line = pictureOf();
    CHECK(line != curved);
    curve.chosen = 0;  // of no value: nothing was chosen
    results.setRows({rowWith(curve)});
    CHECK(pictureOf() == line);
}

TEST_CASE("differences are to the baseline, which keeps its own numbers")
{
    Results results;
    ResultModel& model = results.model;
    results.setRows({rowOf("a", 20.0, 1.0), rowOf("b", 24.5, 1.0), pendingRow("c")});
    model.setDifferences(true);
    CHECK(shown(model, 1, "sqnr_db") == "24.50");  // no baseline
    model.setBaseline("a");
    CHECK(shown(model, 0, "sqnr_db") == "20.00");
    CHECK(shown(model, 1, "sqnr_db") == "+4.50");
    CHECK(shown(model, 1, "mse") == "0");
    CHECK(shown(model, 2, "sqnr_db") == "…");
    model.setDifferences(false);
    CHECK(shown(model, 1, "sqnr_db") == "24.50");
}

TEST_CASE("all cells can be copied, numbers with all their digits")
{
    Results results;
    ResultModel& model = results.model;
    results.setRows({rowOf("a", 1.0 / 3.0, 1.0), pendingRow("b")});
    const QStringList lines = model.tabSeparated().split(u'\n');
    REQUIRE(lines.size() == 4);
    CHECK(lines[0].startsWith("calibrator\tthreshold\t"));
    CHECK(lines[0].count(u'\t') == lines[1].count(u'\t'));
    CHECK(lines[1].contains("0.3333333333333333"));
    CHECK(lines[2].startsWith("b\t\t"));
}

TEST_CASE("a check box asks for its row to be drawn")
{
    Results results;
    ResultModel& model = results.model;
    results.setRows({rowOf("a", 20.0, 1.0)});
    QSignalSpy asked(&model, &ResultModel::tickRequested);
    CHECK(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    REQUIRE(asked.count() == 1);
    CHECK(asked.front().at(0).value<std::string>() == "a");
    CHECK_FALSE(asked.front().at(1).toBool());
    CHECK_FALSE(model.setData(model.index(0, 1), Qt::Unchecked, Qt::CheckStateRole));
}

TEST_CASE("rows that changed before the table is told are blank, not another candidate's")
{
    Results results;
    results.setRows({rowOf("a", 20.0, 1.0), rowOf("b", 21.0, 1.0)});
    results.rows = {rowOf("b", 21.0, 1.0)};
    CHECK(results.model.rowCount() == 2);
    CHECK_FALSE(results.model.index(0, 0).data().isValid());
    CHECK_FALSE(results.model.index(1, 0).data().isValid());
    CHECK(results.model.row(0) == nullptr);
    results.model.refresh();
    CHECK(results.model.index(0, 0).data().toString() == "b");
}

}  // namespace result_model_test
