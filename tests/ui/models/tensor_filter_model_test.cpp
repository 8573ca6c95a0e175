#include "ui/models/tensor_filter_model.h"

#include "tests/support/catch.h"
#include "tests/support/listed_tensors.h"
#include "ui/document/edits.h"
#include "ui/models/tensor_model.h"

#include <QAbstractItemModelTester>

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
    CHECK(filtered.shown.shownTensors() == std::vector<int>{1});
    filtered.setPreview(1, previewOf(45.0));
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
    CHECK(filtered.shown.problem().contains("kind:"));
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
