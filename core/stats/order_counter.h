// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace calibscope {

/// Finds an order statistic at any place by a pass over the values of which there is a sketch:
/// counts the dropped bits, all 2^13 of them, of those that share the key of the place.
class OrderCounter
{
public:
    /// Nothing if the value is an exact zero. Requires a rank below the sketch's count.
    [[nodiscard]] static std::optional<OrderCounter> of(const OrderRequest& request,
                                                        const MagnitudeSketch& sketch);

    void add(std::span<const float> values);
    /// How often each pattern of the dropped bits occurred among the values added so far, and to
    /// add what another counter of the same request has counted.
    [[nodiscard]] std::span<const std::uint64_t> counts() const { return m_counts; }
    void addCount(std::size_t pattern, std::uint64_t count) { m_counts.at(pattern) += count; }
    /// Requires that all values were added.
    [[nodiscard]] OrderStatistic statistic() const;

private:
    OrderCounter(const OrderRequest& request, const SketchPlace& place, bool isNegative)
        : m_request(request), m_place(place), m_isNegative(isNegative)
    {}

    OrderRequest m_request;
    SketchPlace m_place;
    bool m_isNegative;
    std::array<std::uint64_t, std::size_t{1} << droppedMantissaBits> m_counts{};
};

}  // namespace calibscope
