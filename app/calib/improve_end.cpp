// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/improve_options.h"
#include "app/calib/model_output.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/deploy/check/agreement.h"
#include "core/deploy/end_file.h"
#include "core/deploy/end_noise.h"
#include "core/model/drawn_model.h"
#include "core/model/graph_ports.h"
#include "core/model/model_layers.h"
#include "core/recipes/candidates.h"
#include "core/report/tables/end_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

using deploy::EndFile;
using deploy::EndPosition;
using nlohmann::json;

constexpr std::uint64_t mostEndBytes = std::uint64_t{1} << 30U;
constexpr std::size_t mostNamed = 3;
constexpr std::size_t runsAtOnce = 16;   ///< between two states of the file
constexpr std::size_t aloneAtOnce = 32;  ///< likewise, where what follows layers is run

/// A model that is to be run.
struct EndRunModel
{
    EndMix mix;
    std::uint64_t draw = 0;                 ///< 0: as decided
    std::optional<EndPosition> alone = {};  ///< the only choice that it has; nothing: a whole mix
    std::string digest = {};
};

/// Figures of a run, or its failure.
struct EndFigures
{
    std::string failure;
    std::vector<double> power;
    std::vector<double> direction;
};

std::string drawDigest(const std::string& digest, std::uint64_t draw)
{
    return draw == 0 ? digest : digest + "-" + std::to_string(draw);
}

/// "percentile symmetric-full int8", "min-max symmetric-restricted int8[-127,127] by channel"; and
/// the choice's id.
EndChoice endChoiceOf(const model::TensorScales& scales, const deploy::Decisions& decisions)
{
    const auto decided = std::ranges::find_if(decisions.tensors, [&](const DecidedTensor& tensor) {
        return tensor.info.name == scales.dumpName;
    });
    const bool isDecided = decided != decisions.tensors.end();
    const TensorQuantization& quantization = scales.quantization;
    const std::string by = quantization.group > 1 ? " by " + std::to_string(quantization.group)
                                                  : (quantization.axis ? " by channel" : "");
    return {.label = (isDecided ? decided->outcome.choice.calibrator + " " : "") + scales.scheme +
                     " " + quantization.format.id() + by,
            .choiceId = isDecided ? choiceId(decided->outcome.choice) : "",
            .quantization = quantization};
}

/// Options without a part in the table. Throws Error(Usage) with the command that has one.
void refuseOthers(const ImproveCommandOptions& options)
{
    const ImproveCommandOptions usual;
    const std::vector<std::pair<bool, const char*>> others = {
        {!options.layers.empty(), "--layer"},
        {!options.without.empty(), "--without"},
        {options.remedies != usual.remedies, "--remedies"},
        {options.heldOut != usual.heldOut, "--held-out"},
        {options.insertsMul, "--insert-mul"},
        {options.places != usual.places, "--places"},
        {options.isSequential, "--sequential"}};
    for (const auto& [isGiven, option] : others)
        if (isGiven)
            throw Error(Fault::Usage,
                        "--end measures each operand of all layers, on all samples, with pairs at "
                        "operands and no remedies: leave out {}; it is for calib improve without "
                        "--end",
                        option);
    if (options.writesModel())
        throw Error(Fault::Usage,
                    "-o {}: --end writes a table; leave out --end for a quantized model",
                    options.output.path);
}

class EndRun
{
public:
    explicit EndRun(ImproveCommandOptions& options) : m_options(options)
    {
        options.prepareRuns("--end", m_folder.file("figures.json"));
        const EndOptions& end = options.end;
        if (options.climbs || (end.predicts && end.budgets) || (end.isKnown && end.isBest))
            throw Error(Fault::Usage,
                        "give one of --ladder, --predict, --known, --best and --budget");
        if ((end.isKnown || end.isBest) &&
            (end.predicts || end.budgets || end.measure > 0 || end.draws > 0))
            throw Error(Fault::Usage,
                        "{} runs nothing: leave out --predict, --budget, --measure and --draws",
                        knownOption());
        if (end.isAdjoint && (end.predicts || end.budgets || end.isKnown || end.isBest))
            throw Error(Fault::Usage, "--adjoint computes what the table lacks: leave out "
                                      "--predict, --known, --best and --budget, which read it");
        refuseOthers(options);
        m_cost = options.end.budgetCost();
    }

