// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/samples/arrangement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace calibscope::samples {

std::vector<std::uint32_t> Arrangement::weights(std::size_t count) const
{
    std::vector<std::uint32_t> weights(count);
    for (const std::uint32_t unit : units)
        ++weights.at(unit);
    return weights;
}

Arrangement unitsFrom(const std::vector<std::uint32_t>& batchOf, std::size_t first,
                      std::size_t count)
{
    Arrangement some;
    for (std::size_t unit = first; unit < batchOf.size() && unit - first < count; ++unit) {
        some.units.push_back(static_cast<std::uint32_t>(unit));
        some.batches.push_back(batchOf[unit]);
    }
    return some;
}

Arrangement withoutUnits(const std::vector<std::uint32_t>& batchOf, std::size_t first,
                         std::size_t count)
{
    Arrangement others;
    for (std::size_t unit = 0; unit < batchOf.size(); ++unit)
        if (unit < first || unit - first >= count) {
            others.units.push_back(static_cast<std::uint32_t>(unit));
            others.batches.push_back(batchOf[unit]);
        }
    return others;
}

Arrangement shuffledBatches(const std::vector<std::uint32_t>& batchOf, std::uint64_t seed,
                            std::uint64_t shuffle)
{
    std::vector<std::vector<std::uint32_t>> batches;
    for (std::size_t unit = 0; unit < batchOf.size(); ++unit) {
        if (unit == 0 || batchOf[unit] != batchOf[unit - 1])
            batches.emplace_back();
        batches.back().push_back(static_cast<std::uint32_t>(unit));
    }
    for (std::size_t place = batches.size(); place-- > 1;)
        std::swap(batches[place], batches[drawnNumber(seed, 0, shuffle, place) % (place + 1)]);
    Arrangement shuffled;
    for (std::size_t batch = 0; batch < batches.size(); ++batch)
        for (const std::uint32_t unit : batches[batch]) {
            shuffled.units.push_back(unit);
            shuffled.batches.push_back(static_cast<std::uint32_t>(batch));
        }
    return shuffled;
}

Arrangement drawnUnits(const std::vector<std::uint32_t>& batchOf, std::size_t count,
                       std::uint64_t seed, std::uint64_t draw)
{
    Arrangement drawn;
    for (std::size_t place = 0; place < count; ++place) {
        drawn.units.push_back(
            static_cast<std::uint32_t>(drawnNumber(seed, count, draw, place) % batchOf.size()));
        drawn.batches.push_back(batchOf[place % batchOf.size()]);
    }
    return drawn;
}

std::uint64_t drawnNumber(std::uint64_t seed, std::uint64_t stream, std::uint64_t index,
                          std::uint64_t place)
{
    return mixed(mixed(mixed(mixed(seed) + stream) + index) + place);
}

std::vector<std::size_t> curvePoints(std::size_t units, const std::vector<std::size_t>& further)
{
    constexpr std::size_t mostPoints = 32;
    constexpr std::size_t single = 8;
    std::vector<std::size_t> points(std::min(units, units <= mostPoints ? mostPoints : single));
    std::iota(points.begin(), points.end(), std::size_t{1});
    if (units > mostPoints) {
        constexpr std::size_t spread = mostPoints - single;
        const double ratio = static_cast<double>(units) / static_cast<double>(single);
        for (std::size_t point = 1; point <= spread; ++point) {
            const double share = static_cast<double>(point) / static_cast<double>(spread);
            points.push_back(static_cast<std::size_t>(
                std::lround(static_cast<double>(single) * std::pow(ratio, share))));
        }
        points.back() = units;
        for (const std::size_t point : further)
            if (point > 0 && point <= units)
                points.push_back(point);
        std::ranges::sort(points);
        points.erase(std::unique(points.begin(), points.end()), points.end());
    }
    return points;
}

std::vector<std::size_t> bandPoints(std::size_t units)
{
    std::vector<std::size_t> points;
    for (; units > 1; units = (units + 1) / 2) {
        points.insert(points.begin(), units);
        if (units == 2)
            break;
    }
    return points;
}

}  // namespace calibscope::samples
