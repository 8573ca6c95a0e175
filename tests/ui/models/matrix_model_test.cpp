// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/matrix_model.h"

#include "tests/support/candidate_names.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QAbstractItemModelTester>
#include <QFont>

#include <cmath>

namespace matrix_model_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

constexpr auto fatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

std::shared_ptr<const DumpTensors> tensorsOf(const std::vector<std::string>& names)
{
    std::vector<TensorInfo> tensors;
    for (const std::string& name : names)
        tensors.push_back({.name = name, .path = "/" + name});
    auto dump = std::make_shared<DumpTensors>();
    dump->setRecorded(std::move(tensors));
    return dump;
}

Outcome outcomeOf(double sqnrDb, double scale = 0.1)
{
    Outcome outcome;
    outcome.whole.metrics = {{"sqnr_db", sqnrDb}, {"mse", 1.0 / (1.0 + sqnrDb)}};
    outcome.whole.quantizer.scale = scale;
    outcome.whole.hasExactMetrics = true;
    return outcome;
}

/// Three calibrators on conv2, conv10 and conv1.
struct TestedModel
{
    FakeEngine engine;
    MatrixReader reader{engine, [](int tensor) {
                            return MatrixReader::Question{
                                .request = {.tensor = {.index = static_cast<std::uint64_t>(tensor)},
                                            .choices = std::vector<Choice>(3)},
                                .candidates = test::named({"min-max", "entropy", "l2"})};
                        }};
    MatrixModel model{reader};
    QAbstractItemModelTester tester{&model, fatal};

    TestedModel()
    {
        model.setTensors(tensorsOf({"conv2", "conv10", "conv1"}), {0, 1, 2});
        reader.start({0, 1, 2});
    }
    void answer(const std::vector<Outcome>& outcomes)
    {
        FakeEngine::answer(engine.views, protocol::TensorView{.outcomes = outcomes});
    }
    QString text(int row, int column) const
    {
        return model.index(row, column).data(Qt::DisplayRole).toString();
    }
    bool isBest(int row, int column) const
    {
        return model.index(row, column).data(MatrixModel::BestRole).toBool();
    }
    int state(int row, int column) const
    {
        return model.index(row, column).data(MatrixModel::StateRole).toInt();
    }
};

TEST_CASE("the matrix has a row for each tensor before anything was computed")
{
    TestedModel test;
    CHECK(test.model.rowCount() == 3);
    CHECK(test.model.columnCount() == 4);  // those of the tensor at work
    CHECK(test.model.headerData(2, Qt::Horizontal, Qt::DisplayRole) == "entropy");
    CHECK(test.text(1, 0) == "conv10");
    CHECK(test.text(1, 1) == "…");
    CHECK(test.state(1, 1) == MatrixModel::Waiting);
}

TEST_CASE("the best number of a row is marked, and those that look the same with it")
{
    TestedModel test;
    test.answer({outcomeOf(30.0), outcomeOf(31.2501), outcomeOf(31.2499)});
    CHECK(test.text(0, 1) == "30.00");
    CHECK(test.text(0, 2) == "31.25");
    CHECK_FALSE(test.isBest(0, 1));
    CHECK(test.isBest(0, 2));
    CHECK(test.isBest(0, 3));
    CHECK(test.model.index(0, 2).data(Qt::FontRole).value<QFont>().bold());
    CHECK_FALSE(test.isBest(0, 0));
    test.answer({outcomeOf(30.0), outcomeOf(30.0), outcomeOf(30.0)});
    CHECK_FALSE(test.isBest(1, 1));  // none stands out
}

TEST_CASE("of errors the least is the best, of scales none is")
{
    TestedModel test;
    test.answer({outcomeOf(30.0, 0.1), outcomeOf(40.0, 0.2), outcomeOf(20.0, 0.3)});
    test.model.setMetric(MatrixMetric::Mse);
    CHECK(test.isBest(0, 2));
    CHECK_FALSE(test.isBest(0, 1));
    test.model.setMetric(MatrixMetric::Scale);
    CHECK_FALSE(test.isBest(0, 2));
    CHECK(test.text(0, 3) == "0.3");
    CHECK(test.model.range() == Range{0.1, 0.3});
}

TEST_CASE("estimates are marked, failures are words")
{
    TestedModel test;
    Outcome estimate = outcomeOf(25.0);
    estimate.whole.hasExactMetrics = false;
    Outcome failed;
    failed.problem = "entropy: no histogram";
    test.answer({estimate, failed, outcomeOf(20.0)});
    CHECK(test.text(0, 1) == "≈25.00");
    CHECK_FALSE(test.model.index(0, 1).data(MatrixModel::ExactRole).toBool());
    CHECK(test.text(0, 2) == "failed");
    CHECK(test.state(0, 2) == MatrixModel::Failed);
    CHECK(test.model.index(0, 2).data(Qt::ToolTipRole).toString().contains("no histogram"));
    FakeEngine::fail(test.engine.views, "/conv10: block 3 is damaged");
    CHECK(test.text(1, 1) == "failed");
    CHECK(test.model.index(1, 0).data(Qt::ToolTipRole) == "/conv10: block 3 is damaged");
}

