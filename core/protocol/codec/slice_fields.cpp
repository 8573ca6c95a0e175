// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec/slice_fields.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace calibscope::protocol {

namespace {

/// float32 as the bits that it has.
Json writeFloats(const std::vector<float>& values)
{
    std::vector<std::uint32_t> patterns;
    patterns.reserve(values.size());
    for (const float value : values)
        patterns.push_back(std::bit_cast<std::uint32_t>(value));
    return write(patterns);
}

std::vector<float> readFloats(const Json& json, const Where& where)
{
    const auto patterns = readNumbers<std::uint32_t>(json, where);
    std::vector<float> values;
    values.reserve(patterns.size());
    for (const std::uint32_t pattern : patterns)
        values.push_back(std::bit_cast<float>(pattern));
    return values;
}

void requireCells(std::uint64_t cells, std::uint64_t count, std::uint64_t step, const Where& where)
{
    if (count == 0 || step == 0 || cells != (count - 1) / step + 1)
        where.fail("has another count of cells than its values make");
}

bool isEmptyOrAscending(float low, float high)
{
    return (std::isnan(low) && std::isnan(high)) || low <= high;
}

void check(const Slice& slice, const Where& where)
{
    requireCells(slice.rows, slice.rowCount, slice.rowStep, where);
    requireCells(slice.columns, slice.columnCount, slice.columnStep, where);
    if (slice.rows > mostSliceCells / slice.columns ||
        slice.rowCount > (std::uint64_t{1} << 62U) / slice.columnCount)
        where.fail("has more cells than a slice may have");
    const std::size_t cells = slice.rows * slice.columns;
    if (slice.low.size() != cells || slice.high.size() != cells || slice.marks.size() != cells ||
        slice.clipped.size() != cells)
        where.fail("has another count of numbers than rows and columns");
    for (std::size_t cell = 0; cell < cells; ++cell)
        if (!isEmptyOrAscending(slice.low[cell], slice.high[cell]))
            where.fail("has a cell whose least value exceeds its greatest");
    if (slice.rowEvery == 0 || slice.columnEvery == 0 || slice.read > slice.values())
        where.fail("tells of more values than it has");
}

bool isSame(const std::vector<float>& one, const std::vector<float>& other)
{
    for (std::size_t cell = 0; cell < one.size(); ++cell)
        if (std::bit_cast<std::uint32_t>(one[cell]) != std::bit_cast<std::uint32_t>(other[cell]))
            return false;
    return true;
}

}  // namespace

Json write(const Slice& slice)
{
    return {{"firstRow", slice.firstRow},
            {"firstColumn", slice.firstColumn},
            {"rowStep", slice.rowStep},
            {"columnStep", slice.columnStep},
            {"rowCount", slice.rowCount},
            {"columnCount", slice.columnCount},
            {"rows", slice.rows},
            {"columns", slice.columns},
            {"low", writeFloats(slice.low)},
            // Of cells of one value they are the same.
            {"high", isSame(slice.low, slice.high) ? Json() : writeFloats(slice.high)},
            {"marks", write(slice.marks)},
            {"clipped", writePacked(slice.clipped)},
            {"read", slice.read},
            {"finite", slice.finite},
            {"nan", slice.nan},
            {"infinite", slice.infinite},
            {"marked", slice.marked},
            {"rowEvery", slice.rowEvery},
            {"columnEvery", slice.columnEvery},
            {"isByChunks", slice.isByChunks},
            {"allBytes", slice.allBytes}};
}

void read(const Json& json, Slice& slice, const Where& where)
{
    const auto take = [&json, &where](std::string_view name, auto& value) {
        read(member(json, name, where), value, Where{&where, name});
    };
    take("firstRow", slice.firstRow);
    take("firstColumn", slice.firstColumn);
    take("rowStep", slice.rowStep);
    take("columnStep", slice.columnStep);
    take("rowCount", slice.rowCount);
    take("columnCount", slice.columnCount);
    take("rows", slice.rows);
    take("columns", slice.columns);
    slice.low = readFloats(member(json, "low", where), Where{&where, "low"});
    const Json& high = member(json, "high", where);
    slice.high = high.is_null() ? slice.low : readFloats(high, Where{&where, "high"});
    take("marks", slice.marks);
    slice.clipped = readPacked(member(json, "clipped", where), Where{&where, "clipped"});
    take("read", slice.read);
    take("finite", slice.finite);
    take("nan", slice.nan);
    take("infinite", slice.infinite);
    take("marked", slice.marked);
    take("rowEvery", slice.rowEvery);
    take("columnEvery", slice.columnEvery);
    take("isByChunks", slice.isByChunks);
    take("allBytes", slice.allBytes);
    check(slice, where);
}

Json write(const FoundValues& found)
{
    return {{"places", write(found.places)},
            {"values", writeFloats(found.values)},
            {"searched", found.searched},
            {"isWhole", found.isWhole}};
}

void read(const Json& json, FoundValues& found, const Where& where)
{
    read(member(json, "places", where), found.places, Where{&where, "places"});
    found.values = readFloats(member(json, "values", where), Where{&where, "values"});
    read(member(json, "searched", where), found.searched, Where{&where, "searched"});
    read(member(json, "isWhole", where), found.isWhole, Where{&where, "isWhole"});
    if (found.places.size() != found.values.size())
        where.fail("has another count of values than of places");
}

}  // namespace calibscope::protocol
