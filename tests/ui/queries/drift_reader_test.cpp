// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/drift_reader.h"

#include "core/recipes/make_choice.h"
#include "tests/support/candidate_names.h"
#include "tests/support/catch.h"
#include "tests/support/compared_document.h"
#include "tests/support/view_samples.h"

#include <QSignalSpy>
#include <QTest>

namespace drift_reader_test {

using namespace calibscope;
using namespace calibscope::test;

struct TestedDrift
{
    FakeEngine engine;
    std::vector<std::string> labels = {"min-max"};
    DriftReader reader{engine, [this](int pair) {
                           DriftReader::Question question;
                           question.request.a.index = static_cast<std::uint64_t>(pair);
                           for (const std::string& label : labels)
                               question.request.choices.push_back(choiceOf(label.c_str()));
                           question.candidates = named(labels);
                           question.standing = named({"min-max"}).front();
                           return question;
                       }};

    const protocol::CompareRequest& asked() const { return engine.comparisons.front().request; }
    void answer(double share) { FakeEngine::answer(engine.comparisons, driftedBy(share, asked())); }
};

TEST_CASE("pairs are compared one by one, with their calibrators")
{
    TestedDrift test;
    const QSignalSpy changes(&test.reader, &DriftReader::rowChanged);
    test.reader.restart(2);
    CHECK(test.reader.isRunning());
    REQUIRE(test.engine.comparisons.size() == 1);
    test.answer(0.25);
    CHECK(test.reader.done() == 1);
    const DriftRow& row = test.reader.row(0);
    CHECK(row.drift->earthMoverShare == 0.25);
    REQUIRE(row.standingCell());
    CHECK(row.standingCell()->scaleRatio == 1.25);
    CHECK(row.standingCell()->scaleOfA == 0.5);
    CHECK(row.standingCell()->sqnrLossDb == 0.25);
    CHECK(test.asked().a.index == 1);
    test.answer(0.0);
    CHECK_FALSE(test.reader.isRunning());
    CHECK(changes.count() == 2);
}

TEST_CASE("a calibrator that is ticked later is asked for alone")
{
    TestedDrift test;
    test.reader.restart(1);
    test.answer(0.5);
    test.labels.push_back("mse");
    test.reader.refresh();
    REQUIRE(test.engine.comparisons.size() == 1);
    REQUIRE(test.asked().choices.size() == 1);
    CHECK(test.asked().choices[0].calibrator == "mse");
    test.answer(0.5);
    CHECK(test.reader.row(0).cells.size() == 2);
    CHECK(test.reader.columns() == named({"min-max", "mse"}));
    CHECK(test.reader.done() == 1);
    test.reader.refresh();
    CHECK(test.engine.comparisons.empty());
    CHECK_FALSE(test.reader.isRunning());
}

TEST_CASE("what was cancelled goes on where it stopped")
{
    TestedDrift test;
    test.reader.restart(3);
    test.answer(0.5);
    const quint64 dropped = test.engine.comparisons.front().id;
    test.reader.stop();
    CHECK(test.reader.isStopped());
    CHECK_FALSE(test.reader.isRunning());
    CHECK(test.engine.cancelled.contains(dropped));
    test.engine.comparisons.clear();
    test.reader.resume();
    REQUIRE(test.engine.comparisons.size() == 1);
    CHECK(test.asked().a.index == 1);  // the first one is known
    CHECK(test.reader.done() == 1);
}

TEST_CASE("while the user waits nothing further is begun")
{
    TestedDrift test;
    test.reader.setPaused(true);
    test.reader.restart(1);
    CHECK(test.engine.comparisons.empty());
    CHECK(test.reader.isRunning());
    test.reader.setPaused(false);
    CHECK(test.engine.comparisons.size() == 1);
}

TEST_CASE("a pair that could not be read says why, and the next one is read")
{
    TestedDrift test;
    test.reader.restart(2);
    FakeEngine::fail(test.engine.comparisons, "no plugin for filter 32015");
    CHECK(test.reader.row(0).problem == "no plugin for filter 32015");
    CHECK(test.reader.row(0).isRead);
    CHECK(test.engine.comparisons.size() == 1);
}

TEST_CASE("what is on screen comes first, and what was forgotten is read again")
{
    TestedDrift test;
    test.reader.restart(5);
    test.reader.prefer({3});
    test.answer(0.0);
    CHECK(test.asked().a.index == 3);
    test.answer(0.0);
    test.reader.forgetPairs({3});
    CHECK_FALSE(test.reader.row(3).isRead);
    CHECK(test.reader.done() == 1);
}

TEST_CASE("thousands that are known already do not hold the window up")
{
    TestedDrift test;
    test.labels.clear();
    test.reader.restart(2000);
    while (!test.engine.comparisons.empty())
        test.answer(0.0);
    REQUIRE_FALSE(test.reader.isRunning());
    test.reader.refresh();
    CHECK(test.reader.isRunning());  // it goes on when the window had its turn
    CHECK(QTest::qWaitFor([&] { return !test.reader.isRunning(); }, 5000));
    CHECK(test.engine.comparisons.empty());
}

}  // namespace drift_reader_test
