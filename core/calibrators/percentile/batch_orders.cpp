// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/percentile/batch_orders.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace calibscope {

namespace {

constexpr std::uint32_t signBit = 0x80000000U;
constexpr unsigned keyBits = 32;
constexpr unsigned digitBits = 8;

/// A whole number in the order of the values.
std::uint32_t orderedKey(float value, Domain domain)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (domain == Domain::Magnitude)
        return bits & ~signBit;
    return (bits & signBit) != 0 ? ~bits : bits | signBit;
}

double valueOfKey(std::uint32_t key, Domain domain)
{
    const bool isNegative = domain == Domain::Signed && (key & signBit) == 0;
    const std::uint32_t bits = isNegative ? ~key : key & ~signBit;
    return static_cast<double>(std::bit_cast<float>(bits)) + 0.0;  // + 0.0 turns -0 into 0
}

/// The search for one order statistic: what is known of its key, from the highest bit on.
struct OrderSearch
{
    const BatchOrder* order;
    std::uint64_t rank;       ///< among the keys that begin with `known`
    std::uint32_t known = 0;  ///< whole digits
    std::array<std::uint64_t, std::size_t{1} << digitBits> counts{};

    void add(std::span<const float> values, unsigned knownBits)
    {
        const unsigned shift = keyBits - knownBits;
        for (const float value : values) {
            if (!std::isfinite(value))
                continue;
            const std::uint64_t key = orderedKey(value, order->request.domain);
            if (key >> shift == known)
                ++counts[(key >> (shift - digitBits)) & (counts.size() - 1)];
        }
    }
    void takeDigit()
    {
        std::uint32_t digit = 0;
        for (; rank >= counts[digit]; ++digit)
            rank -= counts[digit];
        known = (known << digitBits) | digit;
        counts.fill(0);
    }
};

}  // namespace

std::vector<double> batchOrders(std::span<const BatchOrder> orders, const CalibratorValues& values)
{
    std::vector<OrderSearch> searches;
    for (const BatchOrder& order : orders)
        searches.push_back({.order = &order, .rank = order.request.rank});
    const auto batchOf = [](const OrderSearch& search) { return search.order->batch; };
    std::ranges::stable_sort(searches, {}, batchOf);
    for (unsigned knownBits = 0; knownBits < keyBits; knownBits += digitBits) {
        values.source.visit(
            [&](const Block& block) {
                const auto batch = static_cast<std::size_t>(block.batch);
                for (auto search = std::ranges::lower_bound(searches, batch, {}, batchOf);
                     search != searches.end() && batchOf(*search) == batch; ++search)
                    search->add(block.values, knownBits);
            },
            values.progress);
        for (OrderSearch& search : searches)
            search.takeDigit();
    }
    std::vector<double> found(orders.size());
    for (const OrderSearch& search : searches)
        found[static_cast<std::size_t>(search.order - orders.data())] =
            valueOfKey(search.known, search.order->request.domain);
    return found;
}

}  // namespace calibscope
