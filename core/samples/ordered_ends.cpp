// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/ordered_ends.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace calibscope::samples {

namespace {

float keyOf(ValueEnd end, float value)
{
    return (end == ValueEnd::Magnitudes ? std::abs(value) : value) + 0.0F;  // never -0
}

}  // namespace

void OrderedEnds::ask(const OrderRequest& request, std::uint64_t finite)
{
    if (request.rank >= finite)
        return;
    if (const std::optional<PlaceFromEnd> place = placeFromEnd(request, finite)) {
        EndList& list = listOf(place->end);
        list.most = std::max(list.most, place->place + 1);
        return;
    }
    EndList& whole =
        listOf(request.domain == Domain::Magnitude ? ValueEnd::Magnitudes : ValueEnd::Top);
    whole.isWhole = true;
}

std::uint64_t OrderedEnds::bytes(std::span<const Extents> units) const
{
    std::uint64_t entries = 0;
    for (const EndList& list : m_lists)
        for (const Extents& unit : units)
            entries += list.isWhole ? unit.finite : std::min<std::uint64_t>(list.most, unit.finite);
    return entries * sizeof(Entry);
}

bool OrderedEnds::isAsked() const
{
    return std::ranges::any_of(m_lists,
                               [](const EndList& list) { return list.isWhole || list.most > 0; });
}

void OrderedEnds::add(std::size_t unit, std::span<const float> values)
{
    if (m_unit != unit) {
        closeUnit();
        m_unit = unit;
        for (EndList& list : m_lists)
            if (!list.isWhole && list.most > 0)
                list.current.emplace(list.end, list.most);
    }
    for (EndList& list : m_lists) {
        if (list.current)
            list.current->add(values);
        if (!list.isWhole)
            continue;
        for (const float value : values)
            if (std::isfinite(value))
                list.entries.push_back({keyOf(list.end, value), static_cast<std::uint32_t>(unit)});
    }
}

void OrderedEnds::closeUnit()
{
    for (EndList& list : m_lists) {
        if (!list.current)
            continue;
        for (const double value : list.current->values())
            list.entries.push_back(
                {static_cast<float>(value), static_cast<std::uint32_t>(*m_unit)});
        list.current.reset();
    }
}

void OrderedEnds::finish()
{
    closeUnit();
    for (EndList& list : m_lists)
        std::ranges::sort(list.entries, [&](const Entry& one, const Entry& other) {
            return list.end == ValueEnd::Bottom ? one.value < other.value : one.value > other.value;
        });
}

PlaceFromEnd OrderedEnds::placeOf(const OrderRequest& request, std::uint64_t finite) const
{
    const ValueEnd whole =
        request.domain == Domain::Magnitude ? ValueEnd::Magnitudes : ValueEnd::Top;
    if (listOf(whole).isWhole)
        return {.end = whole, .place = finite - 1 - request.rank};
    const std::optional<PlaceFromEnd> place = placeFromEnd(request, finite);
    if (!place)
        throw std::logic_error("an order statistic was not asked for");
    return *place;
}

double OrderedEnds::valueOf(const OrderRequest& request, std::uint64_t finite,
                            std::span<const std::uint32_t> weights) const
{
    const PlaceFromEnd place = placeOf(request, finite);
    std::uint64_t seen = 0;
    for (const Entry& entry : listOf(place.end).entries) {
        seen += weights[entry.unit];
        if (seen > place.place)
            return static_cast<double>(entry.value);
    }
    throw std::logic_error("an order statistic was not asked for");
}

}  // namespace calibscope::samples
