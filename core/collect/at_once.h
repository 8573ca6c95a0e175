// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace calibscope {

/// Calls `work` with 0 to count - 1, by several threads at once where that pays: `size`, the
/// values that each call goes over, is large. The calls must not touch what others write. Rethrows
/// one of the calls' exceptions; throws Cancelled where calls were left out, as inOrder() ends.
void atOnce(std::size_t count, std::size_t size, const std::function<void(std::size_t)>& work);

/// Work of inOrder() on each of its items.
struct OrderedWork
{
    std::function<void(std::size_t)> work;
    std::function<void(std::size_t)> deliver;
    std::function<bool(std::size_t)> isAlone;  ///< whether no other is worked on meanwhile
};

/// Works on 0 to count - 1, several at once, and delivers each in order, one after another, when
/// it and those before it are done. The first exception of either ends both and is rethrown.
void inOrder(std::size_t count, const OrderedWork& items);

/// How many threads work at once at most.
[[nodiscard]] std::size_t threadsAtMost();

/// While one lives, no more threads than that work at once; 0: as many as there are processors.
class ThreadLimit
{
public:
    explicit ThreadLimit(std::size_t threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
