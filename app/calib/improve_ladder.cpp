// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/improve_options.h"
#include "app/calib/model_output.h"
#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/collect/at_once.h"
#include "core/deploy/check/ladder.h"
#include "core/report/tables/ladder_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
        all += cost;
        inFloat += layer.isFloat ? cost : 0.0;
        rung.layers["precision"] += layer.isFloat ? 1U : 0U;
        rung.layers["channels"] += layer.division.factors.empty() ? 0U : 1U;
        rung.layers["bias"] += layer.biasShift.empty() ? 0U : 1U;
    }
    rung.int8Share = all == 0.0 ? 1.0 : 1.0 - inFloat / all;
    return rung;
}

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
        if (const int code = addRung("decided", {}))
            return code;
        m_rungs.front().isAccepted = true;
        m_best = *m_noise;
        for (const Remedy remedy : m_options.improveOptions().remedies) {
            Remedies tried = m_accepted;
            tried.insert(remedy);
            if (const int code = addRung("+ " + wordOf(remedy), tried, remedy))
                return code;
            LadderRung& rung = m_rungs.back();
            if (!rung.figures)
                continue;
            rung.gain = deploy::gainOf(m_best, *m_noise, rungSeed);
            rung.isAccepted = !deploy::isSurelyLower(*rung.gain);
            if (!rung.isAccepted) {
                rung.note = "off: lower by more than its interval" +
                            (rung.note.empty() ? "" : "; " + rung.note);
                continue;
            }
            m_accepted = tried;
            m_best = *m_noise;
        }
        if (m_accepted.size() > 1)
            for (const Remedy remedy : m_accepted)
                if (const int code = addWithout(remedy))
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

    int addWithout(Remedy remedy)
    {
        Remedies others = m_accepted;
        others.erase(remedy);
        if (const int code = addRung("without " + wordOf(remedy), others))
            return code;
        m_rungs.back().gain = deploy::gainOf(m_best, *m_noise, rungSeed);
        return 0;
    }

    /// Writes the model with these remedies and runs it; where `wanted` was chosen for no layer, it
    /// is not run.
    int addRung(const std::string& step, const Remedies& remedies,
                std::optional<Remedy> wanted = std::nullopt)
    {
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
            rung.note = "chosen for no layer";
            m_rungs.push_back(std::move(rung));
            return 0;
        }
        if (const int code = run())
            return code;
        rung.figures = deploy::figuresOf(*m_noise);
        rung.samples = m_noise->signal.size();
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
        writeWholeFile(m_folder.file("rung.json"),
                       object.dump(-1, ' ', false, json::error_handler_t::replace),
                       {.isSynced = false});
        return 0;
    }

    std::pair<ImprovedDump, RungModel>
    writeImprovements(const Remedies& remedies, const Reading& reading, Complaints& complaints)
    {
        ImprovedDump improved = improvedDump(m_options, 0, remedies, reading, complaints);
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
        if (!remedies.empty())
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
        m_noise = {.signal = object.numbers("signal"), .noise = object.numbers("noise")};
        return 0;
    }

    /// Signal and noise of the samples that judge, of all ends together.
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
            ends.push_back(name);
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
        json result{{"ends", ends}, {"signal", json::array()}, {"noise", json::array()}};
        for (std::size_t sample = 0; sample < signal.size(); ++sample)
            if (!split.calibrates(sample)) {
                result["signal"].push_back(signal[sample]);
                result["noise"].push_back(noise[sample]);
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
    SampleNoise m_best;                  ///< of the last rung that was accepted
    std::optional<SampleNoise> m_noise;  ///< of the last one that was run
    std::vector<std::string> m_ends;     ///< where it was compared
};

}  // namespace

int runLadder(ImproveCommandOptions& options)
{
    return untilSignal([&] { return Ladder(options).climb(); });
}

}  // namespace calibscope::cli
