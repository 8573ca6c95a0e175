// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace calibscope {

/// A part of a tensor, looked at as if it were a tensor of its own: one of its channels, its first
/// batches, or the first batches of a channel.
struct TensorPart
{
    std::optional<std::uint64_t> channel = {};  ///< along the channel axis
    std::optional<std::uint64_t> batches = {};  ///< the first so many, at least 1

    [[nodiscard]] bool isWhole() const { return *this == TensorPart{}; }
    bool operator==(const TensorPart&) const = default;
};

}  // namespace calibscope
