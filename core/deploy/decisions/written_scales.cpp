// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/written_scales.h"

#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/calibrators/calibrator.h"
#include "core/calibrators/own_program.h"
#include "core/metrics/metric.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace calibscope::deploy {

namespace {

using nlohmann::json;

std::string outcomeAt(const std::string& origin, std::size_t index)
{
    return origin + ": outcomes[" + std::to_string(index) + "]";
}

/// A calibrator of another tool, of which only the name and the scheme are known.
Choice foreignChoice(const std::string& calibrator, const GivenSettings& given, SchemeKind kind)
{
    const std::vector<Parameter>& ours = schemeParameters();
    GivenSettings ofScheme;
    for (const auto& [id, value] : given)
        if (std::ranges::find(ours, id, &Parameter::id) != ours.end())
            ofScheme.emplace(id, value);
    Choice choice{.recipe = {}, .preset = {}, .calibrator = calibrator};
    choice.settings = Settings(ours, ofScheme, calibrator);
    choice.scheme = schemeFrom(kind, choice.settings);
    return choice;
}

Choice writtenChoice(const JsonObject& outcome)
{
    const std::string id = outcome.text("calibrator");
    const bool isKnown = isCalibrator(id);
    try {
        GivenSettings given = parseGivenSettings(outcome.text("settings"), "settings", ';');
        given.insert_or_assign("bits", std::to_string(outcome.count("bits")));
        const SchemeKind kind = parseSchemeKind(outcome.requiredText("scheme"));
        Choice choice = isKnown ? makeChoice(id, given, kind, Granularity::Tensor)
                                : foreignChoice(id, given, kind);
        choice.recipe = outcome.text("recipe");
        choice.preset = outcome.text("preset");
        return choice;
    } catch (const Error& error) {
        if (error.fault() == Fault::Input)
            throw;
        outcome.fail(error.what());
    }
}

Granularity writtenGranularity(const JsonObject& outcome, const std::string& word)
{
    try {
        return parseGranularity(word);
    } catch (const Error& error) {
        outcome.fail(error.what());
    }
}

/// A row from an outcome's members, or from those of one of its channels.
ScaleRow rowFrom(const JsonObject& object, const Choice& choice)
{
    for (const char* needed : {"scale", "zero_point"})
        if (!object.has(needed))
            object.fail(std::string("lacks ") + needed);
    ScaleRow row{.clip = {}, .quantizer = {}, .extents = {}, .metrics = {}};
    row.extents.nan = object.count("nan");
    row.extents.positiveInf = object.count("inf");
    row.extents.zeros = object.count("zeros");
    const std::uint64_t odd = row.extents.nan + row.extents.positiveInf;
    row.extents.finite = std::max(object.count("values"), odd) - odd;
    row.extents.min = object.number("min");
    row.extents.max = object.number("max");
    const Scheme scheme = schemeFor(choice.scheme, {row.extents.min, row.extents.max});
    row.quantizer = {.scale = object.number("scale"),
                     .zeroPoint = object.number("zero_point"),
                     .clip = {},
                     .lowLevel = scheme.lowLevel(),
                     .highLevel = scheme.highLevel(),
                     .rounding = scheme.rounding,
                     .roundsWithZeroPoint = scheme.kind == SchemeKind::AffineReal};
    const Quantizer& quantizer = row.quantizer;
    const std::optional<double> low = object.numberIfThere("low");
    const std::optional<double> high = object.numberIfThere("high");
    row.quantizer.clip = {.low = low.value_or(quantizer.value(quantizer.lowLevel)),
                          .high = high.value_or(quantizer.value(quantizer.highLevel))};
    row.clip.threshold = object.numberIfThere("threshold");
    if (scheme.isAffine() && low && high)
        row.clip.range = row.quantizer.clip;
    for (const Metric& metric : metrics())
        if (const std::optional<double> value =
                object.numberIfThere(std::string(metric.id).c_str()))
            row.metrics.emplace_back(metric.id, *value);
    if (const std::string notes = object.text("notes"); !notes.empty())
        row.notes.push_back(notes);
    row.isExact = object.text("exactness") != "estimated";
    row.hasExactMetrics = object.text("bounds").empty();
    return row;
}

/// The rows of an object of lists, an entry for each channel.
std::vector<ScaleRow> channelRows(const json& lists, const Choice& choice,
                                  const std::string& origin)
{
    const JsonObject channels(lists, origin);
    if (!lists.contains("scale") || !lists["scale"].is_array())
        channels.fail("lacks its list scale");
    std::vector<ScaleRow> rows;
    for (std::size_t channel = 0; channel < lists["scale"].size(); ++channel) {
        json row = json::object();
        for (const auto& [key, values] : lists.items()) {
            if (!values.is_array() || values.size() != lists["scale"].size())
                channels.fail(key + " is not a list of as many entries as scale");
            row[key] = values[channel];
        }
        rows.push_back(
            rowFrom(JsonObject(row, origin + "[" + std::to_string(channel) + "]"), choice));
    }
    return rows;
}

WrittenScales scalesFrom(const json& value, std::size_t index, const std::string& origin)
{
    const JsonObject outcome(value, origin);
    WrittenScales written{.file = outcome.text("file"),
                          .tensor = outcome.requiredText("tensor"),
                          .role = parseRole(outcome.text("role")),
                          .index = index,
                          .choice = writtenChoice(outcome),
                          .whole = {},
                          .channels = {},
                          .isPerChannel = outcome.has("channel")};
    if (outcome.has("channels")) {
        written.channels = channelRows(value["channels"], written.choice, origin + ": channels");
        written.isPerChannel = true;
        const std::string granularity = outcome.text("granularity");
        written.choice.granularity =
            granularity.empty() ? Granularity::Channel : writtenGranularity(outcome, granularity);
    }
    if (outcome.has("scale") || written.channels.empty())
        written.whole = rowFrom(outcome, written.choice);
    return written;
}

/// The dump's tensor of that name (or path) and role. Throws Error(Input) a sentence why there is
/// none.
const TensorInfo& tensorOf(const DumpFile& dump, const WrittenScales& written)
{
    std::vector<const TensorInfo*> found;
    for (const TensorInfo& tensor : dump.tensors())
        if (tensor.name == written.tensor && (!written.role || tensor.role == *written.role))
            found.push_back(&tensor);
    // Under another layout it was perhaps written with another role.
    if (found.empty())
        for (const TensorInfo& tensor : dump.tensors())
            if (tensor.name == written.tensor || tensor.path == written.tensor)
                found.push_back(&tensor);
    if (found.empty())
        throw Error(Fault::Input, "is not in the dump");
    if (found.size() > 1)
        throw Error(Fault::Input, "is the name of {} and {}", found[0]->path, found[1]->path);
    return *found.front();
}

/// Channels, rows or groups that have a scale each; nothing where a tensor can't be cut like that.
std::optional<std::uint64_t> blockCount(const TensorInfo& tensor, const Granularity& granularity)
{
    if (granularity == Granularity::Channel)
        return tensor.channelCount();
    const std::optional<int> axis = scaleAxis(tensor, granularity);
    if (!axis || tensor.shape.size() < 2)
        return std::nullopt;
    return granularity.isGroup() ? tensor.valueCount() / granularity.columns
                                 : tensor.shape[static_cast<std::size_t>(*axis)];
}

/// Throws Error(Input) a sentence where channels as written and the tensor's don't agree.
void requireChannels(const WrittenScales& written, const TensorInfo& tensor)
{
    if (!written.isPerChannel)
        return;
    if (written.channels.empty())
        throw Error(Fault::Input, "has a scale for each channel, of which only the widest is "
                                  "written; write the scales with --rows channel");
    const Granularity& granularity = written.choice.granularity;
    const std::optional<std::uint64_t> blocks = blockCount(tensor, granularity);
    if (!blocks)
        throw Error(Fault::Input, "has no blocks of the granularity {}", granularity.text());
    if (written.channels.size() != *blocks)
        throw Error(Fault::Input, "has scales of {}, but the tensor has {}",
                    granularity == Granularity::Channel
                        ? countText(written.channels.size(), "channel", "channels")
                        : countText(written.channels.size(), "block", "blocks"),
                    *blocks);
}

DecidedTensor decidedTensor(const DumpFile& dump, const WrittenScales& written,
                            const DecisionOptions& options)
{
    const TensorInfo& recorded = tensorOf(dump, written);
    DecidedTensor decided{.file = dump.identity().path,
                          .info = options.understood ? options.understood(recorded) : recorded,
                          .outcome = {},
                          .graphName = {}};
    Outcome& outcome = decided.outcome;
    outcome.file = decided.file;
    outcome.tensor = decided.info.name;
    outcome.role = decided.info.role;
    outcome.op = decided.info.op;
    outcome.choice = written.choice;
    requireChannels(written, decided.info);
    outcome.channels = written.channels;
    outcome.whole = written.whole ? *written.whole : outcome.channels.front();
    return decided;
}

}  // namespace

