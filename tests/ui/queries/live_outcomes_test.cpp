// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/live_outcomes.h"

#include "core/recipes/estimate.h"
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/view_samples.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QTimer>

#include <utility>

namespace live_outcomes_test {

using namespace calibscope::test;
using namespace calibscope;

TEST_CASE("copies of a shared outcome are the same one")
{
    const SharedOutcome one = Outcome{.tensor = "conv1"};
    const SharedOutcome copy = one;
    CHECK(&*copy == &*one);
    CHECK(copy->tensor == "conv1");
}

TEST_CASE("an outcome inside a larger whole keeps that alive")
{
    auto whole = std::make_shared<std::vector<Outcome>>(2);
    whole->back().tensor = "conv2";
    const std::weak_ptr<std::vector<Outcome>> watched = whole;
    SharedOutcome part = std::shared_ptr<const Outcome>(whole, &whole->back());
    whole.reset();
    CHECK_FALSE(watched.expired());
    CHECK(part->tensor == "conv2");
    part.reset();
    CHECK(watched.expired());
    CHECK_FALSE(part);
}

TEST_CASE("none of an optional outcome is none")
{
    CHECK_FALSE(SharedOutcome());
    CHECK_FALSE(SharedOutcome(std::optional<Outcome>()));
    CHECK(SharedOutcome(std::optional(Outcome{})));
}

Estimator::Profile someProfile()
{
    return std::make_shared<TensorProfile>(profileOf(bellValues(), {choiceOf("mse")}));
}

const Choice slow = choiceOf("mse", {{"candidates", "20000"}});
const Choice quick = choiceOf("fixed", {{"threshold", "2"}});
const Choice latest = choiceOf("fixed", {{"threshold", "3"}});

TEST_CASE("estimates arrive on the thread that asked, one after the other")
{
    Estimator estimator;
    std::vector<std::string> calibrators;
    QThread* thread = nullptr;
    QObject::connect(&estimator, &Estimator::estimated, &estimator,
                     [&](const TensorProfile*, const Outcome& outcome) {
                         calibrators.push_back(outcome.choice.calibrator);
                         thread = QThread::currentThread();
                     });
    estimator.want(someProfile(), {slow, quick});
    CHECK(calibrators.empty());  // never from within the call
    CHECK_FALSE(estimator.isIdle());
    REQUIRE(QTest::qWaitFor([&] { return estimator.isIdle(); }, 20000));
    CHECK(calibrators == std::vector<std::string>{"mse", "fixed"});
    CHECK(thread == QThread::currentThread());
}

TEST_CASE("wishes that were not begun are replaced by later ones")
{
    Estimator estimator;
    std::vector<double> thresholds;
    QObject::connect(&estimator, &Estimator::estimated, &estimator,
                     [&](const TensorProfile*, const Outcome& outcome) {
                         if (outcome.choice.calibrator == "fixed")
                             thresholds.push_back(*outcome.whole.clip.threshold);
                     });
    const Estimator::Profile profile = someProfile();
    estimator.want(profile, {slow});
    estimator.want(profile, {quick});
    estimator.want(profile, {latest});
    REQUIRE(QTest::qWaitFor([&] { return estimator.isIdle(); }, 20000));
    CHECK(thresholds == std::vector{3.0});
}

TEST_CASE("each estimate tells which profile it is of")
{
    Estimator estimator;
    std::vector<const TensorProfile*> profiles;
    QObject::connect(
        &estimator, &Estimator::estimated, &estimator,
        [&](const TensorProfile* profile, const Outcome&) { profiles.push_back(profile); });
    const Estimator::Profile first = someProfile();
    const Estimator::Profile second = someProfile();
    estimator.want(first, {slow});
    estimator.want(second, {quick});
    REQUIRE(QTest::qWaitFor([&] { return estimator.isIdle(); }, 20000));
    CHECK(profiles == std::vector{first.get(), second.get()});
}

TEST_CASE("what can't be estimated is left out")
{
    Estimator estimator;
    const QSignalSpy estimates(&estimator, &Estimator::estimated);
    estimator.want(someProfile(), {choiceOf("l2"), quick});
    REQUIRE(QTest::qWaitFor([&] { return estimator.isIdle(); }, 20000));
    CHECK(estimates.count() == 1);
}

TEST_CASE("an estimator may go while it works")
{
    auto estimator = std::make_unique<Estimator>();
    const QSignalSpy estimates(estimator.get(), &Estimator::estimated);
    Estimator::Profile profile = someProfile();
    estimator->want(profile, {slow, slow});
    const std::weak_ptr<const TensorProfile> held = std::exchange(profile, nullptr);
    CHECK_FALSE(held.expired());
    estimator.reset();
    CHECK(held.expired());  // neither a thread nor an event has it still
    CHECK(estimates.isEmpty());
}

struct TestedOutcomes
{
    FakeEngine engine;
    LiveOutcomes live{engine};
    protocol::ViewRequest request{
        .tensor = {.file = "/a.h5", .allowExternal = true, .index = 2, .part = {.channel = 5}},
        .choices = {choiceOf("min-max")}};

