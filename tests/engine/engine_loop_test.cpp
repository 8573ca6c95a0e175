#include "core/engine/engine_loop.h"

#include "core/protocol/codec.h"
#include "core/protocol/frame_reader.h"
#include "tests/engine/engine_session.h"
#include "tests/support/catch.h"

#include <functional>
#include <future>
#include <thread>

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using namespace std::chrono_literals;

TEST_CASE("requests come out in order, one at work at a time")
{
    RequestQueue queue;
    queue.push({1, "open", {}});
    queue.push({2, "view", {}});
    CHECK(queue.current() == 0);
    const auto first = queue.next();
    REQUIRE(first);
    CHECK(first->request.method == "open");
    CHECK(queue.current() == 1);
    const auto second = queue.next();
    REQUIRE(second);
    CHECK(second->request.id == 2);
    CHECK(queue.current() == 2);
}

TEST_CASE("a cancel stops what is at work, takes out what waits, and leaves all else")
{
    RequestQueue queue;
    for (std::uint64_t id = 1; id <= 3; ++id)
        queue.push({id, "view", {}});
    const auto work = queue.next();
    REQUIRE(work);
    CHECK_FALSE(queue.cancel(9));
    CHECK(queue.cancel(2));
    CHECK_FALSE(queue.cancel(2));
    CHECK_FALSE(work->stop.stop_requested());
    CHECK_FALSE(queue.cancel(1));
    CHECK(work->stop.stop_requested());
    const auto next = queue.next();
    REQUIRE(next);
    CHECK(next->request.id == 3);
    CHECK_FALSE(next->stop.stop_requested());
}

TEST_CASE("closing stops the work, forgets what waits and lets the worker go")
{
    RequestQueue queue;
    queue.push({1, "view", {}});
    queue.push({2, "view", {}});
    const auto work = queue.next();
    REQUIRE(work);
    CHECK_FALSE(queue.isClosed());
    queue.close();
    CHECK(queue.isClosed());
    CHECK(work->stop.stop_requested());
    CHECK_FALSE(queue.waitForWorker(1ms));
    CHECK_FALSE(queue.next());
    CHECK(queue.waitForWorker(1ms));
}

TEST_CASE("a worker that waits is woken by a request and by the end")
{
    RequestQueue queue;
    std::promise<std::uint64_t> first;
    std::promise<std::uint64_t> second;
    std::thread worker([&] {
        for (std::promise<std::uint64_t>* seen : {&first, &second})
            if (const auto work = queue.next())
                seen->set_value(work->request.id);
        (void)queue.next();
    });
    queue.push({7, "view", {}});
    CHECK(first.get_future().get() == 7);
    queue.push({8, "view", {}});  // while it waits, or is about to
    CHECK(second.get_future().get() == 8);
    queue.close();
    worker.join();
}

using namespace calibscope;
using namespace calibscope::engine;
using namespace calibscope::protocol;
using namespace calibscope::test;

namespace {

Json viewOf(std::uint64_t tensor)
{
    return encode(ViewRequest{.tensor = {.file = "a.h5", .index = tensor}});
}

}  // namespace

TEST_CASE("requests are answered in order")
{
    EngineSession session;
    session.send(Request{1, "open", encode(OpenRequest{"a.h5"})});
    session.send(Request{2, "view", viewOf(0)});
    session.send(
        Request{3, "preview", encode(PreviewRequest{.tensor = {.file = "a.h5", .index = 0}})});
    const Reply opened = session.reply();
    CHECK(opened.id == 1);
    REQUIRE(opened.result);
    CHECK(decode<DumpOpened>(*opened.result).tensors.size() == 4);
    const Reply viewed = session.reply();
    CHECK(viewed.id == 2);
    REQUIRE(viewed.result);
    CHECK(decode<TensorView>(*viewed.result).profile.extents().max == 3.0);
    CHECK(session.reply().id == 3);
}

TEST_CASE("what fails is answered with the sentence and the fault, and the next request works")
{
    EngineSession session;
    session.send(Request{1, "open", encode(OpenRequest{"missing.h5"})});
    session.send(Request{2, "sing", Json::object()});
    session.send(Request{3, "view", Json{{"path", 3}}});
    session.send(Request{4, "view", viewOf(1)});
    session.send(Request{5, "view", viewOf(0)});
    const Reply missing = session.reply();
    REQUIRE(missing.failure);
    CHECK(missing.failure->message == "missing.h5: no such file");
    CHECK(missing.failure->fault == Fault::Input);
    const Reply unknown = session.reply();
    REQUIRE(unknown.failure);
    CHECK(unknown.failure->fault == Fault::Usage);
    CHECK(session.reply().failure);
    CHECK(session.reply().failure);
    CHECK(session.reply().result);
}

