#include "core/serve/engine/methods.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/channel_values.h"
#include "core/collect/collect_profile.h"
#include "core/collect/collect_strip.h"
#include "core/collect/compare_tensors.h"
#include "core/collect/type_offer.h"
#include "core/recipes/make_choice.h"
#include "core/serve/engine/sparkline.h"
#include "core/serve/engine/thin_curve.h"
#include "core/serve/protocol/codec.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace calibscope::serve {

namespace {

/// The choice made anew from its settings, so that calibrator, settings and scheme agree whatever
/// the client sent. Throws Error(Usage) for what the calibrator does not accept.
Choice checked(const Choice& choice)
{
    const auto remade = [](const auto& part, Granularity granularity) {
        const auto& entries = part.settings.entries();
        return makeChoice(part.calibrator, {entries.begin(), entries.end()}, part.scheme.kind,
                          granularity);
    };
    Choice made = remade(choice, choice.granularity);
    for (const RangeSource& source : choice.rangeFrom) {
        Choice own = remade(source, Granularity::Tensor);
        made.rangeFrom.push_back({.tensor = source.tensor,
                                  .path = source.path,
                                  .calibrator = own.calibrator,
                                  .settings = std::move(own.settings),
                                  .scheme = own.scheme});
    }
    made.recipe = choice.recipe;
    made.preset = choice.preset;
    made.note = choice.note;
    return made;
}

/// The profile without the histograms that nobody asked for.
TensorProfile shown(const TensorProfile& profile, const ViewRequest& request,
                    const std::vector<Outcome>& outcomes)
{
    const auto isWanted = [&](const Histogram& histogram) {
        const auto usedIt = [text = histogramText(histogram.spec)](const Outcome& outcome) {
            return outcome.histogram == text;
        };
        return std::ranges::find(request.histograms, histogram.spec) != request.histograms.end() ||
               std::ranges::any_of(outcomes, usedIt);
    };
    TensorProfile part{.info = profile.info,
                       .moments = profile.moments,
                       .firstNotFinite = profile.firstNotFinite,
                       .batches = profile.batches,
                       .channels = profile.channels,
                       .sketch = profile.sketch,
                       .orders = profile.orders};
    std::ranges::copy_if(profile.histograms, std::back_inserter(part.histograms), isWanted);
    return part;
}

/// The part that a request asks for; all batches, by their number or not, are the same part.
TensorPart partIn(const auto& request, const TensorInfo& tensor)
{
    if constexpr (requires { request.part; }) {
        TensorPart part = request.part;
        if (part.batches && *part.batches >= tensor.batchCount())
            part.batches.reset();
        return part;
    } else {
        return {};
    }
}

/// The choices as they are run on that part.
std::vector<Choice> runnable(std::span<const Choice> choices, const TensorPart& part)
{
    std::vector<Choice> made;
    for (const Choice& choice : choices)
        made.push_back(part.channel ? forOneChannel(checked(choice)) : checked(choice));
    return made;
}

/// The outcomes as the view gives them, in the order of the choices.
void present(std::vector<Outcome>& outcomes, const ViewRequest& request)
{
    for (std::size_t index = 0; index < outcomes.size(); ++index) {
        Outcome& outcome = outcomes[index];
        outcome.file = request.path;
        outcome.channel = request.part.channel;
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
Range rangeOf(const StripRequest& request, const Extents& extents)
{
    if (request.range) {
        const Range range = *request.range;
        if (!(range.low <= range.high) || !std::isfinite(range.width()))
            throw Error(Fault::Usage, "a strip from " + numberText(range.low) + " to " +
                                          numberText(range.high) + " has no columns");
        return range;
    }
    return request.domain == Domain::Signed ? Range{extents.min, extents.max}
                                            : Range{0.0, extents.absMax()};
}

/// Counts in one strip, so that it fits a frame whatever they are.
constexpr std::uint64_t mostStripCounts = frameLimit / 11;

}  // namespace

/// A tensor that is worked on: its source, and its profile for as long as this lives.
class Methods::Subject
{
public:
    /// Of a request that names file, tensor and understanding.
    Subject(Methods& methods, const auto& request, const Progress& progress)
        : m_profiles(methods.m_profiles)
    {
        m_dump = methods.m_dumps.open(request.path, request.allowExternal, progress);
        const std::shared_ptr<const OpenDump>& dump = m_dump;
        if (request.tensor >= dump->tensors.size())
            throw Error(Fault::Input, request.path + ": there is no tensor " +
                                          std::to_string(request.tensor) + ", it has " +
                                          std::to_string(dump->tensors.size()) +
                                          "; the file may have changed, open it again");
        const TensorInfo understood =
            understoodAs(dump->tensors[request.tensor], request.understanding);
        m_key = {.path = request.path,
                 .bytes = dump->identity.bytes,
                 .modified = dump->identity.modified,
                 .allowExternal = request.allowExternal,
                 .tensor = request.tensor,
                 .understanding = request.understanding,
                 .part = partIn(request, understood)};
        source = dump->source(understood, m_key.part.batches.value_or(0));
        if (m_key.part.channel)
            source = sourceOfChannel(source, *m_key.part.channel);
        if (std::optional<TensorProfile> known = m_profiles.take(m_key))
            profile = std::move(*known);
        else
            profile = collectProfile(source, progress);
    }
    /// Also where the work was cancelled: a profile only ever gains whole parts.
    ~Subject() { m_profiles.put(m_key, std::move(profile)); }
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// Another tensor of the dump, as the file says it is to be understood.
    [[nodiscard]] std::function<ValueSource(const std::string& path)> otherTensors() const
    {
        return [dump = m_dump](const std::string& path) {
            const auto found = std::ranges::find(dump->tensors, path, &TensorInfo::path);
            if (found == dump->tensors.end())
                throw Error(Fault::Input, dump->identity.path + ": there is no tensor " + path);
            return dump->source(*found, 0);
        };
    }

    ValueSource source;
    TensorProfile profile;

private:
    std::shared_ptr<const OpenDump> m_dump;
    ProfileCache& m_profiles;
    ProfileKey m_key;
};

Methods::Methods(EngineParts parts, std::uint64_t memoryBytes)
    : m_parts(std::move(parts)),
      m_memoryBytes(memoryBytes),
      m_dumps(m_parts),
      // The other half is for the blocks and values of the tensor at work.
      m_profiles(memoryBytes / 2)
{}

Json Methods::call(const std::string& method, const Json& params, const Progress& progress)
{
    if (method == "open")
        return encode(open(decode<OpenRequest>(params), progress));
    if (method == "view")
        return encode(view(decode<ViewRequest>(params), progress));
    if (method == "glance")
        return encode(glance(decode<GlanceRequest>(params), progress));
    if (method == "strip")
        return encode(strip(decode<StripRequest>(params), progress));
    if (method == "compare")
        return encode(compare(decode<CompareRequest>(params), progress));
    throw Error(Fault::Usage, "engine: there is no method " + method +
                                  "; the application and its engine may be of different versions");
}

DumpOpened Methods::open(const OpenRequest& request, const Progress& progress)
{
    const std::shared_ptr<const OpenDump> dump =
        m_dumps.open(request.path, request.allowExternal, progress);
    return {.identity = dump->identity,
            .attributes = dump->attributes,
            .warnings = dump->warnings,
            .rules = dump->rules,
            .tensors = dump->tensors};
}

TensorView Methods::view(const ViewRequest& request, const Progress& progress)
{
    const std::vector<Choice> choices = runnable(request.choices, request.part);
    Subject subject(*this, request, progress);
    collectMore(subject.profile, subject.source, request.histograms, {}, progress);
    const AnalyseOptions options{.effort = request.exactMetrics ? MetricEffort::Exact
                                                                : MetricEffort::Estimate,
                                 .channelMetrics = request.channelMetrics,
                                 .memoryBytes = m_memoryBytes / 2,
                                 .otherTensor = subject.otherTensors()};
    TensorView view;
    view.outcomes = m_parts.analyse(subject.source, subject.profile, choices, options, progress);
    view.profile = shown(subject.profile, request, view.outcomes);
    view.typeOffer = typeOffer(subject.source);
    present(view.outcomes, request);
    return view;
}

Glance Methods::glance(const GlanceRequest& request, const Progress& progress)
{
    std::vector<Choice> choices;
    if (request.choice)
        choices.push_back(checked(*request.choice));
    Subject subject(*this, request, progress);
    Glance glance{.extents = subject.profile.extents(),
                  .sparkline = sparkline(subject.profile.sketch, subject.profile.extents())};
    const AnalyseOptions options{.effort = MetricEffort::Budget,
                                 .memoryBytes = m_memoryBytes / 2,
                                 .otherTensor = subject.otherTensors()};
    for (const Outcome& outcome :
         m_parts.analyse(subject.source, subject.profile, choices, options, progress)) {
        glance.sqnrDb = outcome.whole.metric("sqnr_db");
        glance.notes = outcome.whole.notes;
        if (!outcome.problem.empty())
            glance.notes.push_back(outcome.problem);
    }
    return glance;
}

Strip Methods::strip(const StripRequest& request, const Progress& progress)
{
    Subject subject(*this, request, progress);
    const TensorProfile& profile = subject.profile;
    const bool byChannel = request.rows == StripRows::Channel;
    if (byChannel && profile.channels.empty())
        throw Error(Fault::Usage, profile.info.path + ": a strip of channels needs a channel axis");
    const std::size_t rows = byChannel ? profile.channels.size() : profile.batches.size();
    if (request.columns == 0 || rows > mostStripCounts / request.columns)
        throw Error(Fault::Usage,
                    "a strip of " + std::to_string(rows) + " rows has 1 to " +
                        std::to_string(mostStripCounts / std::max<std::size_t>(rows, 1)) +
                        " columns, not " + std::to_string(request.columns));
    return collectStrip(subject.source, request.rows, request.domain, request.columns,
                        rangeOf(request, profile.extents()), progress);
}

Compared Methods::compare(const CompareRequest& request, const Progress& progress)
{
    const std::vector<Choice> choices = runnable(request.choices, {});
    Subject a(*this, request.a, progress);
    Subject b(*this, request.b, progress);
    const AnalyseOptions options{.effort = request.exactMetrics ? MetricEffort::Exact
                                                                : MetricEffort::Estimate,
                                 .memoryBytes = m_memoryBytes / 2};
    Compared compared{.a = a.profile.extents(), .b = b.profile.extents(), .comparison = {}};
    compared.comparison =
        compareTensors({a.source, a.profile, a.otherTensors()},
                       {b.source, b.profile, b.otherTensors()}, choices, options, progress);
    for (ChoiceComparison& choice : compared.comparison.choices)
        for (auto [outcome, path] :
             {std::pair(&choice.a, &request.a.path), std::pair(&choice.b, &request.b.path)}) {
            outcome->file = *path;
            outcome->curve = {};
            outcome->trace = {};
        }
    return compared;
}

}  // namespace calibscope::serve
