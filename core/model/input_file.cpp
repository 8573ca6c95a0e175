// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/input_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <system_error>

namespace calibscope::model {

InputFile::InputFile(const std::string& path, const std::string& who) : m_file(path)
{
    struct stat status = {};
    std::string reason;
    if (!m_file.isOpen() || ::fstat(m_file.number(), &status) != 0)
        reason = std::generic_category().message(errno);
    else if (!S_ISREG(status.st_mode))
        reason = "it is not a regular file";
    if (!reason.empty())
        throw Error(Fault::Input, "{} could not be read: {}", who, reason);
    m_bytes = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::rewind() const
{
    ::lseek(m_file.number(), 0, SEEK_SET);
}

}  // namespace calibscope::model
