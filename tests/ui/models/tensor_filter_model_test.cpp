// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter_model.h"

#include "tests/support/catch.h"
#include "tests/support/listed_tensors.h"
#include "ui/document/edits.h"
#include "ui/models/tensor_model.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QSignalSpy>

namespace tensor_filter_model_test {

using namespace calibscope;

namespace {

protocol::Preview previewOf(double sqnrDb)
{
    return {.extents = {.finite = 2, .min = -1.0, .max = 1.0, .absSecond = 1.0},
            .sparkline = {},
            .sqnrDb = sqnrDb,
            .notes = {}};
}

struct Filtered : test::ListedTensors
{
    Filtered()
        : ListedTensors({{.name = "layer10", .role = Role::Activation},
                         {.name = "layer2", .role = Role::Activation},
                         {.name = "kernel", .role = Role::Weight},
                         {.name = "layer1", .role = Role::Activation}})
    {}

    TensorModel tensors{document};
    TensorFilterModel shown{tensors};
    QAbstractItemModelTester tester{&shown, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

}  // namespace

TEST_CASE("without a query all tensors are shown, by group, in file order")
{
    const Filtered filtered;
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 1, 3, 2});
    CHECK(filtered.shown.matchCount() == 4);
}

TEST_CASE("a query hides tensors, and groups that have none left")
{
    Filtered filtered;
    filtered.shown.setQuery("kind:weight");
    CHECK(filtered.shown.rowCount() == 1);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{2});
    CHECK_FALSE(filtered.shown.indexOfTensor(0).isValid());
    filtered.shown.setQuery("");
    CHECK(filtered.shown.matchCount() == 4);
}

TEST_CASE("a query about numbers follows the glances as they arrive")
{
    Filtered filtered;
    filtered.shown.setQuery("sqnr<30");
    CHECK(filtered.shown.shownTensors().empty());
    filtered.setPreview(1, previewOf(25.0));
    filtered.setPreview(0, previewOf(35.0));
    filtered.shown.catchUp();
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1});
    filtered.setPreview(1, previewOf(45.0));
    filtered.shown.catchUp();
    CHECK(filtered.shown.shownTensors().empty());
}

TEST_CASE("names sort with their numbers, and groups stay where they are")
{
    Filtered filtered;
    filtered.shown.sort(TensorModel::Name, Qt::AscendingOrder);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{3, 1, 0, 2});
    filtered.shown.sort(TensorModel::Name, Qt::DescendingOrder);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 1, 3, 2});
    filtered.shown.sort(-1);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 1, 3, 2});
}

TEST_CASE("unknown numbers sort last either way")
{
    Filtered filtered;
    filtered.setPreview(3, previewOf(20.0));
    filtered.setPreview(0, previewOf(30.0));
    filtered.shown.sort(TensorModel::Sqnr, Qt::AscendingOrder);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{3, 0, 1, 2});
    filtered.shown.sort(TensorModel::Sqnr, Qt::DescendingOrder);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 3, 1, 2});
}

TEST_CASE("another dump is filtered by the query that stands")
{
    Filtered filtered;
    filtered.shown.setQuery("b");
    filtered.open({{.name = "a"}, {.name = "b"}});
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1});
}

TEST_CASE("what is wrong with a query is told")
{
    Filtered filtered;
    filtered.shown.setQuery("kind:star");
    CHECK(filtered.shown.problem().contains("role:"));
    filtered.shown.setQuery("layer");
    CHECK(filtered.shown.problem().isEmpty());
}

TEST_CASE("pinned tensors are shown whatever is looked for, and walked once")
{
    Filtered filtered;
    edits::setPinned(filtered.document, {2}, true);
    filtered.shown.setQuery("layer1");
    REQUIRE(filtered.shown.rowCount() == 2);
    CHECK(filtered.shown.tensorAt(filtered.shown.index(0, 0, filtered.shown.index(1, 0))) == 2);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 3});
    filtered.shown.setQuery("");
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 1, 3, 2});
}

