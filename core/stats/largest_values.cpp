// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/largest_values.h"

#include "core/kernels/greater_keys.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace calibscope {

namespace {

constexpr std::size_t pieceValues = 4096;
constexpr std::size_t shrunkFrom = 4;  // times what is wanted: so shrinking is seldom

kernels::Key keyOf(ValueEnd end)
{
    switch (end) {
    case ValueEnd::Magnitudes: return kernels::Key::Magnitude;
    case ValueEnd::Top: return kernels::Key::Value;
    case ValueEnd::Bottom: return kernels::Key::Negated;
    }
    return kernels::Key::Magnitude;
}

}  // namespace

LargestValues::LargestValues(ValueEnd end, std::size_t most)
    : m_end(end), m_most(most), m_bound(-std::numeric_limits<float>::infinity())
{
    m_keys.resize(room());
}

std::size_t LargestValues::room() const
{
    return shrunkFrom * m_most + pieceValues + kernels::vectorRoom;
}

void LargestValues::add(std::span<const float> values)
{
    for (std::size_t first = 0; first < values.size(); first += pieceValues) {
        const auto part = values.subspan(first, std::min(pieceValues, values.size() - first));
        const auto [kept, finite] =
            kernels::keepGreater(part, keyOf(m_end), m_bound, std::span(m_keys).subspan(m_held));
        m_held += kept;
        m_finite += finite;
        if (m_held > shrunkFrom * m_most)
            shrink();
    }
}

LargestValues& LargestValues::operator+=(const LargestValues& other)
{
    m_finite += other.m_finite;
    m_keys.resize(m_held);
    m_keys.insert(m_keys.end(), other.keys().begin(), other.keys().end());
    m_held = m_keys.size();
    if (m_held > shrunkFrom * m_most)
        shrink();
    m_keys.resize(room());
    return *this;
}

/// Keeps the `most` largest keys. What equals the least of them is as good as it, and need not be
/// kept from then on.
void LargestValues::shrink()
{
    const auto last = m_keys.begin() + static_cast<std::ptrdiff_t>(m_most) - 1;
    std::nth_element(m_keys.begin(), last, m_keys.begin() + static_cast<std::ptrdiff_t>(m_held),
                     std::greater{});
    m_bound = *last;
    m_held = m_most;
}

std::vector<double> LargestValues::values() const
{
    std::vector<float> sorted(keys().begin(), keys().end());
    std::ranges::sort(sorted, std::greater{});
    sorted.resize(std::min(m_most, m_held));
    std::vector<double> values;
    for (const float key : sorted)
        values.push_back(static_cast<double>(m_end == ValueEnd::Bottom ? -key : key) + 0.0);
    return values;
}

std::optional<PlaceFromEnd> placeFromEnd(const OrderRequest& request, std::uint64_t finiteCount)
{
    const bool isOfMagnitude = request.domain == Domain::Magnitude;
    const std::uint64_t place = finiteCount - 1 - request.rank;
    if (place < LargestValues::mostOfAll)
        return PlaceFromEnd{.end = isOfMagnitude ? ValueEnd::Magnitudes : ValueEnd::Top,
                            .place = place};
    if (!isOfMagnitude && request.rank < LargestValues::mostOfAll)
        return PlaceFromEnd{.end = ValueEnd::Bottom, .place = request.rank};
    return std::nullopt;
}

}  // namespace calibscope