std::vector<WrittenScales> scalesFromJson(std::string_view text, const std::string& origin)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{')
        throw Error(Fault::Input,
                    "{}: holds no JSON of scales; give a session, or what calib scales --rows "
                    "channel --format json writes",
                    origin);
    const json value = parseJson(text, origin);
    if (!value.contains("outcomes") || !value["outcomes"].is_array())
        throw Error(Fault::Input, "{}: has no list outcomes; it must be the JSON of calib scales",
                    origin);
    std::vector<WrittenScales> all;
    for (const json& outcome : value["outcomes"])
        all.push_back(scalesFrom(outcome, all.size(), outcomeAt(origin, all.size())));
    return all;
}

std::vector<WrittenScales> readScalesJson(const std::string& path)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{256} << 20U;
    return scalesFromJson(readWholeFile(path, mostBytes), path);
}

std::vector<std::vector<WrittenScales>> partedByDump(const std::vector<WrittenScales>& written,
                                                     const std::vector<std::string>& dumpPaths,
                                                     const std::string& origin,
                                                     std::vector<std::string>& problems)
{
    const auto nameOf = [](const std::string& path) {
        return std::filesystem::path(path).filename();
    };
    std::map<std::string, std::vector<std::size_t>> dumpsOf;
    std::vector<std::vector<WrittenScales>> parts(dumpPaths.size());
    for (const WrittenScales& tensor : written) {
        const auto [entry, isNew] = dumpsOf.try_emplace(tensor.file);
        std::vector<std::size_t>& dumps = entry->second;
        const auto add = [&](const auto& matches) {
            for (std::size_t dump = 0; dump < dumpPaths.size(); ++dump)
                if (matches(dumpPaths[dump]))
                    dumps.push_back(dump);
        };
        if (isNew) {
            add([&](const std::string& path) {
                return tensor.file.empty() || path == tensor.file;
            });
            if (dumps.empty())
                add([&](const std::string& path) { return nameOf(path) == nameOf(tensor.file); });
            if (dumps.empty())
                problems.push_back(outcomeAt(origin, tensor.index) + ": " + tensor.file +
                                   " is not one of the given dumps");
        }
        for (const std::size_t dump : dumps)
            parts[dump].push_back(tensor);
    }
    return parts;
}

