// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace calibscope {

/// How an element is read.
enum class ElementKind {
    Float64,            ///< IEEE 754 binary64
    Float32,            ///< IEEE 754 binary32
    Float16,            ///< IEEE 754 binary16
    Bfloat16,           ///< the upper half of a binary32
    Float8E4m3fn,       ///< OCP 8-bit floating point, E4M3: no infinities, up to 448
    Float8E5m2,         ///< the same, E5M2: infinities and NaN as in IEEE 754
    Float8E4m3,         ///< with infinities as in IEEE 754, up to 240
    Float8E4m3fnuz,     ///< bias 8; no infinities, no negative zero
    Float8E5m2fnuz,     ///< bias 16; the same
    Float8E4m3b11fnuz,  ///< bias 11; the same
    Int8,
    Int16,
    Int32,
    Int64,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
};

/// "float16", "float8_e4m3fn", "uint8", ...: the names of NumPy, PyTorch and ml_dtypes.
[[nodiscard]] std::string_view elementText(ElementKind kind);

/// How an element is stored in a file.
struct ElementType
{
    using Kind = ElementKind;

    Kind kind = Kind::Float32;
    bool isBigEndian = false;

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::string_view text() const { return elementText(kind); }
    [[nodiscard]] bool isInteger() const;
    /// Which of its values float32 can't hold and what becomes of them, as a sentence; empty where
    /// it holds all.
    [[nodiscard]] std::string_view loss() const;
    bool operator==(const ElementType&) const = default;
};

/// All kinds, in the order of their declaration.
[[nodiscard]] std::span<const ElementKind> elementKinds();

/// The kind of that elementText(); nothing for any other word.
[[nodiscard]] std::optional<ElementKind> elementKind(std::string_view text);

}  // namespace calibscope
