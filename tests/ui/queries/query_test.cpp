// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/query.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace query_test {

using namespace calibscope;
using calibscope::test::FakeEngine;
using State = QueryState::State;

protocol::ViewRequest requestFor(std::uint64_t tensor)
{
    return {.tensor = {.file = "a.h5", .index = tensor}, .histograms = {}, .choices = {}};
}

protocol::TensorView viewOf(const char* name)
{
    protocol::TensorView view;
    view.profile.info.name = name;
    return view;
}

protocol::Strip stripOf(std::uint64_t rows)
{
    return {.rows = rows, .columns = 1, .counts = std::vector<std::uint64_t>(rows, 1)};
}

struct Reading
{
    FakeEngine engine;
    TensorQuestions questions{engine};
    ViewQuery query{questions, 4};
};

struct ReadingStrips
{
    FakeEngine engine;
    TensorQuestions questions{engine};
    StripQuery query{questions, 4};
    protocol::StripRequest request{.tensor = {.file = "/a.h5", .index = 3}};
};

TEST_CASE("a view is read, shown and kept")
{
    Reading test;
    test.query.ask(requestFor(7));
    CHECK(test.query.state() == State::Reading);
    CHECK(test.query.result() == nullptr);
    FakeEngine::answer(test.engine.views, viewOf("seven"));
    REQUIRE(test.query.state() == State::Ready);
    CHECK(test.query.result()->profile.info.name == "seven");

    test.query.ask(requestFor(8));
    test.query.ask(requestFor(7));
    CHECK(test.query.state() == State::Ready);
    CHECK(test.engine.views.size() == 1);  // only that of 8
}

TEST_CASE("the latest request wins: the earlier one is cancelled and its answer dropped")
{
    Reading test;
    test.query.ask(requestFor(1));
    const quint64 first = test.engine.views.front().id;
    test.query.ask(requestFor(2));
    CHECK(test.engine.cancelled.contains(first));
    FakeEngine::answer(test.engine.views, viewOf("one"));
    CHECK(test.query.state() == State::Reading);
    FakeEngine::answer(test.engine.views, viewOf("two"));
    REQUIRE(test.query.state() == State::Ready);
    CHECK(test.query.result()->profile.info.name == "two");
}

TEST_CASE("stopped reading goes on when asked to")
{
    Reading test;
    test.query.ask(requestFor(1));
    test.query.stop();
    CHECK(test.query.state() == State::Stopped);
    CHECK(test.engine.cancelled.size() == 1);
    test.query.again();
    CHECK(test.query.state() == State::Reading);
    REQUIRE(test.engine.views.size() == 2);
    CHECK(test.engine.views.back().request.tensor.index == 1);
}

TEST_CASE("a failure is told, and can be tried again")
{
    Reading test;
    test.query.ask(requestFor(1));
    FakeEngine::fail(test.engine.views, "a.h5: a chunk is damaged");
    CHECK(test.query.state() == State::Failed);
    CHECK(test.query.problem() == "a.h5: a chunk is damaged");
    test.query.again();
    FakeEngine::answer(test.engine.views, viewOf("one"));
    CHECK(test.query.state() == State::Ready);
    CHECK(test.query.problem().isEmpty());
}

TEST_CASE("stopping and trying again do nothing where there is nothing to do")
{
    Reading test;
    test.query.stop();
    test.query.again();
    CHECK(test.query.state() == State::Idle);
    CHECK(test.engine.views.empty());
}

TEST_CASE("only the request at work is known by its number")
{
    Reading test;
    test.query.ask(requestFor(1));
    const quint64 first = test.engine.lastId;
    test.query.ask(requestFor(2));
    CHECK_FALSE(test.query.is(first));
    CHECK(test.query.is(test.engine.lastId));
}

TEST_CASE("a view that was read in advance is shown at once")
{
    Reading test;
    (void)test.query.remember(requestFor(3), viewOf("three"));
    test.query.ask(requestFor(3));
    CHECK(test.query.state() == State::Ready);
    CHECK(test.engine.views.empty());
}

TEST_CASE("the views of a dump that was closed are forgotten")
{
    Reading test;
    (void)test.query.remember(requestFor(3), viewOf("three"));
    test.query.forget();
    CHECK(test.query.find(requestFor(3)) == nullptr);
    CHECK(test.query.state() == State::Idle);
}

