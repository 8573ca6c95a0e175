#include "core/protocol/codec.h"

#include "core/protocol/codec/stats_fields.h"
#include "core/protocol/codec/table.h"
#include "core/protocol/messages.h"
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
struct Fields<MetricBounds>
{
    using S = MetricBounds;
    static constexpr auto list = std::tuple{Field{"least", &S::least}, Field{"most", &S::most}};
};

template <>
struct Fields<ScaleRow>
{
    using S = ScaleRow;
    static constexpr auto list = std::tuple{
        Field{"clip", &S::clip},       Field{"quantizer", &S::quantizer},
        Field{"extents", &S::extents}, Field{"metrics", &S::metrics},
        Field{"bounds", &S::bounds},   Field{"notes", &S::notes},
        Field{"isExact", &S::isExact}, Field{"hasExactMetrics", &S::hasExactMetrics},
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

template <>
struct Fields<OpenRequest>
{
    static constexpr auto list = std::tuple{Field{"path", &OpenRequest::path},
                                            Field{"allowExternal", &OpenRequest::allowExternal}};
};

template <>
struct Fields<DumpOpened>
{
    using S = DumpOpened;
    static constexpr auto list = std::tuple{
        Field{"identity", &S::identity}, Field{"attributes", &S::attributes},
        Field{"warnings", &S::warnings}, Field{"rules", &S::rules}, Field{"tensors", &S::tensors}};
};

template <>
struct Fields<ViewRequest>
{
    using S = ViewRequest;
    static constexpr auto list = std::tuple{
        Field{"tensor", &S::tensor},
        Field{"histograms", &S::histograms},
        Field{"choices", &S::choices},
        Field{"exactMetrics", &S::exactMetrics},
        Field{"channelMetrics", &S::channelMetrics},
        Field{"curves", &S::curves},
    };
};

template <>
struct Fields<TensorView>
{
    using S = TensorView;
    static constexpr auto list =
        std::tuple{Field{"profile", &S::profile}, Field{"outcomes", &S::outcomes},
                   Field{"typeOffer", &S::typeOffer}};
};

template <>
struct Fields<PreviewRequest>
{
    using S = PreviewRequest;
    static constexpr auto list =
        std::tuple{Field{"tensor", &S::tensor}, Field{"choice", &S::choice}};
};

template <>
struct Fields<Preview>
{
    using S = Preview;
    static constexpr auto list =
        std::tuple{Field{"extents", &S::extents}, Field{"sparkline", &S::sparkline},
                   Field{"sqnrDb", &S::sqnrDb}, Field{"notes", &S::notes}};
};

template <>
constexpr int enumCount<StripRows> = 2;

template <>
struct Fields<StripRequest>
{
    using S = StripRequest;
    static constexpr auto list = std::tuple{
        Field{"tensor", &S::tensor},   Field{"rows", &S::rows},   Field{"domain", &S::domain},
        Field{"columns", &S::columns}, Field{"range", &S::range},
    };
};

template <>
struct Fields<CompareRequest>
{
    using S = CompareRequest;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"choices", &S::choices},
                   Field{"exactMetrics", &S::exactMetrics}};
};

template <>
struct Fields<Drift>
{
    using S = Drift;
    static constexpr auto list = std::tuple{
        Field{"maxRatio", &S::maxRatio},           Field{"earthMover", &S::earthMover},
        Field{"earthMoverBar", &S::earthMoverBar}, Field{"earthMoverShare", &S::earthMoverShare},
        Field{"klDivergence", &S::klDivergence},   Field{"klBound", &S::klBound}};
};

template <>
struct Fields<TransferredScales>
{
    using S = TransferredScales;
    static constexpr auto list = std::tuple{
        Field{"metrics", &S::metrics}, Field{"bounds", &S::bounds}, Field{"isExact", &S::isExact}};
};

template <>
struct Fields<ChoiceComparison>
{
    using S = ChoiceComparison;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"transferred", &S::transferred},
                   Field{"whyNotTransferred", &S::whyNotTransferred}};
};

template <>
struct Fields<TensorComparison>
{
    using S = TensorComparison;
    static constexpr auto list =
        std::tuple{Field{"drift", &S::drift}, Field{"choices", &S::choices}};
};

template <>
struct Fields<Compared>
{
    using S = Compared;
    static constexpr auto list =
        std::tuple{Field{"a", &S::a}, Field{"b", &S::b}, Field{"comparison", &S::comparison}};
};

template <typename T>
Json encode(const T& message)
{
    return write(message);
}

template <typename T>
T decode(const Json& json)
{
    T message;
    read(json, message, Where{nullptr, "content"});
    return message;
}

template Json encode(const OpenRequest&);
template Json encode(const DumpOpened&);
template Json encode(const ViewRequest&);
template Json encode(const TensorView&);
template Json encode(const PreviewRequest&);
template Json encode(const Preview&);
template Json encode(const StripRequest&);
template Json encode(const Strip&);
template Json encode(const CompareRequest&);
template Json encode(const Compared&);

template OpenRequest decode(const Json&);
template DumpOpened decode(const Json&);
template ViewRequest decode(const Json&);
template TensorView decode(const Json&);
template PreviewRequest decode(const Json&);
template Preview decode(const Json&);
template StripRequest decode(const Json&);
template Strip decode(const Json&);
template CompareRequest decode(const Json&);
template Compared decode(const Json&);

}  // namespace calibscope::protocol