Decisions decidedBy(const DumpFile& dump, const std::vector<WrittenScales>& written,
                    const std::string& origin, const DecisionOptions& options)
{
    Decisions decisions;
    std::map<std::string, std::size_t> indexOf;
    std::set<std::string> several;
    for (const WrittenScales& scales : written) {
        const std::optional<std::string> problem = inputProblem([&] {
            DecidedTensor decided = decidedTensor(dump, scales, options);
            const auto [first, isNew] = indexOf.emplace(decided.info.path, scales.index);
            if (!isNew) {
                several.insert(decided.info.path);
                throw Error(Fault::Input,
                            "is in outcomes[{}], too; write one choice for each tensor",
                            first->second);
            }
            decisions.tensors.push_back(std::move(decided));
        });
        if (problem)
            decisions.problems.push_back(outcomeAt(origin, scales.index) + ": " + scales.tensor +
                                         " " + *problem);
    }
    std::erase_if(decisions.tensors, [&several](const DecidedTensor& tensor) {
        return several.contains(tensor.info.path);
    });
    // In the dump's order, like all decisions.
    std::ranges::stable_sort(decisions.tensors, {}, [&dump](const DecidedTensor& tensor) {
        return dump.find(tensor.info.path).value_or(dump.tensors().size());
    });
    return decisions;
}

}  // namespace calibscope::deploy
