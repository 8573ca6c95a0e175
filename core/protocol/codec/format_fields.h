// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec/slice_fields.h"
#include "core/protocol/codec/stats_fields.h"
#include "core/protocol/format_messages.h"

namespace calibscope::protocol {

template <>
inline constexpr auto fieldsOf<ErrorSums> =
    std::tuple{Field{"count", &ErrorSums::count},
               Field{"clipped", &ErrorSums::clipped},
               Field{"sumSquares", &ErrorSums::sumSquares},
               Field{"sumSquaresQuantized", &ErrorSums::sumSquaresQuantized},
               Field{"sumProducts", &ErrorSums::sumProducts},
               Field{"squaredRounding", &ErrorSums::squaredRounding},
               Field{"squaredClipping", &ErrorSums::squaredClipping},
               Field{"maxError", &ErrorSums::maxError}};

template <>
inline constexpr auto fieldsOf<FormatErrors> =
    std::tuple{Field{"sums", &FormatErrors::sums},
               Field{"flushed", &FormatErrors::flushed},
               Field{"notFinite", &FormatErrors::notFinite},
               Field{"blocks", &FormatErrors::blocks},
               Field{"zeroBlocks", &FormatErrors::zeroBlocks},
               Field{"poisonedBlocks", &FormatErrors::poisonedBlocks},
               Field{"leastBlocks", &FormatErrors::leastBlocks},
               Field{"largestBlocks", &FormatErrors::largestBlocks},
               Field{"tensorScale", &FormatErrors::tensorScale},
               Field{"effectiveBits", &FormatErrors::effectiveBits}};

template <>
inline constexpr auto fieldsOf<RateRequest> =
    std::tuple{Field{"tensor", &RateRequest::tensor}, Field{"family", &RateRequest::family}};
template <>
inline constexpr auto fieldsOf<RatedFormat> =
    std::tuple{Field{"format", &RatedFormat::format}, Field{"errors", &RatedFormat::errors}};
template <>
inline constexpr auto fieldsOf<Rated> =
    std::tuple{Field{"rowLength", &Rated::rowLength}, Field{"points", &Rated::points}};

template <>
inline constexpr auto fieldsOf<BlockRequest> =
    std::tuple{Field{"tensor", &BlockRequest::tensor}, Field{"format", &BlockRequest::format},
               Field{"block", &BlockRequest::block}};
template <>
inline constexpr auto fieldsOf<BlockScale> =
    std::tuple{Field{"scale", &BlockScale::scale},         Field{"quotient", &BlockScale::quotient},
               Field{"zeroPoint", &BlockScale::zeroPoint}, Field{"minimum", &BlockScale::minimum},
               Field{"pattern", &BlockScale::pattern},     Field{"isLeast", &BlockScale::isLeast},
               Field{"isLargest", &BlockScale::isLargest}};
template <>
inline constexpr auto fieldsOf<EncodedBlock> =
    std::tuple{Field{"block", &EncodedBlock::block},      Field{"blocks", &EncodedBlock::blocks},
               Field{"scale", &EncodedBlock::scale},      Field{"errors", &EncodedBlock::errors},
               Field{"largest", &EncodedBlock::largest},  Field{"indices", &EncodedBlock::indices},
               Field{"values", &EncodedBlock::values},    Field{"decoded", &EncodedBlock::decoded},
               Field{"patterns", &EncodedBlock::patterns}};

inline void check(const EncodedBlock& block, const Where& where)
{
    const std::size_t count = block.values.size();
    if (block.indices.size() != count || block.decoded.size() != count ||
        block.patterns.size() != count)
        where.fail("has lists of values of different length");
}

template <>
inline constexpr auto fieldsOf<FormatMapRequest> =
    std::tuple{Field{"tensor", &FormatMapRequest::tensor},
               Field{"format", &FormatMapRequest::format}, Field{"rows", &FormatMapRequest::rows},
               Field{"columns", &FormatMapRequest::columns}};

inline void check(const FormatMapRequest& request, const Where& where)
{
    if (request.rows == 0 || request.columns == 0 ||
        request.rows > mostSliceCells / request.columns)
        where.fail("asks for a map of no cells, or of more than a slice may have");
}

template <>
inline constexpr auto fieldsOf<BlockMeasure> =
    std::tuple{Field{"cells", &BlockMeasure::cells}, Field{"blocks", &BlockMeasure::blocks}};

inline void check(const BlockMeasure& measure, const Where& where)
{
    const Slice& cells = measure.cells;
    if (measure.blocks.size() != cells.low.size())
        where.fail("names blocks for another count of cells");
    for (const std::uint64_t block : measure.blocks)
        if (block >= cells.values())
            where.fail("names a block that there is not");
}

template <>
inline constexpr auto fieldsOf<FormatMap> =
    std::tuple{Field{"errors", &FormatMap::errors},  Field{"scales", &FormatMap::scales},
               Field{"maxima", &FormatMap::maxima},  Field{"quotients", &FormatMap::quotients},
               Field{"levels", &FormatMap::levels},  Field{"scale", &FormatMap::scale},
               Field{"sqnrDb", &FormatMap::sqnrDb},  Field{"saturated", &FormatMap::saturated},
               Field{"flushed", &FormatMap::flushed}};

inline void check(const FormatMap& map, const Where& where)
{
    const Slice& cells = map.scale.cells;
    for (const BlockMeasure* other : {&map.sqnrDb, &map.saturated, &map.flushed})
        if (other->cells.rowStep != cells.rowStep || other->cells.columnStep != cells.columnStep ||
            other->cells.rowCount != cells.rowCount ||
            other->cells.columnCount != cells.columnCount)
            where.fail("has measures of unlike blocks");
}

template <>
inline constexpr bool hasOptions<FormatMapRequest> = true;
template <>
inline constexpr bool hasOptions<RateRequest> = true;
template <>
inline constexpr bool hasOptions<BlockRequest> = true;

}  // namespace calibscope::protocol
