#pragma once

#include "core/stats/profile.h"

#include <optional>
#include <string>
#include <string_view>

namespace calibscope::engine {

/// Raised when the bytes of a profile change their meaning.
constexpr int profileFormat = 1;

/// A profile with all that it holds: as messages have it, and the tools' own edges, which these
/// leave out.
[[nodiscard]] std::string profileBytes(const TensorProfile& profile);

/// The profile again, equal; nothing for bytes that are not those of one.
[[nodiscard]] std::optional<TensorProfile> profileFrom(std::string_view bytes);

}  // namespace calibscope::engine
