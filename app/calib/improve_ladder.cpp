// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/improve_options.h"
#include "app/calib/model_output.h"
#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/collect/at_once.h"
#include "core/deploy/check/ladder.h"
#include "core/deploy/names/dump_names.h"
#include "core/model/layer_stages.h"
#include "core/report/tables/ladder_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace calibscope::cli {

namespace {

using nlohmann::json;
using Remedies = std::set<Remedy>;

constexpr std::uint64_t mostRungBytes = std::uint64_t{64} << 20U;

std::string wordOf(Remedy remedy)
{
    return std::string(layers::remedyWords()[static_cast<std::size_t>(remedy)]);
}

std::vector<std::string> wordsOf(const Remedies& remedies)
{
    std::vector<std::string> words;
    std::ranges::transform(remedies, std::back_inserter(words), wordOf);
    return words;
}

/// The remedies chosen for a rung's model.
struct RungModel
{
    std::map<std::string, std::uint64_t> layers;  ///< that have a remedy, by its word
    double int8Share = 1.0;
};

RungModel rungModelOf(const ImprovementReport& report)
{
    RungModel rung;
    double all = 0.0;
    double inFloat = 0.0;
    for (const LayerImprovement& layer : report.layers) {
        const auto cost = static_cast<double>(layer.multiplications);
        const auto ofMul = static_cast<double>(layer.division.ofMul);
        all += cost + ofMul;
        inFloat += (layer.isFloat ? cost : 0.0) + ofMul;
        rung.layers["rounding tried"] +=
            std::ranges::find(layer.rows, "rounding", &RemedyResult::remedy) == layer.rows.end()
                ? 0U
                : 1U;
    }
    const ImprovementCounts counts = countsOf(report);
    for (std::size_t index = 0; index < counts.of.size(); ++index)
        rung.layers[wordOf(static_cast<Remedy>(index))] = counts.of[index];
    rung.int8Share = all == 0.0 ? 1.0 : 1.0 - inFloat / all;
    return rung;
}

/// A rung's model at the end.
struct Runs
{
    SampleNoise judging;
    SampleNoise calibrating;
    std::size_t integers = 0;  ///< tensors that it has in integers
};

class Ladder
{
public:
    explicit Ladder(ImproveCommandOptions& options) : m_options(options)
    {
        options.prepareRuns("--ladder", m_folder.file("figures.json"));
        if (options.heldOut == "none")
            throw Error(Fault::Usage, "--ladder needs samples held out; not --held-out none");
        options.runs.check.quantized = m_folder.file("rung.onnx");
    }

    int climb()
    {
        if (const int code = addStart())
            return code;
        for (const Remedy remedy : m_options.improveOptions().remedies) {
            Remedies tried = m_accepted;
            tried.insert(remedy);
            const std::size_t before = m_rungs.size();
            if (const int code = addRung("+ " + wordOf(remedy), tried, remedy))
                return code;
            LadderRung& rung = m_rungs.back();
            if (m_rungs.size() == before || !rung.figures)
                continue;
            rung.gain = deploy::gainOf(m_best, m_runs->judging, rungSeed);
            rung.isAccepted = !deploy::isSurelyLower(*rung.gain);
            if (!rung.isAccepted) {
                rung.note = "off: lower by more than its interval" +
                            (rung.note.empty() ? "" : "; " + rung.note);
                continue;
            }
            m_accepted = tried;
            m_best = m_runs->judging;
        }
        if (m_accepted.size() > 1)
            for (const Remedy remedy : m_accepted)
                if (const int code = addWithout(remedy))
                    return code;
        if (m_options.isSequential)
            if (const int code = addSequential())
                return code;
        return guarded(m_options.output.path,
                       [this](const Reading& reading) { return finish(reading); });
    }

private:
    static constexpr std::uint64_t rungSeed = 1;

    int guarded(const std::string& path, const std::function<int(const Reading&)>& work) const
    {
        return readUnderGuard(m_options.opening.limits,
                              {.outputPath = path,
                               .folders = {m_folder.path()},
                               .beforeEnd = [this] { m_folder.remove(); }},
                              work);
    }

