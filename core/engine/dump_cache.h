#pragma once

#include "core/engine/engine_parts.h"

#include <list>
#include <memory>
#include <string>

namespace calibscope::engine {

/// Open dumps by path and by whether they may reach into other files. A file that has changed since
/// (size or time of change) is opened anew.
class DumpCache
{
public:
    explicit DumpCache(const EngineParts& parts) : m_parts(parts) {}

    /// Throws Error(Input) where the file can't be opened, Cancelled from the progress.
    [[nodiscard]] std::shared_ptr<const OpenDump> open(const std::string& path, bool allowExternal,
                                                       const Progress& progress);

private:
    struct Entry
    {
        std::string path;
        bool allowExternal = false;
        std::shared_ptr<const OpenDump> dump;
    };
    const EngineParts& m_parts;
    std::list<Entry> m_entries;  ///< the latest used first
};

}  // namespace calibscope::engine
