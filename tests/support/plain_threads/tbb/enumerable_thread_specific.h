// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace tbb {

template <typename Value>
class enumerable_thread_specific
{
public:
    explicit enumerable_thread_specific(std::function<Value()> make) : m_make(std::move(make)) {}

    Value& local()
    {
        const std::lock_guard lock(m_mutex);
        const auto id = std::this_thread::get_id();
        const auto found = m_values.find(id);
        return found != m_values.end() ? found->second
                                       : m_values.emplace(id, m_make()).first->second;
    }

private:
    std::function<Value()> m_make;
    std::mutex m_mutex;
    std::map<std::thread::id, Value> m_values;
};

}  // namespace tbb
