// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stats/order_counter.h"

#include "core/kernels/kept_patterns.h"

#include <algorithm>
#include <bit>

namespace calibscope {

namespace {

/// Where the rank-th smallest signed value lies: negative bins descending, zeros, positive bins
/// ascending.
struct SignedPlace
{
    std::optional<SketchPlace> place;  ///< none: an exact zero
    bool isNegative = false;
};

SignedPlace signedPlace(const MagnitudeSketch& sketch, std::uint64_t rank)
{
    for (auto bin = sketch.negative.rbegin(); bin != sketch.negative.rend(); ++bin) {
        if (rank < bin->count)  // counted from the least value, that is from the largest magnitude
            return {.place = SketchPlace{.key = bin->key, .rankInBin = bin->count - 1 - rank},
                    .isNegative = true};
        rank -= bin->count;
    }
    if (rank < sketch.zeros)
        return {};
    rank -= sketch.zeros;
    for (const SketchBin& bin : sketch.positive) {
        if (rank < bin.count)
            return {.place = SketchPlace{.key = bin.key, .rankInBin = rank}};
        rank -= bin.count;
    }
    return {};
}

}  // namespace

std::optional<OrderCounter> OrderCounter::of(const OrderRequest& request,
                                             const MagnitudeSketch& sketch)
{
    const SignedPlace found = request.domain == Domain::Signed
                                  ? signedPlace(sketch, request.rank)
                                  : SignedPlace{.place = sketch.placeOfMagnitude(request.rank)};
    if (!found.place)
        return std::nullopt;
    return OrderCounter(request, *found.place, found.isNegative);
}

void OrderCounter::add(std::span<const float> values)
{
    constexpr std::uint32_t signBit = 0x80000000U;
    constexpr std::size_t piece = 1024;
    std::array<std::uint32_t, piece + kernels::vectorRoom> patterns;
    for (std::size_t first = 0; first < values.size(); first += piece) {
        const std::size_t kept =
            kernels::keepKey(values.subspan(first, std::min(piece, values.size() - first)),
                             m_place.key, droppedMantissaBits, patterns);
        for (const std::uint32_t pattern : std::span(patterns).first(kept)) {
            const std::uint32_t magnitude = pattern & ~signBit;
            if (magnitude != 0 &&
                (m_request.domain == Domain::Magnitude || (pattern != magnitude) == m_isNegative))
                ++m_counts[magnitude % m_counts.size()];
        }
    }
}

OrderStatistic OrderCounter::statistic() const
{
    std::uint64_t before = 0;
    std::uint32_t low = 0;
    while (low + 1 < m_counts.size() && before + m_counts[low] <= m_place.rankInBin)
        before += m_counts[low++];
    const float magnitude = std::bit_cast<float>(m_place.key << droppedMantissaBits | low);
    return {.request = m_request,
            .value =
                m_isNegative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude)};
}

}  // namespace calibscope
