#pragma once

#include "core/protocol/codec/stats_fields.h"
#include "core/recipes/outcome.h"

#include <algorithm>

namespace calibscope::protocol {

template <>
constexpr int enumCount<SchemeKind> = 4;
template <>
constexpr int enumCount<Divisor> = 4;
template <>
constexpr int enumCount<Rounding> = 3;
template <>
constexpr int enumCount<Arithmetic> = 3;
template <>
constexpr int enumCount<Integers> = 3;
template <>
constexpr int enumCount<ZeroPointRule> = 2;
template <>
constexpr int enumCount<Granularity> = 3;
template <>
constexpr bool isTableRow<ScaleRow> = true;

template <>
struct Fields<Scheme>
{
    using S = Scheme;
    static constexpr auto list = std::tuple{
        Field{"kind", &S::kind},
        Field{"bits", &S::bits},
        Field{"divisor", &S::divisor},
        Field{"rounding", &S::rounding},
        Field{"scaleFloor", &S::scaleFloor},
        Field{"zeroScale", &S::zeroScale},
        Field{"powerOfTwo", &S::powerOfTwo},
        Field{"unsignedWhenPositive", &S::unsignedWhenPositive},
        Field{"arithmetic", &S::arithmetic},
        Field{"integers", &S::integers},
        Field{"zeroPointRule", &S::zeroPointRule},
    };
    static void check(const Scheme& scheme, const Where& where)
    {
        if (scheme.bits < 2 || scheme.bits > 16)
            where.fail("has a count of bits that is not 2 to 16");
    }
};

template <>
struct Fields<RangeSource>
{
    using S = RangeSource;
    static constexpr auto list = std::tuple{
        Field{"tensor", &S::tensor},         Field{"path", &S::path},
        Field{"calibrator", &S::calibrator}, Field{"settings", &S::settings},
        Field{"scheme", &S::scheme},
    };
};

template <>
struct Fields<Choice>
{
    using S = Choice;
    static constexpr auto list = std::tuple{
        Field{"recipe", &S::recipe},
        Field{"preset", &S::preset},
        Field{"calibrator", &S::calibrator},
        Field{"settings", &S::settings},
        Field{"scheme", &S::scheme},
        Field{"granularity", &S::granularity},
        Field{"note", &S::note},
        Field{"rangeFrom", &S::rangeFrom},
    };
};

template <>
struct Fields<ClipChoice>
{
    using S = ClipChoice;
    static constexpr auto list =
        std::tuple{Field{"threshold", &S::threshold}, Field{"range", &S::range}};
};

template <>
struct Fields<Quantizer>
{
    using S = Quantizer;
    static constexpr auto list = std::tuple{
        Field{"scale", &S::scale},
        Field{"zeroPoint", &S::zeroPoint},
        Field{"clip", &S::clip},
        Field{"lowLevel", &S::lowLevel},
        Field{"highLevel", &S::highLevel},
        Field{"rounding", &S::rounding},
        Field{"roundsWithZeroPoint", &S::roundsWithZeroPoint},
    };
    static void check(const Quantizer& quantizer, const Where& where)
    {
        if (quantizer.lowLevel > quantizer.highLevel)
            where.fail("has its lowest level above its highest");
    }
};

template <>
struct Fields<ScaleRow>
{
    using S = ScaleRow;
    static constexpr auto list = std::tuple{
        Field{"clip", &S::clip},
        Field{"quantizer", &S::quantizer},
        Field{"extents", &S::extents},
        Field{"metrics", &S::metrics},
        Field{"notes", &S::notes},
        Field{"isExact", &S::isExact},
        Field{"hasExactMetrics", &S::hasExactMetrics},
    };
};

template <>
struct Fields<CurvePart>
{
    using S = CurvePart;
    static constexpr auto list = std::tuple{Field{"name", &S::name}, Field{"value", &S::value}};
};

template <>
struct Fields<Curve>
{
    using S = Curve;
    static constexpr auto list = std::tuple{
        Field{"objective", &S::objective}, Field{"unit", &S::unit},
        Field{"threshold", &S::threshold}, Field{"value", &S::value},
        Field{"chosen", &S::chosen},       Field{"ties", &S::ties},
        Field{"plateau", &S::plateau},     Field{"runnerUp", &S::runnerUp},
        Field{"chosenLow", &S::chosenLow}, Field{"parts", &S::parts},
    };
    static void check(const Curve& curve, const Where& where)
    {
        const std::size_t points = curve.threshold.size();
        if (curve.value.size() != points)
            where.fail("has another count of values than of thresholds");
        const auto isPoint = [points](std::size_t index) { return index < points; };
        if ((points > 0 && !isPoint(curve.chosen)) || !std::ranges::all_of(curve.ties, isPoint) ||
            (curve.runnerUp && !isPoint(*curve.runnerUp)) ||
            (curve.chosenLow && !isPoint(*curve.chosenLow)))
            where.fail("names a point that it does not hold");
        for (const CurvePart& part : curve.parts)
            if (part.value.size() != points)
                where.fail("has a part with another count of values than of thresholds");
    }
};

template <>
struct Fields<Trace>
{
    using S = Trace;
    static constexpr auto list = std::tuple{
        Field{"objective", &S::objective},   Field{"unit", &S::unit},
        Field{"scale", &S::scale},           Field{"error", &S::error},
        Field{"iterations", &S::iterations}, Field{"isSettled", &S::isSettled},
        Field{"gridScale", &S::gridScale},   Field{"gridError", &S::gridError},
    };
    static void check(const Trace& trace, const Where& where)
    {
        if (trace.error.size() != trace.scale.size())
            where.fail("has another count of errors than of scales");
    }
};

template <>
struct Fields<Outcome>
{
    using S = Outcome;
    static constexpr auto list = std::tuple{
        Field{"file", &S::file},
        Field{"tensor", &S::tensor},
        Field{"role", &S::role},
        Field{"op", &S::op},
        Field{"choice", &S::choice},
        Field{"histogram", &S::histogram},
        Field{"whole", &S::whole},
        Field{"channels", &S::channels},
        Field{"curve", &S::curve},
        Field{"trace", &S::trace},
        Field{"channelTraces", &S::channelTraces},
        Field{"problem", &S::problem},
        Field{"channel", &S::channel},
    };
};

}  // namespace calibscope::protocol
