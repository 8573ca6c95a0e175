// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/structure/stored_reader.h"

#include <cstdint>
#include <vector>

namespace calibscope::structure {

/// The facts of an element's type that matter.
struct StoredElement
{
    std::uint64_t bytes = 0;
    bool isText = false;              ///< of fixed length
    bool isVariable = false;          ///< texts, or rows, of variable length
    bool isVariableText = false;      ///< of these, texts
    bool holdsVariable = false;       ///< it, or something in it, is
    std::uint64_t variableBytes = 1;  ///< of an element of such a row
};

/// Reads a datatype message, at most a few levels deep (HDF5 File Format Specification, IV.A.2.d).
/// Throws Damage where it is none.
[[nodiscard]] StoredElement readElement(StoredReader& at, int depth = 0);

/// Contents of a dataspace message.
struct StoredSpace
{
    enum class Kind { Scalar, Simple, Null };
    Kind kind = Kind::Scalar;
    std::vector<std::uint64_t> lengths;
    std::vector<std::uint64_t> mostLengths;  ///< 2^64 - 1: unlimited

    /// How many elements it has; 2^64 - 1 where they are more.
    [[nodiscard]] std::uint64_t count() const;
};

[[nodiscard]] StoredSpace readSpace(StoredReader& at);

}  // namespace calibscope::structure
