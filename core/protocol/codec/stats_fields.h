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
constexpr int enumCount<Role> = 3;
template <>
constexpr int enumCount<Domain> = 2;
template <>
constexpr int enumCount<ElementKind> = 18;
template <>
constexpr int enumCount<Unreadable::Reason> = 6;
template <>
constexpr bool isTableRow<Extents> = true;

template <>
struct Fields<FileIdentity>
{
    using S = FileIdentity;
    static constexpr auto list = std::tuple{
        Field{"path", &S::path}, Field{"bytes", &S::bytes}, Field{"modified", &S::modified},
        Field{"sha256", &S::sha256}, Field{"headerSha256", &S::headerSha256}};
};

template <>
struct Fields<Range>
{
    static constexpr auto list = std::tuple{Field{"low", &Range::low}, Field{"high", &Range::high}};
};

template <>
struct Fields<Unreadable>
{
    static constexpr auto list =
        std::tuple{Field{"reason", &Unreadable::reason}, Field{"sentence", &Unreadable::sentence}};
};

template <>
struct Fields<TensorInfo>
{
    using S = TensorInfo;
    static constexpr auto list = std::tuple{
        Field{"name", &S::name},
        Field{"path", &S::path},
        Field{"otherPaths", &S::otherPaths},
        Field{"role", &S::role},
        Field{"elementType", &S::elementType},
        Field{"storedType", &S::storedType},
        Field{"otherTypes", &S::otherTypes},
        Field{"lossy", &S::lossy},
        Field{"shape", &S::shape},
        Field{"parts", &S::parts},
        Field{"batchAxis", &S::batchAxis},
        Field{"batchSize", &S::batchSize},
        Field{"channelAxis", &S::channelAxis},
        Field{"op", &S::op},
        Field{"inputs", &S::inputs},
        Field{"layout", &S::layout},
        Field{"layoutRule", &S::layoutRule},
        Field{"evidence", &S::evidence},
        Field{"isGuess", &S::isGuess},
        Field{"compression", &S::compression},
        Field{"checksum", &S::checksum},
        Field{"isBeside", &S::isBeside},
        Field{"unreadable", &S::unreadable},
    };
    static void check(const TensorInfo& info, const Where& where)
    {
        const auto isAxis = [&info](std::optional<int> axis) {
            return !axis || (*axis >= 0 && static_cast<std::size_t>(*axis) < info.shape.size());
        };
        if (!isAxis(info.batchAxis) || !isAxis(info.channelAxis))
            where.fail("names an axis that the shape does not have");
    }
};

template <>
struct Fields<RuleUse>
{
    using S = RuleUse;
    static constexpr auto list =
        std::tuple{Field{"id", &S::id}, Field{"title", &S::title}, Field{"tensors", &S::tensors},
                   Field{"guesses", &S::guesses}};
};

template <>
struct Fields<LayoutOverride>
{
    using S = LayoutOverride;
    static constexpr auto list = std::tuple{
        Field{"role", &S::role},
        Field{"batchAxis", &S::batchAxis},
        Field{"batchSize", &S::batchSize},
        Field{"channelAxis", &S::channelAxis},
        Field{"elementType", &S::elementType},
    };
};

template <>
struct Fields<TensorPart>
{
    using S = TensorPart;
    static constexpr auto list =
        std::tuple{Field{"channel", &S::channel}, Field{"batches", &S::batches}};
    static void check(const TensorPart& part, const Where& where)
    {
        if (part.batches == 0U)
            where.fail("asks for no batch");
    }
};

template <>
struct Fields<TensorRef>
{
    using S = TensorRef;
    static constexpr auto list = std::tuple{
        Field{"file", &S::file}, Field{"allowExternal", &S::allowExternal},
        Field{"index", &S::index}, Field{"layout", &S::layoutOverride}, Field{"part", &S::part}};
};

template <>
struct Fields<TypeOffer>
{
    using S = TypeOffer;
    static constexpr auto list =
        std::tuple{Field{"elementType", &S::elementType}, Field{"reason", &S::reason}};
};

template <>
struct Fields<Extents>
{
    using S = Extents;
    static constexpr auto list = std::tuple{
        Field{"finite", &S::finite},
        Field{"zeros", &S::zeros},
        Field{"nan", &S::nan},
        Field{"positiveInf", &S::positiveInf},
        Field{"negativeInf", &S::negativeInf},
        Field{"min", &S::min},
        Field{"max", &S::max},
        Field{"absMin", &S::absMin},
        Field{"absSecond", &S::absSecond},
        Field{"atMin", &S::atMin},
        Field{"atMax", &S::atMax},
        Field{"overflowed", &S::overflowed},
        Field{"underflowed", &S::underflowed},
        Field{"roundedIntegers", &S::roundedIntegers},
    };
};

template <>
struct Fields<Moments>
{
    using S = Moments;
    static constexpr auto list = std::tuple{
        Field{"extents", &S::extents}, Field{"sum", &S::sum}, Field{"sumSquares", &S::sumSquares},
        Field{"mean", &S::mean},       Field{"m2", &S::m2},   Field{"m3", &S::m3},
        Field{"m4", &S::m4},
    };
};

template <>
struct Fields<FirstNotFinite>
{
    using S = FirstNotFinite;
    static constexpr auto list = std::tuple{Field{"nan", &S::nan}, Field{"infinite", &S::infinite}};
};

template <>
struct Fields<HistogramSpec>
{
    using S = HistogramSpec;
    static constexpr auto list = std::tuple{Field{"growth", &S::growth}, Field{"bins", &S::bins},
                                            Field{"domain", &S::domain}};
    static void check(const HistogramSpec& spec, const Where& where)
    {
        if (spec.bins < 1)
            where.fail("asks for a histogram without bins");
    }
};

/// Without a tool's own edges: they are those of equal bins but for the rounding to float32.
template <>
struct Fields<Histogram>
{
    using S = Histogram;
    static constexpr auto list = std::tuple{
        Field{"spec", &S::spec},     Field{"low", &S::low},     Field{"high", &S::high},
        Field{"counts", &S::counts}, Field{"notes", &S::notes}, Field{"leftOut", &S::leftOut}};
    static void check(const Histogram& histogram, const Where& where)
    {
        if (histogram.counts.empty())
            where.fail("is a histogram without bins");
    }
};

template <>
struct Fields<OrderRequest>
{
    using S = OrderRequest;
    static constexpr auto list = std::tuple{Field{"domain", &S::domain}, Field{"rank", &S::rank}};
};

template <>
struct Fields<OrderStatistic>
{
    using S = OrderStatistic;
    static constexpr auto list =
        std::tuple{Field{"request", &S::request}, Field{"value", &S::value}};
};

template <>
struct Fields<TensorProfile>
{
    using S = TensorProfile;
    static constexpr auto list = std::tuple{Field{"info", &S::info},
                                            Field{"moments", &S::moments},
                                            Field{"firstNotFinite", &S::firstNotFinite},
                                            Field{"batches", &S::batches},
                                            Field{"channels", &S::channels},
                                            Field{"sketch", &S::sketch},
                                            Field{"histograms", &S::histograms},
                                            Field{"orders", &S::orders}};
};

}  // namespace calibscope::protocol