    /// The model without remedies; of several decisions the best on the samples that calibrate.
    int addStart()
    {
        const std::vector<DecisionInput> starts = m_options.decisions.candidates();
        std::vector<Runs> runs;
        for (const DecisionInput& start : starts) {
            m_options.decisions = start;
            if (const int code = addRung(starts.size() == 1 ? "decided" : start.text(), {}))
                return code;
            runs.push_back(*m_runs);
            if (runs.size() > 1)
                m_rungs.back().gain =
                    deploy::gainOf(runs.front().judging, m_runs->judging, rungSeed);
        }
        // One that leaves more in float looks better.
        const std::size_t most = std::ranges::max_element(runs, {}, &Runs::integers)->integers;
        const auto calibratingDb = [most](const Runs& one) {
            return one.integers < most ? -std::numeric_limits<double>::infinity()
                                       : deploy::figuresOf(one.calibrating).pooledDb;
        };
        const auto best = std::ranges::max_element(runs, {}, calibratingDb);
        for (std::size_t index = 0; starts.size() > 1 && index < starts.size(); ++index) {
            std::string& note = m_rungs[index].note;
            const std::string verdict =
                runs[index].integers < most
                    ? "off: leaves " + countText(most - runs[index].integers, "tensor", "tensors") +
                          " more in float"
                    : fmt::format("{:.2f} dB on the samples that calibrate",
                                  calibratingDb(runs[index]));
            note = verdict + (note.empty() ? "" : "; " + note);
        }
        const auto index = static_cast<std::size_t>(best - runs.begin());
        m_rungs[index].isAccepted = true;
        m_options.decisions = starts[index];
        m_best = best->judging;
        return 0;
    }

    int addWithout(Remedy remedy)
    {
        Remedies others = m_accepted;
        others.erase(remedy);
        if (const int code = addRung("without " + wordOf(remedy), others))
            return code;
        m_rungs.back().gain = deploy::gainOf(m_best, m_runs->judging, rungSeed);
        return 0;
    }

    /// The biases by the quantized model's own errors, layer after layer, instead of those by
    /// recorded operands.
    int addSequential()
    {
        Remedies others = m_accepted;
        others.erase(Remedy::Bias);
        if (const int code = guarded("", [&](const Reading& reading) {
                const int written = writeRung(others, reading);
                return written == 0 ? writeStages(others, reading) : written;
            }))
            return code;
        const std::string name = "stages.json";
        const json value = parseJson(readWholeFile(m_folder.file(name), mostRungBytes), name);
        ModelCheckOptions runs = m_options.runs;
        for (const json& stage : value)
            for (const json& layer : stage)
                runs.check.averaged.push_back(layer.at(1).get<std::string>());
        if (runs.check.averaged.empty())
            return noneShifted("no layer's output was found in the model");
        if (const int code = findShifts(runs, value))
            return code;
        if (m_shifts.empty())
            return noneShifted("no mean error is above twice its standard error");
        if (const int code = addRung("+ sequential bias", others))
            return code;
        LadderRung& rung = m_rungs.back();
        rung.remedies.emplace_back("sequential bias");
        rung.gain = deploy::gainOf(m_best, m_runs->judging, rungSeed);
        rung.isAccepted =
            rung.gain->pooled.gainDb >= leastRemedyGainDb && !deploy::isSurelyLower(*rung.gain);
        if (rung.isAccepted) {
            m_accepted = others;
            return 0;
        }
        m_shifts.clear();
        rung.note = "off: no gain of 0.1 dB" + (rung.note.empty() ? "" : "; " + rung.note);
        return 0;
    }

    int noneShifted(const char* why)
    {
        const double int8Share = m_rungs.back().int8Share;
        m_rungs.push_back(
            {.step = "+ sequential bias", .remedies = {}, .int8Share = int8Share, .note = why});
        return 0;
    }