    int run()
    {
        if (const int code = guarded("", [this](const Reading& reading) { return plan(reading); }))
            return code;
        const json state =
            parseJson(readWholeFile(m_folder.file("state.json"), mostEndBytes), "state");
        const JsonObject object(state, "state");
        for (const double choice : object.numbers("mix"))
            m_mix.push_back(choice < 0.0 ? std::nullopt
                                         : std::optional(static_cast<std::size_t>(choice)));
        m_sized = object.texts("sized");
        m_code = static_cast<int>(object.integer("code"));
        m_file = deploy::parseEndFile(readWholeFile(m_folder.file("end.json"), mostEndBytes),
                                      m_options.end.path);
        if (const int code = measure())
            return code;
        return guarded(m_options.output.path, [this](const Reading& reading) {
            reading.ends();
            return show();
        });
    }

private:
    [[nodiscard]] const char* knownOption() const
    {
        return m_options.end.isBest ? "--best" : "--known";
    }

    int guarded(const std::string& path, const std::function<int(const Reading&)>& work) const
    {
        return readUnderGuard(m_options.opening.limits,
                              {.outputPath = path,
                               .folders = {m_folder.path()},
                               .beforeEnd = [this] { m_folder.remove(); }},
                              work);
    }

    /// The table of the file, or a new one, with the choices that were decided.
    int plan(const Reading& reading)
    {
        m_options.resolve(m_options.output);
        refuseOverwriting(m_options.output, {m_options.end.path});
        const std::string& path = m_options.end.path;
        const std::string& dump = m_options.files.front();
        refuseOverwriting({.path = path}, {dump, m_options.model});
        EndFile file{.modelSha256 = fileSha256(m_options.model),
                     .dumpSha256 = fileSha256(dump, [&] { reading.progress().step(0, 0, dump); }),
                     .samples = m_options.runs.check.samples,
                     .feeds = m_options.runs.givenFeeds()};
        const bool isKnown = m_options.end.isKnown || m_options.end.isBest;
        if (isKnown && !std::filesystem::exists(path))
            throw Error(Fault::Input, "{}: is not there; without {} it is measured", path,
                        knownOption());
        if (std::filesystem::exists(path)) {
            EndFile known = deploy::parseEndFile(readWholeFile(path, mostEndBytes), path);
            if (isKnown || (file.samples == 0 && m_options.end.runsNothing()))
                file.samples = known.samples;
            if (m_options.end.runsNothing())
                file.feeds = known.feeds;
            if (!known.table.signal.empty()) {  // else nothing is measured yet
                const std::string& at = m_options.runs.check.end;
                if (!at.empty() && at != known.table.end)
                    file.table.end = model::beforeFlattening(
                        model::ModelFile::read(m_options.model)->proto(), at);
                deploy::requireSameEnd(known, file, path);
                file = std::move(known);
            }
        }
        ModelSources sources{.dumps = {{.dump = reading.open(dump, m_options.opening.dumpOptions()),
                                        .decisions = {}}}};
        if (!m_options.map.empty())
            sources.map = deploy::readNameMap(m_options.map);
        sources.dumps.front().decisions = m_options.decisions.decidedOn(
            *sources.dumps.front().dump, 0, MetricEffort::None, reading);
        Complaints complaints;
        reportDoubts(sources.dumps.front().decisions, complaints);
        const model::QuantizedFile planned = plannedModel(modelOptions(), sources, reading);
        Findings errors = planned.model.lints;
        std::erase_if(errors,
                      [](const Finding& lint) { return lint.level != FindingLevel::Error; });
        for (std::size_t index = 0; index < std::min(errors.size(), mostNamed); ++index)
            warn(withLevel(errors[index]));
        if (errors.size() > mostNamed)
            warn(std::to_string(errors.size() - mostNamed) + " more errors");
        const std::vector<model::ModelLayer> layers =
            model::modelLayers(*model::ModelFile::read(m_options.model));
        json state{{"mix", addPlanned(file.table, planned, layers, sources)},
                   {"sized", json::array()},
                   {"code", complaints.exitCode()}};
        for (const model::ModelLayer& layer : layers)
            state["sized"].push_back(layer.sized);
        const auto write = [&](const char* name, const std::string& text) {
            writeWholeFile(m_folder.file(name), text, {.isSynced = false});
        };
        write("state.json", state.dump(-1, ' ', false, json::error_handler_t::replace));
        write("end.json", deploy::endFileJson(file));
        return 0;
    }

