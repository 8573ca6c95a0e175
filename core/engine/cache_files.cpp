// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cache_files.h"

#include "core/base/digest.h"
#include "core/base/hex.h"
#include "core/base/open_descriptor.h"
#include "core/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <system_error>
#include <utility>

namespace calibscope::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "calibscope kept\n";
constexpr std::size_t lengthBytes = 8;
constexpr std::size_t digestBytes = 32;
/// Magic, length of the file, length of the key.
constexpr std::size_t headBytes = magic.size() + 2 * lengthBytes;
constexpr std::size_t leastBytes = headBytes + digestBytes;

void appendLength(std::string& bytes, std::uint64_t length)
{
    for (std::size_t byte = 0; byte < lengthBytes; ++byte)
        bytes += static_cast<char>((length >> (8 * byte)) & 0xffU);
}

std::uint64_t lengthAt(std::string_view bytes, std::size_t at)
{
    std::uint64_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = length << 8U | static_cast<unsigned char>(bytes[at + byte]);
    return length;
}

std::string fileBytes(std::string_view key, std::string_view content)
{
    std::string bytes(magic);
    bytes.reserve(leastBytes + key.size() + content.size());
    appendLength(bytes, leastBytes + key.size() + content.size());
    appendLength(bytes, key.size());
    bytes += key;
    bytes += content;
    return sealed(std::move(bytes));
}

/// The content, if the bytes are those of a whole and undamaged file of that key.
std::optional<std::string> contentOf(std::string_view bytes, std::string_view key)
{
    if (bytes.size() < leastBytes || !bytes.starts_with(magic) ||
        lengthAt(bytes, magic.size()) != bytes.size())
        return std::nullopt;
    const std::optional<std::string_view> checked = unsealed(bytes);
    if (!checked)
        return std::nullopt;
    const std::string_view body = checked->substr(headBytes);
    if (lengthAt(bytes, magic.size() + lengthBytes) != key.size() || !body.starts_with(key))
        return std::nullopt;
    return std::string(body.substr(key.size()));
}

/// All bytes of a regular file of at most that size.
std::optional<std::string> readWhole(int descriptor, std::uint64_t mostBytes)
{
    struct stat status
    {
    };
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0 ||
        static_cast<std::uint64_t>(status.st_size) > mostBytes)
        return std::nullopt;
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t count = ::read(descriptor, bytes.data() + have, bytes.size() - have);
        if (count <= 0)
            return std::nullopt;
        have += static_cast<std::size_t>(count);
    }
    return bytes;
}

}  // namespace

CacheFiles::CacheFiles(CacheOptions options)
    : m_options(std::move(options)),
      m_beginning(hexText(sha256(m_options.version)).substr(0, 8) + "-")
{
    std::error_code ignored;
    fs::create_directories(m_options.folder.parent_path(), ignored);
    ::mkdir(m_options.folder.c_str(), S_IRWXU);  // nobody else is to read what dumps hold
    keepOnly(m_options.folder, m_beginning);
    trim();
}

std::optional<std::string> CacheFiles::find(std::string_view key) const
{
    const fs::path path = fileOf(key);
    const OpenDescriptor file(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (!file.isOpen())
        return std::nullopt;
    const std::string whole = m_options.version + '\0' + std::string(key);
    std::optional<std::string> content;
    if (const auto bytes = readWhole(file.number(), leastBytes + whole.size() + addedAtOnce()))
        content = contentOf(*bytes, whole);
    if (content)
        (void)::futimens(file.number(), nullptr);
    else
        (void)::unlink(path.c_str());
    return content;
}

void CacheFiles::keep(std::string_view key, std::string_view content)
{
    if (content.size() > addedAtOnce())
        return;
    const std::string bytes = fileBytes(m_options.version + '\0' + std::string(key), content);
    try {
        writeWholeFile(fileOf(key).string(), bytes,
                       {.isSynced = false, .permissions = S_IRUSR | S_IWUSR});
    } catch (const std::system_error&) {
        return;
    }
    m_addedBytes += bytes.size();
    if (m_addedBytes > addedAtOnce())
        trim();
}

fs::path CacheFiles::fileOf(std::string_view key) const
{
    constexpr std::size_t nameDigits = 40;
    return m_options.folder / (m_beginning + hexText(sha256(key)).substr(0, nameDigits) +
                               std::string(cacheFileEnding));
}

void CacheFiles::trim()
{
    m_addedBytes = 0;
    // Room for what two processes add before each looks again: just not too much, and one file.
    trimCache(m_options.folder, m_options.mostBytes - 4 * addedAtOnce());
}

}  // namespace calibscope::engine
