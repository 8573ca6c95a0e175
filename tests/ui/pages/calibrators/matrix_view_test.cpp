// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/matrix_view.h"

#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/view_samples.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/matrix_model.h"
#include "ui/theme/chart_colors.h"
#include "ui/widgets/parts_label.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

#include <algorithm>

namespace matrix_view_test {

using namespace calibscope::test;
using namespace calibscope;

namespace {

TensorInfo tensorOf(const std::string& name)
{
    return {.name = name, .path = "/" + name, .role = Role::Activation, .shape = {8, 4}};
}

struct Tested
{
    explicit Tested(std::vector<TensorInfo> tensors = {
                        tensorOf("a10"),
                        tensorOf("a2"),
                        {.name = "odd", .path = "/odd", .unreadable = "no plugin"}})
    {
        view.resize(700, 400);
        view.show();
        document.open("/a.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = std::move(tensors)});
    }
    /// Answers what the background engine is asked, previews left out.
    void answerViews()
    {
        while (!background.views.empty() || !background.previews.empty()) {
            if (!background.previews.empty())
                FakeEngine::answer(background.previews, protocol::Preview());
            if (!background.views.empty())
                FakeEngine::answer(background.views, viewFor(background.views.front().request));
        }
    }
    QString shown(int row, int column) const
    {
        return view.table().model()->index(row, column).data().toString();
    }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    MatrixView view{document};
};

}  // namespace

TEST_CASE(
    "the matrix has a row for each readable tensor, and starts by itself where that is little")
{
    Tested test;
    CHECK(test.view.table().model()->rowCount() == 2);
    CHECK(test.view.cancelButton().isVisible());
    CHECK_FALSE(test.view.startButton().isVisible());
    test.answerViews();
    CHECK_FALSE(test.view.startButton().isVisible());  // all is there
    CHECK_FALSE(test.view.cancelButton().isVisible());
    CHECK(test.view.table().model()->columnCount() > 5);
    CHECK(test.shown(0, 0) == "a10");
    CHECK(test.shown(0, 1) == "≈10.00");
}

TEST_CASE("of much to read is told how much, and it waits for the button")
{
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    MatrixView view{document};
    view.show();
    document.open("/a.h5");
    TensorInfo large = tensorOf("large");
    large.shape = {1000, 1'000'000};
    FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = {large}});
    CHECK_FALSE(document.questions().matrix().isRunning());
    CHECK(view.startButton().isVisible());
    CAPTURE(view.stateText().toStdString());
    CHECK(view.stateText().contains("4 GB"));
    view.startButton().click();
    CHECK(document.questions().matrix().isRunning());
}

TEST_CASE("the key of the colours has numbers, and the limit where it lies")
{
    Tested test;
    test.answerViews();
    const auto limits = [&test] {
        return std::ranges::count(test.view.key().ticks(), true, &MatrixKey::Tick::isLimit);
    };
    CHECK(test.view.key().ticks().size() >= 5);
    CHECK(limits() == 1);
    const auto press = [&test](const QKeySequence& key) {
        for (QShortcut* shortcut : test.view.findChildren<QShortcut*>())
            if (shortcut->key() == key && shortcut->context() == Qt::WindowShortcut)
                Q_EMIT shortcut->activated();
    };
    press(QKeySequence(Qt::SHIFT | Qt::Key_D));
    CHECK(test.view.references().currentIndex() == 1);
    CHECK(limits() == 0);  // of differences it is none
    CHECK(test.view.key().ticks().front().text == "−6");
    CHECK(test.view.key().ticks().back().text == "+6");
    press(QKeySequence(Qt::SHIFT | Qt::Key_C));
    CHECK(test.view.colourings().currentIndex() == 1);
}

TEST_CASE("one row stands above the table, whose heads have two lines and are whole")
{
    Tested test;
    test.answerViews();
    REQUIRE(becomesQuiet(test.view));
    CHECK(test.view.minimumSizeHint().width() <= 536);  // of the page at 1280 pixels
    CHECK(test.view.table().y() <= test.view.key().height() + 6);
    const QHeaderView& header = *test.view.table().horizontalHeader();
    CHECK(header.height() < 3 * header.fontMetrics().height());
    for (int column = 1; column < header.count(); ++column) {
        if (header.isSectionHidden(column))
            continue;
        const QString label =
            test.view.table().model()->headerData(column, Qt::Horizontal).toString();
        CAPTURE(label.toStdString());
        constexpr int padding = 12;
        CHECK(fittingLines(label, header.fontMetrics(), Qt::ElideRight,
                           header.sectionSize(column) - padding, 2)
                  .join(u' ') == label);
    }
}

