#include "ui/queries/background_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

using namespace calibscope;
using calibscope::test::FakeEngine;

namespace {

serve::GlanceRequest glanceAt(int tensor)
{
    return {.path = "a.h5", .tensor = static_cast<std::uint64_t>(tensor), .choice = {}};
}

serve::ViewRequest viewOf(std::uint64_t tensor)
{
    return {.path = "a.h5", .tensor = tensor, .histograms = {}, .choices = {}};
}

struct Background
{
    FakeEngine engine;
    BackgroundReader reader{engine, glanceAt};
    QSignalSpy taken{&reader, &BackgroundReader::glanceTaken};
    QSignalSpy failed{&reader, &BackgroundReader::glanceFailed};
};

}  // namespace

TEST_CASE("glances are taken one after another, and idle is told at the end")
{
    Background test;
    const QSignalSpy idle(&test.reader, &BackgroundReader::idle);
    test.reader.setGlances({0, 1});
    CHECK(test.reader.glancesLeft() == 2);
    REQUIRE(test.engine.glances.size() == 1);
    FakeEngine::answer(test.engine.glances, serve::Glance{});
    REQUIRE(test.engine.glances.size() == 1);
    CHECK(test.engine.glances.front().request.tensor == 1);
    CHECK_FALSE(test.reader.isIdle());
    CHECK(idle.count() == 0);
    FakeEngine::answer(test.engine.glances, serve::Glance{});
    CHECK(test.taken.count() == 2);
    CHECK(test.reader.isIdle());
    CHECK(idle.count() == 1);
}

TEST_CASE("a tensor that fails is told and passed over")
{
    Background test;
    test.reader.setGlances({0, 1});
    FakeEngine::fail(test.engine.glances, "damaged");
    REQUIRE(test.failed.count() == 1);
    CHECK(test.failed[0][0].toInt() == 0);
    CHECK(test.failed[0][1].toString() == "damaged");
    CHECK(test.engine.glances.front().request.tensor == 1);
}

TEST_CASE("a glance during which the engine died is taken once more, at the end")
{
    Background test;
    test.reader.setGlances({0, 1});
    const Answer<serve::Glance> death{
        .value = {}, .failure = "the engine ended", .engineDied = true};
    FakeEngine::end(test.engine.glances, death);
    CHECK(test.engine.glances.front().request.tensor == 1);
    FakeEngine::answer(test.engine.glances, serve::Glance{});
    CHECK(test.engine.glances.front().request.tensor == 0);
    CHECK(test.failed.count() == 0);
    FakeEngine::end(test.engine.glances, death);
    CHECK(test.failed.count() == 1);
    CHECK(test.reader.isIdle());
}

TEST_CASE("nothing is started while the user waits")
{
    Background test;
    test.reader.setPaused(true);
    test.reader.setGlances({0});
    CHECK(test.engine.glances.empty());
    test.reader.setPaused(false);
    CHECK(test.engine.glances.size() == 1);
}

TEST_CASE("a view at work is given up when the user waits, a glance is not")
{
    Background test;
    test.reader.setViews({viewOf(4)});
    const quint64 view = test.engine.views.front().id;
    test.reader.setPaused(true);
    CHECK(test.engine.cancelled.contains(view));
    test.reader.setPaused(false);
    test.reader.setGlances({0});
    const quint64 glance = test.engine.glances.front().id;
    test.reader.setPaused(true);
    CHECK_FALSE(test.engine.cancelled.contains(glance));
}

TEST_CASE("views come before glances")
{
    Background test;
    const QSignalSpy read(&test.reader, &BackgroundReader::viewRead);
    test.reader.setPaused(true);
    test.reader.setGlances({0});
    test.reader.setPaused(false);
    test.reader.setViews({viewOf(4)});
    CHECK(test.engine.views.empty());  // the glance at work is finished first
    FakeEngine::answer(test.engine.glances, serve::Glance{});
    REQUIRE(test.engine.views.size() == 1);
    FakeEngine::answer(test.engine.views, serve::TensorView{});
    REQUIRE(read.count() == 1);
    CHECK(read[0][0].value<serve::ViewRequest>().tensor == 4);
}

TEST_CASE("new glances replace the old ones, also the one at work")
{
    Background test;
    test.reader.setGlances({0, 1});
    const quint64 old = test.engine.glances.front().id;
    test.reader.setGlances({5});
    CHECK(test.engine.cancelled.contains(old));
    FakeEngine::answer(test.engine.glances, serve::Glance{});  // of the old one
    CHECK(test.taken.count() == 0);
    FakeEngine::answer(test.engine.glances, serve::Glance{});
    REQUIRE(test.taken.count() == 1);
    CHECK(test.taken[0][0].toInt() == 5);
}

TEST_CASE("an engine that stalls in the background is restarted unasked")
{
    Background test;
    test.reader.setGlances({0});
    Q_EMIT test.engine.engineStalled("no sign of work");
    CHECK(test.engine.restarts == 1);
}

TEST_CASE("tensors that are looked at come first, each once")
{
    Background test;
    test.reader.setPaused(true);
    test.reader.setGlances({0, 1, 2, 3});
    test.reader.prefer({2, 7});  // 7 waits for nothing
    test.reader.setPaused(false);
    std::vector<std::uint64_t> order;
    while (!test.engine.glances.empty()) {
        order.push_back(test.engine.glances.front().request.tensor);
        FakeEngine::answer(test.engine.glances, serve::Glance{});
    }
    CHECK(order == std::vector<std::uint64_t>{2, 0, 1, 3});
}

TEST_CASE("what is withdrawn is not told, be it waiting or at work")
{
    Background test;
    test.reader.setGlances({0, 1, 2});
    const quint64 atWork = test.engine.lastId;
    test.reader.withdraw({0, 1});
    CHECK(test.engine.cancelled.contains(atWork));
    FakeEngine::answer(test.engine.glances, serve::Glance{});  // of 0: too late
    CHECK(test.taken.count() == 0);
    CHECK(test.engine.glances.front().request.tensor == 2);
    test.reader.addFirst({1});
    CHECK(test.reader.glancesLeft() == 2);
}
