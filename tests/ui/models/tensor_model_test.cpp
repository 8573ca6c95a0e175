// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_model.h"

#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "tests/support/listed_tensors.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace tensor_model_test {

using namespace calibscope;

/// A guessed weight and one of 16 bits before and after two activations, one of which can't be
/// read.
std::vector<TensorInfo> someTensors()
{
    return {{.name = "w1",
             .role = Role::Weight,
             .elementType = ElementKind::Float16,
             .shape = {4, 3},
             .op = "Gemm",
             .isGuess = true},
            {.name = "a1",
             .role = Role::Activation,
             .elementType = ElementKind::Float32,
             .shape = {8, 16}},
            {.name = "a2",
             .role = Role::Activation,
             .elementType = ElementKind::Float32,
             .shape = {8, 16},
             .unreadable = "compressed with filter 32015"},
            {.name = "w2",
             .role = Role::Weight,
             .elementType = ElementKind::Float16,
             .storedType = "uint16",
             .otherTypes = {ElementKind::Bfloat16},
             .shape = {}}};
}

protocol::Preview previewOf(double sqnrDb)
{
    return {.extents = {.finite = 3, .min = -1.0, .max = 2.0, .absSecond = 2.0},
            .sparkline = {1.0, 0.0, 2.0},
            .sqnrDb = sqnrDb,
            .notes = {"odd"}};
}

struct TestedModel : test::ListedTensors
{
    TestedModel() : ListedTensors(someTensors()) {}

    QString text(int tensor, TensorModel::Column column) const
    {
        return model.index(tensor, column).data().toString();
    }

    TensorModel model{document};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_CASE("columns show what is known without reading values")
{
    const TestedModel tested;
    CHECK(tested.text(0, TensorModel::Shape) == "4 × 3");
    CHECK(tested.text(3, TensorModel::Shape) == "scalar");
    CHECK(tested.text(0, TensorModel::Type) == "float16");
    CHECK(tested.text(0, TensorModel::Op) == "Gemm");
    CHECK(tested.text(0, TensorModel::Role) == "weight");
    CHECK(tested.text(0, TensorModel::Sqnr).isEmpty());
}

TEST_CASE("a glance fills its row and tells the views")
{
    TestedModel tested;
    const QSignalSpy changes(&tested.model, &QAbstractItemModel::dataChanged);
    tested.setPreview(1, previewOf(28.94));
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][0].toModelIndex() == tested.model.index(1, 0));
    CHECK(tested.text(1, TensorModel::Sqnr) == "28.9");
    const QModelIndex row = tested.model.index(1, 0);
    CHECK(row.data(TensorModel::SqnrRole).toDouble() == 28.94);
    CHECK(row.data(TensorModel::SparklineRole).value<QList<double>>() ==
          QList<double>{1.0, 0.0, 2.0});
    CHECK(row.siblingAtColumn(TensorModel::Sqnr).data(Qt::ToolTipRole).toString() == "odd");
}

TEST_CASE("a tensor without a sparkline has a dash in its place, and the reason")
{
    TestedModel tested;
    protocol::Preview preview = previewOf(28.94);
    tested.setPreview(1, preview);
    CHECK(tested.text(1, TensorModel::Distribution).isEmpty());
    preview.sparkline = {0.0, 0.0, 0.0};
    tested.setPreview(1, preview);
    CHECK(tested.text(1, TensorModel::Distribution) == "–");
    const auto reason = [&] {
        return tested.model.index(1, TensorModel::Distribution).data(Qt::ToolTipRole).toString();
    };
    CHECK(reason() == "Its range is narrower than the bins of a preview");
    preview.extents.finite = 0;
    tested.setPreview(1, preview);
    CHECK(reason() == "No finite value");
}

TEST_CASE("another recipe clears the SQNR and leaves the distribution")
{
    TestedModel tested;
    tested.setPreview(1, previewOf(28.94));
    edits::chooseRecipe(tested.document, "moffett-cnn");
    CHECK_FALSE(tested.model.index(1, 0).data(TensorModel::SqnrRole).isValid());
    CHECK(tested.model.index(1, 0).data(TensorModel::SparklineRole).isValid());
}