TEST_CASE("a filter that leaves no tensor leaves a key without colours")
{
    Tested test;
    test.answerViews();
    REQUIRE_FALSE(test.view.key().ticks().empty());
    test.view.setListed(std::vector<int>());
    CHECK(test.view.key().ticks().empty());
    CHECK_FALSE(test.view.grab().isNull());
}

TEST_CASE("computing can be cancelled")
{
    Tested test;
    test.view.startButton().click();
    test.view.cancelButton().click();
    CHECK_FALSE(test.document.questions().matrix().isRunning());
    CHECK(test.view.startButton().isVisible());
}

TEST_CASE("another number can be shown, and the columns sort")
{
    Tested test;
    test.view.startButton().click();
    test.answerViews();
    test.view.metrics().setCurrentIndex(1);
    Q_EMIT test.view.metrics().activated(1);
    CHECK(test.shown(0, 1) != "≈10.00");
    test.view.table().sortByColumn(0, Qt::AscendingOrder);
    CHECK(test.shown(0, 0) == "a2");
}

TEST_CASE("what is copied is the table as it is shown")
{
    Tested test;
    test.view.startButton().click();
    test.answerViews();
    test.view.table().setColumnHidden(1, true);
    test.view.copyTable();
    const QStringList head = QGuiApplication::clipboard()->text().section(u'\n', 0, 0).split(u'\t');
    CHECK(head.size() == test.view.table().horizontalHeader()->count() -
                             test.view.table().horizontalHeader()->hiddenSectionCount());
    CHECK_FALSE(head.contains("min-max"));
}

TEST_CASE("a click on a cell asks for its tensor and its calibrator")
{
    Tested test;
    test.view.startButton().click();
    test.answerViews();
    int tensor = -1;
    std::string label;
    QObject::connect(&test.view, &MatrixView::cellChosen,
                     [&](int chosen, const std::string& column) {
                         tensor = chosen;
                         label = column;
                     });
    const QModelIndex cell = test.view.table().model()->index(1, 1);
    QTest::mouseClick(test.view.table().viewport(), Qt::LeftButton, {},
                      test.view.table().visualRect(cell).center());
    CHECK(tensor == 1);
    CHECK(label == "min-max");
    const int percentile = 2;
    REQUIRE(test.view.table().model()->headerData(percentile, Qt::Horizontal) ==
            "percentile 99.999");
    Q_EMIT test.view.table().clicked(test.view.table().model()->index(1, percentile));
    CHECK(label == "percentile");  // by id: labels are only read
}

TEST_CASE("the tensors' names stay when the calibrators are scrolled")
{
    Tested test;
    test.view.startButton().click();
    test.answerViews();
    const auto& names = *test.view.findChild<QTableView*>("frozenNames");
    QScrollBar& bar = *test.view.table().horizontalScrollBar();
    REQUIRE(bar.maximum() > 0);
    bar.setValue(bar.maximum());
    CHECK(names.isVisible());
    CHECK(names.x() == 0);
    CHECK(names.indexAt({5, 5}).data().toString() == "a10");
    CHECK(names.visualRect(names.model()->index(1, 0)).top() ==
          test.view.table().visualRect(test.view.table().model()->index(1, 1)).top());
    CHECK(names.isColumnHidden(1));
}