TEST_CASE("the matrix keeps to what the reader drops")
{
    TestedModel test;
    test.answer({outcomeOf(1.0), outcomeOf(2.0), outcomeOf(3.0)});
    test.reader.stop();
    test.reader.dropColumns({"entropy"});
    CHECK(test.state(0, 2) == MatrixModel::Waiting);
    test.reader.removeColumn("entropy");
    CHECK(test.model.columnCount() == 3);
    CHECK(test.text(0, 2) == "3.00");
    CHECK(test.model.range() == Range{1.0, 3.0});
    test.reader.clear();
    CHECK(test.model.columnCount() == 1);
    CHECK_FALSE(test.model.range());
}

TEST_CASE("rows sort by number and by name, without a number last")
{
    TestedModel test;
    MatrixSortModel sorted;
    sorted.setSourceModel(&test.model);
    const QAbstractItemModelTester tester(&sorted, fatal);
    test.answer({outcomeOf(9.0), outcomeOf(1.0), outcomeOf(1.0)});
    test.answer({outcomeOf(10.0), outcomeOf(1.0), outcomeOf(1.0)});
    const auto names = [&sorted] {
        QStringList shown;
        for (int row = 0; row < sorted.rowCount(); ++row)
            shown += sorted.index(row, 0).data().toString();
        return shown;
    };
    CHECK(names() == QStringList{"conv2", "conv10", "conv1"});  // as in the dump
    sorted.sort(1, Qt::AscendingOrder);
    CHECK(names() == QStringList{"conv2", "conv10", "conv1"});
    sorted.sort(1, Qt::DescendingOrder);
    CHECK(names() == QStringList{"conv10", "conv2", "conv1"});
    sorted.sort(0, Qt::AscendingOrder);
    CHECK(names() == QStringList{"conv1", "conv2", "conv10"});
    CHECK(sorted.index(0, 0).data(MatrixModel::TensorRole) == 2);
}

TEST_CASE("the last of twenty thousand tensors has its cells")
{
    FakeEngine engine;
    constexpr int tensors = 20'000;
    MatrixReader reader(engine, [](int tensor) {
        MatrixReader::Question question{
            .request = {.tensor = {.index = static_cast<std::uint64_t>(tensor)},
                        .choices = std::vector<Choice>(12)},
            .candidates = {}};
        for (int label = 0; label < 12; ++label)
            question.candidates.push_back(
                test::named({"calibrator " + std::to_string(label)}).front());
        return question;
    });
    MatrixModel model(reader);
    std::vector<std::string> names;
    std::vector<int> rows;
    for (int tensor = 0; tensor < tensors; ++tensor) {
        names.push_back("tensor" + std::to_string(tensor));
        rows.push_back(tensor);
    }
    model.setTensors(tensorsOf(names), rows);
    reader.start(rows);
    const std::vector<Outcome> outcomes(12, outcomeOf(20.0));
    while (!engine.views.empty())
        FakeEngine::answer(engine.views, protocol::TensorView{.outcomes = outcomes});
    CHECK(reader.done() == tensors);
    for (const int row : {0, tensors / 2, tensors - 1})
        for (int column = 1; column < model.columnCount(); ++column) {
            const QModelIndex cell = model.index(row, column);
            CHECK(cell.data(MatrixModel::TensorRole) == row);
            CHECK(cell.data(MatrixModel::ValueRole) == 20.0);
        }
    CHECK(model.range() == Range{20.0, 20.0});
}

TEST_CASE("activations and weights are groups that keep their order however rows are sorted")
{
    FakeEngine engine;
    MatrixReader reader(engine, [](int tensor) {
        return MatrixReader::Question{
            .request = {.tensor = {.index = static_cast<std::uint64_t>(tensor)},
                        .choices = std::vector<Choice>(1)},
            .candidates = test::named({"min-max"})};
    });
    auto dump = std::make_shared<DumpTensors>();
    dump->setRecorded({{.name = "w1", .path = "/w1", .role = Role::Weight},
                       {.name = "a1", .path = "/a1", .role = Role::Activation},
                       {.name = "a2", .path = "/a2", .role = Role::Activation}});
    MatrixModel model(reader);
    const QAbstractItemModelTester tester(&model, fatal);
    model.setTensors(dump, {0, 1, 2});
    MatrixSortModel sorted;
    sorted.setSourceModel(&model);
    reader.start({0, 1, 2});
    for (const double db : {30.0, 10.0, 20.0})
        FakeEngine::answer(engine.views, protocol::TensorView{.outcomes = {outcomeOf(db)}});
    const auto names = [&sorted] {
        QStringList shown;
        for (int row = 0; row < sorted.rowCount(); ++row)
            shown += sorted.index(row, 0).data().toString();
        return shown;
    };
    CHECK(names() == QStringList{"activations  2", "a1", "a2", "weights  1", "w1"});
    CHECK(model.tensorAt(0) == -1);
    CHECK(model.rowOfTensor(0) == 4);
    CHECK(sorted.index(0, 0).data(MatrixModel::IsGroupRole).toBool());
    CHECK_FALSE(sorted.index(0, 1).data(MatrixModel::ValueRole).isValid());
    sorted.sort(1, Qt::DescendingOrder);
    CHECK(names() == QStringList{"activations  2", "a2", "a1", "weights  1", "w1"});
    sorted.sort(1, Qt::AscendingOrder);
    CHECK(names() == QStringList{"activations  2", "a1", "a2", "weights  1", "w1"});
}

