// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/engine_request.h"

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"

namespace engine_request_test {

using namespace calibscope;
using calibscope::test::FakeEngine;

TEST_CASE("a request is at work until it is answered, and heard once")
{
    FakeEngine engine;
    EngineRequest request;
    CHECK_FALSE(request.isAtWork());
    int heard = 0;
    request.ask(engine, protocol::ViewRequest{}, [&](const Answer<protocol::TensorView>&) {
        ++heard;
        CHECK_FALSE(request.isAtWork());
    });
    CHECK(request.isAtWork());
    CHECK(request.is(engine.lastId));
    CHECK_FALSE(request.is(engine.lastId + 1));
    FakeEngine::answer(engine.views, protocol::TensorView{});
    CHECK(heard == 1);
    request.drop();
    CHECK(engine.cancelled.empty());
}

TEST_CASE("a request that is dropped, destroyed or asked anew is cancelled and not heard")
{
    FakeEngine engine;
    int heard = 0;
    int ended = 0;
    const auto count = [&](const Answer<protocol::TensorView>&) { ++heard; };
    {
        EngineRequest request;
        request.ask(engine, protocol::ViewRequest{}, count);
        request.whenEnded([&] { ++ended; });
        SECTION("dropped")
        {
            request.drop();
        }
        SECTION("destroyed") {}
        SECTION("asked anew")
        {
            request.ask(engine, protocol::StripRequest{}, [](const Answer<protocol::Strip>&) {});
        }
        SECTION("replaced")
        {
            request = EngineRequest();
        }
    }
    CHECK(engine.cancelled.contains(1));
    CHECK(ended == 1);
    FakeEngine::answer(engine.views, protocol::TensorView{});
    CHECK(heard == 0);
}

TEST_CASE("a handler may ask the next question, or let go of the request")
{
    FakeEngine engine;
    auto request = std::make_unique<EngineRequest>();
    request->ask(engine, protocol::ViewRequest{}, [&](const Answer<protocol::TensorView>&) {
        request->ask(engine, protocol::StripRequest{},
                     [&](const Answer<protocol::Strip>&) { request.reset(); });
    });
    FakeEngine::answer(engine.views, protocol::TensorView{});
    CHECK(request->isAtWork());
    FakeEngine::answer(engine.strips, Strip{});
    CHECK_FALSE(request);
    CHECK(engine.cancelled.empty());
}

}  // namespace engine_request_test
