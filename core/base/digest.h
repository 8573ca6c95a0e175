// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace calibscope {

/// SHA-256 of bytes that come piece by piece.
class Sha256
{
public:
    Sha256();
    void add(std::string_view bytes);
    /// The 32 bytes; nothing may be added afterwards.
    [[nodiscard]] std::string finish();

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_context;
};

/// SHA-256 of the bytes: its 32 bytes.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// The bytes with their SHA-256 behind them, as they are kept.
[[nodiscard]] std::string sealed(std::string bytes);
/// The bytes without their seal; nothing where the seal is not their SHA-256.
[[nodiscard]] std::optional<std::string_view> unsealed(std::string_view bytes);

/// SHA-256 of a whole file, as 64 lower-case hexadecimal digits. Reads all of it, and calls `step`
/// for each MiB, which may throw to stop. Of a folder that is opened as a whole: of the lines that
/// sha256sum prints of its files, by their names below it. Throws Error(Input).
[[nodiscard]] std::string fileSha256(const std::string& path,
                                     const std::function<void()>& step = {});
/// The same of its first bytes, as FileIdentity::headerSha256 wants it; of such a folder
/// listingSha256().
[[nodiscard]] std::string headerSha256(const std::string& path);

/// FNV-1a of 32 or 64 bits: for ids and for choosing among few. The same on every machine, unlike
/// std::hash; no protection against who wants two texts to have the same.
template <std::unsigned_integral Number>
[[nodiscard]] constexpr Number fnv1a(std::string_view text)
{
    static_assert(sizeof(Number) == 4 || sizeof(Number) == 8);
    constexpr bool isLong = sizeof(Number) == 8;
    auto digest = static_cast<Number>(isLong ? 14695981039346656037ULL : 2166136261ULL);
    for (const char character : text)
        digest = (digest ^ static_cast<unsigned char>(character)) *
                 static_cast<Number>(isLong ? 1099511628211ULL : 16777619ULL);
    return digest;
}

}  // namespace calibscope
