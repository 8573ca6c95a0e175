// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/match_model.h"

#include "tests/support/catch.h"
#include "tests/support/compared_document.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QSignalSpy>

namespace match_model_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;
using Group = MatchModel::Group;

QStringList names(const MatchModel& model, Group group)
{
    const QModelIndex parent = model.indexOfGroup(group);
    QStringList all;
    for (int row = 0; parent.isValid() && row < model.rowCount(parent); ++row)
        all += model.index(row, MatchModel::Tensor, parent).data(Qt::DisplayRole).toString();
    return all;
}

QString text(const MatchModel& model, const Group group, int row, int column)
{
    return model.index(row, column, model.indexOfGroup(group)).data(Qt::DisplayRole).toString();
}

TEST_CASE("what only one dump has comes first, then the pairs")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    test.open({"one", "two", "gone"}, {"one", "two", "new"}, {"new"});
    REQUIRE(model.rowCount() == 3);
    CHECK(names(model, Group::OnlyA) == QStringList{"gone"});
    CHECK(names(model, Group::OnlyB) == QStringList{"new"});
    CHECK(names(model, Group::Pairs) == QStringList{"one", "two"});
    CHECK(model.index(0, 0).data(Qt::DisplayRole) == "Only in A (1)");
    CHECK(model.index(2, 0).data(Qt::DisplayRole) == "In both (2)");
    CHECK(model.index(0, 0).data(Qt::FontRole).value<QFont>().bold());
    CHECK(text(model, Group::Pairs, 0, MatchModel::Rule) == "name");
    CHECK(text(model, Group::Pairs, 0, MatchModel::Counterpart) == "same name");
    CHECK(text(model, Group::Pairs, 0, MatchModel::Moved) == "…");
}

TEST_CASE("the pair that has drifted furthest comes first, others by any column")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    test.open({"a", "b", "c"}, {"a", "b", "c"});
    for (const double share : {0.0, 0.5, 0.25})
        test.answerPair(share);
    model.sortNow();
    CHECK(names(model, Group::Pairs) == QStringList{"b", "c", "a"});
    CHECK(text(model, Group::Pairs, 0, MatchModel::Moved) == "≈50 %");
    CHECK(text(model, Group::Pairs, 0, MatchModel::MaxRatio) == "1.5");
    CHECK(text(model, Group::Pairs, 2, MatchModel::Moved) == "0 %");
    CHECK(text(model, Group::Pairs, 2, MatchModel::Kl) == "0");
    CHECK(hasNoDrift(test.comparison.drift().row(0)));
    model.sort(MatchModel::Tensor, Qt::DescendingOrder);
    CHECK(names(model, Group::Pairs) == QStringList{"c", "b", "a"});
    model.sort(MatchModel::Kl, Qt::AscendingOrder);
    CHECK(names(model, Group::Pairs) == QStringList{"a", "c", "b"});
}

TEST_CASE("NaN of one dump alone are flagged in the row, and sort")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a", "b"}, {"a", "b"});
    test.answerPair(0.0);
    auto odd = test::driftedBy(0.0, test.background.comparisons.front().request);
    odd.b.nan = 3;
    FakeEngine::answer(test.background.comparisons, odd);
    model.sortNow();
    const QModelIndex row = model.indexOf({Group::Pairs, 1}).siblingAtColumn(MatchModel::Shape);
    CHECK(row.data().toString() == "!");
    CHECK(row.data(Qt::ToolTipRole).toString() == "B has 3 NaN, A none.");
    const QModelIndex loss = row.siblingAtColumn(MatchModel::LossDb);
    CHECK(loss.data().toString() == "0.00 !");  // not as if both were equal
    CHECK(loss.data(Qt::ForegroundRole) == row.data(Qt::ForegroundRole));
    CHECK(loss.data(Qt::ToolTipRole)
              .toString()
              .contains("B has 3 NaN, A none. The loss is of the finite values."));
    CHECK(text(model, Group::Pairs, 1, MatchModel::LossDb) == "0.00");
    CHECK(model.indexOf({Group::Pairs, 0})
              .siblingAtColumn(MatchModel::Shape)
              .data()
              .toString()
              .isEmpty());
    model.sort(MatchModel::Shape, Qt::DescendingOrder);
    CHECK(names(model, Group::Pairs) == QStringList{"b", "a"});
}

TEST_CASE("the least of drifts is told in a few letters")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a"}, {"a"});
    test.answerPair(2e-5);
    CHECK(text(model, Group::Pairs, 0, MatchModel::Moved) == "<0.01 %");
}

TEST_CASE("where the values of a pair lie is there for a small picture of both")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a", "b"}, {"a", "b"});
    test.answerPair(0.5);
    const QModelIndex row = model.indexOf({Group::Pairs, 0}).siblingAtColumn(MatchModel::Counts);
    CHECK(row.data(MatchModel::CountsARole).value<QList<double>>() == QList<double>{1.0, 2.0});
    CHECK(row.data(MatchModel::CountsBRole).value<QList<double>>() == QList<double>{2.0, 1.0});
    CHECK(row.data(Qt::DisplayRole).toString().isEmpty());
    const QModelIndex waiting = model.indexOf({Group::Pairs, 1});
    CHECK(waiting.data(MatchModel::CountsARole).value<QList<double>>().isEmpty());
    model.sort(MatchModel::Counts);  // pictures have no order
    CHECK(names(model, Group::Pairs) == QStringList{"a", "b"});
}

