#pragma once

#include <string>

namespace calibscope {

/// An element type that fits a tensor's values better than the one that its file names.
struct TypeOffer
{
    std::string elementType;  ///< one of TensorInfo::otherTypes
    std::string reason;       ///< a sentence: "read as bfloat16, 99.8 % of ..."

    bool operator==(const TypeOffer&) const = default;
};

}  // namespace calibscope
