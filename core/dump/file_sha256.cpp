#include "core/dump/file_sha256.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
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

}  // namespace

std::string fileSha256(const std::string& path)
{
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                               std::fclose);
    if (!file)
        fail(path, errno);
    Sha256 sha256;
    std::vector<unsigned char> piece(pieceBytes);
    std::size_t count = piece.size();
    while (count == piece.size()) {
        count = std::fread(piece.data(), 1, piece.size(), file.get());
        sha256.add(std::span(piece).first(count));
    }
    if (std::ferror(file.get()) != 0)
        fail(path, errno);
    return sha256.text();
}

}  // namespace calibscope
