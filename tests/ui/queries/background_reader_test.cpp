// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/background_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace background_reader_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

protocol::PreviewRequest previewAt(int tensor)
{
    return {.tensor = {.file = "a.h5", .index = static_cast<std::uint64_t>(tensor)}, .choice = {}};
}

protocol::ViewRequest viewOf(std::uint64_t tensor)
{
    return {.tensor = {.file = "a.h5", .index = tensor}, .histograms = {}, .choices = {}};
}

struct Background
{
    FakeEngine engine;
    BackgroundReader reader{engine, previewAt};
    QSignalSpy taken{&reader, &BackgroundReader::previewTaken};
    QSignalSpy failed{&reader, &BackgroundReader::previewFailed};
};

TEST_CASE("glances are taken one after another, and idle is told at the end")
{
    Background test;
    const QSignalSpy idle(&test.reader, &BackgroundReader::idle);
    test.reader.setPreviews({0, 1});
    CHECK(test.reader.previewsLeft() == 2);
    REQUIRE(test.engine.previews.size() == 1);
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    REQUIRE(test.engine.previews.size() == 1);
    CHECK(test.engine.previews.front().request.tensor.index == 1);
    CHECK_FALSE(test.reader.isIdle());
    CHECK(idle.count() == 0);
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    CHECK(test.taken.count() == 2);
    CHECK(test.reader.isIdle());
    CHECK(idle.count() == 1);
}

TEST_CASE("a tensor that fails is told and passed over")
{
    Background test;
    test.reader.setPreviews({0, 1});
    FakeEngine::fail(test.engine.previews, "damaged");
    REQUIRE(test.failed.count() == 1);
    CHECK(test.failed[0][0].toInt() == 0);
    CHECK(test.failed[0][1].toString() == "damaged");
    CHECK(test.engine.previews.front().request.tensor.index == 1);
}

TEST_CASE("a glance during which the engine died is taken once more, at the end")
{
    Background test;
    test.reader.setPreviews({0, 1});
    const Answer<protocol::Preview> death{
        .value = {}, .failure = "the engine ended", .engineDied = true};
    FakeEngine::end(test.engine.previews, death);
    CHECK(test.engine.previews.front().request.tensor.index == 1);
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    CHECK(test.engine.previews.front().request.tensor.index == 0);
    CHECK(test.failed.count() == 0);
    FakeEngine::end(test.engine.previews, death);
    CHECK(test.failed.count() == 1);
    CHECK(test.reader.isIdle());
}

TEST_CASE("nothing is started while the user waits")
{
    Background test;
    test.reader.setPaused(true);
    test.reader.setPreviews({0});
    CHECK(test.engine.previews.empty());
    test.reader.setPaused(false);
    CHECK(test.engine.previews.size() == 1);
}

TEST_CASE("a view at work is given up when the user waits, a glance is not")
{
    Background test;
    test.reader.setViews({viewOf(4)});
    const quint64 view = test.engine.views.front().id;
    test.reader.setPaused(true);
    CHECK(test.engine.cancelled.contains(view));
    test.reader.setPaused(false);
    test.reader.setPreviews({0});
    const quint64 preview = test.engine.previews.front().id;
    test.reader.setPaused(true);
    CHECK_FALSE(test.engine.cancelled.contains(preview));
}

TEST_CASE("views come before glances")
{
    Background test;
    const QSignalSpy read(&test.reader, &BackgroundReader::viewRead);
    test.reader.setPaused(true);
    test.reader.setPreviews({0});
    test.reader.setPaused(false);
    test.reader.setViews({viewOf(4)});
    CHECK(test.engine.views.empty());  // the preview at work is finished first
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    REQUIRE(test.engine.views.size() == 1);
    FakeEngine::answer(test.engine.views, protocol::TensorView{});
    REQUIRE(read.count() == 1);
    CHECK(read[0][0].value<protocol::ViewRequest>().tensor.index == 4);
}

