// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec/stats_fields.h"
#include "core/protocol/messages.h"
#include "core/stats/slice.h"

namespace calibscope::protocol {

template <>
inline constexpr auto fieldsOf<MarkedValues> =
    std::tuple{Field{"domain", &MarkedValues::domain}, Field{"range", &MarkedValues::range}};

template <>
inline constexpr auto fieldsOf<SliceQuestion> = std::tuple{
    Field{"rowAxis", &SliceQuestion::rowAxis},
    Field{"columnAxis", &SliceQuestion::columnAxis},
    Field{"at", &SliceQuestion::at},
    Field{"firstRow", &SliceQuestion::firstRow},
    Field{"rowCount", &SliceQuestion::rowCount},
    Field{"firstColumn", &SliceQuestion::firstColumn},
    Field{"columnCount", &SliceQuestion::columnCount},
    Field{"rowStep", &SliceQuestion::rowStep},
    Field{"columnStep", &SliceQuestion::columnStep},
    Field{"clips", &SliceQuestion::clips},
    Field{"marked", &SliceQuestion::marked},
    Field{"mostBytes", &SliceQuestion::mostBytes},
};

template <>
inline constexpr auto fieldsOf<SliceRequest> =
    std::tuple{Field{"tensor", &SliceRequest::tensor}, Field{"question", &SliceRequest::question},
               Field{"isFirstLook", &SliceRequest::isFirstLook}};

template <>
inline constexpr auto fieldsOf<LocateRequest> =
    std::tuple{Field{"tensor", &LocateRequest::tensor}, Field{"marked", &LocateRequest::marked},
               Field{"most", &LocateRequest::most}};

template <>
inline constexpr auto fieldsOf<ExtremeRequest> =
    std::tuple{Field{"tensor", &ExtremeRequest::tensor}, Field{"choice", &ExtremeRequest::choice}};

template <>
inline constexpr auto fieldsOf<LargestError> = std::tuple{
    Field{"sample", &LargestError::sample},  Field{"index", &LargestError::index},
    Field{"value", &LargestError::value},    Field{"error", &LargestError::error},
    Field{"scale", &LargestError::scale},    Field{"scaleWithout", &LargestError::scaleWithout},
    Field{"problem", &LargestError::problem}};

template <>
inline constexpr auto fieldsOf<SampleExtreme> =
    std::tuple{Field{"sample", &SampleExtreme::sample}, Field{"index", &SampleExtreme::index},
               Field{"value", &SampleExtreme::value}, Field{"others", &SampleExtreme::others},
               Field{"error", &SampleExtreme::error}};

template <>
inline constexpr bool hasOptions<SliceRequest> = true;
template <>
inline constexpr bool hasOptions<LocateRequest> = true;
template <>
inline constexpr bool hasOptions<ExtremeRequest> = true;

// Defined in slice_fields.cpp.
[[nodiscard]] Json write(const FoundValues& found);
void read(const Json& json, FoundValues& found, const Where& where);

}  // namespace calibscope::protocol
