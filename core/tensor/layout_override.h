// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <optional>
#include <string>

namespace calibscope {

/// How a user wants a tensor to be understood where its file says nothing or something else. What
/// has no value stays as it was.
struct LayoutOverride
{
    static constexpr int noAxis = -1;

    std::optional<Role> role;
    std::optional<int> batchAxis;            ///< or noAxis
    std::optional<std::uint64_t> batchSize;  ///< 0: all samples are one batch
    std::optional<int> channelAxis;          ///< or noAxis
    std::optional<ElementKind> elementType;  ///< one of TensorInfo::otherTypes, or as it is

    [[nodiscard]] bool isEmpty() const { return *this == LayoutOverride{}; }
    bool operator==(const LayoutOverride&) const = default;
};

/// The tensor as it is to be understood; no longer a guess where anything was said. A tensor that
/// becomes a weight has no batch axis unless one is given; a batch size brings batch axis 0 where
/// there is none. Throws Error(Usage) where an axis or an element type does not exist, or one axis
/// would be both.
[[nodiscard]] TensorInfo understoodAs(TensorInfo tensor, const LayoutOverride& layoutOverride);

/// Whether what is said of one tensor may be said of the other at once: the same rule, role, rank,
/// op and stored element type.
[[nodiscard]] bool isLike(const TensorInfo& tensor, const TensorInfo& other);

}  // namespace calibscope
