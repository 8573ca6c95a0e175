// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "core/recipes/scale_rows.h"
#include "core/tensor/layout_override.h"
#include "tests/peers/entries.h"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace calibscope::test {

namespace {

constexpr const char* goldenFolder = CALIBSCOPE_SOURCE_DIR "/tests/golden/";

/// The tensor as the peers were given it: `stream3` row by row, all else as one batch; the part
/// `weights` with its rows as channels.
LayoutOverride layoutOverrideOf(const Entry& entry)
{
    if (entry.part == "weights" || entry.method == "per_channel")
        return {.role = Role::Weight, .channelAxis = 0};
    LayoutOverride whole{.batchAxis = LayoutOverride::noAxis,
                         .channelAxis = LayoutOverride::noAxis};
    if (entry.input == "stream3")
        whole = {.batchAxis = 0, .batchSize = 1, .channelAxis = LayoutOverride::noAxis};
    return whole;
}

ValueSource sourceFor(const Entry& entry)
{
    if (entry.part == "non_finite" && entry.input == "empty")
        return sourceOf({.name = "empty", .shape = {0}}, {});
    const bool isNonFinite = entry.part == "non_finite";
    const std::string file =
        isNonFinite ? std::string("non_finite/inputs.h5") : entry.input + ".h5";
    const auto dump = DumpFile::open(goldenFolder + file);
    const std::size_t index = dump->indexOf(isNonFinite ? entry.input : "x");
    return dump->source(understoodAs(dump->tensors()[index], layoutOverrideOf(entry)));
}

Choice choiceOf(const PeerRow& row, Granularity granularity)
{
    const SchemeKind fallback = row.scheme.value_or(SchemeKind::SymmetricRestricted);
    if (row.preset.empty())
        return makeChoice(row.calibrator, row.further, fallback, granularity);
    Choice choice = makeChoice(preset(row.preset), row.further, fallback, granularity);
    choice.granularity = granularity;
    if (row.scheme)
        choice.scheme = schemeFrom(*row.scheme, choice.settings);
    return choice;
}

/// Whether the entry has the row's method and settings.
bool isAnsweredBy(const Entry& entry, const PeerRow& row)
{
    return entry.part == row.part && entry.method == row.method &&
           std::ranges::all_of(row.settings.items(), [&](const auto& item) {
               return entry.settings.contains(item.key()) &&
                      entry.settings.at(item.key()) == item.value();
           });
}

Verdict verdictFor(const Entry& entry, const std::vector<Peer>& peers)
{
    Verdict verdict{.entry = entry};
    const auto peer = std::ranges::find(peers, entry.peer, &Peer::id);
    if (peer == peers.end())
        return verdict;
    verdict.peer = &*peer;
    for (const PeerRow& row : peer->rows) {
        if (!isAnsweredBy(entry, row))
            continue;
        verdict.row = &row;
        ++verdict.matchingRows;
        verdict.hasPreset = !row.preset.empty() || !row.calibrator.empty();
        for (const NotReproducible& listed : row.notReproducible)
            if (listed.input == entry.input)
                verdict.reason = listed.reason;
    }
    return verdict;
}

/// A histogram as given, as if it had been collected under whatever spec the calibrator asks for.
TensorProfile profileOf(const nlohmann::json& given, const Choice& choice)
{
    const std::vector<std::uint64_t> counts = given.at("counts");
    const Histogram histogram{.low = given.value("lo_edge", 0.0),
                              .high = given.value("hi_edge", static_cast<double>(counts.size())),
                              .counts = counts};
    TensorProfile profile;
    profile.moments.extents = {
        .finite = histogram.total(), .min = histogram.low, .max = histogram.high};
    const CalibratorNeeds needs =
        calibrator(choice.calibrator)
            .needs({.settings = choice.settings, .scheme = choice.scheme}, profile.extents());
    for (const HistogramSpec& spec : needs.histograms) {
        profile.histograms.push_back(histogram);
        profile.histograms.back().spec = spec;
    }
    return profile;
}

void answerHistogram(Verdict& verdict)
{
    try {
        const Choice choice = choiceOf(*verdict.row, Granularity::Tensor);
        const Calibrated answer =
            calibrateProfile(choice, profileOf(verdict.entry.histogram, choice), nullptr);
        verdict.difference = verdict.row->check(
            {.choice = choice, .whole = answer.row, .channels = {}, .curve = answer.curve},
            verdict.entry.result);
    } catch (const std::exception& error) {
        verdict.difference = error.what();
    }
}

/// All entries on one tensor in one go, so that its values are read as seldom as in the program.
void answerTensor(const std::vector<Verdict*>& verdicts)
{
    const Entry& first = verdicts.front()->entry;
    const ValueSource source = sourceFor(first);
    const Granularity granularity =
        source.info.channelAxis ? Granularity::Channel : Granularity::Tensor;
    std::vector<Choice> choices;
    for (const Verdict* verdict : verdicts)
        choices.push_back(choiceOf(*verdict->row, granularity));
    TensorProfile profile = collectProfile(source);
    const std::vector<Outcome> outcomes =
        analyse(source, profile, choices, {.effort = MetricEffort::None});
    for (std::size_t index = 0; index < verdicts.size(); ++index) {
        const Outcome& outcome = outcomes[index];
        Verdict& verdict = *verdicts[index];
        verdict.difference = outcome.problem.empty()
                                 ? verdict.row->check({.choice = choices[index],
                                                       .whole = outcome.whole,
                                                       .channels = outcome.channels,
                                                       .curve = outcome.curve,
                                                       .trace = outcome.trace},
                                                      verdict.entry.result)
                                 : outcome.problem;
    }
}

}  // namespace

std::vector<Verdict> runEntries(const std::vector<Peer>& peers)
{
    std::vector<Verdict> verdicts;
    for (const Entry& entry : peerEntries())
        verdicts.push_back(verdictFor(entry, peers));
    std::map<std::string, std::vector<Verdict*>> byTensor;
    for (Verdict& verdict : verdicts) {
        if (!verdict.hasPreset)
            continue;
        if (verdict.entry.part == "small_histograms")
            answerHistogram(verdict);
        else
            byTensor[verdict.entry.part + verdict.entry.input].push_back(&verdict);
    }
    for (const auto& [tensor, group] : byTensor)
        answerTensor(group);
    return verdicts;
}

}  // namespace calibscope::test
