// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/pair_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

namespace pair_reader_test {

using namespace calibscope;
using namespace calibscope::test;

PairReader::Request requestOf(std::uint64_t a, std::uint64_t b)
{
    return {.a = protocol::ViewRequest{.tensor = {.file = "/a.h5", .index = a}},
            .b = protocol::ViewRequest{.tensor = {.file = "/b.h5", .index = b}},
            .both = protocol::CompareRequest{},
            .candidates = {}};
}

TEST_CASE("both views and their comparison are read one after the other")
{
    FakeEngine engine;
    PairReader reader(engine);
    reader.show(requestOf(1, 2));
    CHECK(reader.state() == PairReader::State::Reading);
    REQUIRE(engine.views.size() == 1);
    CHECK(engine.views.front().request.tensor.file == "/a.h5");
    FakeEngine::answer(engine.views, protocol::TensorView());
    CHECK(engine.views.front().request.tensor.index == 2);
    FakeEngine::answer(engine.views, protocol::TensorView());
    CHECK_FALSE(reader.found().a);  // nothing is shown by halves
    FakeEngine::answer(engine.comparisons, protocol::Compared());
    CHECK(reader.state() == PairReader::State::Ready);
    CHECK(reader.found().a);
    CHECK(reader.found().both);
}

TEST_CASE("the latest wish wins")
{
    FakeEngine engine;
    PairReader reader(engine);
    reader.show(requestOf(1, 2));
    const quint64 dropped = engine.views.front().id;
    reader.show(requestOf(3, 4));
    CHECK(engine.cancelled.contains(dropped));
    FakeEngine::answer(engine.views, protocol::TensorView());  // of the former request
    REQUIRE(engine.views.size() == 1);
    CHECK(engine.views.front().request.tensor.index == 3);
}

TEST_CASE("other choices of the same tensors cost no views, and what is there stays")
{
    FakeEngine engine;
    PairReader reader(engine);
    reader.show(requestOf(1, 2));
    FakeEngine::answer(engine.views, protocol::TensorView());
    FakeEngine::answer(engine.views, protocol::TensorView());
    FakeEngine::answer(engine.comparisons, protocol::Compared());
    reader.show(requestOf(1, 2));
    CHECK(engine.views.empty());
    CHECK(engine.comparisons.size() == 1);
    CHECK(reader.found().both);
}

TEST_CASE("a tensor that can't be read is told, and the next one is read")
{
    FakeEngine engine;
    PairReader reader(engine);
    reader.show(requestOf(1, 2));
    FakeEngine::fail(engine.views, "b.h5: breaks off");
    CHECK(reader.state() == PairReader::State::Failed);
    CHECK(reader.problem() == "b.h5: breaks off");
    reader.show({.a = {},
                 .b = protocol::ViewRequest{.tensor = {.file = "/b.h5"}},
                 .both = {},
                 .candidates = {}});
    FakeEngine::answer(engine.views, protocol::TensorView());
    CHECK(reader.state() == PairReader::State::Ready);
    CHECK(reader.found().b);
    CHECK_FALSE(reader.found().a);
}

}  // namespace pair_reader_test
