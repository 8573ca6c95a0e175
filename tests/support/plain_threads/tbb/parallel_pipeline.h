// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/plain_threads/tbb/first_exception.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace tbb {

enum class filter_mode { serial_in_order, parallel };

class flow_control
{
public:
    void stop() { m_isStopped = true; }
    bool isStopped() const { return m_isStopped; }

private:
    bool m_isStopped = false;
};

template <typename In, typename Out, typename Body>
struct Filter
{
    Body body;
};

template <typename First, typename Rest>
struct Filters
{
    First first;
    Rest rest;
};

template <typename In, typename Out, typename Body>
Filter<In, Out, Body> make_filter(filter_mode, const Body& body)
{
    return {body};
}

template <typename First, typename Second>
Filters<First, Second> operator&(const First& first, const Second& second)
{
    return {first, second};
}

/// Serial input, parallel work, delivery in order.
template <typename Input, typename Work, typename Deliver>
void parallel_pipeline(std::size_t most, const Filters<Filters<Input, Work>, Deliver>& filters)
{
    flow_control flow;
    std::mutex mutex;
    std::condition_variable delivered;
    std::size_t begun = 0;
    std::size_t done = 0;
    FirstException exception;
    const auto runAll = [&] {
        std::unique_lock lock(mutex);
        while (true) {
            // Nothing new begins while as many wait for one slow item.
            delivered.wait(lock, [&] { return flow.isStopped() || begun < done + most; });
            if (flow.isStopped())
                return;
            const auto item = filters.first.first.body(flow);
            if (flow.isStopped()) {
                delivered.notify_all();
                return;
            }
            const std::size_t number = begun++;
            lock.unlock();
            const auto result = filters.first.rest.body(item);
            lock.lock();
            delivered.wait(lock, [&] { return done == number || exception.isKept(); });
            if (exception.isKept())
                return;
            filters.rest.body(result);
            ++done;
            delivered.notify_all();
        }
    };
    const auto run = [&] {
        try {
            runAll();
        } catch (...) {
            exception.keepCurrent();
            const std::lock_guard lock(mutex);
            flow.stop();
            delivered.notify_all();
        }
    };
    {
        std::vector<std::jthread> threads;
        while (threads.size() + 1 < most)
            threads.emplace_back(run);
        run();
    }
    exception.rethrow();
}

}  // namespace tbb