TEST_CASE("both rows of a pinned tensor learn of its glance, and pins are in file order")
{
    Filtered filtered;
    edits::setPinned(filtered.document, {3}, true);
    edits::setPinned(filtered.document, {1}, true);
    const QModelIndex pins = filtered.shown.index(2, 0);
    CHECK(pins.data().toString() == "pinned  2");
    CHECK(filtered.shown.tensorAt(filtered.shown.index(0, 0, pins)) == 1);
    CHECK(filtered.shown.tensorAt(filtered.shown.index(1, 0, pins)) == 3);
    const QSignalSpy changes(&filtered.shown, &QAbstractItemModel::dataChanged);
    filtered.setPreview(1, previewOf(30.0));
    CHECK(changes.count() == 2);
    edits::setPinned(filtered.document, {1}, false);
    CHECK(filtered.shown.rowCount(filtered.shown.index(2, 0)) == 1);
    edits::setPinned(filtered.document, {3}, false);
    CHECK(filtered.shown.rowCount() == 2);
}

TEST_CASE("a tensor that changes its role changes its group")
{
    Filtered filtered;
    edits::understand(filtered.document, {0}, {.role = Role::Weight});
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1, 3, 0, 2});
    CHECK(filtered.shown.index(0, 0).data().toString() == "activations  2");
}

TEST_CASE("a query about marks follows them")
{
    Filtered filtered;
    filtered.shown.setQuery("is:pinned");
    CHECK(filtered.shown.matchCount() == 0);
    edits::setPinned(filtered.document, {1}, true);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1});
    filtered.shown.setQuery("-is:excluded");
    edits::setExcluded(filtered.document, {0, 3}, true);
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1, 2});
}

TEST_CASE("a group says how many of its tensors a query lets through")
{
    Filtered filtered;
    CHECK(filtered.shown.index(0, 0).data().toString() == "activations  3");
    filtered.shown.setQuery("layer1");
    CHECK(filtered.shown.index(0, 0).data().toString() == "activations  2 of 3");
}

namespace {

/// Eight outputs in two blocks, a weight, and a tensor that lies in no block.
struct Nested : test::ListedTensors
{
    Nested()
        : ListedTensors({{.name = "block2/a/output", .role = Role::Activation},
                         {.name = "block2/b/output", .role = Role::Activation},
                         {.name = "block10/a/output", .role = Role::Activation},
                         {.name = "block10/b/output", .role = Role::Activation},
                         {.name = "stem/output", .role = Role::Activation},
                         {.name = "block2/a/weight", .role = Role::Weight}})
    {
        shown.setTree(true);
    }

    /// Names with two blanks for each level, groups left out.
    QString drawn() const
    {
        QStringList lines;
        const auto draw = [&](const auto& self, const QModelIndex& parent, int depth) -> void {
            for (int row = 0; row < shown.rowCount(parent); ++row) {
                const QModelIndex index = shown.index(row, 0, parent);
                if (parent.isValid())
                    lines += QString(2 * depth, u' ') + index.data().toString();
                self(self, index, parent.isValid() ? depth + 1 : 0);
            }
        };
        draw(draw, {}, 0);
        return lines.join(u'\n');
    }
    QModelIndex branch(int row) const { return shown.index(row, 0, shown.index(0, 0)); }

