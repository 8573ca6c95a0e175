// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/order_collection.h"

#include <algorithm>

namespace calibscope {

OrderCollection::OrderCollection(TensorProfile& profile, std::span<const OrderRequest> requests)
{
    const std::uint64_t finite = profile.extents().finite;
    for (auto request = requests.begin(); request != requests.end(); ++request) {
        if (profile.order(*request) || request->rank >= finite ||
            std::find(requests.begin(), request, *request) != request)
            continue;
        if (const auto place = placeFromEnd(*request, finite))
            m_nearEnds.push_back({.request = *request, .place = *place});
        else if (const auto counter = OrderCounter::of(*request, profile.sketch))
            m_counters.push_back(*counter);
        else
            profile.orders.push_back({.request = *request, .value = 0.0});
    }
    makeEnds();
}

void OrderCollection::makeEnds()
{
    for (const ValueEnd end : {ValueEnd::Magnitudes, ValueEnd::Top, ValueEnd::Bottom}) {
        std::size_t most = 0;
        for (const NearEnd& near : m_nearEnds)
            if (near.place.end == end)
                most = std::max(most, near.place.place + 1);
        if (most > 0)
            m_ends.emplace_back(end, most);
    }
}

void OrderCollection::add(std::size_t part, std::span<const float> values)
{
    if (part < m_ends.size())
        m_ends[part].add(values);
    else
        m_counters[part - m_ends.size()].add(values);
}

void OrderCollection::finish(TensorProfile& profile) const
{
    for (const LargestValues& largest : m_ends) {
        const std::vector<double> values = largest.values();
        for (const NearEnd& near : m_nearEnds)
            if (near.place.end == largest.end())
                profile.orders.push_back(
                    {.request = near.request, .value = values[near.place.place]});
    }
    for (const OrderCounter& counter : m_counters)
        profile.orders.push_back(counter.statistic());
}

}  // namespace calibscope
