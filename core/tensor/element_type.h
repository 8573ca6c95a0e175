#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace calibscope {

/// How an element is stored in a file.
struct ElementType
{
    enum class Kind {
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

    Kind kind = Kind::Float32;
    bool isBigEndian = false;

    [[nodiscard]] std::size_t bytes() const;
    /// "float16", "float8_e4m3fn", "uint8", ...: as in TensorInfo::elementType. The names of NumPy,
    /// PyTorch and ml_dtypes.
    [[nodiscard]] std::string_view text() const;
    [[nodiscard]] bool isInteger() const;
    /// Which of its values float32 can't hold and what becomes of them, as a sentence; empty where
    /// it holds all.
    [[nodiscard]] std::string_view loss() const;
    bool operator==(const ElementType&) const = default;
};

/// All kinds, in the order of their declaration.
[[nodiscard]] std::span<const ElementType::Kind> elementKinds();

/// The kind of that text(); nothing for any other word.
[[nodiscard]] std::optional<ElementType::Kind> elementKind(std::string_view text);

}  // namespace calibscope
