// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/locate_values.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Thrown out of a visit that has found enough.
struct FoundEnough
{
};

struct Place
{
    float value;
    std::uint64_t index;  ///< in the source's order
};

/// From the largest magnitude on, equal ones by index.
bool isBefore(const Place& one, const Place& other)
{
    const float a = std::abs(one.value);
    const float b = std::abs(other.value);
    return a != b ? a > b : one.index < other.index;
}

void keepLargest(std::vector<Place>& kept, std::size_t most)
{
    if (kept.size() <= most)
        return;
    std::ranges::nth_element(kept, kept.begin() + static_cast<std::ptrdiff_t>(most), isBefore);
    kept.resize(most);
}

FoundValues toldOf(const std::vector<Place>& places, const IndexInFile& indexInFile)
{
    FoundValues found;
    for (const Place& place : places) {
        found.places.push_back(indexInFile(place.index));
        found.values.push_back(place.value);
    }
    return found;
}

}  // namespace

FoundValues largestPlaces(const ValueSource& source, std::size_t most,
                          std::optional<std::uint64_t> channel, const IndexInFile& indexInFile,
                          const Progress& progress)
{
    most = std::min(most, mostPlaces);
    std::vector<Place> kept;
    float bound = -1.0F;  // magnitudes up to it are not among the largest
    std::uint64_t searched = 0;
    const auto visitor = [&](const Block& block) {
        searched += block.values.size();
        for (std::size_t at = 0; at < block.values.size(); ++at) {
            const float value = block.values[at];
            if (!(std::abs(value) > bound) || !std::isfinite(value))
                continue;
            const std::uint64_t index = block.firstIndex + at;
            if (channel && source.info.channelOf(index) != *channel)
                continue;
            kept.push_back({value, index});
            if (kept.size() >= 2 * most + 64) {
                keepLargest(kept, most);
                if (most > 0)
                    bound = std::abs(std::ranges::max_element(kept, isBefore)->value);
            }
        }
    };
    source.visit(visitor, progress);
    keepLargest(kept, most);
    std::ranges::sort(kept, isBefore);
    FoundValues found = toldOf(kept, indexInFile);
    found.searched = searched;
    return found;
}

FoundValues markedPlaces(const ValueSource& source, const MarkedValues& marked, std::size_t most,
                         std::optional<std::uint64_t> channel, const IndexInFile& indexInFile,
                         const Progress& progress)
{
    most = std::min(most, mostPlaces);
    std::vector<Place> places;
    std::uint64_t searched = 0;
    bool isWhole = true;
    const auto visitor = [&](const Block& block) {
        for (std::size_t at = 0; at < block.values.size(); ++at) {
            const float value = block.values[at];
            const double x =
                static_cast<double>(marked.domain == Domain::Magnitude ? std::abs(value) : value);
            if (!marked.range.contains(x) || !std::isfinite(value))
                continue;
            const std::uint64_t index = block.firstIndex + at;
            if (channel && source.info.channelOf(index) != *channel)
                continue;
            if (places.size() >= most) {
                isWhole = false;
                searched += at;
                throw FoundEnough{};
            }
            places.push_back({value, index});
        }
        searched += block.values.size();
    };
    try {
        source.visit(visitor, progress);
    } catch (const FoundEnough&) {
        // The rest is not wanted.
    }
    FoundValues found = toldOf(places, indexInFile);
    found.searched = searched;
    found.isWhole = isWhole;
    return found;
}

}  // namespace calibscope
