#include "core/report/tables/output.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace calibscope {

namespace {

constexpr mode_t readableByAll = 0666;  // the user's umask takes away from it, as for any new file

struct PartFile
{
    std::string path;
    int descriptor = -1;
};

/// A new file beside the target. Its name tells the process; a number follows where a process of
/// that id left one behind.
PartFile createPart(const std::string& target)
{
    constexpr int attempts = 100;
    PartFile part;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        part.path = target + ".part-" + std::to_string(::getpid()) +
                    (attempt == 0 ? "" : "-" + std::to_string(attempt));
        part.descriptor =
            ::open(part.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readableByAll);
        if (part.descriptor >= 0 || errno != EEXIST)
            break;
    }
    return part;
}

/// "; ≈ 12.3 MB are free there"; nothing where that can't be told.
std::string freeSpaceText(const std::string& target)
{
    constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB"};
    std::error_code error;
    const std::filesystem::space_info space =
        std::filesystem::space(std::filesystem::path(target).parent_path(), error);
    if (target.empty() || error)
        return {};
    auto amount = static_cast<double>(space.available);
    std::size_t unit = 0;
    for (; amount >= 1000.0 && unit + 1 < units.size(); ++unit)
        amount /= 1000.0;
    return fmt::format("; ≈ {:.3g} {} are free there", amount, units[unit]);
}

}  // namespace

Output::Output(const std::string& path) : m_path(path)
{
    if (path.empty()) {
        m_stream = stdout;
        return;
    }
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    if (exists && std::filesystem::is_directory(path, ignored))
        fail(EISDIR);
    if (exists && !std::filesystem::is_regular_file(path, ignored)) {
        m_stream = std::fopen(path.c_str(), "we");
    } else {
        const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, ignored);
        m_target = ignored ? path : resolved.string();
        const PartFile part = createPart(m_target);
        if (part.descriptor < 0)
            fail(errno);
        m_temporary = part.path;
        m_stream = ::fdopen(part.descriptor, "w");
    }
    if (m_stream == nullptr)
        fail(errno);
}

Output::~Output()
{
    if (m_stream != nullptr && m_stream != stdout)
        static_cast<void>(std::fclose(m_stream));  // nobody asked for what was written
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void Output::write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), m_stream) != text.size())
        fail(errno);
}

TextSink Output::sink()
{
    return [this](std::string_view text) { write(text); };
}

void Output::finish()
{
    if (std::fflush(m_stream) != 0)
        fail(errno);
    if (m_stream == stdout)
        return;
    std::FILE* const stream = m_stream;
    m_stream = nullptr;
    if (std::fclose(stream) != 0)
        fail(errno);
    if (m_temporary.empty())
        return;
    if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail(errno);
    m_temporary.clear();
}

void Output::fail(int errorNumber) const
{
    throw Error(Fault::Output, (m_path.empty() ? "standard output" : m_path) + ": " +
                                   std::generic_category().message(errorNumber) +
                                   freeSpaceText(m_target) + "; choose another location");
}

}  // namespace calibscope
