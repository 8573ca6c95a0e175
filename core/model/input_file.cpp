#include "core/model/input_file.h"

#include "core/base/error.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::model {

InputFile::InputFile(const std::string& path, const std::string& who)
    : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
{
    struct stat status = {};
    std::string reason;
    if (m_descriptor < 0 || ::fstat(m_descriptor, &status) != 0)
        reason = std::generic_category().message(errno);
    else if (!S_ISREG(status.st_mode))
        reason = "it is not a regular file";
    if (!reason.empty()) {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        throw Error(Fault::Input, who + " could not be read: " + reason);
    }
    m_bytes = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile()
{
    ::close(m_descriptor);
}

void InputFile::rewind() const
{
    ::lseek(m_descriptor, 0, SEEK_SET);
}

}  // namespace calibscope::model
