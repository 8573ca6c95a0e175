// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/range.h"
#include "core/protocol/codec/values.h"
#include "core/stats/profile.h"
#include "core/stats/rule_use.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/tensor_ref.h"
#include "core/tensor/type_offer.h"

namespace calibscope::protocol {

template <>
inline constexpr int enumCount<Role> = 4;
template <>
inline constexpr int enumCount<Domain> = 2;
template <>
inline constexpr int enumCount<ElementKind> = 18;
template <>
inline constexpr int enumCount<Unreadable::Reason> = 7;
template <>
inline constexpr bool isTableRow<Extents> = true;

template <>
inline constexpr auto fieldsOf<FileIdentity> =
    std::tuple{FileField{"path", &FileIdentity::path}, Field{"bytes", &FileIdentity::bytes},
               Field{"modified", &FileIdentity::modified}, Field{"sha256", &FileIdentity::sha256},
               Field{"headerSha256", &FileIdentity::headerSha256}};

template <>
inline constexpr auto fieldsOf<Range> =
    std::tuple{Field{"low", &Range::low}, Field{"high", &Range::high}};

template <>
inline constexpr auto fieldsOf<Unreadable> = std::tuple{
    Field{"reason", &Unreadable::reason}, SentenceField{"sentence", &Unreadable::sentence}};

template <>
inline constexpr auto fieldsOf<OpGeometry> = std::tuple{
    Field{"kernelShape", &OpGeometry::kernelShape},
    Field{"strides", &OpGeometry::strides},
    Field{"pads", &OpGeometry::pads},
    Field{"dilations", &OpGeometry::dilations},
    Field{"outputPadding", &OpGeometry::outputPadding},
    Field{"outputShape", &OpGeometry::outputShape},
    Field{"group", &OpGeometry::group},
    Field{"autoPad", &OpGeometry::autoPad},
    Field{"transA", &OpGeometry::transA},
    Field{"transB", &OpGeometry::transB},
    Field{"alpha", &OpGeometry::alpha},
    Field{"beta", &OpGeometry::beta},
};

template <>
inline constexpr auto fieldsOf<TensorMask> =
    std::tuple{Field{"path", &TensorMask::path}, Field{"counted", &TensorMask::counted},
               Field{"of", &TensorMask::of}, Field{"sha256", &TensorMask::sha256}};

inline void check(const TensorMask& mask, const Where& where)
{
    if (mask.counted > mask.of)
        where.fail("counts more values than there are");
}

template <>
inline constexpr bool leavesOutDefaults<TensorInfo> = true;
template <>
inline constexpr auto fieldsOf<TensorInfo> = std::tuple{
    Field{"name", &TensorInfo::name},
    Field{"path", &TensorInfo::path},
    Field{"otherPaths", &TensorInfo::otherPaths},
    Field{"role", &TensorInfo::role},
    Field{"elementType", &TensorInfo::elementType},
    Field{"storedType", &TensorInfo::storedType},
    Field{"otherTypes", &TensorInfo::otherTypes},
    SentenceField{"lossy", &TensorInfo::lossy},
    Field{"shape", &TensorInfo::shape},
    Field{"parts", &TensorInfo::parts},
    Field{"batchAxis", &TensorInfo::batchAxis},
    Field{"batchSize", &TensorInfo::batchSize},
    Field{"channelAxis", &TensorInfo::channelAxis},
    Field{"op", &TensorInfo::op},
    Field{"inputs", &TensorInfo::inputs},
    Field{"graphName", &TensorInfo::graphName},
    Field{"node", &TensorInfo::node},
    Field{"consumer", &TensorInfo::consumer},
    Field{"outputIndex", &TensorInfo::outputIndex},
    Field{"geometry", &TensorInfo::geometry},
    Field{"opAttributes", &TensorInfo::opAttributes},
    Field{"samples", &TensorInfo::samples},
    Field{"layout", &TensorInfo::layout},
    Field{"layoutRule", &TensorInfo::layoutRule},
    SentenceField{"evidence", &TensorInfo::evidence},
    Field{"isGuess", &TensorInfo::isGuess},
    Field{"compression", &TensorInfo::compression},
    Field{"checksum", &TensorInfo::checksum},
    Field{"doubts", &TensorInfo::doubts},
    Field{"isBeside", &TensorInfo::isBeside},
    Field{"mask", &TensorInfo::mask},
    Field{"unreadable", &TensorInfo::unreadable},
};

inline void check(const TensorInfo& info, const Where& where)
{
    const auto isAxis = [&info](std::optional<int> axis) {
        return !axis || (*axis >= 0 && static_cast<std::size_t>(*axis) < info.shape.size());
    };
    if (!isAxis(info.batchAxis) || !isAxis(info.channelAxis))
        where.fail("names an axis that the shape does not have");
}

template <>
inline constexpr auto fieldsOf<RuleUse> =
    std::tuple{Field{"id", &RuleUse::id}, SentenceField{"title", &RuleUse::title},
               Field{"tensors", &RuleUse::tensors}, Field{"guesses", &RuleUse::guesses}};

template <>
inline constexpr auto fieldsOf<LayoutOverride> = std::tuple{
    Field{"role", &LayoutOverride::role},
    Field{"batchAxis", &LayoutOverride::batchAxis},
    Field{"batchSize", &LayoutOverride::batchSize},
    Field{"channelAxis", &LayoutOverride::channelAxis},
    Field{"elementType", &LayoutOverride::elementType},
};

template <>
inline constexpr auto fieldsOf<TensorPart> =
    std::tuple{Field{"channel", &TensorPart::channel}, Field{"batches", &TensorPart::batches}};

inline void check(const TensorPart& part, const Where& where)
{
    if (part.batches == 0U)
        where.fail("asks for no batch");
}

template <>
inline constexpr auto fieldsOf<TensorRef> =
    std::tuple{FileField{"file", &TensorRef::file},
               Field{"allowExternal", &TensorRef::allowExternal}, Field{"index", &TensorRef::index},
               Field{"layout", &TensorRef::layoutOverride}, Field{"part", &TensorRef::part}};

template <>
inline constexpr auto fieldsOf<TypeOffer> = std::tuple{
    Field{"elementType", &TypeOffer::elementType}, SentenceField{"reason", &TypeOffer::reason}};

template <>
inline constexpr auto fieldsOf<Extents> = std::tuple{
    Field{"finite", &Extents::finite},
    Field{"zeros", &Extents::zeros},
    Field{"nan", &Extents::nan},
    Field{"positiveInf", &Extents::positiveInf},
    Field{"negativeInf", &Extents::negativeInf},
    Field{"min", &Extents::min},
    Field{"max", &Extents::max},
    Field{"absMin", &Extents::absMin},
    Field{"absSecond", &Extents::absSecond},
    Field{"atMin", &Extents::atMin},
    Field{"atMax", &Extents::atMax},
    Field{"overflowed", &Extents::overflowed},
    Field{"underflowed", &Extents::underflowed},
    Field{"roundedIntegers", &Extents::roundedIntegers},
};

template <>
inline constexpr auto fieldsOf<Moments> = std::tuple{
    Field{"extents", &Moments::extents},
    Field{"sum", &Moments::sum},
    Field{"sumSquares", &Moments::sumSquares},
    Field{"mean", &Moments::mean},
    Field{"m2", &Moments::m2},
    Field{"m3", &Moments::m3},
    Field{"m4", &Moments::m4},
};

template <>
inline constexpr auto fieldsOf<FirstNotFinite> =
    std::tuple{Field{"nan", &FirstNotFinite::nan}, Field{"infinite", &FirstNotFinite::infinite}};

template <>
inline constexpr auto fieldsOf<ZeroBlocks> =
    std::tuple{Field{"runs", &ZeroBlocks::runs}, Field{"values", &ZeroBlocks::values},
               Field{"otherRuns", &ZeroBlocks::otherRuns}};

template <>
inline constexpr auto fieldsOf<ConstantEnds> =
    std::tuple{Field{"axis", &ConstantEnds::axis}, Field{"values", &ConstantEnds::values}};

template <>
inline constexpr auto fieldsOf<HistogramSpec> =
    std::tuple{Field{"growth", &HistogramSpec::growth}, Field{"bins", &HistogramSpec::bins},
               Field{"domain", &HistogramSpec::domain}};

inline void check(const HistogramSpec& spec, const Where& where)
{
    if (spec.bins < 1)
        where.fail("asks for a histogram without bins");
}

/// Without a tool's own edges: they are those of equal bins but for the rounding to float32.
template <>
inline constexpr auto fieldsOf<Histogram> =
    std::tuple{Field{"spec", &Histogram::spec},           Field{"low", &Histogram::low},
               Field{"high", &Histogram::high},           Field{"counts", &Histogram::counts},
               SentenceField{"notes", &Histogram::notes}, Field{"leftOut", &Histogram::leftOut}};

inline void check(const Histogram& histogram, const Where& where)
{
    if (histogram.counts.empty())
        where.fail("is a histogram without bins");
}

template <>
inline constexpr auto fieldsOf<OrderRequest> =
    std::tuple{Field{"domain", &OrderRequest::domain}, Field{"rank", &OrderRequest::rank}};

template <>
inline constexpr auto fieldsOf<OrderStatistic> =
    std::tuple{Field{"request", &OrderStatistic::request}, Field{"value", &OrderStatistic::value}};

template <>
inline constexpr auto fieldsOf<TensorProfile> =
    std::tuple{Field{"info", &TensorProfile::info},
               Field{"moments", &TensorProfile::moments},
               Field{"firstNotFinite", &TensorProfile::firstNotFinite},
               Field{"zeroBlocks", &TensorProfile::zeroBlocks},
               Field{"constantEnds", &TensorProfile::constantEnds},
               Field{"batches", &TensorProfile::batches},
               Field{"channels", &TensorProfile::channels},
               Field{"sketch", &TensorProfile::sketch},
               Field{"histograms", &TensorProfile::histograms},
               Field{"orders", &TensorProfile::orders}};

}  // namespace calibscope::protocol
