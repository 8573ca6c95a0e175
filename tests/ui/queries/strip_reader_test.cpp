#include "ui/queries/strip_reader.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>

namespace strip_reader_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

protocol::Strip stripOf(std::uint64_t rows)
{
    return {.range = {0.0, 1.0},
            .rows = rows,
            .columns = 2,
            .counts = std::vector<std::uint64_t>(rows * 2, 1)};
}

struct TestedReader
{
    FakeEngine engine;
    StripReader reader{engine};
    protocol::ViewRequest tensor{.tensor = {.file = "/a.h5", .index = 3}};
    StripQuestion batches{.rows = protocol::StripRows::Batch};
    StripQuestion channels{.rows = protocol::StripRows::Channel};
};

TEST_CASE("a strip is asked for once, and is kept")
{
    TestedReader test;
    const QSignalSpy changes(&test.reader, &StripReader::changed);
    test.reader.ask(test.tensor, test.batches);
    test.reader.ask(test.tensor, test.batches);
    REQUIRE(test.engine.strips.size() == 1);
    CHECK(test.engine.strips.front().request.tensor.index == 3);
    CHECK(test.engine.strips.front().request.tensor.file == "/a.h5");
    CHECK(test.reader.find(test.tensor, test.batches).isPending);
    CHECK_FALSE(test.reader.isIdle());
    FakeEngine::answer(test.engine.strips, stripOf(8));
    REQUIRE(test.reader.find(test.tensor, test.batches).strip);
    CHECK(test.reader.find(test.tensor, test.batches).strip->rows == 8);
    CHECK(test.reader.isIdle());
    CHECK(changes.count() == 2);
    test.reader.ask(test.tensor, test.batches);
    CHECK(test.engine.strips.empty());
}

TEST_CASE("channels and batches don't push each other aside, questions of one "
          "kind do")
{
    TestedReader test;
    test.reader.ask(test.tensor, test.batches);
    test.reader.ask(test.tensor, test.channels);
    CHECK(test.engine.cancelled.empty());
    StripQuestion finer = test.batches;
    finer.columns = 1024;
    const quint64 former = test.engine.strips.front().id;
    test.reader.ask(test.tensor, finer);
    CHECK(test.engine.cancelled == std::set<quint64>{former});
    FakeEngine::answer(test.engine.strips,
                       stripOf(1));  // of the former question: too late
    CHECK_FALSE(test.reader.find(test.tensor, test.batches).strip);
    CHECK_FALSE(test.reader.find(test.tensor, finer).strip);
    FakeEngine::answer(test.engine.strips, stripOf(2));
    FakeEngine::answer(test.engine.strips, stripOf(3));
    CHECK(test.reader.find(test.tensor, test.channels).strip->rows == 2);
    CHECK(test.reader.find(test.tensor, finer).strip->rows == 3);
}

TEST_CASE("a strip belongs to its tensor, understanding, part and range")
{
    TestedReader test;
    test.reader.ask(test.tensor, test.batches);
    FakeEngine::answer(test.engine.strips, stripOf(1));
    protocol::ViewRequest other = test.tensor;
    other.tensor.index = 4;
    CHECK_FALSE(test.reader.find(other, test.batches).strip);
    other = test.tensor;
    other.tensor.part.channel = 0;
    CHECK_FALSE(test.reader.find(other, test.batches).strip);
    other = test.tensor;
    other.tensor.layoutOverride.channelAxis = 1;
    CHECK_FALSE(test.reader.find(other, test.batches).strip);
    StripQuestion zoomed = test.batches;
    zoomed.range = Range{0.0, 0.5};
    CHECK_FALSE(test.reader.find(test.tensor, zoomed).strip);
}

TEST_CASE("a strip that can't be read says why, and may be asked for again")
{
    TestedReader test;
    test.reader.ask(test.tensor, test.batches);
    FakeEngine::fail(test.engine.strips, "a.h5: block 7 is damaged");
    CHECK(test.reader.find(test.tensor, test.batches).problem == "a.h5: block 7 is damaged");
    CHECK(test.reader.isIdle());
    test.reader.ask(test.tensor, test.batches);
    CHECK(test.engine.strips.size() == 1);
}

TEST_CASE("another dump forgets strips and questions")
{
    TestedReader test;
    test.reader.ask(test.tensor, test.batches);
    FakeEngine::answer(test.engine.strips, stripOf(1));
    test.reader.ask(test.tensor, test.channels);
    const quint64 asked = test.engine.strips.front().id;
    test.reader.forget();
    CHECK(test.engine.cancelled.contains(asked));
    CHECK_FALSE(test.reader.find(test.tensor, test.batches).strip);
    CHECK(test.reader.isIdle());
}

}  // namespace strip_reader_test
