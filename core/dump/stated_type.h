// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"

#include <cstddef>
#include <string>
#include <string_view>
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

/// The floats that elements of so many bytes could be, where their type leaves it open.
[[nodiscard]] std::vector<ElementType> floatsOf(std::size_t bytes, bool isBigEndian);

/// Bytes without a meaning, little-endian: how ml_dtypes and Keras 3 have h5py and NumPy write
/// types that these don't know. Of 1 and 2 bytes they can be read once their type is given.
[[nodiscard]] StatedType opaqueType(std::size_t bytes);

/// No numbers: "compound", which holds "records of several members".
[[nodiscard]] StatedType typeOfNoNumbers(std::string_view text, std::string_view holds);

/// What the file's own type becomes by its attributes. An attribute such as `dtype` (or
/// `torch_dtype`, `element_type`, ...) that names a float of the same size is believed: integers
/// and opaque bytes are how libraries without bfloat16 store it. Integers with a `scale` are
/// integers whatever was quantized to them. Two attributes that contradict each other say nothing.
[[nodiscard]] StatedType statedType(StatedType stored, const Attributes& attributes);

/// Names of the attributes that a quantizer leaves with its integers: scale, zero_point, ...; ",
/// " between them, empty without any.
[[nodiscard]] std::string quantizerAttributes(const Attributes& attributes);

}  // namespace calibscope
