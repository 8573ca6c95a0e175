// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_panel.h"

#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "tests/support/listed_tensors.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"

#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <QWindow>

#include <algorithm>

namespace tensor_panel_test {

using namespace calibscope;

protocol::Preview previewOf(double sqnrDb, std::uint64_t nan = 0)
{
    return {.extents = {.finite = 2, .nan = nan, .min = -1.0, .max = 1.0, .absSecond = 1.0},
            .sparkline = {},
            .sqnrDb = sqnrDb,
            .notes = {}};
}

struct Panel : test::ListedTensors
{
    Panel()
        : ListedTensors({{.name = "a0", .role = Role::Activation},
                         {.name = "w1", .role = Role::Weight},
                         {.name = "a2", .role = Role::Activation},
                         {.name = "a3", .role = Role::Activation}})
    {
        setPreview(0, previewOf(30.0));
        setPreview(1, previewOf(20.0, 1));
        setPreview(2, previewOf(25.0, 1));
    }

    TensorModel tensors{document};
    TensorPanel panel{tensors};
};

TEST_CASE("neighbours are those of the list: activations, then weights")
{
    const Panel test;
    CHECK(test.panel.neighbour(0, 1) == 2);
    CHECK(test.panel.neighbour(3, 1) == 1);
    CHECK(test.panel.neighbour(1, 1) == -1);
    CHECK(test.panel.neighbour(0, -1) == -1);
    CHECK(test.panel.neighbour(-1, 1) == 0);
}

TEST_CASE("the worst are visited in turn, unknown ones never")
{
    Panel test;
    CHECK(test.panel.nextWorst(-1) == 1);
    CHECK(test.panel.nextWorst(1) == 2);
    CHECK(test.panel.nextWorst(2) == 0);
    CHECK(test.panel.nextWorst(0) == 1);
}

TEST_CASE("a tensor that became better since it was visited as the worst skips none in between")
{
    Panel test;
    REQUIRE(test.panel.nextWorst(-1) == 1);
    test.setPreview(1, previewOf(21.0));  // as after a decision
    CHECK(test.panel.nextWorst(1) == 2);
    REQUIRE(test.panel.nextWorst(0) == 1);
    test.setPreview(1, previewOf(33.0));
    CHECK(test.panel.nextWorst(1) == 2);
    CHECK(test.panel.nextWorst(2) == 0);
    CHECK(test.panel.nextWorst(0) == 1);
}

TEST_CASE("after a tensor that left the list the next worst is the one behind it")
{
    Panel test;
    test.panel.setQuery("sqnr<28");
    REQUIRE(test.panel.nextWorst(-1) == 1);
    REQUIRE(test.panel.nextWorst(1) == 2);
    test.panel.setQuery("");
    REQUIRE(test.panel.nextWorst(0) == 1);
    test.panel.setQuery("kind:activation");
    CHECK(test.panel.nextWorst(1) == 2);
    REQUIRE(test.panel.nextWorst(2) == 0);
    edits::setExcluded(test.document, {0}, true);
    CHECK(test.panel.nextWorst(0) == 2);  // behind the last one
}

TEST_CASE("flagged tensors are visited in turn")
{
    const Panel test;
    CHECK(test.panel.nextFlagged(0) == 2);
    CHECK(test.panel.nextFlagged(2) == 1);
    CHECK(test.panel.nextFlagged(1) == 2);
}

TEST_CASE("without known or flagged tensors there is nowhere to go")
{
    const test::ListedTensors listed({{.name = "a"}, {.name = "b"}});
    TensorModel tensors(listed.document);
    TensorPanel panel(tensors);
    CHECK(panel.nextWorst(0) == -1);
    CHECK(panel.nextFlagged(0) == -1);
}

TEST_CASE("what a filter hides is not visited, and the selection outlives it")
{
    Panel test;
    const QSignalSpy requests(&test.panel, &TensorPanel::selectionRequested);
    test.panel.setSelected(1);
    test.panel.setQuery("kind:activation");
    CHECK(test.panel.neighbour(0, 1) == 2);
    CHECK(test.panel.neighbour(3, 1) == -1);
    CHECK(test.panel.nextWorst(-1) == 2);
    test.panel.setQuery("");
    CHECK(test.panel.findChild<QTreeView*>()->currentIndex().data().toString() == "w1");
    CHECK(requests.count() == 0);
}

TEST_CASE("a row that becomes current asks for its tensor, a group for none")
{
    Panel test;
    auto* tree = test.panel.findChild<QTreeView*>();
    QSignalSpy requests(&test.panel, &TensorPanel::selectionRequested);
    tree->setCurrentIndex(tree->model()->index(0, 0));
    CHECK(requests.count() == 0);
    tree->setCurrentIndex(tree->model()->index(1, 0, tree->model()->index(0, 0)));
    REQUIRE(requests.count() == 1);
    CHECK(requests[0][0].toInt() == 2);
}

TEST_CASE("what is wrong with a query is shown under it, once typing has paused")
{
    Panel test;
    test.panel.show();
    auto* query = test.panel.findChild<QLineEdit*>();
    QTest::keyClicks(query, "kind:king");
    CHECK(QTest::qWaitFor(
        [&] {
            for (const QLabel* label : test.panel.findChildren<QLabel*>())
                if (label->isVisible() &&
                    label->text().contains("activation, weight, bias or unknown"))
                    return true;
            return false;
        },
        2000));
}

TEST_CASE("a query that nothing matches says so")
{
    Panel test;
    test.panel.show();
    const auto says = [&test](const QString& text) {
        return std::ranges::any_of(
            test.panel.findChildren<QLabel*>(),
            [&text](const QLabel* label) { return label->isVisible() && label->text() == text; });
    };
    test.panel.setQuery("no such name");
    CHECK(says("No tensor matches."));
    test.panel.setQuery({});
    CHECK_FALSE(says("No tensor matches."));
}

TEST_CASE("a header is clicked up, down and back to the file's order")
{
    Panel test;
    auto* header = test.panel.findChild<QTreeView*>()->findChild<QHeaderView*>();
    REQUIRE(header);
    const std::vector<int> fileOrder = test.panel.shown().shownTensors();
    Q_EMIT header->sectionClicked(TensorModel::Sqnr);
    CHECK(test.panel.shown().shownTensors() == std::vector<int>{2, 0, 3, 1});
    Q_EMIT header->sectionClicked(TensorModel::Sqnr);
    CHECK(test.panel.shown().shownTensors() == std::vector<int>{0, 2, 3, 1});
    Q_EMIT header->sectionClicked(TensorModel::Sqnr);
    CHECK(test.panel.shown().shownTensors() == fileOrder);
}

TEST_CASE("columns that are shown, and the sorting, come back in another list")
{
    Panel test;
    auto* header = test.panel.findChild<QHeaderView*>();
    CHECK(header->isSectionHidden(TensorModel::Shape));
    header->actions().at(TensorModel::Shape - 1)->setChecked(true);
    CHECK_FALSE(header->isSectionHidden(TensorModel::Shape));
    test.panel.setWorstFirst(true);

    Panel other;
    other.panel.restoreColumns(test.panel.columns());
    auto* otherHeader = other.panel.findChild<QHeaderView*>();
    CHECK_FALSE(otherHeader->isSectionHidden(TensorModel::Shape));
    CHECK(otherHeader->actions().at(TensorModel::Shape - 1)->isChecked());
    CHECK(other.panel.isWorstFirst());
    CHECK(other.panel.shown().shownTensors() == std::vector<int>{2, 0, 3, 1});
}

TEST_CASE("columns of another version are left aside")
{
    Panel test;
    test.panel.restoreColumns("nonsense");
    test.panel.restoreColumns({});
    const auto* header = test.panel.findChild<QHeaderView*>();
    CHECK(header->isSectionHidden(TensorModel::Shape));
    CHECK_FALSE(header->isSectionHidden(TensorModel::Name));
}

TEST_CASE("excluded tensors are passed by, and the list says when its sorting changes")
{
    Panel test;
    const QSignalSpy changes(&test.panel, &TensorPanel::sortingChanged);
    edits::setExcluded(test.document, {1}, true);
    CHECK(test.panel.nextWorst(-1) == 2);
    CHECK(test.panel.nextFlagged(2) == 2);
    test.panel.setWorstFirst(true);
    CHECK(changes.count() == 1);
}

TEST_CASE("the row of a pin can be chosen while its own row is hidden")
{
    Panel test;
    edits::setPinned(test.document, {1}, true);
    test.panel.setQuery("kind:activation");
    auto* tree = test.panel.findChild<QTreeView*>();
    QSignalSpy requests(&test.panel, &TensorPanel::selectionRequested);
    const QModelIndex pins = tree->model()->index(1, 0);
    CHECK(tree->isExpanded(pins));
    tree->setCurrentIndex(tree->model()->index(0, 0, pins));
    REQUIRE(requests.count() == 1);
    CHECK(requests[0][0].toInt() == 1);
    test.panel.setSelected(1);
    CHECK(tree->currentIndex().parent() == pins);
}

TEST_CASE("the worst are ranked by the output of their layer once it is known, and it is said")
{
    test::LayeredDocument test;
    TensorModel tensors(test.document);
    TensorPanel panel(tensors);
    panel.resize(400, 600);
    panel.show();
    auto* header = panel.findChild<QHeaderView*>();
    const int distribution = header->sectionSize(TensorModel::Distribution);
    panel.setWorstFirst(true);
    CHECK(panel.shown().sortColumn() == TensorModel::Sqnr);
    CHECK(panel.ranking().isEmpty());
    CHECK(header->isSectionHidden(TensorModel::Layer));
    test.layers().start();
    test.list();
    test.answerAll();
    CHECK(panel.isWorstFirst());
    CHECK(panel.shown().sortColumn() == TensorModel::Layer);
    CHECK_FALSE(header->isSectionHidden(TensorModel::Layer));
    CHECK(header->sectionSize(TensorModel::Distribution) < distribution);
    CHECK(header->sectionSize(TensorModel::Name) >= 150);
    panel.resize(240, 600);  // names come first
    CHECK(header->isSectionHidden(TensorModel::Layer));
    CHECK(header->isSectionHidden(TensorModel::Distribution));
    panel.resize(280, 600);
    CHECK(header->isSectionHidden(TensorModel::Layer));
    CHECK_FALSE(header->isSectionHidden(TensorModel::Distribution));
    panel.resize(400, 600);
    CHECK_FALSE(header->isSectionHidden(TensorModel::Layer));
    CHECK(panel.ranking().toStdString() == "The worst (W) by the output of their layer, known of 4 "
                                           "of 6 tensors, then by their own SQNR.");
    CHECK(panel.nextWorst(-1) == 2);  // y1, 21 dB as the input of y2
    CHECK(panel.nextWorst(2) == 3);   // w2, 26 dB
    test.document.close();
    CHECK(panel.ranking().isEmpty());
    CHECK(header->isSectionHidden(TensorModel::Layer));
}

TEST_CASE("a selected branch means all tensors in it, in the order of the list")
{
    test::ListedTensors listed({{.name = "b1/x", .role = Role::Activation},
                                {.name = "b2/x", .role = Role::Activation},
                                {.name = "b1/y", .role = Role::Activation},
                                {.name = "c", .role = Role::Weight}});
    TensorModel tensors(listed.document);
    TensorPanel panel(tensors);
    const QSignalSpy changes(&panel, &TensorPanel::sortingChanged);
    panel.setTree(true);
    CHECK(panel.isTree());
    CHECK(changes.count() == 1);
    auto* tree = panel.findChild<QTreeView*>();
    const QModelIndex group = tree->model()->index(0, 0);
    const QSignalSpy requests(&panel, &TensorPanel::selectionRequested);
    tree->setCurrentIndex(tree->model()->index(0, 0, group));
    CHECK(requests.count() == 0);
    CHECK(panel.selectedTensors() == std::vector<int>{0, 2});
    tree->selectionModel()->select(panel.shown().indexOfTensor(3),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    CHECK(panel.selectedTensors() == std::vector<int>{0, 2, 3});
    tree->selectAll();
    CHECK(panel.selectedTensors() == std::vector<int>{0, 2, 1, 3});
}

TEST_CASE("a tensor in a closed branch is gone to, and its branch opens")
{
    std::vector<TensorInfo> many;
    for (int tensor = 0; tensor < 60; ++tensor)
        many.push_back({.name = "b" + std::to_string(tensor / 6) + "/t" + std::to_string(tensor),
                        .role = Role::Activation});
    test::ListedTensors listed(many);
    TensorModel tensors(listed.document);
    TensorPanel panel(tensors);
    panel.setTree(true);
    auto* tree = panel.findChild<QTreeView*>();
    const QModelIndex branch = panel.shown().indexOfTensor(30).parent();
    CHECK_FALSE(tree->isExpanded(branch));
    panel.setSelected(30);
    CHECK(tree->isExpanded(branch));
    CHECK(panel.neighbour(35, 1) == 36);
    panel.setQuery("t4");
    CHECK(tree->isExpanded(panel.shown().indexOfTensor(41).parent()));
}

TEST_CASE("names keep their room while the list is made narrow, and all comes back")
{
    Panel test;
    test.panel.show();
    auto* header = test.panel.findChild<QHeaderView*>();
    const auto shown = [&header] {
        std::vector<int> columns;
        for (int column = 1; column < TensorModel::ColumnCount; ++column)
            if (!header->isSectionHidden(column))
                columns.push_back(column);
        return columns;
    };
    for (const int width : {400, 320, 280, 240, 200, 170, 400}) {
        CAPTURE(width);
        test.panel.resize(width, 600);
        CHECK(header->sectionSize(TensorModel::Name) >= 110);
        CHECK((shown().size() == 3) == (width >= 280));
    }
    test.panel.resize(200, 600);
    CHECK(shown() == std::vector<int>{TensorModel::Sqnr});
    header->actions().at(TensorModel::Flags - 1)->setChecked(false);
    header->actions().at(TensorModel::Flags - 1)->setChecked(true);  // asked for, so it stays
    CHECK(shown() == std::vector<int>{TensorModel::Flags, TensorModel::Sqnr});

    Panel other;  // what gave way is not remembered as hidden
    other.panel.resize(400, 600);
    other.panel.restoreColumns(test.panel.columns());
    CHECK_FALSE(other.panel.findChild<QHeaderView*>()->isSectionHidden(TensorModel::Distribution));
}

TEST_CASE("what is accepted brings its column, and it can be filtered by")
{
    Panel test;
    test.panel.resize(500, 600);
    test.panel.show();
    auto* header = test.panel.findChild<QHeaderView*>();
    CHECK(header->isSectionHidden(TensorModel::Decided));
    REQUIRE(acceptRecipe(test.document, {0, 2}).accepted == 2);
    CHECK_FALSE(header->isSectionHidden(TensorModel::Decided));
    const QModelIndex row =
        test.panel.shown().indexOfTensor(0).siblingAtColumn(TensorModel::Decided);
    CHECK(row.data().toString().startsWith("30.0  "));
    const QString label = row.data().toString().mid(6);
    CHECK(row.data(Qt::ToolTipRole).toString() ==
          QString("Accepted: %1.\nSQNR 30.00 dB.\nThe recipe's choice has the same.").arg(label));
    const auto shownBy = [&test](const QString& query) {
        test.panel.setQuery(query);
        return test.panel.shown().shownTensors();
    };
    CHECK(shownBy("decided:yes") == std::vector<int>{0, 2});
    CHECK(shownBy("decided:" + label.left(4)) == std::vector<int>{0, 2});
    CHECK(shownBy("decided:nothing-like-it").empty());
    CHECK(shownBy("accepted<28") == std::vector<int>{2});
    CHECK(shownBy("delta<0").empty());
    CHECK(shownBy("delta=0") == std::vector<int>{0, 2});
    CHECK(shownBy("flag:accepted") == std::vector<int>{0, 2});
    CHECK(shownBy("flag:nan") == std::vector<int>{2, 1});
    clearDecisions(test.document, {0, 2});
    CHECK(header->isSectionHidden(TensorModel::Decided));
}

TEST_CASE("a tensor that is shown by a key with Ctrl is selected alone")
{
    Panel test;
    test.panel.show();
    test.panel.setSelected(0);
    QTest::keyPress(test.panel.windowHandle(), Qt::Key_Down, Qt::ControlModifier);
    REQUIRE(QGuiApplication::keyboardModifiers() == Qt::ControlModifier);
    test.panel.setSelected(2);
    test.panel.setSelected(3);
    CHECK(test.panel.selectedTensors() == std::vector<int>{3});
    QTest::keyRelease(test.panel.windowHandle(), Qt::Key_Down, Qt::NoModifier);
}

TEST_CASE("Enter and Escape in the filter give the focus to the list")
{
    for (const int key : {Qt::Key_Return, Qt::Key_Escape}) {
        Panel test;
        test.panel.show();
        test.panel.activateWindow();
        test.panel.focusFilter();
        auto* field = test.panel.findChild<QLineEdit*>();
        field->setText("kind:activation");
        QTest::keyClick(field, Qt::Key(key));
        CHECK(test.panel.focusWidget() == test.panel.findChild<QTreeView*>());
        CHECK(field->text() == "kind:activation");
    }
}

TEST_CASE("columns of numbers follow the font, those that the user resized stay")
{
    Panel test;
    test.panel.resize(420, 600);
    test.panel.show();
    auto* header = test.panel.findChild<QHeaderView*>();
    const auto needed = [&] {
        return QFontMetrics(test.panel.font()).horizontalAdvance(QStringLiteral("SQNR"));
    };
    REQUIRE(header->sectionSize(TensorModel::Sqnr) >= needed());
    QFont large = test.panel.font();
    large.setPointSizeF(2.0 * large.pointSizeF());
    test.panel.setFont(large);
    CHECK(header->sectionSize(TensorModel::Sqnr) >= needed());
    const int wide = header->sectionSize(TensorModel::Sqnr);
    large.setPointSizeF(large.pointSizeF() / 2.0);
    test.panel.setFont(large);
    CHECK(header->sectionSize(TensorModel::Sqnr) < wide);
    header->resizeSection(TensorModel::Sqnr, 99);
    large.setPointSizeF(large.pointSizeF() * 1.5);
    test.panel.setFont(large);
    CHECK(header->sectionSize(TensorModel::Sqnr) == 99);
}

}  // namespace tensor_panel_test
