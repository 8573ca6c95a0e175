// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cache_files.h"
#include "core/protocol/wire.h"
#include "core/stats/profile.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope::engine {

/// Raised when the bytes of a profile change their meaning.
constexpr int profileFormat = 3;

/// A profile with all that it holds: as messages have it, and the tools' own edges, which these
/// leave out.
[[nodiscard]] std::string profileBytes(const TensorProfile& profile);

/// The profile again, equal; nothing for bytes that are not those of one.
[[nodiscard]] std::optional<TensorProfile> profileFrom(std::string_view bytes);

/// Profiles and answers from one run to the next, or none of them. What is asked for under an empty
/// key is never there, and never cached.
class ResultCache
{
public:
    explicit ResultCache(std::optional<CacheOptions> options);

    /// Of what is asked of files in these states; empty if it is not to be cached: one of the
    /// states is empty.
    [[nodiscard]] std::string key(std::string_view what, const protocol::Json& request,
                                  std::span<const std::string> states) const;
    [[nodiscard]] bool isOn() const { return m_files.has_value(); }

    /// Of that tensor, as its file now says it is.
    [[nodiscard]] std::optional<TensorProfile> profile(const std::string& key,
                                                       const TensorInfo& info) const;
    [[nodiscard]] std::optional<protocol::Json> answer(const std::string& key) const;
    void keep(const std::string& key, const TensorProfile& profile);
    void keep(const std::string& key, const protocol::Json& answer);

private:
    std::optional<CacheFiles> m_files;
};

}  // namespace calibscope::engine
