// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/estimator.h"

#include "tests/support/view_samples.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <utility>

namespace estimator_test {

using namespace calibscope;
using namespace calibscope::test;

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

}  // namespace estimator_test
