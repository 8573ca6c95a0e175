// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/matrix_reader.h"

#include "tests/support/candidate_names.h"
#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "tests/support/view_samples.h"

#include <QSignalSpy>

namespace matrix_reader_test {

using namespace calibscope;
using namespace calibscope::test;

/// Two candidates on every tensor, a third on those with an odd number.
struct TestedMatrix
{
    FakeEngine engine;
    std::string alpha = "99";
    MatrixReader reader{engine, [this](int tensor) {
                            MatrixReader::Question question{
                                .request = {.tensor = {.file = "/a.h5",
                                                       .index = static_cast<std::uint64_t>(tensor)},
                                            .choices = {choiceOf("min-max"),
                                                        choiceOf("percentile", {{"alpha", alpha}})},
                                            .curves = false},
                                .candidates = named({"min-max", "percentile"})};
                            if (tensor % 2 == 1) {
                                question.request.choices.push_back(choiceOf("entropy"));
                                question.candidates.push_back(named({"entropy"}).front());
                            }
                            return question;
                        }};

    std::uint64_t asked() const { return engine.views.front().request.tensor.index; }
    void answer() { FakeEngine::answer(engine.views, viewFor(engine.views.front().request)); }
    void answerAll()
    {
        while (!engine.views.empty())
            answer();
    }
    std::optional<double> sqnr(int tensor, std::size_t column) const
    {
        const MatrixRow* row = reader.row(tensor);
        const MatrixCell* cell = row ? row->cell(column) : nullptr;
        return cell ? cell->value(MatrixMetric::Sqnr) : std::nullopt;
    }
};

TEST_CASE("the matrix is read tensor by tensor, its columns are all labels that come up")
{
    TestedMatrix test;
    const QSignalSpy progress(&test.reader, &MatrixReader::progressed);
    const QSignalSpy stops(&test.reader, &MatrixReader::stopped);
    test.reader.start({0, 1});
    CHECK(test.reader.isRunning());
    REQUIRE(test.engine.views.size() == 1);
    CHECK_FALSE(test.engine.views.front().request.curves);
    CHECK(test.reader.columns() == named({"min-max", "percentile"}));
    test.answer();
    CHECK(test.sqnr(0, 0) == 10.0);
    CHECK(test.sqnr(0, 1) == 11.0);
    CHECK(test.reader.row(0)->isRead);
    CHECK_FALSE(test.reader.row(1));
    CHECK(progress.count() == 1);
    CHECK(progress[0][0].toInt() == 1);
    CHECK(progress[0][1].toInt() == 2);
    test.answer();
    CHECK(test.reader.columns().size() == 3);
    CHECK(test.sqnr(1, 2) == 12.0);
    CHECK_FALSE(test.reader.row(0)->cell(2));  // it is none of its candidates
    CHECK_FALSE(test.reader.isRunning());
    CHECK(test.reader.done() == 2);
    CHECK(stops.count() == 1);
}

TEST_CASE("the rows on screen come first")
{
    TestedMatrix test;
    test.reader.start({0, 1, 2, 3, 4});
    test.reader.prefer({3, 4});
    test.answer();
    CHECK(test.asked() == 3);
    test.answer();
    CHECK(test.asked() == 4);
    test.answer();
    CHECK(test.asked() == 1);
}

TEST_CASE("the matrix waits while the user waits for something else")
{
    TestedMatrix test;
    test.reader.start({0, 1});
    test.reader.setPaused(true);
    test.answer();
    CHECK(test.engine.views.empty());
    CHECK(test.reader.isRunning());
    test.reader.setPaused(false);
    CHECK(test.asked() == 1);
}

TEST_CASE("a matrix that was stopped keeps what it has, and goes on there")
{
    TestedMatrix test;
    test.reader.start({0, 1, 2});
    test.answer();
    const quint64 atWork = test.engine.views.front().id;
    test.reader.stop();
    CHECK(test.engine.cancelled.contains(atWork));
    CHECK_FALSE(test.reader.isRunning());
    CHECK(test.reader.total() == 0);  // not reported as complete
    test.answer();                    // too late
    CHECK_FALSE(test.reader.row(1));
    CHECK(test.sqnr(0, 0) == 10.0);
    test.reader.start({0, 1, 2});
    CHECK(test.asked() == 1);
    CHECK(test.reader.done() == 1);
}

TEST_CASE("a tensor that can't be read says why, the others follow")
{
    TestedMatrix test;
    test.reader.start({0, 1});
    FakeEngine::fail(test.engine.views, "/0: block 3 is damaged");
    CHECK(test.reader.row(0)->problem == "/0: block 3 is damaged");
    CHECK_FALSE(test.reader.row(0)->isRead);
    test.answer();
    CHECK(test.sqnr(1, 0) == 10.0);
    test.reader.start({0, 1});  // it may be tried again
    CHECK(test.asked() == 0);
    test.answer();
    CHECK(test.reader.row(0)->problem.isEmpty());
    CHECK_FALSE(test.reader.isRunning());
}

TEST_CASE("a candidate that was changed is computed anew, alone")
{
    TestedMatrix test;
    test.reader.start({0, 1});
    test.answerAll();
    test.alpha = "98";
    test.reader.dropColumns({"percentile"});
    CHECK_FALSE(test.sqnr(0, 1));
    CHECK(test.sqnr(0, 0) == 10.0);
    CHECK(test.engine.views.empty());  // it is over: the user starts it again
    test.reader.start({0, 1});
    REQUIRE(test.engine.views.front().request.choices.size() == 1);
    CHECK(test.engine.views.front().request.choices.front().settings.text("alpha") == "98");
    test.answerAll();
    CHECK(test.sqnr(0, 1) == 10.0);  // the first, and only, of its request
    CHECK(test.sqnr(1, 2) == 12.0);
}

TEST_CASE("a change while the matrix is read reaches the rows that were read before")
{
    TestedMatrix test;
    test.reader.start({0, 1, 2});
    test.answer();
    const quint64 atWork = test.engine.views.front().id;
    test.alpha = "98";
    test.reader.dropColumns({"percentile"});
    CHECK(test.engine.cancelled.contains(atWork));
    test.engine.views.pop_front();
    while (!test.engine.views.empty()) {
        for (const Choice& choice : test.engine.views.front().request.choices)
            if (choice.calibrator == "percentile")
                CHECK(choice.settings.text("alpha") == "98");
        test.answer();
    }
    for (const int tensor : {0, 1, 2})
        CHECK(test.sqnr(tensor, 1));
    CHECK_FALSE(test.reader.isRunning());
}

TEST_CASE("a tensor that is understood anew is computed anew")
{
    TestedMatrix test;
    test.reader.start({0, 1});
    test.answer();
    test.reader.dropTensors({0});
    CHECK_FALSE(test.reader.row(0));
    test.answerAll();
    CHECK(test.sqnr(0, 0) == 10.0);
}

TEST_CASE("a candidate that was removed takes its column along")
{
    TestedMatrix test;
    const QSignalSpy removals(&test.reader, &MatrixReader::columnRemoved);
    test.reader.start({1});
    test.answerAll();
    test.reader.removeColumn("percentile");
    CHECK(test.reader.columns() == named({"min-max", "entropy"}));
    CHECK(test.sqnr(1, 1) == 12.0);
    REQUIRE(removals.count() == 1);
    CHECK(removals[0][0].toInt() == 1);
    test.reader.removeColumn("none such");
    CHECK(removals.count() == 1);
}

TEST_CASE("another dump empties the matrix")
{
    TestedMatrix test;
    test.reader.start({0, 1});
    test.answer();
    const QSignalSpy clearings(&test.reader, &MatrixReader::cleared);
    test.reader.clear();
    CHECK(clearings.count() == 1);
    CHECK(test.reader.columns().empty());
    CHECK_FALSE(test.reader.row(0));
    CHECK_FALSE(test.reader.isRunning());
}

TEST_CASE("a cell holds what its outcome says, or why there is none")
{
    Outcome outcome{.choice = choiceOf("min-max")};
    outcome.whole.metrics = {{"sqnr_db", 30.0}, {"mse", 0.25}, {"clipped_share", 0.01}};
    outcome.whole.quantizer.scale = 0.5;
    outcome.whole.clip.threshold = 63.5;
    outcome.whole.hasExactMetrics = false;
    const MatrixCell cell = matrixCell(outcome);
    CHECK(cell.value(MatrixMetric::Sqnr) == 30.0);
    CHECK(cell.value(MatrixMetric::Mse) == 0.25);
    CHECK(cell.value(MatrixMetric::Scale) == 0.5);
    CHECK(cell.value(MatrixMetric::ClippedShare) == 0.01);
    CHECK(cell.value(MatrixMetric::Threshold) == 63.5);
    CHECK_FALSE(cell.isExact(MatrixMetric::Sqnr));
    CHECK(cell.isExact(MatrixMetric::Scale));
    outcome.problem = "needs the values";
    CHECK(matrixCell(outcome).problem == "needs the values");
    CHECK_FALSE(matrixCell(outcome).value(MatrixMetric::Scale));
}

}  // namespace matrix_reader_test
