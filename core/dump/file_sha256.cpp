#include "core/dump/file_sha256.h"

#include "core/base/error.h"
#include "core/base/file_identity.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <system_error>
#include <vector>

namespace calibscope {

namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, int errorNumber)
{
    throw Error(Fault::Input, path + ": its SHA-256 cannot be computed: " +
                                  std::generic_category().message(errorNumber));
}

class Sha256
{
public:
    Sha256() : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
    {
        EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr);
    }
    void add(std::span<const unsigned char> bytes)
    {
        EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size());
    }
    [[nodiscard]] std::string text()
    {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned length = 0;
        EVP_DigestFinal_ex(m_context.get(), digest.data(), &length);
        return fmt::format("{:02x}", fmt::join(std::span(digest).first(length), ""));
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
};

/// Of the first `mostBytes`.
std::string sha256Of(const std::string& path, std::uint64_t mostBytes)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                               std::fclose);
    if (!file)
        fail(path, errno);
    Sha256 sha256;
    std::vector<unsigned char> piece(pieceBytes);
    std::size_t count = piece.size();
    for (std::uint64_t left = mostBytes; left > 0 && count > 0; left -= count) {
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), left));
        count = std::fread(piece.data(), 1, wanted, file.get());
        sha256.add(std::span(piece).first(count));
    }
    if (std::ferror(file.get()) != 0)
        fail(path, errno);
    return sha256.text();
}

}  // namespace

std::string fileSha256(const std::string& path)
{
    return sha256Of(path, std::numeric_limits<std::uint64_t>::max());
}

std::string headerSha256(const std::string& path)
{
    return sha256Of(path, headerBytes);
}

}  // namespace calibscope