TEST_CASE("a ping is answered while a request is at work, with beats that go on")
{
    EngineSession session;
    session.send(Request{7, "view", viewOf(2)});
    (void)session.progress();
    session.send(PingRequest{100});
    const Reply first = session.reply();
    CHECK(first.id == 100);
    const Pong before = pongFromJson(*first.result);
    CHECK(before.current == 7);
    const auto isSaid = [&session](std::uint64_t firstPing,
                                   const std::function<bool(const Pong&)>& isIt) {
        for (std::uint64_t ping = firstPing; ping < firstPing + 100000; ++ping) {
            session.send(PingRequest{ping});
            if (isIt(pongFromJson(*session.reply().result)))
                return true;
        }
        return false;
    };
    CHECK(isSaid(101, [&before](const Pong& pong) { return pong.beats > before.beats; }));
    session.send(CancelRequest{7});
    CHECK(session.reply().id == 7);
    // The worker says so when it looks for more to do, a moment after it has replied.
    CHECK(isSaid(200000, [](const Pong& pong) { return pong.current == 0; }));
}

TEST_CASE("cancelling ends the request at work, and one that waits, and leaves the others")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    session.send(Request{2, "view", viewOf(0)});
    session.send(Request{3, "view", viewOf(0)});
    (void)session.progress();
    session.send(CancelRequest{99});
    session.send(CancelRequest{2});
    const Reply waiting = session.reply();
    CHECK(waiting.id == 2);
    CHECK_FALSE(waiting.result);
    CHECK_FALSE(waiting.failure);
    session.send(CancelRequest{1});
    const Reply atWork = session.reply();
    CHECK(atWork.id == 1);
    CHECK_FALSE(atWork.result);
    CHECK_FALSE(atWork.failure);
    const Reply last = session.reply();
    CHECK(last.id == 3);
    CHECK(last.result);
}

TEST_CASE("progress comes at most once in its interval")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    const auto start = std::chrono::steady_clock::now();
    std::vector<ProgressNote> notes;
    while (notes.size() < 5)
        notes.push_back(session.progress());
    const auto took = std::chrono::steady_clock::now() - start;
    CHECK(took >= std::chrono::milliseconds(150));
    CHECK(notes[0].id == 1);
    CHECK(notes[0].what == "values");
    CHECK(notes[4].done > notes[1].done);
    session.send(CancelRequest{1});
    CHECK(session.reply().id == 1);
}

TEST_CASE("damaged messages are answered with an error, and the engine goes on")
{
    EngineSession session;
    session.sendBytes(std::string("\x02\0\0\0\xff\xff", 6));
    CHECK(session.reply().failure);
    session.sendBytes(toFrame(Json{{"id", 9}, {"method", 5}}));
    const Reply typed = session.reply();
    CHECK(typed.id == 9);
    CHECK(typed.failure);
    session.sendBytes(toFrame("only a text"));
    CHECK(session.reply().failure);
    std::string deep(1 << 20, '\x81');
    session.sendBytes(std::string("\0\0\x10\0", 4) + deep);
    CHECK(session.reply().failure);
    session.send(Request{10, "view", viewOf(0)});
    CHECK(session.reply().result);
}

TEST_CASE("a length over the limit ends the engine after a word about it")
{
    EngineSession session;
    session.sendBytes(std::string("\xff\xff\xff\xff", 4));
    const Reply last = session.reply();
    REQUIRE(last.failure);
    CHECK_THAT(last.failure->message, containsText("over the limit"));
    CHECK(session.waitForEnd());
    CHECK_FALSE(session.wasAbandoned());
}

TEST_CASE("the end of the input stops the work and ends the engine")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(2)});
    (void)session.progress();
    session.closeInput();
    CHECK(session.waitForEnd());
    CHECK_FALSE(session.wasAbandoned());
}

TEST_CASE("work that does not stop is abandoned when the input has ended")
{
    EngineSession session;
    session.send(Request{1, "view", viewOf(3)});
    for (std::uint64_t ping = 100, current = 0; current != 1; ++ping) {
        session.send(PingRequest{ping});
        current = pongFromJson(*session.reply().result).current;
    }
    session.closeInput();
    CHECK(session.waitForAbandonment());
    session.dumps.release = true;
    CHECK(session.waitForEnd());
}

TEST_CASE("an engine whose output nobody reads ends")
{
    EngineSession session;
    session.closeOutput();
    session.send(Request{1, "view", viewOf(0)});
    CHECK(session.waitForEnd());
}
