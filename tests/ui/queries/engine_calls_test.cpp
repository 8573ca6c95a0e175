// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_calls.h"

#include "core/base/progress.h"
#include "tests/support/catch.h"
#include "tests/ui/report/answering_engine.h"

#include <QElapsedTimer>
#include <QTimer>

namespace engine_calls_test {

using namespace calibscope;
using namespace calibscope::test;

TEST_CASE("a question is waited for")
{
    AnsweringEngine engine;
    EngineCalls calls(engine);
    const Answer<protocol::DumpOpened> opened = calls.open({"a.h5"});
    REQUIRE(opened.value);
    CHECK(opened.value->tensors.size() == 5);
    CHECK(calls.open({"b.h5"}).failure == "b.h5: no such file");
    CHECK(calls.view({.tensor = {.file = "a.h5", .index = 0}}).value);
    CHECK(calls.view({.tensor = {.file = "a.h5", .index = 2}}).engineDied);
}

TEST_CASE("a stop ends the question at work and refuses every later one")
{
    AnsweringEngine engine;
    EngineCalls calls(engine);
    QTimer::singleShot(0, &engine, [&calls] { calls.stop(); });
    CHECK_THROWS_AS(calls.view({.tensor = {.file = "a.h5"}}), Cancelled);
    CHECK(engine.cancelled == std::set<quint64>{1});
    CHECK_THROWS_AS(calls.open({"a.h5"}), Cancelled);
}

TEST_CASE("an engine that hangs is ended after a while, unless it goes on")
{
    AnsweringEngine engine;
    engine.hangs = true;
    EngineCalls calls(engine, 20);
    CHECK(calls.view({.tensor = {.file = "a.h5"}}).failure == "It was restarted.");

    QTimer::singleShot(10, &engine, [&engine] { Q_EMIT engine.progressed(2, 1, 2, "values"); });
    QTimer::singleShot(60, &engine, [&engine] { engine.restart(); });
    QElapsedTimer timer;
    timer.start();
    CHECK(calls.view({.tensor = {.file = "a.h5"}}).engineDied);
    CHECK(timer.elapsed() >= 50);
}

}  // namespace engine_calls_test