TEST_CASE("what tells a name from the others of its group is told, for a narrow column")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a/conv_1.out", "a/conv_2.out", "gone.out"}, {"a/conv_1.out", "a/conv_2.out"});
    const auto needed = [&](Group group, int row) {
        const QModelIndex name = model.index(row, MatchModel::Tensor, model.indexOfGroup(group));
        QStringList parts;
        const std::string text = name.data().toString().toStdString();
        const QByteArray needs = name.data(MatchModel::NeededRole).toByteArray();
        for (qsizetype part = 0; part < needs.size(); ++part)
            if (needs[part] != NameParts::Spare)
                parts += QString::fromStdString(
                    std::string(partsOf(text).at(static_cast<std::size_t>(part))));
        return parts.join(u' ');
    };
    CHECK(needed(Group::Pairs, 0) == "1.");
    CHECK(needed(Group::Pairs, 1) == "2.");
    CHECK(needed(Group::OnlyA, 0) == "out");  // alone: its end will do
    CHECK_FALSE(model.indexOfGroup(Group::Pairs).data(MatchModel::NeededRole).isValid());
    model.setFilter("conv_1");
    CHECK(needed(Group::Pairs, 0) == "out");  // alone now
}

TEST_CASE("a row that is selected stays so when rows are sorted")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a", "b"}, {"a", "b"});
    const QPersistentModelIndex selected = model.indexOf({Group::Pairs, 0});
    test.answerPair(0.0);
    test.answerPair(0.5);
    model.sortNow();
    CHECK(selected.row() == 1);
    CHECK(selected.data(Qt::DisplayRole) == "a");
}

TEST_CASE("rows can be filtered by name, and pairs by how many steps they moved")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    test.open({"conv1", "conv2", "fc", "old conv"}, {"conv1", "conv2", "fc"});
    model.setFilter("CONV");
    CHECK(names(model, Group::OnlyA) == QStringList{"old conv"});
    CHECK(names(model, Group::Pairs) == QStringList{"conv1", "conv2"});
    model.setFilter({});
    for (const double share : {0.0, 0.5, 0.125})  // by 0, 4 and 1 steps
        test.answerPair(share);
    CHECK(movedSteps(test.comparison.drift().row(1)) == 4.0);
    model.setLeastSteps(2.0);
    CHECK(names(model, Group::Pairs) == QStringList{"conv2"});
}

TEST_CASE("each calibrator that is drawn has a column with its ratio of scales")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    test.open({"a"}, {"a"});
    test.answerPair(0.5);
    REQUIRE(model.columnCount() > MatchModel::FixedColumns);
    CHECK(text(model, Group::Pairs, 0, MatchModel::FixedColumns) == "1.5");
    CHECK(text(model, Group::Pairs, 0, MatchModel::ScaleRatio) == "1.5");
    CHECK(text(model, Group::Pairs, 0, MatchModel::LossDb) == "0.50");
}

TEST_CASE("another shape is marked and comes before what has drifted")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    test.open({"a", "b"}, {"a", "b"}, {"b"});
    test.answerPair(0.5);
    test.answerPair(0.0);
    model.sortNow();
    CHECK(names(model, Group::Pairs) == QStringList{"b", "a"});
    CHECK(text(model, Group::Pairs, 0, MatchModel::Shape) == "≠");
}

TEST_CASE("without a second dump there are no rows")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    CHECK(model.rowCount() == 0);
    test.open({"a"}, {"b", "c"});
    CHECK(model.rowCount() == 2);
    compareWith(test.document, {});
    CHECK(model.rowCount() == 0);
}

TEST_CASE("a tensor without finite values in one recording comes first, new NaN are drift")
{
    ComparedDocument test;
    MatchModel model(test.comparison);
    const QAbstractItemModelTester tester(&model, fatal);
    test.open({"a", "b", "c", "d"}, {"a", "b", "c", "d"});
    test.answerPair(0.5);
    const auto answer = [&test](const Extents& b, bool hasDrift) {
        REQUIRE_FALSE(test.background.comparisons.empty());
        protocol::Compared compared = driftedBy(0.0, test.background.comparisons.front().request);
        compared.a = {.finite = 4};
        compared.b = b;
        if (!hasDrift)
            compared.comparison.drift.reset();
        FakeEngine::answer(test.background.comparisons, compared);
    };
    answer({.nan = 4}, false);
    answer({.finite = 3, .nan = 1}, true);
    answer({.finite = 4}, true);
    model.sortNow();
    CHECK(names(model, Group::Pairs) == QStringList{"b", "a", "c", "d"});
    CHECK(text(model, Group::Pairs, 0, MatchModel::Moved) == "B: none");
    const QModelIndex pairs = model.indexOfGroup(Group::Pairs);
    CHECK(model.index(0, MatchModel::Moved, pairs).data(Qt::ToolTipRole) ==
          "B has no finite value.");
    CHECK(model.index(2, MatchModel::Tensor, pairs).data(Qt::ToolTipRole) ==
          "B has 1 NaN, A none.");
    CHECK(model.driftedPairs() == std::vector{1, 0, 2});
    CHECK(unusualOfOneSentence({.finite = 1, .nan = 2, .positiveInf = 3}, {.finite = 6}) ==
          "A has 2 NaN and 3 infinite values, B none.");
}

}  // namespace match_model_test
