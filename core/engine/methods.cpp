// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/methods.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/progress.h"
#include "core/collect/collect_profile.h"
#include "core/collect/collect_strip.h"
#include "core/collect/compare_tensors.h"
#include "core/collect/type_offer.h"
#include "core/deploy/check/check_feeds.h"
#include "core/deploy/imported_scales.h"
#include "core/deploy/names/dump_names.h"
#include "core/dump/file_check.h"
#include "core/engine/format_methods.h"
#include "core/engine/host_methods.h"
#include "core/engine/layer_methods.h"
#include "core/engine/shown.h"
#include "core/engine/slice_methods.h"
#include "core/engine/subject.h"
#include "core/model/model_file.h"
#include "core/protocol/codec.h"
#include "core/protocol/messages.h"
#include "core/recipes/make_choice.h"
#include "core/samples/study_samples.h"
#include "core/tensor/layout_override.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace calibscope::engine {

namespace {

using deploy::ImportedScale;

/// The tensors as they are to be understood.
std::vector<TensorInfo> understood(EngineMemory& memory, const protocol::ImportRequest& request,
                                   const Progress& progress)
{
    std::vector<TensorInfo> tensors;
    for (const TensorRef& tensor : request.tensors) {
        const auto dump = memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress);
        if (tensor.index >= dump->tensors.size())
            throw Error(Fault::Input, "{}: has fewer tensors than it had; open it again",
                        tensor.file);
        tensors.push_back(understoodAs(dump->tensors[tensor.index], tensor.layoutOverride));
    }
    return tensors;
}

/// What the names of the model are, if there is one: of the dump that the tensors are of.
exchange::EntryNaming namingOf(EngineMemory& memory, const protocol::ImportRequest& request,
                               const Progress& progress)
{
    if (request.model.empty() || request.tensors.empty())
        return {};
    const TensorRef& first = request.tensors.front();
    const auto dump = memory.dumps.asOpened(first.file, first.allowExternal, progress);
    const deploy::DumpedTensors tensors{
        .tensors = dump->tensors,
        .source = [&dump](const TensorInfo& understood) { return dump->source(understood, 0); }};
    return deploy::entryNaming(*model::ModelFile::read(request.model), tensors, {}, progress);
}

/// The value with the widest range, and whether it can be drawn.
void takeRange(protocol::ImportedEntry& told, const exchange::ScaleEntry& entry)
{
    for (const exchange::EntryValue& value : entry.values) {
        const double end = widestEnd(value);
        const double before =
            told.range ? std::max(std::fabs(told.range->low), std::fabs(told.range->high)) : -1.0;
        if (std::isfinite(value.range.low) && std::isfinite(value.range.high) && end > before &&
            value.range.low <= value.range.high) {
            told.range = value.range;
            told.isSymmetric = value.threshold || value.range.low == -value.range.high;
        }
    }
}

/// The ranges of all channels, if the tensor has as many and each can be drawn.
void takeChannelRanges(protocol::ImportedEntry& told, const ImportedScale& row)
{
    const std::vector<exchange::EntryValue>& values = row.entry->values;
    const auto isDrawable = [](const exchange::EntryValue& value) {
        return std::isfinite(value.range.low) && std::isfinite(value.range.high) &&
               value.range.low <= value.range.high;
    };
    if (!row.entry->isPerChannel || !row.tensor || row.tensor->channelCount() != values.size() ||
        !std::ranges::all_of(values, isDrawable))
        return;
    std::ranges::transform(values, std::back_inserter(told.channelRanges),
                           &exchange::EntryValue::range);
    told.isSymmetric = std::ranges::all_of(
        told.channelRanges, [](const Range& range) { return range.low == -range.high; });
}

protocol::ImportedEntry toldOf(const ImportedScale& row)
{
    const exchange::ScaleEntry& entry = *row.entry;
    protocol::ImportedEntry told{.name = entry.name,
                                 .line = entry.line,
                                 .channels = entry.isPerChannel ? entry.values.size() : 0,
                                 .deviation = row.fit.deviation,
                                 .clippedShare = row.fit.clippedShare,
                                 .findings = row.lints};
    takeRange(told, entry);
    takeChannelRanges(told, row);
    return told;
}

