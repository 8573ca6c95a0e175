#include "core/engine/request_queue.h"

#include <algorithm>
#include <utility>

namespace calibscope::engine {

void RequestQueue::push(protocol::Request request)
{
    const std::scoped_lock lock(m_mutex);
    m_waiting.push_back(std::move(request));
    m_changed.notify_all();
}

std::optional<RequestQueue::Work> RequestQueue::next()
{
    std::unique_lock lock(m_mutex);
    m_current = 0;
    m_changed.wait(lock, [this] { return m_isClosed || !m_waiting.empty(); });
    if (m_isClosed) {
        m_hasEnded = true;
        m_changed.notify_all();
        return std::nullopt;
    }
    protocol::Request request = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = request.id;
    m_stop = {};
    return Work{.request = std::move(request), .stop = m_stop.get_token()};
}

bool RequestQueue::cancel(std::uint64_t id)
{
    const std::scoped_lock lock(m_mutex);
    if (id == m_current)
        m_stop.request_stop();
    return std::erase_if(m_waiting,
                         [id](const protocol::Request& request) { return request.id == id; }) > 0;
}

void RequestQueue::close()
{
    const std::scoped_lock lock(m_mutex);
    m_isClosed = true;
    m_waiting.clear();
    m_stop.request_stop();
    m_changed.notify_all();
}

bool RequestQueue::isClosed() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isClosed;
}

std::uint64_t RequestQueue::current() const
{
    const std::scoped_lock lock(m_mutex);
    return m_current;
}

bool RequestQueue::waitForWorker(std::chrono::milliseconds longest)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, longest, [this] { return m_hasEnded; });
}

}  // namespace calibscope::engine