    /// Adds the pairs and weights of the planned model; for each operand of the table its choice.
    static json addPlanned(EndTable& table, const model::QuantizedFile& planned,
                           const std::vector<model::ModelLayer>& layers,
                           const ModelSources& sources)
    {
        if (table.layers.empty())
            for (const model::ModelLayer& layer : layers)
                table.layers.push_back(
                    {.output = layer.output, .weightValues = layer.weightValues});
        std::vector<EndPosition> decided;
        for (const auto* tensors : {&planned.model.activations, &planned.model.weights})
            for (const model::IntegerTensor& tensor : *tensors) {
                const model::TensorScales& scales = tensor.scales;
                EndOperand operand{.tensor = scales.tensor,
                                   .scope = scales.scope,
                                   .isWeight = tensors == &planned.model.weights};
                for (std::size_t layer = 0; scales.scope.empty() && layer < layers.size(); ++layer)
                    if (std::ranges::find(layers[layer].operands, scales.tensor) !=
                        layers[layer].operands.end())
                        operand.layers.push_back(layer);
                decided.push_back(deploy::addedChoice(
                    table, operand, endChoiceOf(scales, sources.dumps.front().decisions)));
            }
        json mix(table.operands.size(), -1);
        for (const EndPosition& at : decided)
            mix[at.operand] = at.choice;
        return mix;
    }

    [[nodiscard]] ModelOutputOptions modelOptions() const
    {
        ModelOutputOptions options;
        options.model = m_options.model;
        options.places = "operands";
        options.weightsTo = "127";  // models are run as written
        return options;
    }

    [[nodiscard]] const MeasuredMix* measuredMix(const std::string& digest) const
    {
        const auto found = std::ranges::find(m_file.table.mixes, digest, &MeasuredMix::digest);
        return found == m_file.table.mixes.end() ? nullptr : &*found;
    }

    void addMix(std::vector<EndRunModel>& models, const EndMix& mix, std::uint64_t draw) const
    {
        EndRunModel model{.mix = mix, .draw = draw};
        model.digest = drawDigest(deploy::mixDigest(m_file.table, mix), draw);
        if (measuredMix(model.digest) == nullptr &&
            std::ranges::any_of(mix, [](const auto& choice) { return choice.has_value(); }))
            models.push_back(std::move(model));
    }

    /// Those of the operands that make that much of the sum whose choices are not measured.
    void addAlone(std::vector<EndRunModel>& models) const
    {
        const EndTable& table = m_file.table;
        std::vector<std::pair<double, std::size_t>> largest;
        double all = 0.0;
        for (std::size_t index = 0; index < table.operands.size(); ++index) {
            double most = -1.0;
            for (const EndChoice& choice : table.operands[index].choices)
                if (!choice.power.empty())
                    most = std::max(most,
                                    std::accumulate(choice.power.begin(), choice.power.end(), 0.0));
            largest.emplace_back(most, index);
            all += std::max(0.0, most);
        }
        std::ranges::stable_sort(largest, std::ranges::greater{},
                                 &std::pair<double, std::size_t>::first);
        constexpr double percent = 100.0;
        const double share = static_cast<double>(m_options.end.within) / percent;
        double sum = 0.0;
        for (const auto& [power, index] : largest) {
            const bool isWanted = power < 0.0 || share >= 1.0 || sum < share * all;
            sum += std::max(0.0, power);
            if (!isWanted || !m_mix[index] ||
                !table.operands[index].choices[*m_mix[index]].power.empty())
                continue;
            if (m_options.end.isAdjoint && power >= 0.0)
                continue;
            EndRunModel model{.mix = EndMix(table.operands.size())};
            model.mix[index] = m_mix[index];
            model.alone = EndPosition{.operand = index, .choice = *m_mix[index]};
            models.push_back(std::move(model));
        }
        // The nodes behind a layer are run once for its operands.
        std::ranges::stable_sort(models, {}, [&](const EndRunModel& model) {
            return table.operands[model.alone->operand].layers;
        });
    }