void weighIfReadable(EngineMemory& memory, const TensorRef& tensor, ImportedScale& row,
                     const Progress& progress)
{
    const std::optional<std::string> problem = inputProblem([&] {
        const Subject subject(memory, tensor, progress);
        weigh(row, subject.source, subject.profile, progress);
    });
    if (problem)
        row.lints.push_back({.level = FindingLevel::Warning, .text = *problem});
}

/// Another tool's file of scales beside the tensors of a dump. Profiles come from memory where they
/// are there; a tensor that can't be read is reported with its entry. Throws Error(Input) where the
/// file can't be read or understood, or a tensor's dump is no longer what was opened.
protocol::ImportedFile importedFile(EngineMemory& memory, const protocol::ImportRequest& request,
                                    const Progress& progress)
{
    const exchange::ScaleFile file = exchange::readScaleFile(request.path);
    const std::vector<TensorInfo> tensors = understood(memory, request, progress);
    std::map<std::string, std::size_t> places;
    for (std::size_t place = 0; place < tensors.size(); ++place)
        places.emplace(tensors[place].path, place);
    protocol::ImportedFile told{.format = std::string(exchange::exchangeFormat(file.format).title),
                                .entries = {},
                                .findings = headLints(file)};
    for (ImportedScale& row :
         deploy::importedScales(file, tensors, namingOf(memory, request, progress))) {
        if (!row.entry) {
            for (Finding& lint : row.lints) {
                lint.text = row.tensor->name + ": " + lint.text;
                told.findings.push_back(std::move(lint));
            }
            continue;
        }
        std::optional<std::uint64_t> place;
        if (row.tensor) {
            place = places.at(row.tensor->path);
            weighIfReadable(memory, request.tensors[*place], row, progress);
        }
        told.entries.push_back(toldOf(row));
        told.entries.back().tensor = place;
    }
    return told;
}

/// The choices as they are run on that part.
std::vector<Choice> runnable(std::span<const Choice> choices, const TensorPart& part,
                             std::uint64_t channels)
{
    std::vector<Choice> made;
    for (const Choice& choice : choices)
        made.push_back(part.channel ? forOneChannel(choice, *part.channel, channels) : choice);
    return made;
}

/// The outcomes as the view gives them, in the order of the choices.
void present(std::vector<Outcome>& outcomes, const protocol::ViewRequest& request)
{
    for (std::size_t index = 0; index < outcomes.size(); ++index) {
        Outcome& outcome = outcomes[index];
        outcome.file = request.tensor.file;
        outcome.channel = request.tensor.part.channel;
        outcome.choice.granularity = request.choices[index].granularity;
        if (request.curves) {
            outcome.curve = thinned(outcome.curve);
        } else {
            outcome.curve = {};
            outcome.trace = {};
        }
    }
}

/// Where a strip's values are looked for.
Range rangeOf(const protocol::StripRequest& request, const Extents& extents)
{
    if (request.range) {
        const Range range = *request.range;
        if (!(range.low <= range.high) || !std::isfinite(range.width()))
            throw Error(Fault::Usage, "a strip from {} to {} has no columns", numberText(range.low),
                        numberText(range.high));
        return range;
    }
    return request.domain == Domain::Signed ? Range{extents.min, extents.max}
                                            : Range{0.0, extents.absMax()};
}

std::vector<TensorRef> tensorsOf(const auto& request)
{
    if constexpr (requires { request.a; })
        return {request.a, request.b};
    else
        return {request.tensor};
}

/// Whether the same would come out of another attempt: a problem may have been the disk's.
bool isFinal(const protocol::ViewRequest&, const protocol::TensorView& view)
{
    return std::ranges::all_of(view.outcomes, &std::string::empty, &Outcome::problem);
}

bool isFinal(const protocol::PreviewRequest& request, const protocol::Preview& preview)
{
    return preview.sqnrDb || !request.choice || preview.extents.absMax() == 0.0;
}

bool isFinal(const protocol::StripRequest&, const Strip&)
{
    return true;
}

bool isFinal(const protocol::CompareRequest&, const protocol::Compared& compared)
{
    return std::ranges::all_of(compared.comparison.choices, [](const ChoiceComparison& choice) {
        return choice.a.problem.empty() && choice.b.problem.empty();
    });
}

bool isFinal(const protocol::RateRequest&, const protocol::Rated&)
{
    return true;
}

