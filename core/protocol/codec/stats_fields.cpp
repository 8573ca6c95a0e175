// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec/stats_fields.h"

#include "core/protocol/cbor_check.h"

#include <utility>

namespace calibscope::protocol {

namespace {

Json writeBins(const std::vector<SketchBin>& bins)
{
    std::vector<std::uint64_t> numbers;
    numbers.reserve(bins.size() * 3);
    std::uint32_t before = 0;
    for (const SketchBin& bin : bins) {
        numbers.insert(numbers.end(), {bin.key - before, bin.count, bin.dropped});
        before = bin.key;
    }
    return writePacked(numbers);
}

/// Ascending and without empty bins, as whoever walks through two sketches relies on.
std::vector<SketchBin> readBins(const Json& json, const Where& where)
{
    const std::vector<std::uint64_t> numbers = readPacked(json, where);
    if (numbers.size() % 3 != 0)
        where.fail("has a bin that is not whole");
    std::vector<SketchBin> bins;
    bins.reserve(numbers.size() / 3);
    std::uint64_t key = 0;
    for (std::size_t at = 0; at < numbers.size(); at += 3) {
        const bool isAscending = at == 0 || numbers[at] > 0;
        if (!isAscending || numbers[at] >= sketchKeys - key || numbers[at + 1] == 0)
            where.fail("has bins that are empty or in disorder");
        key += numbers[at];
        bins.push_back({.key = static_cast<std::uint32_t>(key),
                        .count = numbers[at + 1],
                        .dropped = numbers[at + 2]});
    }
    return bins;
}

}  // namespace

Json write(const MagnitudeSketch& sketch)
{
    return {{"zeros", sketch.zeros},
            {"negative", writeBins(sketch.negative)},
            {"positive", writeBins(sketch.positive)}};
}

void read(const Json& json, MagnitudeSketch& sketch, const Where& where)
{
    read(member(json, "zeros", where), sketch.zeros, Where{&where, "zeros"});
    sketch.negative = readBins(member(json, "negative", where), Where{&where, "negative"});
    sketch.positive = readBins(member(json, "positive", where), Where{&where, "positive"});
}

Json write(const Strip& strip)
{
    return {{"range", write(strip.range)},
            {"rows", strip.rows},
            {"columns", strip.columns},
            {"counts", writePacked(strip.counts)}};
}

void read(const Json& json, Strip& strip, const Where& where)
{
    read(member(json, "range", where), strip.range, Where{&where, "range"});
    read(member(json, "rows", where), strip.rows, Where{&where, "rows"});
    read(member(json, "columns", where), strip.columns, Where{&where, "columns"});
    strip.counts = readPacked(member(json, "counts", where), Where{&where, "counts"});
    if (strip.rows > valueLimit)
        where.fail("has more rows than a message can hold");
    const bool isWhole = strip.columns == 0 ? strip.counts.empty()
                                            : strip.counts.size() % strip.columns == 0 &&
                                                  strip.counts.size() / strip.columns == strip.rows;
    if (!isWhole)
        where.fail("has another count of counts than rows and columns");
}

}  // namespace calibscope::protocol