    int measure()
    {
        const EndOptions& end = m_options.end;
        std::vector<EndRunModel> models;
        std::vector<EndRunModel> alone;
        const bool measures = !end.predicts && !end.budgets && !end.isKnown && !end.isBest;
        if (end.budgets) {
            deploy::addInt16Choices(m_file.table, m_mix);
            m_curve = deploy::budgetCurve(m_file.table, m_mix, m_cost);
            for (const std::size_t index : measuredPoints())
                addMix(models, deploy::mixAt(m_file.table, m_mix, m_curve[index]), 0);
        } else {
            if ((measures && !end.isAdjoint) || end.measure > 0)
                addMix(models, m_mix, 0);
            for (std::uint64_t draw = 1; draw <= end.draws; ++draw)
                addMix(models, m_mix, draw);
            if (measures)
                addAlone(alone);
        }
        if (!models.empty() || measures)  // fails at once where it can't be written
            writeOutput(end.path, deploy::endFileJson(m_file));
        if (const int code = runParts(models, false))
            return code;
        if (const int code = runParts(alone, true))
            return code;
        if (const int code = runParts(std::exchange(m_left, {}), false))
            return code;
        return end.isAdjoint ? runAdjoint() : 0;
    }

    /// Runs the adjoint of unknown decided choices and of the measured ones that they scale.
    int runAdjoint()
    {
        m_adjoint.assign(2, {});
        for (std::size_t index = 0; index < m_mix.size(); ++index) {
            const EndOperand& operand = m_file.table.operands[index];
            if (!m_mix[index] || deploy::isKnownWithoutRun(operand, *m_mix[index]))
                continue;
            const EndChoice* from =
                deploy::adjointReference(operand, operand.choices[*m_mix[index]]);
            if (from == nullptr)
                continue;
            if (from->adjoint.empty())
                m_adjoint[0].push_back(
                    {.operand = index,
                     .choice = static_cast<std::size_t>(from - operand.choices.data())});
            if (operand.choices[*m_mix[index]].adjoint.empty())
                m_adjoint[1].push_back({.operand = index, .choice = *m_mix[index]});
        }
        if (m_adjoint[0].empty() && m_adjoint[1].empty())
            return 0;
        for (const std::vector<EndPosition>& set : m_adjoint) {
            std::vector<model::TensorScales>& scales = m_options.runs.check.adjoint.emplace_back();
            for (const EndPosition& at : set)
                scales.push_back(deploy::scalesOf(m_file.table, at));
        }
        const int code = runModels({}, true);
        m_options.runs.check.adjoint.clear();
        if (code == 0)
            writeOutput(m_options.end.path, deploy::endFileJson(m_file));
        return code;
    }

    /// Some models at a time, and the file after them.
    int runParts(const std::vector<EndRunModel>& models, bool areCut)
    {
        const std::size_t most = areCut ? aloneAtOnce : runsAtOnce;
        for (std::size_t first = 0; first < models.size(); first += most) {
            const std::size_t count = std::min(most, models.size() - first);
            if (m_options.runs.tellsProgress)
                sayOnStderr("progress: models " + std::to_string(first + 1) + " to " +
                            std::to_string(first + count) + " of " + std::to_string(models.size()));
            if (const int code =
                    runModels({models.begin() + static_cast<std::ptrdiff_t>(first),
                               models.begin() + static_cast<std::ptrdiff_t>(first + count)},
                              areCut))
                return code;
            writeOutput(m_options.end.path, deploy::endFileJson(m_file));
        }
        return 0;
    }