TEST_CASE("a view of another understanding of the tensor is not taken for the wanted one")
{
    Reading test;
    test.query.ask(requestFor(1));
    FakeEngine::answer(test.engine.views, viewOf("as the file says"));
    protocol::ViewRequest byRows = requestFor(1);
    byRows.tensor.layoutOverride.channelAxis = 0;
    test.query.ask(byRows);
    CHECK(test.query.state() == State::Reading);
    CHECK(test.engine.views.front().request.tensor.layoutOverride == byRows.tensor.layoutOverride);
    FakeEngine::answer(test.engine.views, viewOf("by rows"));
    CHECK(test.query.result()->profile.info.name == "by rows");
    test.query.ask(requestFor(1));
    REQUIRE(test.query.state() == State::Ready);  // both are cached
    CHECK(test.query.result()->profile.info.name == "as the file says");
    CHECK(test.query.find(byRows));
    protocol::ViewRequest other = byRows;
    other.tensor.index = 2;
    CHECK_FALSE(test.query.find(other));
}

TEST_CASE("each change is reported once, and an answer is pending until then")
{
    ReadingStrips test;
    const QSignalSpy changes(&test.query, &QueryState::changed);
    test.query.ask(test.request);
    CHECK(test.query.answerTo(test.request).isPending);
    CHECK_FALSE(test.questions.isIdle());
    FakeEngine::answer(test.engine.strips, stripOf(8));
    CHECK(changes.count() == 2);
    CHECK(test.questions.isIdle());
    CHECK_FALSE(test.query.answerTo(test.request).isPending);
    REQUIRE(test.query.answerTo(test.request).result);
    CHECK(test.query.answerTo(test.request).result->rows == 8);
}

TEST_CASE("answers in memory are found while another request is the latest")
{
    ReadingStrips test;
    protocol::StripRequest finer = test.request;
    finer.columns = 1024;
    test.query.ask(test.request);
    FakeEngine::answer(test.engine.strips, stripOf(1));
    test.query.ask(finer);
    FakeEngine::fail(test.engine.strips, "a.h5: block 7 is damaged");
    CHECK(test.query.answerTo(finer).problem == "a.h5: block 7 is damaged");
    CHECK_FALSE(test.query.answerTo(finer).result);
    REQUIRE(test.query.answerTo(test.request).result);
    CHECK(test.query.answerTo(test.request).result->rows == 1);
}

TEST_CASE("a strip belongs to its tensor, understanding, part and range")
{
    ReadingStrips test;
    (void)test.query.remember(test.request, stripOf(1));
    CHECK(test.query.find(test.request));
    const auto isKnownOf = [&test](auto change) {
        protocol::StripRequest other = test.request;
        change(other);
        return test.query.find(other) != nullptr;
    };
    CHECK_FALSE(isKnownOf([](auto& other) { other.tensor.index = 4; }));
    CHECK_FALSE(isKnownOf([](auto& other) { other.tensor.part.channel = 0; }));
    CHECK_FALSE(isKnownOf([](auto& other) { other.tensor.layoutOverride.channelAxis = 1; }));
    CHECK_FALSE(isKnownOf([](auto& other) { other.range = Range{0.0, 0.5}; }));
}

TEST_CASE("the answers that were used least leave the memory first")
{
    Reading test;
    for (std::uint64_t tensor = 0; tensor < 4; ++tensor)
        (void)test.query.remember(requestFor(tensor), viewOf("known"));
    CHECK(test.query.find(requestFor(0)));
    (void)test.query.remember(requestFor(4), viewOf("latest"));
    CHECK(test.query.find(requestFor(0)));
    CHECK_FALSE(test.query.find(requestFor(1)));
    CHECK(test.query.find(requestFor(2)));
}

TEST_CASE("without memory every request is asked")
{
    FakeEngine engine;
    TensorQuestions questions(engine);
    ViewQuery query(questions);
    query.ask(requestFor(1));
    FakeEngine::answer(engine.views, viewOf("one"));
    CHECK(query.result());
    query.ask(requestFor(1));
    CHECK(query.isReading());
    CHECK(engine.views.size() == 1);
}

TEST_CASE("a query that is cleared or destroyed cancels its request")
{
    FakeEngine engine;
    TensorQuestions questions(engine);
    {
        ViewQuery query(questions);
        query.ask(requestFor(1));
        query.clear();
        CHECK(engine.cancelled.contains(engine.views.back().id));
        CHECK(query.state() == State::Idle);
        query.ask(requestFor(2));
    }
    CHECK(engine.cancelled.contains(engine.views.back().id));
    CHECK(questions.isIdle());
    FakeEngine::answer(engine.views, viewOf("one"));
    FakeEngine::answer(engine.views, viewOf("two"));
}

TEST_CASE("what was shown of a tensor stays while another part of it is read")
{
    Reading test;
    test.query.ask(requestFor(1));
    FakeEngine::answer(test.engine.views, viewOf("whole"));
    protocol::ViewRequest part = requestFor(1);
    part.tensor.part.batches = 2;
    test.query.ask(part);
    REQUIRE(test.query.former());
    CHECK(test.query.former()->profile.info.name == "whole");
    test.query.ask(requestFor(2));
    CHECK_FALSE(test.query.former());
}

}  // namespace query_test
