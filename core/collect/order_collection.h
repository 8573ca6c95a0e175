// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/largest_values.h"
#include "core/stats/order_counter.h"
#include "core/stats/profile.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope {

/// Order statistics that a profile lacks, found in one pass: those near an end of the values by one
/// LargestValues for each end, every other one by an OrderCounter.
class OrderCollection
{
public:
    /// Adds to the profile those that the sketch knows to be zero. Requests that it holds already,
    /// that are doubled, or whose rank is not below its number of finite values are left out.
    OrderCollection(TensorProfile& profile, std::span<const OrderRequest> requests);

    /// Parts of the work, which do not touch each other.
    [[nodiscard]] std::size_t parts() const { return m_ends.size() + m_counters.size(); }
    void add(std::size_t part, std::span<const float> values);
    /// Adds what was found to the profile, when all parts have all values.
    void finish(TensorProfile& profile) const;

private:
    struct NearEnd
    {
        OrderRequest request;
        PlaceFromEnd place;
    };

    void makeEnds();

    std::vector<NearEnd> m_nearEnds;
    std::vector<LargestValues> m_ends;
    std::vector<OrderCounter> m_counters;
};

}  // namespace calibscope
