// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Types of NumPy, among them bool, which ElementKind lacks.
enum class NpyType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
    Float16,
    Float32,
    Float64,
};

/// "float32", "bool": as NumPy calls it.
[[nodiscard]] std::string_view npyTypeText(NpyType type);
[[nodiscard]] std::size_t npyTypeBytes(NpyType type);
/// Of a descr, behind the order of bytes: "f4".
[[nodiscard]] std::string_view npyTypeCode(NpyType type);
/// How such elements are read; bool is an uint8 of 0 or 1.
[[nodiscard]] ElementKind npyElementKind(NpyType type);

/// What a file of NumPy's format says of its array (numpy.lib.format, versions 1.0 to 3.0).
struct NpyHeader
{
    std::string descr;            ///< "<f4"; "[('a', '<f4')]" of records
    std::optional<NpyType> type;  ///< nothing: records, objects, texts, and numbers of other kinds
    bool isBigEndian = false;
    bool isFortran = false;            ///< the first index runs fastest
    std::vector<std::uint64_t> shape;  ///< empty: a single element
    std::uint64_t firstByte = 0;       ///< of the elements, behind the header

    /// Bytes of all elements; nothing where they are more than 64 bits count, or of no type.
    [[nodiscard]] std::optional<std::uint64_t> elementBytes() const;
};

constexpr std::string_view npyMagic = "\x93NUMPY";
constexpr std::size_t npyLengthEnd = 12;  ///< the header's length stands before it in all versions
constexpr std::uint64_t mostNpyHeaderBytes = std::uint64_t{1} << 20U;  ///< in all; 128 are usual

/// Bytes in front of the elements, from a file's first npyLengthEnd (all of a shorter one). Throws
/// Error(Input) that begins with `origin` for no .npy, other versions, a file that ends there, and
/// more than mostNpyHeaderBytes.
[[nodiscard]] std::uint64_t npyHeaderBytes(std::string_view firstBytes, const std::string& origin);

/// The header, from all bytes in front of the elements (and perhaps more). Throws Error(Input)
/// that begins with `origin` for one that is cut off or is not a description of an array. Nothing is
/// evaluated: names of types that are not known are an NpyHeader without type.
[[nodiscard]] NpyHeader parseNpyHeader(std::string_view firstBytes, const std::string& origin);

}  // namespace calibscope
