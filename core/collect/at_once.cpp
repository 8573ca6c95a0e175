// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/at_once.h"

#include "core/base/progress.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace calibscope {

namespace {

constexpr std::size_t worthThreads = std::size_t{1} << 15;  // values; some ten microseconds

/// Items from `first` to before `end`, in a pipeline.
void workAtOnce(std::size_t first, std::size_t end, const OrderedWork& items)
{
    std::size_t next = first;
    const auto input = [&](tbb::flow_control& flow) {
        if (next == end) {
            flow.stop();
            return end;
        }
        return next++;
    };
    const auto work = [&](std::size_t index) {
        items.work(index);
        return index;
    };
    const auto deliver = [&](std::size_t index) { items.deliver(index); };
    tbb::parallel_pipeline(
        threadsAtMost(),
        tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, input) &
            tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, work) &
            tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, deliver));
}

}  // namespace

void atOnce(std::size_t count, std::size_t size, const std::function<void(std::size_t)>& work)
{
    if (count < 2 || size < worthThreads) {
        for (std::size_t index = 0; index < count; ++index)
            work(index);
        return;
    }
    // Isolated: a thread that waits here must not begin with another tensor meanwhile.
    tbb::this_task_arena::isolate([&] {
        tbb::task_group_context context;
        tbb::parallel_for(
            std::size_t{0}, count, std::size_t{1}, [&](std::size_t index) { work(index); },
            context);
        // Of inOrder()'s items one that fails ends the others, and so what they do at once: without
        // an exception, and with calls left out.
        if (context.is_group_execution_cancelled())
            throw Cancelled{};
    });
}

void inOrder(std::size_t count, const OrderedWork& items)
{
    for (std::size_t first = 0; first < count;) {
        std::size_t end = first;
        while (end < count && !items.isAlone(end))
            ++end;
        workAtOnce(first, end, items);
        if (end < count) {
            items.work(end);
            items.deliver(end);
        }
        first = end + 1;
    }
}

std::size_t threadsAtMost()
{
    return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

struct ThreadLimit::Impl
{
    // In place: a copy of a control limits nothing, and its original ends with the expression.
    explicit Impl(std::size_t threads)
        : control(tbb::global_control::max_allowed_parallelism, threads)
    {}

    tbb::global_control control;
};

ThreadLimit::ThreadLimit(std::size_t threads)
{
    if (threads > 0)
        m_impl = std::make_unique<Impl>(threads);
}

ThreadLimit::~ThreadLimit() = default;

}  // namespace calibscope