    /// Fills m_shifts, stage by stage: a shift is minus the mean error that is left with those of
    /// the stages before.
    int findShifts(const ModelCheckOptions& runs, const json& stages)
    {
        ModelCheck check(runs);
        if (const int code = check.averageFloat())
            return code;
        std::map<std::string, std::vector<double>> shifts;  // by the graph's names
        std::map<std::string, deploy::ChannelMeans> errors;
        for (std::size_t index = 0; index < stages.size(); ++index) {
            if (m_options.runs.tellsProgress)
                sayOnStderr("progress: + sequential bias: stage " + std::to_string(index + 1) +
                            " of " + std::to_string(stages.size()));
            std::vector<std::string> outputs;
            for (const json& layer : stages.at(index))
                outputs.push_back(layer.at(1).get<std::string>());
            if (const int code = check.averageErrors(outputs, shifts, errors))
                return code;
            for (const json& layer : stages.at(index)) {
                std::vector<double> shift =
                    layers::surelyMoved(shiftOf(errors.at(layer.at(1).get<std::string>())));
                if (std::ranges::all_of(shift, [](double by) { return by == 0.0; }))
                    continue;
                m_shifts[layer.at(0).get<std::string>()] = shift;
                shifts[layer.at(1).get<std::string>()] = std::move(shift);
            }
        }
        return 0;
    }

    [[nodiscard]] layers::ChannelShift shiftOf(const deploy::ChannelMeans& means) const
    {
        const std::size_t channels = means.front().size();
        layers::UnitErrors errors(means.size(), 1, channels);
        std::vector<std::uint64_t> samples(means.size());
        std::iota(samples.begin(), samples.end(), 0U);
        const std::vector<double> none(means.size(), 0.0);
        std::vector<double> ofChannel(means.size());
        for (std::size_t channel = 0; channel < channels; ++channel) {
            for (std::size_t sample = 0; sample < means.size(); ++sample)
                ofChannel[sample] = means[sample].at(channel);
            errors.add(channel, samples, {.output = none, .computed = none, .error = ofChannel});
        }
        return errors.meanShift(
            {.heldOut = m_options.improveOptions().heldOut, .samples = means.size()});
    }

    /// The layers whose biases may move, [name, the graph's name of the output], in stages.
    int writeStages(const Remedies& remedies, const Reading& reading)
    {
        Complaints complaints(true);
        const ImprovedDump improved = improvedDump(m_options, 0, remedies, reading, complaints);
        const model::ModelFile& model = *improved.layers.model;
        deploy::NameMap map;
        if (!m_options.map.empty())
            map = deploy::readNameMap(m_options.map);
        const std::vector<deploy::GraphName> names = deploy::namesIn(
            model, deploy::tensorsOf(*improved.layers.dump), map, false, reading.progress());
        std::map<std::string, std::string> layerOf;
        std::vector<std::string> outputs;
        const auto without = m_options.improveOptions().without;
        for (const LayerImprovement& layer : improved.report.layers) {
            const std::string& name = layer.decided.layer;
            if (layer.isFloat || !layer.decided.whyNot.empty() ||
                layer.positions < layers::leastBiasPositions ||
                without.contains({name, Remedy::Bias}))
                continue;
            const std::vector<deploy::SavedLayer> saved{deploy::savedLayer(layer)};
            for (const model::LayerChange& change :
                 deploy::placedChanges(saved, improved.layers.dump->tensors(), names,
                                       model.tensors())
                     .changes)
                if (change.scope.empty() && layerOf.emplace(change.output, name).second)
                    outputs.push_back(change.output);
        }
        json stages = json::array();
        for (const std::vector<std::string>& stage : model::layerStages(model, outputs)) {
            json& list = stages.emplace_back(json::array());
            for (const std::string& output : stage)
                list.push_back({layerOf.at(output), output});
        }
        writeWholeFile(m_folder.file("stages.json"),
                       stages.dump(-1, ' ', false, json::error_handler_t::replace),
                       {.isSynced = false});
        return 0;
    }

    /// Writes the model with these remedies and runs it; where `wanted` was chosen for no layer, it
    /// is not run. Rounding has no rung where all weights have 8 bits.
    int addRung(const std::string& step, const Remedies& remedies,
                std::optional<Remedy> wanted = std::nullopt)
    {
        m_options.runs.progressOf = step + ": ";
        if (m_options.runs.tellsProgress)
            sayOnStderr("progress: " + step);
        if (const int code =
                guarded("", [&](const Reading& reading) { return writeRung(remedies, reading); }))
            return code;
        const std::string name = "rung.json";
        const json value = parseJson(readWholeFile(m_folder.file(name), mostRungBytes), name);
        const JsonObject object(value, name);
        LadderRung rung{.step = step, .remedies = wordsOf(remedies)};
        rung.note = object.text("error");
        rung.int8Share = object.number("int8_share");
        if (wanted && object.count(wordOf(*wanted).c_str()) == 0) {
            if (wanted == Remedy::Rounding && object.count("rounding tried") == 0)
                return 0;
            rung.note = "chosen for no layer";
            m_rungs.push_back(std::move(rung));
            return 0;
        }
        if (const int code = run())
            return code;
        m_runs->integers = object.count("integers");
        rung.figures = deploy::figuresOf(m_runs->judging);
        rung.samples = m_runs->judging.signal.size();
        m_rungs.push_back(std::move(rung));
        return 0;
    }