TEST_CASE("an unreadable row is greyed but can be chosen, and its tooltip says why")
{
    TestedModel tested;
    const QModelIndex row = tested.model.index(2, 0);
    CHECK(row.data(Qt::ForegroundRole).isValid());
    CHECK(row.flags().testFlag(Qt::ItemIsSelectable));
    CHECK(row.data(Qt::ToolTipRole).toString().endsWith("\ncompressed with filter 32015"));
    CHECK(tested.text(2, TensorModel::Flags) == "x");
    CHECK_FALSE(tested.model.index(1, 0).data(Qt::ForegroundRole).isValid());

    tested.document.previews().fail(1, "the engine ended");
    CHECK(tested.text(1, TensorModel::Flags) == "x");
    CHECK(tested.model.index(1, 0).data(Qt::ToolTipRole).toString().endsWith("\nthe engine ended"));
    tested.setPreview(1, previewOf(28.94));
    CHECK(tested.text(1, TensorModel::Flags).isEmpty());
}

TEST_CASE("new tensors replace the old ones with all that was known of them")
{
    TestedModel tested;
    tested.setPreview(1, previewOf(28.94));
    tested.open({{.name = "only"}, {.name = "two"}});
    CHECK(tested.model.tensorCount() == 2);
    CHECK(tested.model.preview(1) == nullptr);
}

TEST_CASE("the former dump is listed while another one is being opened")
{
    TestedModel tested;
    tested.setPreview(1, previewOf(28.94));
    edits::setPinned(tested.document, {1}, true);
    tested.document.open("/somewhere/other.h5");
    CHECK(tested.document.tensors().empty());
    CHECK(tested.model.tensorCount() == 4);
    CHECK(tested.text(1, TensorModel::Sqnr) == "28.9");
    CHECK(tested.model.pins().empty());  // pins are of the document, which has none any more
    test::FakeEngine::answer(tested.waited.opens, protocol::DumpOpened{});
    CHECK(tested.model.rowCount() == 0);
}

TEST_CASE("the list of a dump that is read again stays until the new one is there")
{
    TestedModel tested;
    tested.setPreview(1, previewOf(28.94));
    tested.document.reload();
    CHECK(tested.text(1, TensorModel::Sqnr) == "28.9");
    test::FakeEngine::fail(tested.waited.opens, "it is gone");
    CHECK(tested.model.rowCount() == 0);
}

TEST_CASE("tensors that are understood otherwise change in place, and lose what was known of them")
{
    TestedModel tested;
    tested.setPreview(0, previewOf(30.0));
    tested.setPreview(3, previewOf(28.94));
    const QSignalSpy resets(&tested.model, &QAbstractItemModel::modelReset);
    edits::understand(tested.document, {3}, {.elementType = ElementKind::Bfloat16});
    CHECK(resets.count() == 0);
    CHECK(tested.text(3, TensorModel::Type) == "uint16 as bfloat16");
    CHECK(tested.text(3, TensorModel::Flags) == "*");
    CHECK(tested.model.isEdited(3));
    CHECK(tested.model.preview(0));
    CHECK_FALSE(tested.model.preview(3));
    tested.setPreview(3, previewOf(28.94));
    CHECK(tested.model.preview(3));
    tested.document.undo();
    CHECK_FALSE(tested.model.isEdited(3));
}

TEST_CASE("a guess that is confirmed keeps what was known of the values")
{
    TestedModel tested;
    tested.setPreview(0, previewOf(28.94));
    CHECK(tested.text(0, TensorModel::Flags) == "?");
    edits::confirm(tested.document, {0});
    CHECK(tested.text(0, TensorModel::Flags).isEmpty());
    CHECK(tested.model.preview(0));
}

TEST_CASE("a tensor that changes its role is listed anew, and nothing else is forgotten")
{
    TestedModel tested;
    tested.setPreview(0, previewOf(30.0));
    const QSignalSpy resets(&tested.model, &QAbstractItemModel::modelReset);
    edits::understand(tested.document, {1}, {.role = Role::Weight});
    CHECK(resets.count() == 1);
    CHECK(tested.text(1, TensorModel::Role) == "weight");
    CHECK(tested.model.preview(0)->sqnrDb == 30.0);
}

