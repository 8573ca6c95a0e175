// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/plain_threads/tbb/first_exception.h"
#include "tests/support/plain_threads/tbb/global_control.h"
#include "tests/support/plain_threads/tbb/task_group.h"

#include <atomic>
#include <thread>

namespace tbb {

template <typename Index, typename Body>
void parallel_for(Index first, Index last, Index step, const Body& body,
                  const task_group_context& /*context*/ = {})
{
    std::atomic<Index> next = first;
    FirstException exception;
    const auto work = [&] {
        try {
            for (Index index = next.fetch_add(step); index < last && !exception.isKept();
                 index = next.fetch_add(step))
                body(index);
        } catch (...) {
            exception.keepCurrent();
        }
    };
    {
        std::vector<std::jthread> threads;
        const std::size_t most =
            global_control::active_value(global_control::max_allowed_parallelism);
        while (threads.size() + 1 < most)
            threads.emplace_back(work);
        work();
    }
    exception.rethrow();
}

template <typename Index, typename Body>
void parallel_for(Index first, Index last, const Body& body,
                  const task_group_context& /*context*/ = {})
{
    parallel_for(first, last, Index{1}, body);
}

}  // namespace tbb