    int writeRung(const Remedies& remedies, const Reading& reading)
    {
        const ThreadLimit threads(static_cast<std::size_t>(m_options.jobs));
        m_options.resolve(m_options.output);
        Complaints complaints(true);
        const RungModel rung = writeImprovements(remedies, reading, complaints).second;
        json object{{"int8_share", rung.int8Share}};
        for (const auto& [word, layers] : rung.layers)
            object[word] = layers;
        const model::QuantizedFile file = writtenModel(modelOptions(), sources(remedies, reading),
                                                       m_folder.file("rung.onnx"), reading);
        // A tensor without a written scale stays float, which looks like a gain.
        const auto error =
            std::ranges::find(file.model.lints, FindingLevel::Error, &Finding::level);
        if (error != file.model.lints.end())
            object["error"] = withLevel(*error);
        object["integers"] = file.model.activations.size() + file.model.weights.size();
        writeWholeFile(m_folder.file("rung.json"),
                       object.dump(-1, ' ', false, json::error_handler_t::replace),
                       {.isSynced = false});
        return 0;
    }

    /// Throws Error(Usage) for names that no layer has: minutes would be spent on the others.
    void requireLayers(const Reading& reading) const
    {
        std::vector<std::string> wanted = m_options.layers;
        for (const auto& [layer, remedy] : m_options.improveOptions().without)
            wanted.push_back(layer);
        const std::vector<std::string> missing = missingLayers(m_options, 0, wanted, reading);
        if (!missing.empty())
            throw Error(Fault::Usage, "{}: there is no layer {}; calib layers lists them",
                        m_options.files.front(), missing.front());
    }

    std::pair<ImprovedDump, RungModel>
    writeImprovements(const Remedies& remedies, const Reading& reading, Complaints& complaints)
    {
        if (m_rungs.empty())
            requireLayers(reading);
        ImprovedDump improved = improvedDump(m_options, 0, remedies, reading, complaints);
        for (LayerImprovement& layer : improved.report.layers)
            if (const auto shift = m_shifts.find(layer.decided.layer); shift != m_shifts.end())
                layer.biasShift = shift->second;
        deploy::SavedImprovements saved = savedImprovements(m_options);
        saved.dumps.push_back(savedDump(m_options, improved, 0, reading));
        writeWholeFile(m_folder.file("improvements.json"), deploy::improvementsJson(saved),
                       {.isSynced = false});
        RungModel rung = rungModelOf(improved.report);
        return {std::move(improved), std::move(rung)};
    }

    [[nodiscard]] ModelOutputOptions modelOptions() const
    {
        ModelOutputOptions options;
        options.model = m_options.model;
        options.places = m_options.places;
        options.weightsTo = "127";  // shifts of biases are for these
        return options;
    }

    [[nodiscard]] ModelSources sources(const Remedies& remedies, const Reading& reading) const
    {
        const std::string& file = m_options.files.front();
        DecidedDump one{.dump = reading.openAgain(file, m_options.opening.dumpOptions()),
                        .decisions = {}};
        one.decisions = m_options.decisions.decidedOn(*one.dump, 0, MetricEffort::None, reading);
        ModelSources sources{.dumps = {std::move(one)}, .session = m_options.decisions.session()};
        if (!remedies.empty() || !m_shifts.empty())
            sources.improve = m_folder.file("improvements.json");
        if (!m_options.map.empty())
            sources.map = deploy::readNameMap(m_options.map);
        return sources;
    }