TEST_CASE("pinned tensors are known in file order")
{
    TestedModel tested;
    edits::setPinned(tested.document, {3}, true);
    edits::setPinned(tested.document, {1}, true);
    CHECK(tested.model.pins() == std::vector<int>{1, 3});
    CHECK(tested.model.isPinned(3));

    edits::setPinned(tested.document, {1}, false);
    CHECK(tested.model.pins() == std::vector<int>{3});
    edits::setPinned(tested.document, {3}, false);
    CHECK_FALSE(tested.model.isPinned(3));
}

TEST_CASE("an excluded tensor is grey and flagged as such")
{
    TestedModel tested;
    edits::setExcluded(tested.document, {1}, true);
    CHECK(tested.model.isExcluded(1));
    CHECK(tested.model.index(1, 0).data(Qt::ForegroundRole).isValid());
    CHECK(tested.text(1, TensorModel::Flags) == QString(u'−'));
    edits::setExcluded(tested.document, {1}, false);
    CHECK_FALSE(tested.model.index(1, 0).data(Qt::ForegroundRole).isValid());
}

TEST_CASE("an accepted tensor is flagged, and undo takes the flag back")
{
    TestedModel tested;
    QSignalSpy changes(&tested.model, &QAbstractItemModel::dataChanged);
    REQUIRE(acceptRecipe(tested.document, {1}).accepted == 1);
    REQUIRE(changes.count() == 1);
    CHECK(changes[0][0].toModelIndex() == tested.model.index(1, 0));
    CHECK(tested.model.isDecided(1));
    CHECK(tested.text(1, TensorModel::Flags).contains(u'✓'));
    tested.document.undo();
    CHECK(changes.count() == 2);
    CHECK_FALSE(tested.model.isDecided(1));
}

TEST_CASE("a sparkline has words for who can't see it")
{
    TestedModel tested;
    const QModelIndex cell = tested.model.index(1, TensorModel::Distribution);
    CHECK(cell.data(Qt::AccessibleTextRole).toString().isEmpty());
    tested.setPreview(1, previewOf(20.0));
    CHECK(cell.data(Qt::AccessibleTextRole) == "counts from −1 to 2, most near 1.5");
    tested.setPreview(1, {});
    CHECK(cell.data(Qt::AccessibleTextRole).toString().isEmpty());
}

TEST_CASE("tensors rank by the output of their layer where it is known, then by their own SQNR")
{
    test::LayeredDocument test;
    const TensorModel model(test.document);
    test.document.previews().take(4, {.extents = {}, .sparkline = {}, .sqnrDb = 3.0, .notes = {}});
    CHECK_FALSE(model.atLayer(0));
    CHECK(model.rankOf(4) == std::pair(1, 3.0));
    const QSignalSpy ranking(&model, &TensorModel::rankingChanged);
    test.layers().start();
    test.list();
    test.answerAll();
    CHECK(ranking.count() > 1);
    CHECK(model.atLayerCount() == 4);
    CHECK(model.rankOf(2) == std::pair(0, 21.0));
    const QModelIndex known = model.index(2, TensorModel::Layer);
    const QModelIndex unknown = model.index(4, TensorModel::Layer);
    CHECK(known.data().toString() == "21.0");
    CHECK(known.data(TensorModel::CopyRole).toDouble() == 21.0);
    CHECK(unknown.data().toString().isEmpty());
    CHECK(known.data(tableSortRole).toDouble() < unknown.data(tableSortRole).toDouble());
    CHECK_FALSE(model.index(5, TensorModel::Layer).data(tableSortRole).isValid());
}

TEST_CASE("a tensor whose scale is not converged is flagged once that was studied")
{
    test::LayeredDocument test;
    const TensorModel model(test.document);
    CHECK_FALSE(model.flagsOf(0).letters.contains(u'±'));
    const std::optional<Choice> choice = recipesChoice(test.document, 0);
    REQUIRE(choice);
    test.document.questions().requestStudies({*choice});
    test::FakeEngine::answer(test.background.studies,
                             protocol::Studied{{test::unconvergedStudy(*choice)}});
    CHECK(model.flagsOf(0).letters.contains(u'±'));
    CHECK_FALSE(model.flagsOf(2).letters.contains(u'±'));
}

}  // namespace tensor_model_test
