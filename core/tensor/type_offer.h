// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <string>

namespace calibscope {

/// An element type that fits a tensor's values better than the one that its file names.
struct TypeOffer
{
    ElementKind elementType = ElementKind::Float32;  ///< one of TensorInfo::otherTypes
    std::string reason;  ///< a sentence: "read as bfloat16, 99.8 % of ..."

    bool operator==(const TypeOffer&) const = default;
};

}  // namespace calibscope