    /// As many as are to be measured, evenly along the curve.
    [[nodiscard]] std::vector<std::size_t> measuredPoints() const
    {
        std::vector<std::size_t> points;
        const std::size_t count = std::min<std::size_t>(m_options.end.measure, m_curve.size());
        for (std::size_t index = 0; index < count; ++index)
            points.push_back(count == 1 ? 0 : index * (m_curve.size() - 1) / (count - 1));
        return points;
    }

    /// `areCut`: only what follows their operands, as far as that can be; the others are left.
    int runModels(const std::vector<EndRunModel>& models, bool areCut)
    {
        deploy::CheckOptions& check = m_options.runs.check;
        const auto fileOf = [&](std::size_t index) {
            return m_folder.file("mix-" + std::to_string(index) + ".onnx");
        };
        check.variants.clear();
        check.alone.clear();
        for (std::size_t index = 0; index < models.size(); ++index)
            if (areCut)
                check.alone.push_back(deploy::scalesOf(m_file.table, *models[index].alone));
            else
                check.variants.push_back(fileOf(index));
        const bool isSized = std::ranges::any_of(
            m_file.table.layers, [](const EndLayer& layer) { return layer.multiplications > 0.0; });
        check.sized = isSized ? std::vector<std::string>{} : m_sized;
        if (const int code = guarded("", [&](const Reading& reading) {
                const auto source = model::ModelFile::read(m_options.model);
                for (std::size_t index = 0; index < check.variants.size(); ++index) {
                    reading.progress().step(index, models.size(), "");
                    static_cast<void>(model::quantizeFile(*source, scalesOf(models[index]),
                                                          modelOptions().quantizeOptions(),
                                                          fileOf(index)));
                }
                return 0;
            }))
            return code;
        ModelCheck run(m_options.runs);
        const int code = run.run([&](const deploy::CheckPlan& plan, const Reading& reading) {
            reading.ends();
            writeWholeFile(m_options.runs.output.path, figuresText(plan, run), {.isSynced = false});
            return 0;
        });
        if (code == 0)
            takeFigures(models, areCut);
        return code;
    }

    [[nodiscard]] std::vector<model::TensorScales> scalesOf(const EndRunModel& model) const
    {
        std::vector<model::TensorScales> all;
        for (std::size_t index = 0; index < model.mix.size(); ++index) {
            if (!model.mix[index])
                continue;
            model::TensorScales scales =
                deploy::scalesOf(m_file.table, {.operand = index, .choice = *model.mix[index]});
            std::vector<float>& values = scales.quantization.scales;
            const std::vector<double> factors =
                model.draw == 0 ? std::vector<double>(values.size(), 1.0)
                                : model::drawnFactors(scales.tensor, model.draw, values.size());
            for (std::size_t scale = 0; scale < values.size(); ++scale)
                values[scale] =
                    static_cast<float>(static_cast<double>(values[scale]) * factors[scale]);
            all.push_back(std::move(scales));
        }
        return all;
    }

