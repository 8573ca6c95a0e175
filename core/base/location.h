// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace calibscope {

/// Where a file lies: here, or on a machine that ssh reaches. Texts that come from others (session
/// files, links) are hostile: host and user end up on a command line.
struct Location
{
    std::string user;        ///< empty: as ssh is set up
    std::string host;        ///< empty: this machine
    std::uint16_t port = 0;  ///< 0: as ssh is set up
    /// As it is given to who reads it. On another machine absolute, or relative to the user's home
    /// there.
    std::string path;

    [[nodiscard]] bool isRemote() const { return !host.empty(); }
    /// What the text of that name was made of: the path, or ssh://[user@]host[:port]/path with
    /// "/~/" in front of what is below the home folder. "%", ":" and control characters of the path
    /// are written as %25.
    [[nodiscard]] std::string address() const;
    /// [user@]host[:port]: equal for what one connection reaches; empty for this machine.
    [[nodiscard]] std::string machine() const;

    bool operator==(const Location&) const = default;
};

/// Whether a text is an address of another machine rather than a path here; it may be damaged.
[[nodiscard]] bool isAddress(std::string_view text);

/// A path here as it is; else ssh://[user@]host[:port]/absolute/path, or /~/path, percent-decoded.
/// Throws Error(Usage) for an address that names no file, and for a user or host that begins with
/// "-" or holds anything but letters, digits, ".", "_", "-" (a host: ":" in brackets, too).
[[nodiscard]] Location parseLocation(std::string_view text);

/// An address, and the tensor that is named behind "::".
struct TensorAddress
{
    Location location;
    std::string tensor;  ///< empty: none
};

/// ssh://host/path[::TENSOR]; of a text that is not an isAddress() all is the path. Throws as
/// parseLocation().
[[nodiscard]] TensorAddress parseTensorAddress(std::string_view text);

/// One word of a command for a shell: as it is where nothing of it means anything to a shell, else
/// in quotes.
[[nodiscard]] std::string shellQuoted(const std::string& word);

}  // namespace calibscope
