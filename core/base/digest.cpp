// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"

#include "core/base/error.h"
#include "core/base/file_identity.h"
#include "core/base/folder_files.h"
#include "core/base/hex.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope {

namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, int errorNumber)
{
    throw Error(Fault::Input, path + ": its SHA-256 cannot be computed: " +
                                  std::generic_category().message(errorNumber));
}

/// Never waits: a named pipe would, for somebody who writes into it.
std::FILE* openRegular(const std::string& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        fail(path, errno);
    struct stat status
    {
    };
    std::FILE* const file = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)
                                ? ::fdopen(descriptor, "rb")
                                : nullptr;
    if (file == nullptr) {
        ::close(descriptor);
        throw Error(Fault::Input, path + ": its SHA-256 cannot be computed: it is not a file of "
                                         "bytes but a folder, a pipe or a device");
    }
    return file;
}

/// Of the first `mostBytes`.
std::string sha256OfFile(const std::string& path, std::uint64_t mostBytes,
                         const std::function<void()>& step)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(openRegular(path), std::fclose);
    Sha256 digest;
    std::string piece(pieceBytes, '\0');
    std::size_t count = piece.size();
    for (std::uint64_t left = mostBytes; left > 0 && count > 0; left -= count) {
        if (step)
            step();
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), left));
        count = std::fread(piece.data(), 1, wanted, file.get());
        digest.add(std::string_view(piece).substr(0, count));
    }
    if (std::ferror(file.get()) != 0)
        fail(path, errno);
    return hexText(digest.finish());
}

}  // namespace

Sha256::Sha256() : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
{
    EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr);
}

void Sha256::add(std::string_view bytes)
{
    EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size());
}

std::string Sha256::finish()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    EVP_DigestFinal_ex(m_context.get(), digest.data(), &length);
    return {digest.begin(), digest.begin() + length};
}

std::string sha256(std::string_view bytes)
{
    Sha256 digest;
    digest.add(bytes);
    return digest.finish();
}

std::string sealed(std::string bytes)
{
    return bytes += sha256(bytes);
}

std::optional<std::string_view> unsealed(std::string_view bytes)
{
    constexpr std::size_t digestBytes = 32;
    if (bytes.size() < digestBytes)
        return std::nullopt;
    const std::string_view content = bytes.substr(0, bytes.size() - digestBytes);
    if (sha256(content) != bytes.substr(content.size()))
        return std::nullopt;
    return content;
}

std::string fileSha256(const std::string& path, const std::function<void()>& step)
{
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    if (!isFolderDump(path))
        return sha256OfFile(path, all, step);
    const std::filesystem::path whole(path);
    const std::filesystem::path folder =
        std::filesystem::is_directory(whole) ? whole : whole.parent_path();
    Sha256 digest;
    for (const FolderFile& file : folderDumpFiles(path, step))
        digest.add(sha256OfFile((folder / file.name).string(), all, step) + "  " + file.name +
                   "\n");
    return hexText(digest.finish());
}

std::string headerSha256(const std::string& path)
{
    return isFolderDump(path) ? listingSha256(path) : sha256OfFile(path, headerBytes, {});
}

}  // namespace calibscope
