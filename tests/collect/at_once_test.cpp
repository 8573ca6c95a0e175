// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/at_once.h"

#include "tests/support/catch.h"

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace at_once_test {

using namespace calibscope;

TEST_CASE("each part of a block is worked on once, whatever its size")
{
    for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 20}) {
        std::vector<std::atomic<int>> calls(50);
        atOnce(calls.size(), size, [&](std::size_t index) { ++calls[index]; });
        for (const std::atomic<int>& count : calls)
            CHECK(count == 1);
    }
}

TEST_CASE("work is delivered in order and after it is done, for any number of threads")
{
    for (const std::size_t threads : {0U, 1U, 2U, 5U}) {
        const ThreadLimit limit(threads);
        std::vector<std::size_t> results(40);
        std::vector<std::size_t> delivered;
        inOrder(results.size(),
                {.work = [&](std::size_t index) { results[index] = index * index + 1; },
                 .deliver = [&](std::size_t index) { delivered.push_back(results[index]); },
                 .isAlone = [](std::size_t index) { return index % 7 == 3; }});
        REQUIRE(delivered.size() == results.size());
        for (std::size_t index = 0; index < delivered.size(); ++index)
            CHECK(delivered[index] == index * index + 1);
    }
}

TEST_CASE("nothing is worked on beside what asks to be alone")
{
    std::atomic<int> running = 0;
    std::atomic<bool> wasAlone = true;
    const auto isAlone = [](std::size_t index) { return index % 5 == 0; };
    const auto work = [&](std::size_t index) {
        ++running;
        if (isAlone(index) && running != 1)
            wasAlone = false;
        --running;
    };
    inOrder(200, {.work = work, .deliver = [](std::size_t) {}, .isAlone = isAlone});
    CHECK(wasAlone);
}

TEST_CASE("an exception of the work comes out, and nothing behind it is delivered")
{
    std::vector<std::size_t> delivered;
    const auto work = [](std::size_t index) {
        if (index == 3)
            throw std::runtime_error("three");
    };
    const OrderedWork items{.work = work,
                            .deliver = [&](std::size_t index) { delivered.push_back(index); },
                            .isAlone = [](std::size_t) { return false; }};
    CHECK_THROWS_AS(inOrder(10, items), std::runtime_error);
    CHECK(delivered.size() <= 3);
}

TEST_CASE("what a failure elsewhere ends in the middle is not gone on with, and the failure counts")
{
    const ThreadLimit limit(2);
    std::atomic<bool> hasBegun = false;
    std::atomic<bool> hasFailed = false;
    std::atomic<bool> wentOnWithoutAll = false;
    const auto waitFor = [](const std::atomic<bool>& flag) {
        for (int waited = 0; waited < 2000 && !flag; ++waited)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    const auto work = [&](std::size_t index) {
        if (index == 0) {
            waitFor(hasBegun);
            hasFailed = true;
            throw std::runtime_error("disk full");
        }
        std::atomic<std::size_t> calls = 0;
        constexpr std::size_t count = 50;
        atOnce(count, std::size_t{1} << 20, [&](std::size_t) {
            hasBegun = true;
            waitFor(hasFailed);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            ++calls;
        });
        wentOnWithoutAll = wentOnWithoutAll || calls < count;
    };
    const OrderedWork items{
        .work = work, .deliver = [](std::size_t) {}, .isAlone = [](std::size_t) { return false; }};
    CHECK_THROWS_WITH(inOrder(2, items), "disk full");
    CHECK_FALSE(wentOnWithoutAll);
}

TEST_CASE("no more threads than the limit work at once, and at least one")
{
    CHECK(threadsAtMost() >= 1);
    const ThreadLimit one(1);
    CHECK(threadsAtMost() == 1);
}

}  // namespace at_once_test
