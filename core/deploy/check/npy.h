// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/npy_header.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Arrays in files of NumPy: what goes to a runner and comes back.
namespace calibscope::deploy {

/// An array, its elements row by row, little endian.
struct NpyArray
{
    NpyType type = NpyType::Float32;
    std::vector<std::uint64_t> shape;  ///< empty: a single element
    std::string bytes;                 ///< elements of the shape's product

    [[nodiscard]] std::uint64_t count() const;  ///< product of the shape; 1 for an empty one
};

/// The values in an element type of a runner. Whole numbers are given as floats hold them: a value
/// that the type can't hold (300 or 0.5 for uint8, NaN for int64) throws Error(Input). Float16
/// takes the nearest, ties to even; bool is every value but 0.
[[nodiscard]] NpyArray npyArray(std::span<const float> values, std::vector<std::uint64_t> shape,
                                NpyType type);

/// The elements as floats: of float64 and wide integers the nearest; bool is 0 or 1.
[[nodiscard]] std::vector<float> floatsOf(const NpyArray& array);

/// The text of a file of format version 1.0. Requires bytes that fit type and shape.
[[nodiscard]] std::string npyText(const NpyArray& array);

/// The array of a file of version 1 to 3, in C order and little endian. Throws Error(Input) that
/// begins with `origin` for all else: no .npy, a header that is cut off or odd, objects, texts,
/// other types, Fortran's order, a shape that does not fit the file's length.
[[nodiscard]] NpyArray parseNpy(std::string_view text, const std::string& origin);

constexpr std::uint64_t mostNpyBytes = std::uint64_t{1} << 31U;

/// That of a file. Throws Error(Input), also where it has more than mostNpyBytes.
[[nodiscard]] NpyArray readNpy(const std::string& path);

}  // namespace calibscope::deploy
