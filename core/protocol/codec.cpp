// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec.h"

#include "core/protocol/codec/format_fields.h"
#include "core/protocol/codec/host_fields.h"
#include "core/protocol/codec/layer_fields.h"
#include "core/protocol/codec/slice_fields.h"
#include "core/protocol/codec/stats_fields.h"
#include "core/protocol/codec/table.h"
#include "core/protocol/messages.h"
#include "core/recipes/outcome.h"

#include <algorithm>

namespace calibscope::protocol {

template <>
constexpr int enumCount<Rounding> = 3;
template <>
constexpr bool isTableRow<ScaleRow> = true;

template <>
inline constexpr auto fieldsOf<ClipChoice> =
    std::tuple{Field{"threshold", &ClipChoice::threshold}, Field{"range", &ClipChoice::range}};

template <>
inline constexpr auto fieldsOf<Quantizer> = std::tuple{
    Field{"scale", &Quantizer::scale},
    Field{"zeroPoint", &Quantizer::zeroPoint},
    Field{"clip", &Quantizer::clip},
    Field{"lowLevel", &Quantizer::lowLevel},
    Field{"highLevel", &Quantizer::highLevel},
    Field{"rounding", &Quantizer::rounding},
    Field{"roundsWithZeroPoint", &Quantizer::roundsWithZeroPoint},
};

inline void check(const Quantizer& quantizer, const Where& where)
{
    if (quantizer.lowLevel > quantizer.highLevel)
        where.fail("has its lowest level above its highest");
}

template <>
inline constexpr auto fieldsOf<MetricBounds> =
    std::tuple{Field{"least", &MetricBounds::least}, Field{"most", &MetricBounds::most}};

template <>
inline constexpr auto fieldsOf<ScaleRow> = std::tuple{
    Field{"clip", &ScaleRow::clip},       Field{"quantizer", &ScaleRow::quantizer},
    Field{"extents", &ScaleRow::extents}, Field{"metrics", &ScaleRow::metrics},
    Field{"bounds", &ScaleRow::bounds},   SentenceField{"notes", &ScaleRow::notes},
    Field{"isExact", &ScaleRow::isExact}, Field{"hasExactMetrics", &ScaleRow::hasExactMetrics},
};

template <>
inline constexpr auto fieldsOf<CurvePart> =
    std::tuple{Field{"name", &CurvePart::name}, Field{"value", &CurvePart::value}};

template <>
inline constexpr auto fieldsOf<Curve> = std::tuple{
    Field{"objective", &Curve::objective}, Field{"unit", &Curve::unit},
    Field{"threshold", &Curve::threshold}, Field{"value", &Curve::value},
    Field{"chosen", &Curve::chosen},       Field{"ties", &Curve::ties},
    Field{"plateau", &Curve::plateau},     Field{"runnerUp", &Curve::runnerUp},
    Field{"chosenLow", &Curve::chosenLow}, Field{"parts", &Curve::parts},
};

inline void check(const Curve& curve, const Where& where)
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

template <>
inline constexpr auto fieldsOf<Trace> = std::tuple{
    Field{"objective", &Trace::objective},   Field{"unit", &Trace::unit},
    Field{"scale", &Trace::scale},           Field{"error", &Trace::error},
    Field{"iterations", &Trace::iterations}, Field{"hasConverged", &Trace::hasConverged},
    Field{"gridScale", &Trace::gridScale},   Field{"gridError", &Trace::gridError},
};

inline void check(const Trace& trace, const Where& where)
{
    if (trace.error.size() != trace.scale.size())
        where.fail("has another count of errors than of scales");
}

template <>
inline constexpr auto fieldsOf<Outcome> = std::tuple{
    FileField{"file", &Outcome::file},
    Field{"tensor", &Outcome::tensor},
    Field{"role", &Outcome::role},
    Field{"op", &Outcome::op},
    Field{"choice", &Outcome::choice},
    Field{"histogram", &Outcome::histogram},
    Field{"whole", &Outcome::whole},
    Field{"channels", &Outcome::channels},
    Field{"curve", &Outcome::curve},
    Field{"trace", &Outcome::trace},
    Field{"channelTraces", &Outcome::channelTraces},
    SentenceField{"problem", &Outcome::problem},
    Field{"channel", &Outcome::channel},
};

template <>
inline constexpr auto fieldsOf<OpenRequest> = std::tuple{
    FileField{"path", &OpenRequest::path}, Field{"allowExternal", &OpenRequest::allowExternal}};

template <>
inline constexpr auto fieldsOf<DumpOpened> =
    std::tuple{Field{"identity", &DumpOpened::identity},
               SentenceField{"attributes", &DumpOpened::attributes},
               SentenceField{"warnings", &DumpOpened::warnings},
               Field{"rules", &DumpOpened::rules},
               Field{"tensors", &DumpOpened::tensors},
               Field{"isGrowing", &DumpOpened::isGrowing},
               Field{"file", &DumpOpened::file}};

template <>
inline constexpr auto fieldsOf<ViewRequest> = std::tuple{
    Field{"tensor", &ViewRequest::tensor},
    Field{"histograms", &ViewRequest::histograms},
    Field{"choices", &ViewRequest::choices},
    Field{"exactMetrics", &ViewRequest::exactMetrics},
    Field{"channelMetrics", &ViewRequest::channelMetrics},
    Field{"curves", &ViewRequest::curves},
};

template <>
inline constexpr auto fieldsOf<TensorView> =
    std::tuple{Field{"profile", &TensorView::profile}, Field{"outcomes", &TensorView::outcomes},
               Field{"typeOffer", &TensorView::typeOffer}};

template <>
inline constexpr auto fieldsOf<PreviewRequest> =
    std::tuple{Field{"tensor", &PreviewRequest::tensor}, Field{"choice", &PreviewRequest::choice}};

template <>
inline constexpr auto fieldsOf<Preview> =
    std::tuple{Field{"extents", &Preview::extents}, Field{"sparkline", &Preview::sparkline},
               Field{"sqnrDb", &Preview::sqnrDb}, SentenceField{"notes", &Preview::notes},
               Field{"findings", &Preview::findings}};

template <>
constexpr int enumCount<StripRows> = 2;

template <>
inline constexpr auto fieldsOf<StripRequest> = std::tuple{
    Field{"tensor", &StripRequest::tensor}, Field{"rows", &StripRequest::rows},
    Field{"domain", &StripRequest::domain}, Field{"columns", &StripRequest::columns},
    Field{"range", &StripRequest::range},
};

template <>
inline constexpr auto fieldsOf<CompareRequest> =
    std::tuple{Field{"a", &CompareRequest::a}, Field{"b", &CompareRequest::b},
               Field{"choices", &CompareRequest::choices},
               Field{"exactMetrics", &CompareRequest::exactMetrics}};

template <>
inline constexpr auto fieldsOf<Drift> =
    std::tuple{Field{"maxRatio", &Drift::maxRatio},
               Field{"earthMover", &Drift::earthMover},
               Field{"earthMoverBar", &Drift::earthMoverBar},
               Field{"earthMoverShare", &Drift::earthMoverShare},
               Field{"klDivergence", &Drift::klDivergence},
               Field{"klBound", &Drift::klBound}};

template <>
inline constexpr auto fieldsOf<TransferredScales> =
    std::tuple{Field{"metrics", &TransferredScales::metrics},
               Field{"bounds", &TransferredScales::bounds},
               Field{"isExact", &TransferredScales::isExact}};

template <>
inline constexpr auto fieldsOf<ChoiceComparison> =
    std::tuple{Field{"a", &ChoiceComparison::a}, Field{"b", &ChoiceComparison::b},
               Field{"transferred", &ChoiceComparison::transferred},
               SentenceField{"whyNotTransferred", &ChoiceComparison::whyNotTransferred}};

template <>
inline constexpr auto fieldsOf<TensorComparison> = std::tuple{
    Field{"drift", &TensorComparison::drift}, Field{"choices", &TensorComparison::choices}};

template <>
inline constexpr auto fieldsOf<Compared> = std::tuple{
    Field{"a", &Compared::a},
    Field{"b", &Compared::b},
    Field{"comparison", &Compared::comparison},
    Field{"countsA", &Compared::countsA},
    Field{"countsB", &Compared::countsB},
};

template <>
inline constexpr auto fieldsOf<ImportRequest> =
    std::tuple{FileField{"path", &ImportRequest::path}, Field{"tensors", &ImportRequest::tensors},
               FileField{"model", &ImportRequest::model}};

template <>
inline constexpr auto fieldsOf<Finding> =
    std::tuple{Field{"level", &Finding::level}, SentenceField{"text", &Finding::text}};

template <>
inline constexpr auto fieldsOf<ImportedEntry> =
    std::tuple{Field{"name", &ImportedEntry::name},
               Field{"line", &ImportedEntry::line},
               Field{"tensor", &ImportedEntry::tensor},
               Field{"channels", &ImportedEntry::channels},
               Field{"range", &ImportedEntry::range},
               Field{"isSymmetric", &ImportedEntry::isSymmetric},
               Field{"channelRanges", &ImportedEntry::channelRanges},
               Field{"deviation", &ImportedEntry::deviation},
               Field{"clippedShare", &ImportedEntry::clippedShare},
               Field{"findings", &ImportedEntry::findings}};

template <>
inline constexpr auto fieldsOf<ImportedFile> =
    std::tuple{Field{"format", &ImportedFile::format}, Field{"entries", &ImportedFile::entries},
               Field{"findings", &ImportedFile::findings}};

template <>
inline constexpr auto fieldsOf<PortsRequest> =
    std::tuple{FileField{"path", &PortsRequest::path},
               Field{"allowExternal", &PortsRequest::allowExternal},
               FileField{"model", &PortsRequest::model}};

template <>
inline constexpr auto fieldsOf<ModelPorts> = std::tuple{
    Field{"unrecorded", &ModelPorts::unrecorded}, Field{"outputs", &ModelPorts::outputs}};

template <>
inline constexpr bool hasOptions<OpenRequest> = true;
template <>
inline constexpr bool hasOptions<ViewRequest> = true;
template <>
inline constexpr bool hasOptions<PreviewRequest> = true;
template <>
inline constexpr bool hasOptions<StripRequest> = true;
template <>
inline constexpr bool hasOptions<CompareRequest> = true;
template <>
inline constexpr bool hasOptions<ImportRequest> = true;
template <>
inline constexpr bool hasOptions<PortsRequest> = true;

template <typename Message>
Json MessageCodec<Message>::encode(const Message& message)
{
    return write(message);
}

template <typename Message>
Message MessageCodec<Message>::decode(const Json& json)
{
    Message message;
    read(json, message, Where{nullptr, "content"});
    return message;
}

template <typename Message>
void MessageCodec<Message>::visitFiles(Message& message, const FileVisitor& visit)
{
    visitFilesOf(message, [&visit](std::string& file) {
        if (!file.empty())
            visit(file);
    });
}

template struct MessageCodec<OpenRequest>;
template struct MessageCodec<DumpOpened>;
template struct MessageCodec<ViewRequest>;
template struct MessageCodec<TensorView>;
template struct MessageCodec<PreviewRequest>;
template struct MessageCodec<Preview>;
template struct MessageCodec<StripRequest>;
template struct MessageCodec<Strip>;
template struct MessageCodec<CompareRequest>;
template struct MessageCodec<Compared>;
template struct MessageCodec<ImportRequest>;
template struct MessageCodec<ImportedFile>;
template struct MessageCodec<PortsRequest>;
template struct MessageCodec<ModelPorts>;
template struct MessageCodec<LayersRequest>;
template struct MessageCodec<LayerList>;
template struct MessageCodec<LayerRequest>;
template struct MessageCodec<LayerResult>;
template struct MessageCodec<LayerTrialsRequest>;
template struct MessageCodec<OperandTrialsRequest>;
template struct MessageCodec<OperandTrials>;
template struct MessageCodec<LayerCandidates>;
template struct MessageCodec<EqualizationsRequest>;
template struct MessageCodec<Equalizations>;
template struct MessageCodec<StudyRequest>;
template struct MessageCodec<Studied>;
template struct MessageCodec<SliceRequest>;
template struct MessageCodec<Slice>;
template struct MessageCodec<LocateRequest>;
template struct MessageCodec<FoundValues>;
template struct MessageCodec<ExtremeRequest>;
template struct MessageCodec<SampleExtreme>;
template struct MessageCodec<RateRequest>;
template struct MessageCodec<Rated>;
template struct MessageCodec<BlockRequest>;
template struct MessageCodec<EncodedBlock>;
template struct MessageCodec<FormatMapRequest>;
template struct MessageCodec<FormatMap>;
template struct MessageCodec<HelloRequest>;
template struct MessageCodec<Hello>;
template struct MessageCodec<FolderRequest>;
template struct MessageCodec<FolderPage>;
template struct MessageCodec<IdentifyRequest>;
template struct MessageCodec<IdentifiedFile>;
template struct MessageCodec<DigestRequest>;
template struct MessageCodec<DigestedFile>;

}  // namespace calibscope::protocol
