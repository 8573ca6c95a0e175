#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace calibscope {

/// How a floating-point element is stored in a file.
struct ElementType
{
    enum class Kind { Float16, Float32, Float64 };  ///< IEEE 754 binary16, binary32, binary64

    Kind kind = Kind::Float32;
    bool isBigEndian = false;

    [[nodiscard]] std::size_t bytes() const;
    /// "float16", "float32", "float64": as in TensorInfo::elementType.
    [[nodiscard]] std::string_view text() const;
    bool operator==(const ElementType&) const = default;
};

/// The value of a binary16 pattern. Exact; infinities and NaN stay what they are.
[[nodiscard]] float float16Value(std::uint16_t pattern);

/// Turns stored elements into float32 without the help of HDF5, whose conversion of binary16 is
/// hundreds of times slower than reading. binary64 is rounded to the nearest, ties to even; what
/// lies beyond float32 becomes an infinity.
class ElementDecoder
{
public:
    explicit ElementDecoder(const ElementType& type) : m_type(type) {}

    /// The values of whole elements; they live until the next call.
    [[nodiscard]] std::span<const float> decode(std::span<const std::byte> stored);

private:
    ElementType m_type;
    std::vector<float> m_values;
};

}  // namespace calibscope
