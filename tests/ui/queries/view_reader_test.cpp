#include "ui/queries/view_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace view_reader_test {

using namespace calibscope;
using calibscope::test::FakeEngine;
using State = ViewReader::State;

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

struct Reading
{
    FakeEngine engine;
    ViewReader reader{engine};
};

TEST_CASE("a view is read, shown and kept")
{
    Reading test;
    test.reader.show(requestFor(7));
    CHECK(test.reader.state() == State::Reading);
    CHECK(test.reader.view() == nullptr);
    FakeEngine::answer(test.engine.views, viewOf("seven"));
    REQUIRE(test.reader.state() == State::Ready);
    CHECK(test.reader.view()->profile.info.name == "seven");

    test.reader.show(requestFor(8));
    test.reader.show(requestFor(7));
    CHECK(test.reader.state() == State::Ready);
    CHECK(test.engine.views.size() == 1);  // only that of 8
}

TEST_CASE("the latest request wins: the earlier one is cancelled and its answer dropped")
{
    Reading test;
    test.reader.show(requestFor(1));
    const quint64 first = test.engine.views.front().id;
    test.reader.show(requestFor(2));
    CHECK(test.engine.cancelled.contains(first));
    FakeEngine::answer(test.engine.views, viewOf("one"));
    CHECK(test.reader.state() == State::Reading);
    FakeEngine::answer(test.engine.views, viewOf("two"));
    REQUIRE(test.reader.state() == State::Ready);
    CHECK(test.reader.view()->profile.info.name == "two");
}

TEST_CASE("stopped reading goes on when asked to")
{
    Reading test;
    test.reader.show(requestFor(1));
    test.reader.stop();
    CHECK(test.reader.state() == State::Stopped);
    CHECK(test.engine.cancelled.size() == 1);
    test.reader.again();
    CHECK(test.reader.state() == State::Reading);
    REQUIRE(test.engine.views.size() == 2);
    CHECK(test.engine.views.back().request.tensor.index == 1);
}

TEST_CASE("a failure is told, and can be tried again")
{
    Reading test;
    test.reader.show(requestFor(1));
    FakeEngine::fail(test.engine.views, "a.h5: a chunk is damaged");
    CHECK(test.reader.state() == State::Failed);
    CHECK(test.reader.problem() == "a.h5: a chunk is damaged");
    test.reader.again();
    FakeEngine::answer(test.engine.views, viewOf("one"));
    CHECK(test.reader.state() == State::Ready);
    CHECK(test.reader.problem().isEmpty());
}

TEST_CASE("stopping and trying again do nothing where there is nothing to do")
{
    Reading test;
    test.reader.stop();
    test.reader.again();
    CHECK(test.reader.state() == State::Idle);
    CHECK(test.engine.views.empty());
}

TEST_CASE("only the progress of the request at work is passed on")
{
    Reading test;
    const QSignalSpy shares(&test.reader, &ViewReader::progressed);
    test.reader.show(requestFor(1));
    const quint64 first = test.engine.lastId;
    test.reader.show(requestFor(2));
    Q_EMIT test.engine.progressed(first, 1, 4, "one");
    CHECK(shares.count() == 0);
    Q_EMIT test.engine.progressed(test.engine.lastId, 1, 4, "two");
    REQUIRE(shares.count() == 1);
    CHECK(shares[0][0].toDouble() == 0.25);
    Q_EMIT test.engine.progressed(test.engine.lastId, 0, 0, "two");
    CHECK(shares.count() == 1);  // of nothing there is no share
}

TEST_CASE("a view that was read in advance is shown at once")
{
    Reading test;
    test.reader.keep(requestFor(3), viewOf("three"));
    test.reader.show(requestFor(3));
    CHECK(test.reader.state() == State::Ready);
    CHECK(test.engine.views.empty());
}

TEST_CASE("the views of a dump that was closed are forgotten")
{
    Reading test;
    test.reader.keep(requestFor(3), viewOf("three"));
    test.reader.forget();
    CHECK(test.reader.find(requestFor(3).tensor) == nullptr);
    CHECK(test.reader.state() == State::Idle);
}

TEST_CASE("a view of another understanding of the tensor is not taken for the wanted one")
{
    Reading test;
    test.reader.show(requestFor(1));
    FakeEngine::answer(test.engine.views, viewOf("as the file says"));
    protocol::ViewRequest byRows = requestFor(1);
    byRows.tensor.layoutOverride.channelAxis = 0;
    test.reader.show(byRows);
    CHECK(test.reader.state() == State::Reading);
    CHECK(test.engine.views.front().request.tensor.layoutOverride == byRows.tensor.layoutOverride);
    FakeEngine::answer(test.engine.views, viewOf("by rows"));
    CHECK(test.reader.view()->profile.info.name == "by rows");
    test.reader.show(requestFor(1));
    REQUIRE(test.reader.state() == State::Ready);  // both are cached
    CHECK(test.reader.view()->profile.info.name == "as the file says");
    CHECK(test.reader.find(byRows.tensor));
    TensorRef other = byRows.tensor;
    other.index = 2;
    CHECK_FALSE(test.reader.find(other));
}

}  // namespace view_reader_test