TEST_CASE("a column's share counts the rows of each role that has the candidate, unread roles too")
{
    FakeEngine engine;
    constexpr int weight = 3;
    MatrixReader reader(engine, [](int tensor) {
        const std::size_t count = tensor == weight ? 2 : 1;
        const auto named =
            tensor == weight ? test::named({"min-max", "per channel"}) : test::named({"min-max"});
        return MatrixReader::Question{
            .request = {.tensor = {.index = static_cast<std::uint64_t>(tensor)},
                        .choices = std::vector<Choice>(count)},
            .candidates = named};
    });
    auto dump = std::make_shared<DumpTensors>();
    dump->setRecorded({{.name = "a1", .path = "/a1", .role = Role::Activation},
                       {.name = "a2", .path = "/a2", .role = Role::Activation},
                       {.name = "a3", .path = "/a3", .role = Role::Activation},
                       {.name = "w1", .path = "/w1", .role = Role::Weight}});
    MatrixModel model(reader);
    model.setTensors(dump, {0, 1, 2, weight});
    reader.start({0, 1, 2, weight});
    FakeEngine::answer(engine.views, protocol::TensorView{.outcomes = {outcomeOf(30.0)}});
    CHECK(model.shareOf(1) == 1.0);
    for (int activation = 1; activation < weight; ++activation)
        FakeEngine::answer(engine.views, protocol::TensorView{.outcomes = {outcomeOf(30.0)}});
    FakeEngine::answer(engine.views,
                       protocol::TensorView{.outcomes = {outcomeOf(30.0), outcomeOf(40.0)}});
    REQUIRE(model.columnCount() == 3);
    CHECK(model.shareOf(1) == 1.0);
    CHECK(model.shareOf(2) == 0.25);
    model.setTensors(dump, {weight});
    CHECK(model.shareOf(2) == 1.0);
    model.setTensors(dump, {0, 1});
    CHECK(model.shareOf(2) == 0.0);
    model.setTensors(dump, {});
    CHECK(model.shareOf(2) == 1.0);
}

TEST_CASE("a rank is the share of the numbers below, ties in their middle")
{
    TestedModel test;
    test.answer({outcomeOf(10.0), outcomeOf(20.0), outcomeOf(20.0)});
    test.reader.stop();
    CHECK(test.model.sortedValues() == std::vector<double>{10.0, 20.0, 20.0});
    CHECK(*test.model.rankOf(10.0) == test::Approx(0.5 / 3.0));
    CHECK(*test.model.rankOf(20.0) == test::Approx(2.0 / 3.0));
    CHECK(*test.model.rankOf(99.0) == 1.0);
    CHECK_FALSE(test.model.rankOf(std::nan("")));
}

TEST_CASE("numbers are told against the best of the row, or against the recipe's")
{
    FakeEngine engine;
    MatrixReader reader(engine, [](int tensor) {
        return MatrixReader::Question{
            .request = {.tensor = {.index = static_cast<std::uint64_t>(tensor)},
                        .choices = std::vector<Choice>(3)},
            .candidates = test::named({"min-max", "entropy", "l2"})};
    });
    std::string recipes = "entropy";
    MatrixModel model(reader, [&recipes](int) { return recipes; });
    model.setTensors(tensorsOf({"a"}), {0});
    reader.start({0});
    FakeEngine::answer(engine.views,
                       protocol::TensorView{.outcomes = {outcomeOf(30.0, 0.1), outcomeOf(28.0, 0.2),
                                                         outcomeOf(31.5, 0.3)}});
    const auto texts = [&model] {
        QStringList shown;
        for (int column = 1; column <= 3; ++column)
            shown += model.index(0, column).data(Qt::DisplayRole).toString();
        return shown;
    };
    model.setReference(MatrixReference::Best);
    CHECK(texts() == QStringList{"−1.50", "−3.50", "0.00"});
    CHECK(model.range() == Range{-3.5, 0.0});
    model.setReference(MatrixReference::Recipe);
    CHECK(texts() == QStringList{"+2.00", "0.00", "+3.50"});
    CHECK(model.index(0, 3).data(MatrixModel::BestRole).toBool());
    recipes = "min-max";
    model.forgetRecipes();
    CHECK(texts() == QStringList{"0.00", "−2.00", "+1.50"});
    model.setMetric(MatrixMetric::Scale);
    CHECK(texts() == QStringList{"×1", "×2", "×3"});
    model.setReference(MatrixReference::Best);
    CHECK(texts() == QStringList{"–", "–", "–"});  // of scales none is
}

}  // namespace matrix_model_test
