// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/element_type.h"
#include "core/tensor/reading_loss.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope {

/// Turns stored elements into float32 without the help of HDF5, whose conversion of small floats is
/// hundreds of times slower than reading, and wrong for some (the 8-bit ones, up to release 2.0 at
/// least). What float32 holds is exact, NaN are NaN; the rest (ElementType::loss()) is rounded to
/// the nearest, ties to even, and becomes an infinity beyond float32.
class ElementDecoder
{
public:
    explicit ElementDecoder(const ElementType& type) : m_type(type) {}

    /// The values of whole elements; they live until the next call, and no longer than `stored`:
    /// float32 in this machine's order is not copied.
    [[nodiscard]] std::span<const float> decode(std::span<const std::byte> stored);
    /// What the last call lost of its values, ascending by place; they live until the next one.
    [[nodiscard]] std::span<const LostValue> lost() const { return m_lost; }

private:
    ElementType m_type;
    std::vector<float> m_values;
    std::vector<LostValue> m_lost;
};

}  // namespace calibscope
