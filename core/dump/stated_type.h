// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <string>
#include <vector>

namespace calibscope {

/// How a dataset's elements are read: what the file calls them, and what its attributes add.
struct StatedType
{
    std::string text;                    ///< "bfloat16", "opaque"
    std::string storedText;              ///< "uint16", where the file calls them otherwise
    std::optional<ElementType> element;  ///< nothing: can't be read without being told how
    std::vector<ElementType> others;     ///< what else the same bytes could be read as
    std::vector<std::string> evidence;   ///< sentences
    Unreadable unreadable;               ///< why not
};

/// What the file's own type becomes by the attributes beside it. An attribute such as `dtype` (or
/// `torch_dtype`, `element_type`, ...) that names a float of the same size is believed: integers
/// and opaque bytes are how libraries without bfloat16 store it. Integers with a `scale` are
/// integers whatever was quantized to them. Two attributes that contradict each other say nothing.
[[nodiscard]] StatedType statedType(StatedType stored, const Attributes& attributes);

/// Names of the attributes that a quantizer leaves beside its integers: scale, zero_point, ...; ",
/// " between them, empty without any.
[[nodiscard]] std::string quantizerAttributes(const Attributes& attributes);

}  // namespace calibscope