    TensorModel tensors{document};
    TensorFilterModel shown{tensors};
    QAbstractItemModelTester tester{&shown, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

}  // namespace

TEST_CASE("a tree has a branch for each part of several names, without what all of a role share")
{
    Nested nested;
    CHECK(nested.drawn().toStdString() ==
          "block2\n  a\n  b\nblock10\n  a\n  b\nstem\nblock2/a/weight");
    CHECK(nested.shown.index(0, 0).data(TensorFilterModel::CommonEndsRole).toString() ==
          "*/output");
    CHECK(nested.shown.index(1, 0).data(TensorFilterModel::CommonEndsRole).toString().isEmpty());
    CHECK(nested.shown.shownTensors() == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(nested.shown.tensorAt(nested.branch(0)) == -1);
    CHECK(nested.shown.tensorsIn(nested.branch(1)) == std::vector<int>{2, 3});
    CHECK(nested.shown.tensorsIn(nested.shown.index(0, 0)).empty());
    CHECK(nested.branch(1).flags().testFlag(Qt::ItemIsSelectable));
    nested.shown.setTree(false);
    CHECK(nested.drawn().toStdString() ==
          "block2/a\nblock2/b\nblock10/a\nblock10/b\nstem\nblock2/a/weight");
}

TEST_CASE("a branch shows the worst below it, and follows it")
{
    Nested nested;
    const QModelIndex worst = nested.branch(0).siblingAtColumn(TensorModel::Sqnr);
    CHECK(worst.data().toString().isEmpty());
    QSignalSpy changes(&nested.shown, &QAbstractItemModel::dataChanged);
    nested.setPreview(0, previewOf(31.0));
    nested.setPreview(1, previewOf(25.0));
    CHECK(worst.data().toString() == "25.0");
    CHECK(worst.data(TensorModel::SqnrRole).toDouble() == 25.0);
    bool isTold = false;
    for (const QList<QVariant>& change : changes)
        isTold = isTold || change[0].toModelIndex() == nested.branch(0);
    CHECK(isTold);
    nested.setPreview(1, previewOf(45.0));
    CHECK(worst.data().toString() == "31.0");
    CHECK(nested.branch(0).data(TensorFilterModel::BranchSizeRole).toInt() == 2);
    nested.setPreview(2, previewOf(10.0));
    CHECK(worst.data().toString() == "31.0");
}

TEST_CASE("in a tree rows are sorted among their like, branches by their worst")
{
    Nested nested;
    nested.setPreview(0, previewOf(40.0));
    nested.setPreview(1, previewOf(30.0));
    nested.setPreview(2, previewOf(50.0));
    nested.setPreview(3, previewOf(20.0));
    nested.shown.sort(TensorModel::Sqnr, Qt::AscendingOrder);
    CHECK(nested.shown.shownTensors() == std::vector<int>{3, 2, 1, 0, 4, 5});
    nested.setPreview(1, previewOf(5.0));
    nested.shown.catchUp();
    CHECK(nested.shown.shownTensors() == std::vector<int>{1, 0, 3, 2, 4, 5});
    nested.shown.sort(TensorModel::Name, Qt::DescendingOrder);
    CHECK(nested.shown.shownTensors() == std::vector<int>{4, 3, 2, 1, 0, 5});
    nested.shown.sort(-1);
    CHECK(nested.shown.shownTensors() == std::vector<int>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("what is selected stays so while rows are sorted, filtered and put into a tree")
{
    Nested nested;
    QItemSelectionModel selection(&nested.shown);
    const QPersistentModelIndex second(nested.branch(1));
    selection.select(nested.shown.indexOfTensor(3),
                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    selection.setCurrentIndex(nested.shown.indexOfTensor(0), QItemSelectionModel::NoUpdate);
    const auto isKept = [&] {
        return selection.selectedRows() == QModelIndexList{nested.shown.indexOfTensor(3)} &&
               selection.currentIndex() == nested.shown.indexOfTensor(0);
    };
    nested.setPreview(3, previewOf(20.0));
    nested.shown.sort(TensorModel::Sqnr, Qt::AscendingOrder);
    CHECK(isKept());
    CHECK(second == nested.branch(0));
    nested.shown.setQuery("/a");
    CHECK(selection.selectedRows().empty());
    CHECK(selection.currentIndex() == nested.shown.indexOfTensor(0));
    nested.shown.setQuery("block");
    selection.select(nested.shown.indexOfTensor(3),
                     QItemSelectionModel::Select | QItemSelectionModel::Rows);
    nested.shown.setTree(false);
    CHECK(isKept());
    CHECK_FALSE(second.isValid());
    nested.shown.setTree(true);
    CHECK(isKept());
}

TEST_CASE("previews are taken up together, what the user changes at once")
{
    Filtered filtered;
    filtered.shown.sort(TensorModel::Sqnr, Qt::AscendingOrder);
    const QSignalSpy orders(&filtered.shown, &QAbstractItemModel::layoutChanged);
    filtered.setPreview(0, previewOf(30.0));
    filtered.setPreview(1, previewOf(20.0));
    filtered.setPreview(3, previewOf(25.0));
    CHECK(filtered.shown.shownTensors() == std::vector<int>{0, 1, 3, 2});
    CHECK(orders.count() == 0);
    filtered.shown.catchUp();
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1, 3, 0, 2});
    CHECK(orders.count() == 1);
    filtered.setPreview(0, previewOf(31.0));  // another number, the same order
    filtered.shown.catchUp();
    CHECK(orders.count() == 1);
    edits::setPinned(filtered.document, {2}, true);
    CHECK(filtered.shown.rowCount() == 3);
}

TEST_CASE("keys merged batch by batch give the order of a whole sort")
{
    constexpr int count = 300;
    std::vector<TensorInfo> tensors;
    for (int tensor = 0; tensor < count; ++tensor)
        tensors.push_back({.name = "t" + std::to_string(tensor), .role = Role::Activation});
    test::ListedTensors listed(tensors);
    TensorModel model(listed.document);
    TensorFilterModel shown(model);
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        shown.sort(TensorModel::Sqnr, order);
        unsigned state = 7;
        for (int step = 0; step < 900; ++step) {
            state = state * 1664525U + 1013904223U;
            listed.setPreview(static_cast<int>((state >> 8) % count),
                              previewOf((state >> 20) % 50));  // many are equal
            if (step % 37 == 0)
                shown.catchUp();
        }
        shown.catchUp();
        const std::vector<int> merged = shown.shownTensors();
        shown.sort(-1);
        shown.sort(TensorModel::Sqnr, order);
        CHECK(merged == shown.shownTensors());
    }
}

TEST_CASE("a branch shows the flags of all tensors below it, and follows them")
{
    Nested nested;
    const QModelIndex flags = nested.branch(0).siblingAtColumn(TensorModel::Flags);
    CHECK(flags.data().toString().isEmpty());
    protocol::Preview withNan = previewOf(30.0);
    withNan.extents.nan = 1;
    nested.setPreview(0, withNan);
    protocol::Preview constant = previewOf(30.0);
    constant.extents.min = constant.extents.max;
    nested.setPreview(1, constant);
    CHECK(flags.data().toString() == "!0");  // in the order of the legend
    CHECK(flags.data(Qt::ToolTipRole).toString().contains("NaN"));
    CHECK(flags.data(Qt::ToolTipRole).toString().contains("constant"));
    CHECK(nested.branch(1).siblingAtColumn(TensorModel::Flags).data().toString().isEmpty());
    nested.setPreview(0, previewOf(30.0));
    CHECK(flags.data().toString() == "0");
    // What the user says of a tensor is not a warning.
    edits::setExcluded(nested.document, {1}, true);
    CHECK(flags.data().toString() == "0");
}

TEST_CASE("in a list a name is told from all others from some part on")
{
    test::ListedTensors listed({{.name = "stage1/block0/u/w", .role = Role::Activation},
                                {.name = "stage1/block1/u/w", .role = Role::Activation},
                                {.name = "stage1/block1/v/w", .role = Role::Activation},
                                {.name = "stem", .role = Role::Activation}});
    TensorModel tensors(listed.document);
    TensorFilterModel shown(tensors);
    const auto neededOf = [&](int tensor) {
        return shown.indexOfTensor(tensor).data(TensorFilterModel::NeededRole).toByteArray();
    };
    using Need = NameParts::Need;
    const auto needs = [](std::initializer_list<Need> each) {
        return QByteArray(reinterpret_cast<const char*>(each.begin()), std::ssize(each));
    };
    const Need spare = NameParts::Spare;
    const Need helpful = NameParts::Helpful;
    const Need essential = NameParts::Essential;
    CHECK(neededOf(0) == needs({spare, essential, helpful, helpful}));  // block0/u/w
    CHECK(neededOf(1) == needs({spare, essential, essential, helpful}));
    CHECK(neededOf(2) == needs({spare, spare, essential, helpful}));  // v/w
    CHECK(neededOf(3) == needs({essential}));
    shown.setTree(true);  // among its like a row differs in its first part
    CHECK(neededOf(2) == needs({essential, spare}));  // v/w of stage1/block1
}

}  // namespace tensor_filter_model_test
