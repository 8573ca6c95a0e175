#include "core/engine/request_queue.h"

#include "tests/support/catch.h"

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