namespace {

constexpr int shareRole = Qt::UserRole;
constexpr int bestRole = Qt::UserRole + 1;

std::optional<QColor> groundOf(const QModelIndex& index)
{
    const QVariant share = index.data(shareRole);
    return share.isValid() ? std::optional(heatColor(share.toDouble(), false)) : std::nullopt;
}

QImage painted(const QStandardItem& item)
{
    QStandardItemModel model(1, 1);
    model.setItem(0, 0, item.clone());
    const HeatDelegate delegate(groundOf, bestRole);
    QStyleOptionViewItem option;
    option.rect = QRect(0, 0, 80, 24);
    QImage image(80, 24, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    delegate.paint(&painter, option, model.index(0, 0));
    return image;
}

}  // namespace

TEST_CASE("text is legible on every colour of the heat map, in light and dark")
{
    for (const bool dark : {false, true})
        for (int step = 0; step <= 100; ++step) {
            const QColor ground = heatColor(step / 100.0, dark);
            CHECK(contrastRatio(textOn(ground), ground) >= 4.5);
        }
}

TEST_CASE("a cell with a share is filled with its colour")
{
    QStandardItem item("1");
    item.setData(0.5, shareRole);
    CHECK(painted(item).pixelColor(40, 1) == heatColor(0.5, false));
}

TEST_CASE("the best has a star beside its text")
{
    QStandardItem item;
    item.setData(1.0, shareRole);
    const QImage plain = painted(item);
    item.setData(true, bestRole);
    CHECK(painted(item) != plain);
}

TEST_CASE("there is room for star and bold digits")
{
    QStandardItemModel model(1, 1);
    model.setItem(0, 0, new QStandardItem("29.75"));
    const HeatDelegate delegate(groundOf, bestRole);
    QStyleOptionViewItem option;
    QFont bold = option.font;
    bold.setBold(true);
    CHECK(delegate.sizeHint(option, model.index(0, 0)).width() >=
          QFontMetrics(bold).horizontalAdvance("29.75") + 24);
}

TEST_CASE("the list's filter holds for the matrix, which says so, and a sweep is still of all")
{
    Tested test;
    test.answerViews();
    REQUIRE(test.view.table().model()->rowCount() == 2);
    test.view.setListed(std::vector{1, 7});
    REQUIRE(test.view.table().model()->rowCount() == 1);
    CHECK(test.shown(0, 0) == "a2");
    CHECK(test.view.stateText() == "1 of 2 tensors pass the list's filter.");
    CHECK_FALSE(test.view.startButton().isVisible());
    test.view.setListed(std::nullopt);
    CHECK(test.view.table().model()->rowCount() == 2);
    CHECK(test.view.stateText().isEmpty());
}

TEST_CASE("a column of few rows comes last, and one that no listed row has is hidden")
{
    TensorInfo weight = tensorOf("w");
    weight.role = Role::Weight;
    weight.channelAxis = 0;
    Tested test({tensorOf("a1"), tensorOf("a2"), tensorOf("a3"), weight});
    test.answerViews();
    const QTableView& table = test.view.table();
    const QHeaderView& header = *table.horizontalHeader();
    const auto filled = [&](int column) {
        int rows = 0;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex cell = table.model()->index(row, column);
            rows += !cell.data(MatrixModel::IsGroupRole).toBool() &&
                    cell.data(MatrixModel::StateRole).toInt() != MatrixModel::None;
        }
        return rows;
    };
    const auto hidden = [&] {
        int count = 0;
        for (int column = 1; column < table.model()->columnCount(); ++column) {
            CHECK(header.isSectionHidden(column) == (filled(column) == 0));
            count += header.isSectionHidden(column);
        }
        return count;
    };
    CHECK(hidden() == 0);
    CHECK(filled(header.logicalIndex(1)) >= 3);
    CHECK(filled(header.logicalIndex(header.count() - 1)) == 1);
    test.view.setListed(std::vector{0, 1});
    CHECK(hidden() > 0);
    test.view.setListed(std::vector{3});
    CHECK(hidden() > 0);
}

TEST_CASE("the column of a calibrator that was added is shown while it is computed")
{
    Tested test;
    test.answerViews();
    const QTableView& table = test.view.table();
    const int columns = table.model()->columnCount();
    test.document.select(0);
    (void)edits::addChoice(test.document, choiceOf("percentile", {{"alpha", "99.5"}}));
    test.document.questions().startMatrix(false);
    while (!test.waited.views.empty())  // of the page, which the sweep lets pass
        FakeEngine::answer(test.waited.views, viewFor(test.waited.views.front().request));
    REQUIRE(test.document.questions().matrix().isRunning());
    REQUIRE(table.model()->columnCount() == columns + 1);
    CHECK_FALSE(table.isColumnHidden(columns));
    test.answerViews();
    CHECK_FALSE(table.isColumnHidden(columns));
}

}  // namespace matrix_view_test
