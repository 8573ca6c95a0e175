#include "core/engine/dump_cache.h"

#include <algorithm>

namespace calibscope::engine {

namespace {

constexpr std::size_t mostOpenDumps = 8;

bool isSameState(const FileIdentity& one, const FileIdentity& other)
{
    return one.bytes == other.bytes && one.modified == other.modified;
}

}  // namespace

std::shared_ptr<const OpenDump> DumpCache::open(const std::string& path, bool allowExternal,
                                                const Progress& progress)
{
    const auto found = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.path == path && entry.allowExternal == allowExternal;
    });
    if (found != m_entries.end()) {
        if (isSameState(found->dump->identity, m_parts.identify(path))) {
            m_entries.splice(m_entries.begin(), m_entries, found);
            return m_entries.front().dump;
        }
        m_entries.erase(found);
    }
    m_entries.push_front({.path = path,
                          .allowExternal = allowExternal,
                          .dump = m_parts.open(path, allowExternal, progress)});
    if (m_entries.size() > mostOpenDumps)
        m_entries.pop_back();
    return m_entries.front().dump;
}

}  // namespace calibscope::engine