TEST_CASE("new glances replace the old ones, also the one at work")
{
    Background test;
    test.reader.setPreviews({0, 1});
    const quint64 old = test.engine.previews.front().id;
    test.reader.setPreviews({5});
    CHECK(test.engine.cancelled.contains(old));
    FakeEngine::answer(test.engine.previews, protocol::Preview{});  // of the old one
    CHECK(test.taken.count() == 0);
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    REQUIRE(test.taken.count() == 1);
    CHECK(test.taken[0][0].toInt() == 5);
}

TEST_CASE("an engine that stalls in the background is restarted unasked")
{
    Background test;
    test.reader.setPreviews({0});
    Q_EMIT test.engine.engineStalled("no sign of work");
    CHECK(test.engine.restarts == 1);
}

TEST_CASE("tensors that are looked at come first, each once")
{
    Background test;
    test.reader.setPaused(true);
    test.reader.setPreviews({0, 1, 2, 3});
    test.reader.prefer({2, 7});  // 7 waits for nothing
    test.reader.setPaused(false);
    std::vector<std::uint64_t> order;
    while (!test.engine.previews.empty()) {
        order.push_back(test.engine.previews.front().request.tensor.index);
        FakeEngine::answer(test.engine.previews, protocol::Preview{});
    }
    CHECK(order == std::vector<std::uint64_t>{2, 0, 1, 3});
}

TEST_CASE("what is withdrawn is not told, be it waiting or at work")
{
    Background test;
    test.reader.setPreviews({0, 1, 2});
    const quint64 atWork = test.engine.lastId;
    test.reader.withdraw({0, 1});
    CHECK(test.engine.cancelled.contains(atWork));
    FakeEngine::answer(test.engine.previews, protocol::Preview{});  // of 0: too late
    CHECK(test.taken.count() == 0);
    CHECK(test.engine.previews.front().request.tensor.index == 2);
    test.reader.addFirst({1});
    CHECK(test.reader.previewsLeft() == 2);
}

TEST_CASE("to an engine far away eight glances are on their way at a time")
{
    Background test;
    test.reader.setFarAway(true);
    test.reader.setPreviews({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(test.engine.previews.size() == 8);
    CHECK(test.reader.previewsLeft() == 10);
    FakeEngine::answer(test.engine.previews, protocol::Preview{});
    REQUIRE(test.engine.previews.size() == 8);
    CHECK(test.engine.previews.back().request.tensor.index == 8);
}

TEST_CASE("while the user waits, and before a view, only the glance at work is finished")
{
    Background test;
    test.reader.setFarAway(true);
    test.reader.setPreviews({0, 1, 2});
    const quint64 atWork = test.engine.previews.front().id;
    const auto isCancelled = [&](quint64 id) { return test.engine.cancelled.contains(id); };
    SECTION("the user waits")
    {
        test.reader.setPaused(true);
        CHECK_FALSE(isCancelled(atWork));
        CHECK(isCancelled(atWork + 1));
        CHECK(isCancelled(atWork + 2));
        test.engine.previews.erase(test.engine.previews.begin() + 1, test.engine.previews.end());
        FakeEngine::answer(test.engine.previews, protocol::Preview{});
        CHECK(test.engine.previews.empty());
        test.reader.setPaused(false);
    }
    SECTION("a view is wanted")
    {
        test.reader.setViews({viewOf(4)});
        CHECK(isCancelled(atWork + 2));
        test.engine.previews.erase(test.engine.previews.begin() + 1, test.engine.previews.end());
        FakeEngine::answer(test.engine.previews, protocol::Preview{});
        REQUIRE(test.engine.views.size() == 1);
        CHECK(test.engine.previews.empty());
        FakeEngine::answer(test.engine.views, protocol::TensorView{});
    }
    REQUIRE(test.engine.previews.size() == 2);
    CHECK(test.engine.previews[0].request.tensor.index == 1);
    CHECK(test.engine.previews[1].request.tensor.index == 2);
}

}  // namespace background_reader_test
