// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/samples/arrangement.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace calibscope::samples {

/// All values of a tensor by unit, in memory.
class ArrangedValues
{
public:
    explicit ArrangedValues(const TensorInfo& info) : m_info(info) {}

    /// The values of one unit after another, in order.
    void add(std::size_t unit, std::span<const float> values);

    /// Those of one unit; none of one that has none.
    [[nodiscard]] std::span<const float> of(std::uint32_t unit) const;
    /// A source of the arranged units, one block for each. It refers to this object and to the
    /// arrangement.
    [[nodiscard]] ValueSource source(const Arrangement& arrangement) const;

private:
    struct Part
    {
        std::size_t first = 0;
        std::size_t count = 0;
    };
    void visit(const Arrangement& arrangement, const BlockVisitor& visitor,
               const Progress& progress) const;

    TensorInfo m_info;
    std::vector<float> m_values;
    std::vector<Part> m_units;
};

}  // namespace calibscope::samples