bool isFinal(const protocol::StudyRequest&, const protocol::Studied& studied)
{
    return std::ranges::all_of(studied.studies, &std::string::empty, &SampleStudy::problem);
}

/// Whether answers are kept as they are: opening is fast, of views, imports and layers the profiles
/// lie apart, and a file of scales may be another tomorrow.
template <typename Request>
constexpr bool isKeptWhole = std::is_same_v<Request, protocol::PreviewRequest> ||
                             std::is_same_v<Request, protocol::StripRequest> ||
                             std::is_same_v<Request, protocol::CompareRequest> ||
                             std::is_same_v<Request, protocol::RateRequest> ||
                             std::is_same_v<Request, protocol::StudyRequest>;

/// Without its profile.
std::optional<protocol::TensorView> keptView(const std::optional<protocol::Json>& answer)
{
    try {
        return answer ? std::optional{protocol::decode<protocol::TensorView>(*answer)}
                      : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Counts in one strip, so that it fits a frame whatever they are.
constexpr std::uint64_t mostStripCounts = protocol::frameLimit / 11;

}  // namespace

Methods::Methods(EngineParts parts, std::uint64_t memoryBytes, std::optional<CacheOptions> cache)
    : m_memoryBytes(memoryBytes),
      m_hello(helloOfThisHost()),
      // The other half is for the blocks and values of the tensor at work.
      m_memory(std::move(parts), memoryBytes / 2, std::move(cache))
{}

template <typename Request>
std::string Methods::keyOf(const Request& request, const Progress& progress)
{
    if (!m_memory.results.isOn())
        return {};
    std::vector<std::string> states;
    for (const TensorRef& tensor : tensorsOf(request))
        states.push_back(m_memory.stateOf(
            *m_memory.dumps.asOpened(tensor.file, tensor.allowExternal, progress), tensor.file));
    // How much fits into memory decides what is estimated.
    return m_memory.results.key(std::string(protocol::Method<Request>::name) + " " +
                                    std::to_string(m_memoryBytes),
                                protocol::encode(request), states);
}

template <typename Request>
protocol::Json Methods::callMethod(const protocol::Json& params, const Progress& progress)
{
    const auto request = protocol::decode<Request>(params);
    if constexpr (isKeptWhole<Request>) {
        const std::string before = keyOf(request, progress);
        if (std::optional<protocol::Json> known = m_memory.results.answer(before))
            return *std::move(known);
        const auto result = answer(request, progress);
        protocol::Json json = protocol::encode(result);
        if (!before.empty() && isFinal(request, result) && keyOf(request, progress) == before)
            m_memory.results.keep(before, json);
        return json;
    } else {
        return protocol::encode(answer(request, progress));
    }
}

protocol::Json Methods::call(const std::string& method, const protocol::Json& params,
                             const Progress& progress)
{
    std::optional<protocol::Json> result;
    const auto callOne = [&]<typename Request>() {
        if (method == protocol::Method<Request>::name)
            result = callMethod<Request>(params, progress);
    };
    [&callOne]<typename... Requests>(protocol::MethodList<Requests...>) {
        (callOne.template operator()<Requests>(), ...);
    }(protocol::AllMethods{});
    if (!result)
        throw Error(Fault::Usage,
                    "engine: there is no method {}; the application and its engine may be of "
                    "different versions",
                    method);
    return *std::move(result);
}

protocol::DumpOpened Methods::answer(const protocol::OpenRequest& request, const Progress& progress)
{
    const std::shared_ptr<const OpenDump> dump =
        m_memory.dumps.open(request.path, request.allowExternal, progress);
    return {.identity = dump->identity,
            .attributes = dump->attributes,
            .warnings = dump->warnings,
            .rules = dump->rules,
            .tensors = dump->tensors,
            .isGrowing = dump->isGrowing,
            .file = std::string(fileOf(dump->identity.stamp))};
}

protocol::TensorView Methods::answer(const protocol::ViewRequest& request, const Progress& progress)
{
    Subject subject(m_memory, request.tensor, progress);
    const std::vector<Choice> choices =
        runnable(request.choices, request.tensor.part, subject.allChannels);
    collectMore(subject.profile, subject.source, request.histograms, {}, progress);
    const std::string before = keyOf(request, progress);
    std::optional<protocol::TensorView> view = keptView(m_memory.results.answer(before));
    if (!view || !holdsAll(subject.profile, choices, view->outcomes)) {
        view = outcomesOf(subject, choices, request, progress);
        if (!before.empty() && isFinal(request, *view) && keyOf(request, progress) == before)
            m_memory.results.keep(before, protocol::encode(*view));
    }
    view->profile = shownProfile(subject.profile, request, choices, view->outcomes);
    return *std::move(view);
}

protocol::TensorView Methods::outcomesOf(Subject& subject, std::span<const Choice> choices,
                                         const protocol::ViewRequest& request,
                                         const Progress& progress)
{
    const AnalyseOptions options{.effort = request.exactMetrics ? MetricEffort::Exact
                                                                : MetricEffort::Bounded,
                                 .channelMetrics = request.channelMetrics,
                                 .memoryBytes = m_memoryBytes / 2,
                                 .otherTensor = subject.otherTensors(),
                                 .ask = m_memory.ask(progress)};
    protocol::TensorView view;
    view.outcomes =
        m_memory.parts.analyse(subject.source, subject.profile, choices, options, progress);
    present(view.outcomes, request);
    view.typeOffer = typeOffer(subject.source);
    return view;
}

protocol::Preview Methods::answer(const protocol::PreviewRequest& request, const Progress& progress)
{
    std::vector<Choice> choices;
    if (request.choice)
        choices.push_back(*request.choice);
    Subject subject(m_memory, request.tensor, progress);
    protocol::Preview preview{.extents = subject.profile.extents(),
                              .sparkline =
                                  sparkline(subject.profile.sketch, subject.profile.extents())};
    const AnalyseOptions options{.effort = MetricEffort::Budget,
                                 .memoryBytes = m_memoryBytes / 2,
                                 .otherTensor = subject.otherTensors(),
                                 .ask = m_memory.ask(progress)};
    const std::vector<Outcome> outcomes =
        m_memory.parts.analyse(subject.source, subject.profile, choices, options, progress);
    preview.findings =
        diagnosed(subject.profile, outcomes.empty() ? nullptr : &outcomes.front()).findings;
    for (const Outcome& outcome : outcomes) {
        if (preview.extents.absMax() > 0.0)
            preview.sqnrDb = outcome.whole.metric("sqnr_db");
        preview.notes = outcome.whole.notes;
        if (!outcome.problem.empty())
            preview.notes.push_back(outcome.problem);
    }
    return preview;
}

Strip Methods::answer(const protocol::StripRequest& request, const Progress& progress)
{
    Subject subject(m_memory, request.tensor, progress);
    const TensorProfile& profile = subject.profile;
    const bool byChannel = request.rows == StripRows::Channel;
    if (byChannel && profile.channels.empty())
        throw Error(Fault::Usage, "{}: a strip of channels needs a channel axis",
                    profile.info.path);
    const std::size_t rows = byChannel ? profile.channels.size() : profile.batches.size();
    if (request.columns == 0 || rows > mostStripCounts / request.columns)
        throw Error(Fault::Usage, "a strip of {} rows has 1 to {} columns, not {}", rows,
                    mostStripCounts / std::max<std::size_t>(rows, 1), request.columns);
    return collectStrip(subject.source, request.rows, request.domain, request.columns,
                        rangeOf(request, profile.extents()), progress);
}

protocol::ImportedFile Methods::answer(const protocol::ImportRequest& request,
                                       const Progress& progress)
{
    return importedFile(m_memory, request, progress);
}

protocol::ModelPorts Methods::answer(const protocol::PortsRequest& request,
                                     const Progress& progress)
{
    const auto dump = m_memory.dumps.asOpened(request.path, request.allowExternal, progress);
    const auto model = model::ModelFile::read(request.model);
    protocol::ModelPorts ports{.unrecorded = deploy::unrecordedInputs(
                                   dump->tensors, dump->feeds, model::graphInputs(model->proto()),
                                   deploy::recordedIn(dump->tensors, *model)),
                               .outputs = {}};
    for (const model::GraphPort& output : model::graphOutputs(model->proto()))
        ports.outputs.push_back(output.name);
    return ports;
}

protocol::LayerList Methods::answer(const protocol::LayersRequest& request,
                                    const Progress& progress)
{
    return listedLayers(m_memory, request, progress);
}

// A layer takes all of the memory: the values of both operands and the output, or samples of them,
// are at work at once.
LayerResult Methods::answer(const protocol::LayerRequest& request, const Progress& progress)
{
    return layerResult(m_memory, request, m_memoryBytes, progress);
}

LayerCandidates Methods::answer(const protocol::LayerTrialsRequest& request,
                                const Progress& progress)
{
    return layerTrials(m_memory, request, m_memoryBytes, progress);
}

OperandTrials Methods::answer(const protocol::OperandTrialsRequest& request,
                              const Progress& progress)
{
    return operandTrials(m_memory, request, m_memoryBytes, progress);
}

protocol::Equalizations Methods::answer(const protocol::EqualizationsRequest& request,
                                        const Progress& progress)
{
    return layerEqualizations(m_memory, request, m_memoryBytes, progress);
}

Slice Methods::answer(const protocol::SliceRequest& request, const Progress& progress)
{
    return sliceOf(m_memory, request, progress);
}

FoundValues Methods::answer(const protocol::LocateRequest& request, const Progress& progress)
{
    return locatedIn(m_memory, request, progress);
}

SampleExtreme Methods::answer(const protocol::ExtremeRequest& request, const Progress& progress)
{
    return extremeOf(m_memory, request, progress);
}

protocol::Rated Methods::answer(const protocol::RateRequest& request, const Progress& progress)
{
    return ratedIn(m_memory, request, progress);
}

FormatMap Methods::answer(const protocol::FormatMapRequest& request, const Progress& progress)
{
    return mapOf(m_memory, request, progress);
}

protocol::EncodedBlock Methods::answer(const protocol::BlockRequest& request,
                                       const Progress& progress)
{
    return blockOf(m_memory, request, progress);
}

protocol::Hello Methods::answer(const protocol::HelloRequest&, const Progress&) const
{
    return m_hello;
}

protocol::FolderPage Methods::answer(const protocol::FolderRequest& request,
                                     const Progress& progress)
{
    return folderPage(request, progress);
}

protocol::IdentifiedFile Methods::answer(const protocol::IdentifyRequest& request, const Progress&)
{
    return identifiedFile(request);
}

protocol::DigestedFile Methods::answer(const protocol::DigestRequest& request,
                                       const Progress& progress)
{
    return digestedFile(request, progress);
}

protocol::Studied Methods::answer(const protocol::StudyRequest& request, const Progress& progress)
{
    Subject subject(m_memory, request.tensor, progress);
    const std::vector<Choice> choices =
        runnable(request.choices, request.tensor.part, subject.allChannels);
    protocol::Studied studied{samples::studySamples(subject.source, subject.profile, choices,
                                                    {.withCurveBands = request.withBands,
                                                     .parts = request.parts,
                                                     .seed = request.seed,
                                                     .memoryBytes = m_memoryBytes / 2},
                                                    progress)};
    for (SampleStudy& study : studied.studies) {
        study.file = request.tensor.file;
        study.channel = request.tensor.part.channel;
    }
    return studied;
}

protocol::Compared Methods::answer(const protocol::CompareRequest& request,
                                   const Progress& progress)
{
    const std::vector<Choice>& choices = request.choices;
    Subject a(m_memory, request.a, progress);
    Subject b(m_memory, request.b, progress);
    const AnalyseOptions options{.effort = request.exactMetrics ? MetricEffort::Exact
                                                                : MetricEffort::Bounded,
                                 .memoryBytes = m_memoryBytes / 2,
                                 .ask = m_memory.ask(progress)};
    protocol::Compared compared{
        .a = a.profile.extents(), .b = b.profile.extents(), .comparison = {}};
    Extents both = compared.a;
    both += compared.b;
    compared.countsA = sparkline(a.profile.sketch, both);
    compared.countsB = sparkline(b.profile.sketch, both);
    compared.comparison =
        compareTensors({a.source, a.profile, a.otherTensors()},
                       {b.source, b.profile, b.otherTensors()}, choices, options, progress);
    for (ChoiceComparison& choice : compared.comparison.choices)
        for (auto [outcome, path] :
             {std::pair(&choice.a, &request.a.file), std::pair(&choice.b, &request.b.file)}) {
            outcome->file = *path;
            outcome->curve = {};
            outcome->trace = {};
        }
    return compared;
}

}  // namespace calibscope::engine
