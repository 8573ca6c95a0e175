// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/extents.h"
#include "core/stats/largest_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope::samples {

/// Exact order statistics of arrangements of units, from what is kept of each unit: as many values
/// at an end as any arrangement asks for, or all of them.
class OrderedEnds
{
public:
    /// Asks for a statistic of an arrangement with so many finite values. A rank that is not below
    /// them is left out.
    void ask(const OrderRequest& request, std::uint64_t finite);
    [[nodiscard]] bool isAsked() const;
    /// Bytes that what is kept takes at most. All values of a domain are kept where some of what
    /// was asked for lies far from its ends.
    [[nodiscard]] std::uint64_t bytes(std::span<const Extents> units) const;

    /// The values of one unit after another, in order.
    void add(std::size_t unit, std::span<const float> values);
    void finish();

    /// The statistic of the arrangement in which each unit occurs as often as `weights` say.
    /// Requires that it was asked for.
    [[nodiscard]] double valueOf(const OrderRequest& request, std::uint64_t finite,
                                 std::span<const std::uint32_t> weights) const;

private:
    struct Entry
    {
        float value;
        std::uint32_t unit;
    };
    /// From the end on.
    struct EndList
    {
        ValueEnd end = ValueEnd::Magnitudes;
        std::size_t most = 0;
        bool isWhole = false;  ///< all values are kept
        std::optional<LargestValues> current = {};
        std::vector<Entry> entries = {};
    };

    [[nodiscard]] EndList& listOf(ValueEnd end) { return m_lists[static_cast<std::size_t>(end)]; }
    [[nodiscard]] const EndList& listOf(ValueEnd end) const
    {
        return m_lists[static_cast<std::size_t>(end)];
    }
    [[nodiscard]] PlaceFromEnd placeOf(const OrderRequest& request, std::uint64_t finite) const;
    void closeUnit();

    std::vector<EndList> m_lists = {
        {.end = ValueEnd::Magnitudes}, {.end = ValueEnd::Top}, {.end = ValueEnd::Bottom}};
    std::optional<std::size_t> m_unit;
};

}  // namespace calibscope::samples
