// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/layout_override.h"
#include "core/tensor/tensor_part.h"

#include <cstdint>
#include <string>

namespace calibscope {

/// A tensor of a dump, as it is to be understood, or a part of it: what every question about a
/// tensor begins with. No dump needs to be open for it.
struct TensorRef
{
    std::string file;            ///< path of the dump
    bool allowExternal = false;  ///< links and raw data in other files are followed
    std::uint64_t index = 0;     ///< in the dump's list of tensors
    LayoutOverride layoutOverride = {};
    TensorPart part = {};  ///< whole where nothing is said

    bool operator==(const TensorRef&) const = default;
};

}  // namespace calibscope
