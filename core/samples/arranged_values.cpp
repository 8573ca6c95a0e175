// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/arranged_values.h"

#include <algorithm>

namespace calibscope::samples {

void ArrangedValues::add(std::size_t unit, std::span<const float> values)
{
    if (m_units.empty())
        m_values.reserve(m_info.valueCount());
    if (unit >= m_units.size())
        m_units.resize(unit + 1, {.first = m_values.size()});
    m_units[unit].count += values.size();
    m_values.insert(m_values.end(), values.begin(), values.end());
}

std::span<const float> ArrangedValues::of(std::uint32_t unit) const
{
    if (unit >= m_units.size())
        return {};
    return std::span(m_values).subspan(m_units[unit].first, m_units[unit].count);
}

void ArrangedValues::visit(const Arrangement& arrangement, const BlockVisitor& visitor,
                           const Progress& progress) const
{
    std::uint64_t index = 0;
    std::uint64_t batch = 0;
    for (std::size_t place = 0; place < arrangement.units.size(); ++place) {
        if (place > 0 && arrangement.batches[place] != arrangement.batches[place - 1])
            ++batch;
        const std::span<const float> values = of(arrangement.units[place]);
        visitor({.values = values, .firstIndex = index, .batch = batch});
        index += values.size();
        progress.step(place + 1, arrangement.units.size(), "values");
    }
}

ValueSource ArrangedValues::source(const Arrangement& arrangement) const
{
    std::uint64_t values = 0;
    for (const std::uint32_t unit : arrangement.units)
        values += of(unit).size();
    TensorInfo info = m_info;
    if (!info.shape.empty())
        info.shape.front() = values / std::max<std::uint64_t>(m_info.valuesPerSample(), 1);
    return {.info = std::move(info),
            .visit =
                [this, &arrangement](const BlockVisitor& visitor, const Progress& progress) {
                    visit(arrangement, visitor, progress);
                },
            .isInMemory = true};
}

}  // namespace calibscope::samples