    /// Signal, noise and direction of each run at the end; the layers' multiplications.
    [[nodiscard]] std::string figuresText(const deploy::CheckPlan& plan,
                                          const ModelCheck& run) const
    {
        const auto end = std::ranges::find(plan.outputs, true, &deploy::PlannedOutput::isEnd);
        const auto index = static_cast<std::size_t>(end - plan.outputs.begin());
        if (std::ranges::count(plan.outputs, true, &deploy::PlannedOutput::isEnd) > 1)
            throw Error(Fault::Usage, "{}: has several outputs; choose one of them (--at)",
                        m_options.model);
        json figures{{"end", end->name}, {"runs", json::array()}, {"sizes", json::array()}};
        const auto add = [&](const std::string& failure,
                             const std::vector<deploy::CheckSums>& groups) {
            json figure{{"failure", failure}, {"power", json::array()}};
            json signal = json::array();
            std::vector<double> direction(deploy::directionParts, 0.0);
            for (const deploy::CheckSums& group : groups) {
                for (const deploy::SampleSums& sums : group.written.at(index)) {
                    figure["power"].push_back(sums.noise);
                    signal.push_back(sums.reference);
                    if (sums.notFinite > 0)
                        figure["failure"] = "the end is NaN or infinite";
                }
                for (std::size_t part = 0; part < group.direction.size(); ++part)
                    direction[part] += group.direction[part];
            }
            figure["direction"] = direction;
            if (signal.size() == plan.samples())
                figures["signal"] = signal;
            else if (failure.empty())
                throw Error(Fault::Input, "\"{}\": its first axis is not that of the samples",
                            end->name);
            figures["runs"].push_back(std::move(figure));
        };
        for (const deploy::DrawSums& draw : run.draws())
            add(draw.failure, draw.groups);
        for (const deploy::DrawSums& alone : run.alone())
            add(alone.failure, alone.groups);
        const std::vector<std::vector<double>> adjoint =
            plan.adjoint.vector.empty() ? std::vector<std::vector<double>>() : run.adjoint();
        for (std::size_t row = 0; row < plan.adjoint.products.size(); ++row) {
            const deploy::PlannedProduct& product = plan.adjoint.products[row];
            const std::string why = product.whyNot.empty() ? run.adjointFailure() : product.whyNot;
            figures["adjoint"].push_back(
                {{"set", product.set},
                 {"asked", product.asked},
                 {"why_not", why},
                 {"power", why.empty() ? adjoint.at(row) : std::vector<double>()}});
        }
        const auto layers = model::modelLayers(*model::ModelFile::read(m_options.model));
        for (std::size_t layer = 0; layer < plan.sized.size(); ++layer) {
            double size = 0.0;
            for (const deploy::CheckSums& group : run.sums())
                size += group.sizes.at(layer);
            figures["sizes"].push_back(size / static_cast<double>(plan.samples()) *
                                       layers.at(layer).multiplications);
        }
        return figures.dump(-1, ' ', false, json::error_handler_t::replace);
    }

    void takeFigures(const std::vector<EndRunModel>& models, bool areCut)
    {
        const json value =
            parseJson(readWholeFile(m_folder.file("figures.json"), mostEndBytes), "figures");
        const JsonObject object(value, "figures");
        EndTable& table = m_file.table;
        EndFile measured = m_file;
        measured.table.end = object.text("end");
        deploy::requireSameEnd(m_file, measured, m_options.end.path);
        table.end = measured.table.end;
        const std::vector<double> signal = object.numbers("signal");
        if (!table.signal.empty() && !signal.empty() && signal.size() != table.signal.size())
            throw Error(Fault::Input, "{}: has {} samples, and {} were run", m_options.end.path,
                        table.signal.size(), signal.size());
        if (!signal.empty())  // else all have failed
            table.signal = signal;
        object.list("adjoint", [&](const JsonObject& product) {
            const EndPosition& at = m_adjoint.at(product.count("set")).at(product.count("asked"));
            EndChoice& choice = table.operands[at.operand].choices[at.choice];
            choice.adjoint = product.numbers("power");
            choice.whyNot = product.text("why_not");
        });
        const std::vector<double> sizes = object.numbers("sizes");
        for (std::size_t layer = 0; layer < std::min(sizes.size(), table.layers.size()); ++layer)
            table.layers[layer].multiplications = sizes[layer];
        std::size_t index = 0;
        object.list("runs", [&](const JsonObject& run) {
            const EndRunModel& model = models.at(index++);
            const std::string failure = run.text("failure");
            if (!failure.empty() && areCut) {
                m_left.push_back(model);
                return;
            }
            if (!failure.empty())
                warn("a model was not measured: " + failure);
            if (!model.alone) {
                if (failure.empty())
                    table.mixes.push_back({.digest = model.digest, .power = run.numbers("power")});
                return;
            }
            EndChoice& choice = table.operands[model.alone->operand].choices[model.alone->choice];
            choice.whyNot = failure;
            if (!failure.empty())
                return;
            choice.power = run.numbers("power");
            choice.direction = run.numbers("direction");
            const double length = std::sqrt(std::inner_product(
                choice.direction.begin(), choice.direction.end(), choice.direction.begin(), 0.0));
            for (double& part : choice.direction)
                part = length > 0.0 ? part / length : 0.0;
        });
    }

