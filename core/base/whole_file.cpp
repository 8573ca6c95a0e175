#include "core/base/whole_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

[[noreturn]] void throwReason(int errorNumber)
{
    throw std::system_error(errorNumber, std::generic_category());
}

std::string withoutLinks(const std::string& path)
{
    std::error_code failure;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, failure);
    return failure ? path : resolved.string();
}

/// Not every file system can; those that can't are none to wait for.
bool reachesDisk(int descriptor)
{
    return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

}  // namespace

std::string partName(const std::string& target, int attempt)
{
    return target + std::string(partMark) + std::to_string(::getpid()) +
           (attempt == 0 ? "" : "-" + std::to_string(attempt));
}

WholeFile::WholeFile(const std::string& path, WholeFileOptions options)
    : m_options(options), m_target(options.followsLinks ? withoutLinks(path) : path)
{
    constexpr int attempts = 100;
    int descriptor = -1;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        m_part = partName(m_target, attempt);
        descriptor = ::open(m_part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                            static_cast<mode_t>(m_options.permissions));
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (descriptor < 0)
        throwReason(errno);
    struct stat former
    {
    };
    if (::stat(m_target.c_str(), &former) == 0 && S_ISREG(former.st_mode))
        static_cast<void>(::fchmod(descriptor, former.st_mode & 07777U));
    m_stream = ::fdopen(descriptor, "w");
    if (m_stream != nullptr)
        return;
    const int reason = errno;
    ::close(descriptor);
    ::unlink(m_part.c_str());
    throwReason(reason);
}

WholeFile::~WholeFile()
{
    if (m_stream != nullptr)
        static_cast<void>(std::fclose(m_stream));  // nobody asked for what was written
    if (!m_part.empty())
        ::unlink(m_part.c_str());
}

void WholeFile::write(std::string_view bytes)
{
    if (std::fwrite(bytes.data(), 1, bytes.size(), m_stream) != bytes.size())
        throwReason(errno);
}

void WholeFile::finish()
{
    if (std::fflush(m_stream) != 0 || (m_options.isSynced && !reachesDisk(::fileno(m_stream))))
        throwReason(errno);
    std::FILE* const stream = m_stream;
    m_stream = nullptr;
    if (std::fclose(stream) != 0 || std::rename(m_part.c_str(), m_target.c_str()) != 0)
        throwReason(errno);
    m_part.clear();
}

void writeWholeFile(const std::string& path, std::string_view bytes, WholeFileOptions options)
{
    WholeFile file(path, options);
    file.write(bytes);
    file.finish();
}

}  // namespace calibscope
