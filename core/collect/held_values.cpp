// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/held_values.h"

#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

namespace {

struct BlockPlace
{
    std::size_t count;
    std::uint64_t firstIndex;
    std::uint64_t batch;
    std::vector<LostValue> lost;
    std::optional<std::uint64_t> inFile;
};

struct Held
{
    std::vector<float> values;
    std::vector<BlockPlace> blocks;

    void visit(const BlockVisitor& visitor, const Progress& progress) const
    {
        std::size_t first = 0;
        for (const BlockPlace& place : blocks) {
            visitor({.values = std::span(values).subspan(first, place.count),
                     .firstIndex = place.firstIndex,
                     .batch = place.batch,
                     .lost = place.lost,
                     .place = place.inFile});
            first += place.count;
            progress.step(first, values.size(), "values");
        }
    }
};

}  // namespace

ValueSource heldInMemory(const ValueSource& source, const Progress& progress)
{
    if (source.isInMemory || source.storedProfile)
        return source;
    const auto held = std::make_shared<Held>();
    held->values.reserve(source.info.valueCount());
    source.visit(
        [&](const Block& block) {
            held->values.insert(held->values.end(), block.values.begin(), block.values.end());
            held->blocks.push_back({.count = block.values.size(),
                                    .firstIndex = block.firstIndex,
                                    .batch = block.batch,
                                    .lost = {block.lost.begin(), block.lost.end()},
                                    .inFile = block.place});
        },
        progress);
    return {.info = source.info,
            .visit = [held](const BlockVisitor& visitor,
                            const Progress& ofVisit) { held->visit(visitor, ofVisit); },
            .isInMemory = true};
}

ValueSource heldIfSmall(const ValueSource& source, std::uint64_t memoryBytes,
                        const Progress& progress)
{
    constexpr std::uint64_t share = 3;
    const bool isSmall = source.info.valueCount() * sizeof(float) <= memoryBytes / share;
    return isSmall ? heldInMemory(source, progress) : source;
}

}  // namespace calibscope
