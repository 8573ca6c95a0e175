// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace calibscope {

/// How much of a file FileIdentity::headerSha256 is of.
constexpr std::size_t headerBytes = std::size_t{64} << 10;

/// Tells whether a file changed since it was opened.
struct FileIdentity
{
    std::string path;  ///< as given
    std::uint64_t bytes = 0;
    std::string modified;  ///< UTC, ISO 8601
    std::string sha256;    ///< of the whole file; empty unless asked for
    /// Of the first headerBytes; empty unless asked for. Costs nothing, and tells files of one size
    /// and time apart.
    std::string headerSha256 = {};
    /// Device, inode, size, and the times of change of the contents and of the inode to the
    /// nanosecond: the latter can't be set back. Another text for another file, and after every
    /// change of this one. Not told to other processes.
    std::string stamp = {};

    bool operator==(const FileIdentity&) const = default;
};

}  // namespace calibscope
