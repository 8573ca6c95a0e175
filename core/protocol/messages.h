// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file_identity.h"
#include "core/base/range.h"
#include "core/compare/comparison.h"
#include "core/protocol/format_messages.h"
#include "core/protocol/host_messages.h"
#include "core/protocol/layer_messages.h"
#include "core/protocol/slice_messages.h"
#include "core/protocol/study_messages.h"
#include "core/recipes/diagnosis.h"
#include "core/recipes/outcome.h"
#include "core/stats/profile.h"
#include "core/stats/rule_use.h"
#include "core/stats/strip.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/tensor_ref.h"
#include "core/tensor/type_offer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Requests of the application to the engine, and its answers. Every request names its file: an
/// engine that was started anew needs no history. How these travel is in wire.h.
namespace calibscope::protocol {

struct OpenRequest
{
    std::string path;
    bool allowExternal = false;  ///< links and raw data in other files are followed
};

struct DumpOpened
{
    FileIdentity identity;
    std::map<std::string, std::string> attributes;  ///< of the root
    std::vector<std::string> warnings;
    std::vector<RuleUse> rules;  ///< by which the tensors were understood, in the rules' order
    std::vector<TensorInfo> tensors;
    std::optional<bool> isGrowing = {};    ///< its writer has it open; nothing: not known
    std::optional<std::string> file = {};  ///< device and inode; nothing: not known
};

/// Everything to show of one tensor.
struct ViewRequest
{
    TensorRef tensor;
    std::vector<HistogramSpec> histograms;
    std::vector<Choice> choices;
    bool exactMetrics = true;  ///< false: estimated where that is within 0.1 dB, else exact
    bool channelMetrics = false;
    bool curves = true;  ///< false: outcomes without curves and traces
};

struct TensorView
{
    TensorProfile profile;          ///< of the part, with its sketch
    std::vector<Outcome> outcomes;  ///< in the order of the choices
    std::optional<TypeOffer> typeOffer;
};

/// The little that a row of the tensor list shows.
struct PreviewRequest
{
    TensorRef tensor;
    std::optional<Choice> choice;  ///< whose SQNR is wanted
};

struct Preview
{
    Extents extents;
    std::vector<double>
        sparkline;  ///< counts in 32 equal columns of [min, max], estimated from the sketch
    std::optional<double> sqnrDb;              ///< nothing, too, where no finite value is but 0
    std::vector<std::string> notes;            ///< of the choice's outcome
    std::vector<TensorFinding> findings = {};  ///< what is odd about it, as diagnosed()
};

using calibscope::Strip;
using calibscope::StripRows;

/// Where the values of each channel, or of each batch, lie.
struct StripRequest
{
    TensorRef tensor;
    StripRows rows = StripRows::Channel;
    Domain domain = Domain::Magnitude;
    std::uint64_t columns = 256;
    std::optional<Range> range;  ///< none: of all finite values, from 0 for magnitudes
};

/// How a tensor differs between two dumps, and what the scales of `a` do to the values of `b`.
struct CompareRequest
{
    TensorRef a;
    TensorRef b;
    std::vector<Choice> choices;
    bool exactMetrics = true;  ///< as in ViewRequest
};

struct Compared
{
    Extents a;
    Extents b;
    TensorComparison comparison;  ///< without curves and traces
    /// Counts in 32 equal columns from the least value of both to the greatest, as sparkline().
    std::vector<double> countsA = {};
    std::vector<double> countsB = {};
};

/// Another tool's file of scales beside the tensors of one dump.
struct ImportRequest
{
    std::string path;                ///< of the file
    std::vector<TensorRef> tensors;  ///< that its names may mean
    std::string model = {};          ///< ONNX model whose names the file has; empty: none is known
};

/// A file's entry for a name.
struct ImportedEntry
{
    std::string name;
    std::uint64_t line = 0;               ///< 0: not known
    std::optional<std::uint64_t> tensor;  ///< place in the request's list; nothing: none was found
    std::uint64_t channels = 0;           ///< that have a scale each; 0: one for the tensor
    /// Nothing where it has no value that could be read; of channels the widest one's.
    std::optional<Range> range;
    bool isSymmetric = false;  ///< the range is a threshold's
    /// Of each channel, where the tensor has as many and all can be drawn; else empty.
    std::vector<Range> channelRanges;
    std::optional<double> deviation;     ///< of its wider end from the data's, relative
    std::optional<double> clippedShare;  ///< of the values
    Findings findings;                   ///< reasons to doubt what the file says
};

struct ImportedFile
{
    std::string format;  ///< title
    std::vector<ImportedEntry> entries;
    Findings findings;  ///< of the file as a whole, and of tensors that it lacks
};

/// Inputs and outputs of an ONNX model, for a dump.
struct PortsRequest
{
    std::string path;            ///< of the dump
    bool allowExternal = false;  ///< as in OpenRequest
    std::string model;
};

struct ModelPorts
{
    std::vector<std::string> unrecorded;  ///< inputs that the dump does not hold
    std::vector<std::string> outputs;
    bool operator==(const ModelPorts&) const = default;
};

/// The protocol's methods, each by what it asks: its name, and what comes back.
template <typename Request>
struct Method;

template <>
struct Method<OpenRequest>
{
    static constexpr std::string_view name = "open";
    using Result = DumpOpened;
};

template <>
struct Method<ViewRequest>
{
    static constexpr std::string_view name = "view";
    using Result = TensorView;
};

template <>
struct Method<PreviewRequest>
{
    static constexpr std::string_view name = "preview";
    using Result = Preview;
};

template <>
struct Method<StripRequest>
{
    static constexpr std::string_view name = "strip";
    using Result = Strip;
};

template <>
struct Method<CompareRequest>
{
    static constexpr std::string_view name = "compare";
    using Result = Compared;
};

template <>
struct Method<ImportRequest>
{
    static constexpr std::string_view name = "import";
    using Result = ImportedFile;
};

template <>
struct Method<PortsRequest>
{
    static constexpr std::string_view name = "ports";
    using Result = ModelPorts;
};

template <>
struct Method<LayersRequest>
{
    static constexpr std::string_view name = "layers";
    using Result = LayerList;
};

template <>
struct Method<LayerRequest>
{
    static constexpr std::string_view name = "layer";
    using Result = LayerResult;
};

template <>
struct Method<LayerTrialsRequest>
{
    static constexpr std::string_view name = "layer-trials";
    using Result = LayerCandidates;
};

template <>
struct Method<OperandTrialsRequest>
{
    static constexpr std::string_view name = "operandTrials";
    using Result = OperandTrials;
};

template <>
struct Method<EqualizationsRequest>
{
    static constexpr std::string_view name = "equalizations";
    using Result = Equalizations;
};

template <>
struct Method<StudyRequest>
{
    static constexpr std::string_view name = "study";
    using Result = Studied;
};

template <>
struct Method<SliceRequest>
{
    static constexpr std::string_view name = "slice";
    using Result = Slice;
};

template <>
struct Method<LocateRequest>
{
    static constexpr std::string_view name = "locate";
    using Result = FoundValues;
};

template <>
struct Method<ExtremeRequest>
{
    static constexpr std::string_view name = "extreme";
    using Result = SampleExtreme;
};

template <>
struct Method<RateRequest>
{
    static constexpr std::string_view name = "rate";
    using Result = Rated;
};

template <>
struct Method<BlockRequest>
{
    static constexpr std::string_view name = "block";
    using Result = EncodedBlock;
};

template <>
struct Method<FormatMapRequest>
{
    static constexpr std::string_view name = "format-map";
    using Result = FormatMap;
};

template <>
struct Method<HelloRequest>
{
    static constexpr std::string_view name = "hello";
    using Result = Hello;
};

template <>
struct Method<FolderRequest>
{
    static constexpr std::string_view name = "folder";
    using Result = FolderPage;
};

template <>
struct Method<IdentifyRequest>
{
    static constexpr std::string_view name = "identify";
    using Result = IdentifiedFile;
};

template <>
struct Method<DigestRequest>
{
    static constexpr std::string_view name = "digest";
    using Result = DigestedFile;
};

template <typename Request>
using ResultOf = typename Method<Request>::Result;

template <typename... Requests>
struct MethodList
{
};

/// All of them.
using AllMethods =
    MethodList<OpenRequest, ViewRequest, PreviewRequest, StripRequest, CompareRequest,
               ImportRequest, PortsRequest, LayersRequest, LayerRequest, LayerTrialsRequest,
               OperandTrialsRequest, EqualizationsRequest, StudyRequest, SliceRequest,
               LocateRequest, ExtremeRequest, RateRequest, BlockRequest, FormatMapRequest,
               HelloRequest, FolderRequest, IdentifyRequest, DigestRequest>;

}  // namespace calibscope::protocol
