// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/open_descriptor.h"

#include <cstdint>
#include <string>

namespace calibscope::model {

/// A regular file, open for reading.
class InputFile
{
public:
    /// Throws Error(Input), "`who` could not be read: ...", for what can't be opened or is no
    /// regular file. Does not wait for whoever may write into a pipe.
    InputFile(const std::string& path, const std::string& who);

    [[nodiscard]] int descriptor() const { return m_file.number(); }
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    void rewind() const;

private:
    OpenDescriptor m_file;
    std::uint64_t m_bytes = 0;
};

}  // namespace calibscope::model
