#pragma once

#include "core/dump/element_type.h"

#include <hdf5.h>

#include <optional>
#include <string>

namespace calibscope::hdf5 {

/// What an HDF5 datatype is to us.
struct TypeFacts
{
    std::string text;                    ///< "float32", "int8", "compound", ...
    std::optional<ElementType> element;  ///< the floating-point types that are decoded
    std::string unreadable;              ///< for all others, why, as a sentence
};

/// Call under the Lock.
[[nodiscard]] TypeFacts typeFacts(hid_t type);

}  // namespace calibscope::hdf5
