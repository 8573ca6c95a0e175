#pragma once

#include <cstdint>
#include <string>

namespace calibscope {

/// Tells whether a file changed since it was opened.
struct FileIdentity
{
    std::string path;  ///< as given
    std::uint64_t bytes = 0;
    std::string modified;  ///< UTC, ISO 8601
    std::string sha256;    ///< of the whole file; empty unless asked for

    bool operator==(const FileIdentity&) const = default;
};

}  // namespace calibscope
