// SPDX-License-Identifier: GPL-3.0-or-later
// A dump of 20 000 tensors: what the list asks of the engine and of its model
// is counted, so that no slow machine makes these tests fail.
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/panels/tensor_panel.h"
#include "ui/widgets/go_to_dialog.h"

#include <QElapsedTimer>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>

namespace many_tensors_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

constexpr int tensorCount = 20000;

std::vector<TensorInfo> manyTensors()
{
    std::vector<TensorInfo> tensors;
    for (int place = 0; place < tensorCount; ++place) {
        const std::string name =
            "block" + std::to_string(place / 500) + "/layer" + std::to_string(place % 500);
        tensors.push_back({.name = name,
                           .path = "/" + name,
                           .role = place % 2 == 0 ? Role::Activation : Role::Weight,
                           .elementType = ElementKind::Float32,
                           .shape = {4, 8},
                           .layoutRule = "path-words",
                           .isGuess = place % 3 == 0});
    }
    return tensors;
}

/// Counts how often anything is asked of it.
class CountingModel : public TensorModel
{
public:
    using TensorModel::TensorModel;

    QVariant data(const QModelIndex& index, int role) const override
    {
        ++asked;
        return TensorModel::data(index, role);
    }
    mutable int asked = 0;
};

struct List
{
    List()
    {
        QObject::connect(&panel, &TensorPanel::shownTensorsChanged, &document.previews(),
                         &Previews::prefer);
        panel.resize(320, 700);
        panel.show();
        model.asked = 0;
        document.open("/many.h5");
        FakeEngine::answer(waited.opens, protocol::DumpOpened{.tensors = manyTensors()});
        settle();
    }
    void settle() const { REQUIRE(test::becomesQuiet(panel)); }
    quint64 requests() const { return waited.lastId + background.lastId; }

    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    CountingModel model{document};
    TensorPanel panel{model};
    QTreeView* tree = panel.findChild<QTreeView*>();
};

TEST_CASE("opening 20 000 tensors asks the model for what is on screen, not "
          "for every row")
{
    List list;
    CHECK(list.panel.shown().matchCount() == tensorCount);
    CHECK(list.model.asked > 0);
    CHECK(list.model.asked < tensorCount);
}

TEST_CASE("scrolling and hovering over 20 000 tensors ask nothing of the engine")
{
    List list;
    const quint64 before = list.requests();
    QScrollBar* bar = list.tree->verticalScrollBar();
    for (int step = 0; step <= 20; ++step) {
        bar->setValue(bar->maximum() * step / 20);
        QTest::mouseMove(list.tree->viewport(), QPoint(60, 40 + 20 * step));
        const QModelIndex row = list.tree->indexAt({60, 40});
        for (int column = 0; column < TensorModel::ColumnCount; ++column)
            (void)row.siblingAtColumn(column).data(Qt::ToolTipRole);
        QApplication::processEvents();
    }
    list.settle();
    CHECK(list.requests() == before);
    CHECK(list.waited.views.empty());
}

TEST_CASE("rows on screen are glanced at first")
{
    List list;
    QScrollBar* bar = list.tree->verticalScrollBar();
    bar->setValue(bar->maximum());
    list.settle();
    FakeEngine::answer(list.background.previews, protocol::Preview{});  // that was at work before
    REQUIRE(list.background.previews.size() == 1);
    // The lowest rows are the last weights.
    CHECK(list.background.previews.front().request.tensor.index > tensorCount - 200);
    CHECK(list.document.previews().left() == tensorCount - 1);
}

TEST_CASE("a glance asks the model for one row, also while 20 000 are filtered")
{
    List list;
    list.panel.setQuery("is:guess kind:weight");
    list.settle();
    CHECK(list.panel.shown().matchCount() == tensorCount / 6);
    list.model.asked = 0;
    for (int tensor = 0; tensor < 100; ++tensor)
        list.document.previews().take(tensor, protocol::Preview{.sqnrDb = 30.0});
    list.settle();
    CHECK(list.model.asked < 100 * 100);
}

TEST_CASE("a filter over 20 000 tensors asks each once, not each row of the view")
{
    List list;
    list.model.asked = 0;
    list.panel.setQuery("layer499");
    list.settle();
    CHECK(list.panel.shown().matchCount() == 40);
    CHECK(list.model.asked < tensorCount);
}

TEST_CASE("sorting 20 000 tensors compares no more often than a good sort")
{
    List list;
    list.model.asked = 0;
    constexpr int twoKeysForEachOfLog2 = 2 * 20;
    const_cast<TensorFilterModel&>(list.panel.shown()).sort(TensorModel::Shape);
    CHECK(list.model.asked < tensorCount * twoKeysForEachOfLog2);
}

TEST_CASE("worst first sorts 20 000 tensors, whose numbers are partly unknown, by known ones")
{
    List list;
    for (int tensor = 0; tensor < tensorCount; tensor += 2)
        list.document.previews().take(tensor, protocol::Preview{.sqnrDb = 60.0 - tensor / 1000});
    list.settle();
    list.model.asked = 0;
    list.panel.setWorstFirst(true);
    constexpr int twoKeysForEachOfLog2 = 2 * 20;
    CHECK(list.model.asked < tensorCount * twoKeysForEachOfLog2);
    // The activations have numbers: the lowest is the last thousand's.
    CHECK(list.panel.shown().shownTensors().front() >= tensorCount - 1000);
}

TEST_CASE("1000 previews while 20 000 are sorted make a few orders, not one each")
{
    List list;
    list.panel.setWorstFirst(true);
    list.settle();
    int orders = 0;
    QObject::connect(&list.panel.shown(), &QAbstractItemModel::layoutChanged, &list.panel,
                     [&orders] { ++orders; });
    list.model.asked = 0;
    constexpr int previews = 1000;
    QElapsedTimer timer;
    timer.start();
    for (int tensor = 0; tensor < previews; ++tensor) {
        list.document.previews().take(tensor, protocol::Preview{.sqnrDb = 60.0 - tensor % 50});
        QApplication::processEvents();
    }
    list.settle();
    CHECK(orders >= 1);
    CHECK(orders <= 2 + timer.elapsed() / TensorFilterModel::batchMs);
    // What is on screen is drawn anew for each order and each preview of a row that is seen.
    CHECK(list.model.asked < previews * 200);
    CHECK(list.panel.shown().indexOfTensor(49).row() == 0);
}

TEST_CASE("pinning one of 20 000 tensors asks for few rows, not for the list anew")
{
    List list;
    list.model.asked = 0;
    edits::setPinned(list.document, {100, 19000}, true);
    list.settle();
    CHECK(list.model.asked < 2000);
    CHECK(list.panel.shown().rowCount() == 3);
    list.model.asked = 0;
    edits::setPinned(list.document, {100}, false);
    list.settle();
    CHECK(list.model.asked < 2000);
}

TEST_CASE("letters find one of 20 000 tensors, and few rows are made")
{
    GoToModel model;
    std::vector<Destination> destinations;
    for (const TensorInfo& tensor : manyTensors())
        destinations.push_back({.text = QString::fromStdString(tensor.name), .go = [] {}});
    model.setDestinations(std::move(destinations));
    model.setQuery("b7l321");
    CHECK(model.rowCount() <= GoToModel::most);
    CHECK(model.index(0).data().toString() == "block7/layer321");
    model.setQuery("layer321 block39");
    CHECK(model.matchCount() == 1);
}

}  // namespace many_tensors_test