    TestedOutcomes() { show(); }
    void show()
    {
        live.show(request, std::make_shared<protocol::TensorView>(estimableView(request)));
    }
    void waitForRest() const { REQUIRE(becomesQuiet(live)); }
    void waitForEstimate(const Choice& choice)
    {
        REQUIRE(QTest::qWaitFor([&] { return bool(live.find(choice).outcome); }, 30000));
    }
};

const Choice moved = choiceOf("fixed", {{"threshold", "2.5"}});
const Choice movedOn = choiceOf("fixed", {{"threshold", "2.75"}});

TEST_CASE("what came with the view is there at once and asks nothing")
{
    TestedOutcomes test;
    test.live.want(test.request.choices);
    CHECK(test.live.find(choiceOf("min-max")).outcome);
    CHECK_FALSE(test.live.find(choiceOf("min-max")).isPending);
    CHECK(test.live.isIdle());
    test.waitForRest();
    CHECK(test.engine.views.empty());
}

TEST_CASE("what is found is shared, however often it is asked for")
{
    TestedOutcomes test;
    test.live.want(test.request.choices);
    const SharedOutcome once = test.live.find(choiceOf("min-max")).outcome;
    CHECK(&*once == &*test.live.find(choiceOf("min-max")).outcome);
}

TEST_CASE("a wish is estimated at once and answered by the engine after a rest")
{
    TestedOutcomes test;
    const QSignalSpy changes(&test.live, &LiveOutcomes::changed);
    test.live.want({choiceOf("min-max"), moved});
    CHECK(test.live.find(moved).isPending);
    CHECK_FALSE(test.live.isIdle());
    test.waitForEstimate(moved);
    CHECK(test.live.find(moved).isEstimate);
    CHECK(test.live.find(moved).isPending);
    CHECK(test.live.find(moved).outcome->whole.clip.threshold == 2.5);
    CHECK(test.live.find(moved).outcome->whole.metric("sqnr_db"));
    CHECK_FALSE(test.live.find(moved).outcome->whole.hasExactMetrics);
    test.waitForRest();
    REQUIRE(test.engine.views.size() == 1);
    const protocol::ViewRequest& asked = test.engine.views.front().request;
    REQUIRE(asked.choices.size() == 1);  // no more than what is not known
    CHECK(asked.choices.front().isSameComputation(moved));
    CHECK(asked.histograms.empty());
    CHECK(asked.tensor.index == 2);
    CHECK(asked.tensor.allowExternal);
    CHECK(asked.tensor.part.channel == 5);
    FakeEngine::answer(test.engine.views, viewFor(asked));
    CHECK(test.live.find(moved).outcome->whole.metric("sqnr_db") == 10.0);
    CHECK_FALSE(test.live.find(moved).isEstimate);
    CHECK_FALSE(test.live.find(moved).isPending);
    CHECK(changes.count() == 2);
    CHECK(test.live.isIdle());
}

TEST_CASE("the estimate is the core's, bit for bit")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForEstimate(moved);
    const Outcome direct = estimateOutcome(profileOf(bellValues(), {}), moved);
    const ScaleRow& shown = test.live.find(moved).outcome->whole;
    CHECK(shown.quantizer.scale == direct.whole.quantizer.scale);
    CHECK(shown.metrics == direct.whole.metrics);
}

TEST_CASE("the latest wish wins, in the engine too")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForRest();
    REQUIRE(test.engine.views.size() == 1);
    const quint64 former = test.engine.views.front().id;
    test.live.want({movedOn});
    CHECK(test.engine.cancelled.contains(former));
    FakeEngine::answer(test.engine.views, viewFor({.choices = {moved}}));  // too late
    CHECK_FALSE(test.live.find(moved).outcome);
    test.waitForRest();
    REQUIRE(test.engine.views.size() == 1);
    CHECK(test.engine.views.front().request.choices.front().isSameComputation(movedOn));
}