    int run()
    {
        ModelCheck check(m_options.runs);
        const int code = check.run([&](const deploy::CheckPlan& plan, const Reading& reading) {
            reading.ends();
            writeWholeFile(m_options.runs.output.path, figuresText(plan, check.sums()),
                           {.isSynced = false});
            return 0;
        });
        if (code != 0)
            return code;
        const std::string name = "figures.json";
        const json value = parseJson(readWholeFile(m_folder.file(name), mostRungBytes), name);
        const JsonObject object(value, name);
        m_ends = object.texts("ends");
        const auto noiseOf = [&](const std::string& half) {
            return SampleNoise{.signal = object.numbers((half + "_signal").c_str()),
                               .noise = object.numbers((half + "_noise").c_str())};
        };
        m_runs = Runs{.judging = noiseOf("judging"), .calibrating = noiseOf("calibrating")};
        return 0;
    }

    /// Signal and noise of the samples of both halves, of all ends together.
    [[nodiscard]] std::string figuresText(const deploy::CheckPlan& plan,
                                          const std::vector<deploy::CheckSums>& groups) const
    {
        const layers::SampleSplit split{.heldOut = m_options.improveOptions().heldOut,
                                        .samples = plan.samples()};
        std::vector<double> signal(split.samples, 0.0);
        std::vector<double> noise(split.samples, 0.0);
        json ends = json::array();
        for (std::size_t index = 0; index < plan.outputs.size(); ++index) {
            if (!plan.outputs[index].isEnd)
                continue;
            const std::string& name = plan.outputs[index].name;
            ends.push_back(plan.endText(plan.outputs[index]));
            std::size_t sample = 0;
            for (const deploy::CheckSums& group : groups)
                for (const deploy::SampleSums& sums : group.written.at(index)) {
                    if (sums.notFinite > 0)
                        throw Error(Fault::Input, "\"{}\" is NaN or infinite in one model", name);
                    if (sample < signal.size()) {
                        signal[sample] += sums.reference;
                        noise[sample] += sums.noise;
                    }
                    ++sample;
                }
            if (sample != signal.size())
                throw Error(Fault::Input,
                            "\"{}\": its first axis is not that of the samples, so none can be "
                            "held out",
                            name);
        }
        json result{{"ends", ends}};
        for (const bool calibrates : {false, true}) {
            const std::string half = calibrates ? "calibrating" : "judging";
            json& signals = result[half + "_signal"] = json::array();
            json& noises = result[half + "_noise"] = json::array();
            for (std::size_t sample = 0; sample < signal.size(); ++sample)
                if (split.calibrates(sample) == calibrates) {
                    signals.push_back(signal[sample]);
                    noises.push_back(noise[sample]);
                }
        }
        return result.dump();
    }

    /// The table, what was accepted, and a paragraph of both.
    int finish(const Reading& reading)
    {
        m_options.resolve(m_options.output);
        Complaints complaints;
        const ImprovedDump improved = writeImprovements(m_accepted, reading, complaints).first;
        OutputOptions toScreen = m_options.output;
        toScreen.path.clear();
        TableOutput table(
            toScreen, ladderColumns(),
            "step,pooled_db,median_db,least_db,gain_db,low_db,high_db,accepted,notes");
        for (const std::vector<Cell>& row : ladderRows(m_rungs))
            table.row(row);
        table.finish();
        const std::string& path = m_options.output.path;
        if (m_options.writesModel())
            writeQuantizedModel(modelOptions(), sources(m_accepted, reading), path, reading);
        else if (!path.empty())
            writeOutput(path, readWholeFile(m_folder.file("improvements.json"), mostRungBytes));
        const std::string paragraph = ladderParagraph(m_rungs, m_ends, improved.report);
        if (toScreen.tableFormat() == TableFormat::Aligned)
            writeOutput("", "\n" + paragraph + "\n");
        else
            sayOnStderr(paragraph);
        return complaints.exitCode();
    }

    ImproveCommandOptions& m_options;
    CheckFolder m_folder;
    std::vector<LadderRung> m_rungs;
    Remedies m_accepted;
    std::map<std::string, std::vector<double>> m_shifts;  ///< of sequential biases, by layer
    SampleNoise m_best;                                   ///< of the last rung that was accepted
    std::optional<Runs> m_runs;                           ///< of the last one that was run
    std::vector<std::string> m_ends;                      ///< where it was compared
};

}  // namespace

int runLadder(ImproveCommandOptions& options)
{
    return untilSignal([&] { return Ladder(options).climb(); });
}

}  // namespace calibscope::cli
