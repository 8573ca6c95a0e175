// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

/// A file descriptor that is closed with its scope.
class OpenDescriptor
{
public:
    /// Opens a file for reading. Not blocking: a named pipe would wait for a writer.
    explicit OpenDescriptor(const std::string& path)
        : OpenDescriptor(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    {}
    OpenDescriptor(const std::string& path, int flags) : m_number(::open(path.c_str(), flags)) {}
    OpenDescriptor(const OpenDescriptor&) = delete;
    OpenDescriptor& operator=(const OpenDescriptor&) = delete;
    ~OpenDescriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }

    [[nodiscard]] int number() const { return m_number; }
    /// False where it could not be opened; errno has the reason until the next call.
    [[nodiscard]] bool isOpen() const { return m_number >= 0; }

private:
    int m_number;
};

}  // namespace calibscope