    [[nodiscard]] std::optional<double> measuredDb(const std::string& digest) const
    {
        const MeasuredMix* mix = measuredMix(digest);
        const auto sum = [](const std::vector<double>& values) {
            return std::accumulate(values.begin(), values.end(), 0.0);
        };
        return mix == nullptr
                   ? std::nullopt
                   : std::optional(deploy::sqnrDb(sum(m_file.table.signal), sum(mix->power)));
    }

    /// All draws of the mix that the file has.
    [[nodiscard]] std::optional<DrawSummary> luckOf(const std::string& digest) const
    {
        std::vector<DrawCheck> draws;
        for (std::uint64_t draw = 1; draw <= mostDraws; ++draw)
            if (const auto db = measuredDb(drawDigest(digest, draw)))
                draws.push_back({.draw = draw, .agreement = {.sqnrDb = *db}});
        return deploy::drawSummaryOf(draws);
    }

    int show()
    {
        const std::string digest = deploy::mixDigest(m_file.table, m_mix);
        const EndPrediction end = deploy::predictedEnd(m_file.table, m_mix);
        const std::optional<DrawSummary> luck = luckOf(digest);
        const std::vector<Column>& columns = m_options.end.predicts  ? mixColumns()
                                             : m_options.end.budgets ? budgetColumns()
                                             : m_options.end.isBest  ? bestColumns()
                                                                     : endColumns();
        TableOutput table(m_options.output, columns);
        if (m_options.end.predicts) {
            table.row(mixRow(m_file.table, end, measuredDb(digest), luck));
        } else if (m_options.end.budgets) {
            for (BudgetPoint& point : m_curve) {
                point.measuredDb = measuredDb(
                    deploy::mixDigest(m_file.table, deploy::mixAt(m_file.table, m_mix, point)));
                table.row(budgetRow(m_file.table, point));
            }
        } else {
            for (const std::vector<Cell>& row :
                 m_options.end.isBest
                     ? bestRows(m_file.table, end, deploy::bestChanges(m_file.table, m_mix))
                     : endRows(m_file.table, end, luck))
                table.row(row);
        }
        table.finish("no operand of a layer has a decision");
        for (std::size_t index = end.shares.size() - end.notMeasured, shown = 0;
             index < end.shares.size() && shown < mostNamed; ++index, ++shown)
            warn("`" + m_file.table.operands[end.shares[index].operand].tensor +
                 "` is not measured with this choice: it is not in the sum" +
                 (shown + 1 < mostNamed || end.notMeasured <= mostNamed
                      ? ""
                      : "; nor are " + std::to_string(end.notMeasured - mostNamed) + " more"));
        if (!m_options.end.predicts && !m_options.end.isBest)
            sayOnStderr("calib: " + endSentence(m_file.table, end));
        return m_code;
    }

    ImproveCommandOptions& m_options;
    CheckFolder m_folder;
    deploy::BudgetCost m_cost;
    EndFile m_file;
    EndMix m_mix;                      ///< as decided
    std::vector<std::string> m_sized;  ///< tensors whose sizes tell the layers' costs
    std::vector<BudgetPoint> m_curve;
    std::vector<std::vector<EndPosition>> m_adjoint;  ///< choices of the sets that are run
    std::vector<EndRunModel> m_left;  ///< that could not be run as what follows an operand
    int m_code = 0;                   ///< 3: some of what was decided could not be computed
};

}  // namespace

int runEnd(ImproveCommandOptions& options)
{
    return untilSignal([&] { return EndRun(options).run(); });
}

}  // namespace calibscope::cli