TEST_CASE("wishes that follow each other closely are one question")
{
    TestedOutcomes test;
    for (int step = 0; step < 20; ++step) {
        test.live.want({choiceOf("fixed", {{"threshold", std::to_string(1 + step)}})});
        QCoreApplication::processEvents();
    }
    CHECK(test.engine.views.empty());
    test.waitForRest();
    CHECK(test.engine.views.size() == 1);
}

TEST_CASE("the same wish again does not begin anew")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForRest();
    test.live.want({moved});
    CHECK(test.engine.cancelled.empty());
    CHECK(test.engine.views.size() == 1);
}

TEST_CASE("answers are kept for the view they belong to")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForRest();
    FakeEngine::answer(test.engine.views, viewFor({.choices = {moved}}));
    test.live.want({movedOn});
    test.live.want({moved});  // undone
    CHECK(test.live.find(moved).outcome);
    CHECK(test.live.isIdle());
    test.request.tensor.index = 3;
    test.show();
    CHECK_FALSE(test.live.find(moved).outcome);
    test.request.tensor.index = 2;
    test.show();
    CHECK(test.live.find(moved).outcome);
    test.live.forget();
    test.show();
    CHECK_FALSE(test.live.find(moved).outcome);
}

TEST_CASE("showing something else drops what was asked")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForRest();
    const quint64 asked = test.engine.views.front().id;
    test.live.showNothing();
    CHECK(test.engine.cancelled.contains(asked));
    CHECK(test.live.isIdle());
    CHECK_FALSE(test.live.find(moved).outcome);
}

TEST_CASE("an estimate stays where the engine fails, and the next wish asks again")
{
    TestedOutcomes test;
    test.live.want({moved});
    test.waitForEstimate(moved);
    test.waitForRest();
    FakeEngine::fail(test.engine.views, "the engine ended");
    CHECK(test.live.find(moved).isEstimate);
    CHECK_FALSE(test.live.find(moved).isPending);
    CHECK(test.live.isIdle());
    test.live.want({moved});
    test.waitForRest();
    CHECK(test.engine.views.size() == 1);
}

TEST_CASE("what can't be estimated says why it failed")
{
    TestedOutcomes test;
    const Choice needsValues = choiceOf("l2");
    test.live.want({needsValues});
    test.waitForRest();
    CHECK_FALSE(test.live.find(needsValues).outcome);
    FakeEngine::fail(test.engine.views, "the engine ended");
    REQUIRE(test.live.find(needsValues).outcome);
    CHECK(test.live.find(needsValues).outcome->problem == "the engine ended");
    CHECK_FALSE(test.live.find(needsValues).isEstimate);
}

TEST_CASE("what the engine collected for one choice serves to estimate the next")
{
    TestedOutcomes test;
    const auto fine = [](const char* start) {
        return choiceOf("entropy", {{"bins", "4096"}, {"first-candidate", start}});
    };
    test.live.want({fine("200")});
    test.waitForRest();
    CHECK_FALSE(test.live.find(fine("200")).outcome);  // there is no histogram of 4096 bins
    protocol::TensorView answer = viewFor(test.engine.views.front().request);
    answer.profile = profileOf(bellValues(), {fine("200")});
    FakeEngine::answer(test.engine.views, answer);
    test.live.want({fine("300")});
    test.waitForEstimate(fine("300"));
    CHECK(test.live.find(fine("300")).isEstimate);
}

TEST_CASE("the window's events are handled while a search is at work")
{
    TestedOutcomes test;
    std::vector<Choice> searches;
    for (const char* first : {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
        searches.push_back(choiceOf("mse", {{"candidates", "65536"}, {"first-candidate", first}}));
    int beats = 0;
    QTimer heartbeat;
    QObject::connect(&heartbeat, &QTimer::timeout, &heartbeat, [&beats] { ++beats; });
    heartbeat.start(1);
    test.live.want(searches);
    test.waitForEstimate(searches.back());
    // On this thread each would be one event, with one beat before it at most.
    CHECK(beats > 2 * std::ssize(searches));
}

}  // namespace live_outcomes_test
