// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/whole_file.h"
#include "core/deploy/check/agreement.h"
#include "core/deploy/check/check_feeds.h"
#include "core/deploy/check/check_plan.h"
#include "core/deploy/check/checked_layers.h"
#include "core/deploy/check/npy.h"
#include "core/deploy/names/folded_decisions.h"
#include "core/deploy/names/graph_names.h"
#include "core/model/adjoint_model.h"
#include "core/model/drawn_model.h"
#include "core/model/graph_ports.h"
#include "core/model/model_file.h"
#include "core/model/operand_cut.h"
#include "core/model/probed_model.h"
#include "core/model/quantize_file.h"
#include "core/model/quantized_tensors.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <utility>
#include <vector>

namespace calibscope::deploy {

namespace {

namespace fs = std::filesystem;
using model::GraphPort;
using model::ModelFile;
using model::QuantizedTensor;

std::vector<std::string> namesOf(const std::vector<GraphPort>& ports)
{
    std::vector<std::string> names;
    for (const GraphPort& port : ports)
        names.push_back(port.name);
    return names;
}

/// Both models have to take and give the same.
void requireSame(const std::vector<GraphPort>& ofFloat, const std::vector<GraphPort>& ofQuantized,
                 const char* what, const CheckOptions& options)
{
    std::vector<std::string> one = namesOf(ofFloat);
    std::vector<std::string> other = namesOf(ofQuantized);
    std::ranges::sort(one);
    std::ranges::sort(other);
    if (one == other)
        return;
    const auto missing = std::ranges::find_if(
        one, [&](const std::string& name) { return !std::ranges::binary_search(other, name); });
    const std::string name = missing != one.end() ? *missing : other.back();
    throw Error(Fault::Input, "{}: {} \"{}\" is not in both models; is it made from {}?",
                options.quantized, what, name, options.model);
}

/// Decides what is made an output and compared.
class PlanMaker
{
public:
    PlanMaker(const CheckOptions& options, const DumpFile& dump)
        : m_options(options),
          m_dump(dump),
          m_float(ModelFile::read(options.model)),
          m_quantized(options.quantized.empty() ? m_float : ModelFile::read(options.quantized)),
          m_inputs(model::graphInputs(m_float->proto())),
          m_recordedAs(recordedIn(dump.tensors(), *m_float, options.map))
    {
        if (const std::string factors = model::metadataOf(*m_quantized, "calibscope.factors");
            !factors.empty()) {
            model::QuantizeOptions changed{.changes = factorsIn(factors, options.quantized)};
            m_folded = model::foldedModel(*m_float, changed);
            for (const model::LayerChange& change : changed.changes)
                m_factoredLayers.insert(change.output);
            for (const Finding& lint : m_folded.lints)
                throw Error(Fault::Input, "{}: is not made from {}: {}", options.quantized,
                            options.model, withLevel(lint));
        }
        m_plan.model = options.model;
        m_plan.quantized = options.quantized;
        m_plan.dump = dump.identity().path;
        m_plan.sized = options.sized;
    }

    void make()
    {
        const std::vector<GraphPort> outputs = model::graphOutputs(m_float->proto());
        requireSame(m_inputs, model::graphInputs(m_quantized->proto()), "input", m_options);
        requireSame(outputs, model::graphOutputs(m_quantized->proto()), "output", m_options);
        if (outputs.empty())
            throw Error(Fault::Input, "{}: has no outputs", m_options.model);
        m_plan.inputs = namesOf(m_inputs);
        for (const GraphPort& output : outputs)
            m_plan.outputs.push_back({.name = output.name, .op = output.op, .isOutput = true});
        if (m_options.judgesEnds) {
            addEnds();
            addAveraged();
        } else {
            addTensors();
        }
        findRecorded();
    }

    [[nodiscard]] const CheckPlan& plan() const { return m_plan; }

    [[nodiscard]] const std::vector<GraphPort>& inputs() const { return m_inputs; }

    [[nodiscard]] const RecordedAs& recordedAs() const { return m_recordedAs; }

    /// What the scales do to the outputs of layers, as far as the recording has their operands.
    void judgeLayers(CheckPlan& plan, const Progress& progress) const
    {
        std::map<std::string, double> found;
        try {
            found = outputSqnrDbs(m_dump, m_decided, progress);
        } catch (const std::bad_alloc&) {
            plan.notes.emplace_back("no room for the errors of layers' outputs; raise "
                                    "--address-space");
            return;
        }
        const auto of = [&](const std::string& graphName) -> std::optional<double> {
            const std::optional<std::size_t> index = m_recordedAs(graphName);
            const auto place = index ? found.find(m_dump.tensors()[*index].path) : found.end();
            if (isFactored(graphName) || m_factoredLayers.contains(graphName))
                return std::nullopt;
            return place == found.end() ? std::nullopt : std::optional(place->second);
        };
        for (ProbedTensor& tensor : plan.tensors)
            tensor.outputSqnrDb = of(tensor.name);
        for (ProbedWeight& weight : plan.weights)
            weight.figures.outputSqnrDb = of(weight.figures.name);
    }

    void writeModels(const std::string& folder) const
    {
        std::vector<std::string> probes;
        for (const PlannedOutput& output : m_plan.outputs)
            if (!output.isOutput)
                probes.push_back(output.name);
        const auto write = [&](const char* file, const ModelFile& model,
                               std::span<const std::string> outputs) {
            writeWholeFile((fs::path(folder) / file).string(),
                           model::probedModel(model, outputs, m_inIntegers), {.isSynced = false});
        };
        std::vector<std::string> given = probes;
        given.insert(given.end(), m_plan.given.begin(), m_plan.given.end());
        writeWholeFile((fs::path(folder) / "float.onnx").string(),
                       model::probedModel(*m_float, given, m_inIntegers, m_plan.sized),
                       {.isSynced = false});
        if (!m_options.quantized.empty())
            write("quantized.onnx", *m_quantized, probes);
        for (std::size_t index = 0; index < m_options.variants.size(); ++index)
            write(("draw-" + std::to_string(index + 1) + ".onnx").c_str(),
                  *ModelFile::read(m_options.variants[index]), probes);
        if (!m_plan.judgesEnds)
            write("fused.onnx", *m_quantized, {});
    }

    /// Cuts behind the operands that are to be alone; before writeModels().
    void writeCuts(const std::string& folder)
    {
        if (m_options.alone.empty())
            return;
        std::vector<std::string> ends;
        for (const PlannedOutput& output : m_plan.outputs)
            if (m_plan.isCompared(output))
                ends.push_back(output.name);
        for (model::OperandCut& cut : model::operandCuts(*m_float, m_options.alone, ends)) {
            const std::size_t number = m_plan.cuts.size();
            PlannedCut planned{.operands = {}, .taken = cut.taken};
            for (const model::CutOperand& operand : cut.operands)
                planned.operands.push_back({.asked = operand.asked,
                                            .tensor = operand.tensor,
                                            .input = operand.input,
                                            .isWeight = !operand.values.empty(),
                                            .quantization = operand.quantization});
            m_plan.cuts.push_back(std::move(planned));
            writeWholeFile((fs::path(folder) / cutJobOf(m_plan, number, 0, 0).model).string(),
                           cut.bytes, {.isSynced = false});
            for (std::size_t index = 0; index < cut.operands.size(); ++index)
                writeOperand(cut.operands[index], number, index, folder);
            for (const std::string& tensor : cut.taken)
                give(tensor);
        }
    }

    void writeAdjoint(const std::string& folder)
    {
        if (m_options.adjoint.empty())
            return;
        const auto end = std::ranges::find(m_plan.outputs, true, &PlannedOutput::isEnd);
        const model::AdjointModel made =
            model::adjointModel(*m_float, m_options.adjoint, end->name);
        PlannedAdjoint& adjoint = m_plan.adjoint;
        adjoint = {.end = end->name,
                   .taken = made.taken,
                   .vector = made.vector,
                   .product = made.product,
                   .products = {}};
        for (const auto* products : {&made.products, &made.refused})
            for (const model::AdjointProduct& product : *products)
                adjoint.products.push_back(
                    {.set = product.set, .asked = product.asked, .whyNot = product.whyNot});
        writeWholeFile((fs::path(folder) / "adjoint.onnx").string(), made.bytes,
                       {.isSynced = false});
    }

    /// How many draws are there; where there is nothing to draw, none.
    std::uint64_t writeDraws(CheckPlan& plan, const std::string& folder,
                             const Progress& progress) const
    {
        for (std::uint64_t draw = 1; draw <= m_options.draws; ++draw) {
            progress.step(draw, m_options.draws, "");
            const model::DrawnModel drawn = model::drawnModel(*m_quantized, *m_float, draw);
            if (draw == 1 && drawn.unchanged > 0)
                plan.notes.push_back(
                    "draws: " + std::to_string(drawn.unchanged) + " of " +
                    std::to_string(drawn.scales + drawn.unchanged) +
                    " constants of scales are the same in all (those of biases; of weights that "
                    "are not the float model's rounded to the nearest; what other operators take)");
            if (drawn.scales == 0)
                return 0;
            writeWholeFile((fs::path(folder) / ("draw-" + std::to_string(draw) + ".onnx")).string(),
                           drawn.bytes, {.isSynced = false});
        }
        return m_options.draws;
    }

private:
    void writeOperand(const model::CutOperand& operand, std::size_t cut, std::size_t index,
                      const std::string& folder)
    {
        if (operand.values.empty()) {
            give(operand.tensor);
            return;
        }
        for (const bool isQuantized : {false, true})
            writeWholeFile(
                (fs::path(folder) / operandFile(m_plan, cut, index, 0, isQuantized)).string(),
                npyText(npyArray(isQuantized ? operand.quantized : operand.values, operand.shape,
                                 NpyType::Float32)),
                {.isSynced = false});
    }

    /// The float model's run gives it, if it is not there anyway.
    void give(const std::string& tensor)
    {
        if (std::ranges::find(m_plan.inputs, tensor) == m_plan.inputs.end() &&
            std::ranges::find(m_plan.outputs, tensor, &PlannedOutput::name) ==
                m_plan.outputs.end() &&
            std::ranges::find(m_plan.given, tensor) == m_plan.given.end())
            m_plan.given.push_back(tensor);
    }

    /// Before the last Sigmoid or Softmax, which flatten what is far from 0.
    void addEnds()
    {
        m_plan.judgesEnds = true;
        const std::size_t outputs = m_plan.outputs.size();
        for (std::size_t index = 0; index < outputs; ++index) {
            const std::string output = m_plan.outputs[index].name;
            const std::string before = model::beforeFlattening(m_float->proto(), output);
            const bool isThere =
                std::ranges::any_of(m_quantized->tensors(),
                                    [&](const model::GraphTensor& tensor) {
                                        return tensor.scope.empty() && tensor.name == before;
                                    }) &&
                std::ranges::find(m_plan.outputs, before, &PlannedOutput::name) ==
                    m_plan.outputs.end();
            const bool isWanted =
                m_options.end.empty() || m_options.end == output || m_options.end == before;
            if (isThere && isWanted)
                m_plan.outputs.push_back(
                    {.name = before, .op = {}, .isEnd = true, .flattenedTo = output});
            else
                m_plan.outputs[index].isEnd = isWanted;
        }
        if (std::ranges::none_of(m_plan.outputs, &PlannedOutput::isEnd))
            throw Error(Fault::Input, "{}: has no output \"{}\"", m_options.model, m_options.end);
    }

    void addAveraged()
    {
        for (const std::string& name : m_options.averaged) {
            const auto tensor =
                std::ranges::find_if(m_float->tensors(), [&](const model::GraphTensor& each) {
                    return each.scope.empty() && each.name == name;
                });
            if (tensor == m_float->tensors().end())
                throw Error(Fault::Input, "{}: has no tensor \"{}\"", m_options.model, name);
            ProbedTensor planned{.name = name,
                                 .op = tensor->op,
                                 .place = m_plan.outputs.size(),
                                 .areLast = tensor->op == "MatMul" || tensor->op == "Gemm"};
            setTimes(planned);
            m_plan.tensors.push_back(std::move(planned));
            m_plan.outputs.push_back({.name = name, .op = tensor->op});
        }
    }

    void addTensors()
    {
        const model::QuantizedTensors found = model::quantizedTensors(*m_quantized);
        if (found.tensors.empty() && found.inInnerGraphs == 0)
            throw Error(
                Fault::Input,
                "{}: has no quantized tensor with constant scales; give a model with Q/DQ pairs "
                "or operators of integers",
                m_options.quantized);
        for (std::size_t index = 0; index < m_float->tensors().size(); ++index)
            if (m_float->tensors()[index].scope.empty())
                m_floatTensors.emplace(m_float->tensors()[index].name, index);
        for (const model::GraphTensor& tensor : m_quantized->tensors())
            if (tensor.scope.empty())
                m_quantizedNames.insert(tensor.name);
        for (const QuantizedTensor& tensor : found.tensors)
            if (tensor.isWeight)
                addWeight(tensor);
            else
                addActivation(behindFolded(tensor));
        if (!m_inIntegers.empty())
            m_plan.notes.push_back(
                std::to_string(m_inIntegers.size()) +
                (m_inIntegers.size() == 1 ? " tensor goes" : " tensors go") +
                " from operator to operator in integers: figures of the running model include the "
                "tensor's own rounding");
        note(found.inInnerGraphs,
             "lie in inner graphs (If, Loop, Scan), which can't be looked into");
        note(found.leftOut + found.unusable.size(), "have scales that are not usable constants");
        note(m_unknown, "are not in " + m_options.model);
    }

    void note(std::size_t count, const std::string& what)
    {
        if (count > 0)
            m_plan.notes.push_back(std::to_string(count) +
                                   (count == 1 ? " quantized tensor is left out of the table: they "
                                               : " quantized tensors are left out of the table: "
                                                 "they ") +
                                   what);
    }

    void addWeight(const QuantizedTensor& tensor)
    {
        const auto found = m_floatTensors.find(tensor.name);
        if (found == m_floatTensors.end() || !m_float->tensors()[found->second].isConstant) {
            ++m_unknown;
            return;
        }
        const auto changed = m_folded.weights.find({std::string(), tensor.name});
        const std::vector<float> values =
            changed == m_folded.weights.end() ? m_float->values(found->second) : changed->second;
        const std::vector<float> dequantized = model::dequantizedValues(*m_quantized, tensor);
        if (values.size() != dequantized.size())
            throw Error(Fault::Input, "{}: weight \"{}\" has another size than in {}",
                        m_options.quantized, tensor.name, m_options.model);
        const Agreement own = agreementOf(std::vector{sampleSums(values, dequantized)});
        remember(tensor);
        m_plan.weights.push_back({.order = tensor.order,
                                  .figures = {.name = tensor.name,
                                              .isWeight = true,
                                              .ownDb = own.sqnrDb,
                                              .maxError = own.maxError}});
    }

    /// Operators of integers do the clipping of the Relu or Clip behind them, under the name of what
    /// that took: the float tensor is what it gave.
    [[nodiscard]] QuantizedTensor behindFolded(QuantizedTensor tensor) const
    {
        if (m_quantizedNames.contains(tensor.name))
            return tensor;
        const std::optional<GraphPort> clipped = model::onlyClipping(m_float->proto(), tensor.name);
        const bool isOutput =
            clipped && std::ranges::find(m_plan.outputs, clipped->name, &PlannedOutput::name) !=
                           m_plan.outputs.end();
        if (clipped && (isOutput || !m_quantizedNames.contains(clipped->name))) {
            tensor.name = clipped->name;
            tensor.op = clipped->op;
        }
        return tensor;
    }

    void addActivation(const QuantizedTensor& tensor)
    {
        ProbedTensor planned{.name = tensor.name,
                             .op = tensor.op,
                             .order = tensor.order,
                             .quantization = tensor.quantization};
        const auto input = std::ranges::find(m_plan.inputs, tensor.name);
        if (input != m_plan.inputs.end()) {
            planned.isInput = true;
            planned.place = static_cast<std::uint64_t>(input - m_plan.inputs.begin());
        } else {
            if (!m_floatTensors.contains(tensor.name)) {
                ++m_unknown;
                return;
            }
            auto output = std::ranges::find(m_plan.outputs, tensor.name, &PlannedOutput::name);
            if (output == m_plan.outputs.end()) {
                m_plan.outputs.push_back({.name = tensor.name, .op = tensor.op});
                output = m_plan.outputs.end() - 1;
            }
            planned.place = static_cast<std::uint64_t>(output - m_plan.outputs.begin());
            if (!output->isOutput && !m_quantizedNames.contains(tensor.name))
                m_inIntegers.push_back(tensor);
        }
        setTimes(planned);
        remember(tensor);
        m_plan.tensors.push_back(std::move(planned));
    }

    void setTimes(ProbedTensor& tensor) const
    {
        const auto factored =
            std::ranges::find(m_folded.activations, tensor.name, &model::FactoredTensor::name);
        if (factored == m_folded.activations.end())
            return;
        tensor.times = factored->times;
        tensor.areLast = factored->areLast;
    }

    void remember(const QuantizedTensor& tensor)
    {
        if (const auto index = m_recordedAs(tensor.name);
            index && !tensor.quantization.scales.empty() && !isFactored(tensor.name)) {
            QuantizedTensor levelled = tensor;
            levelled.quantization.format = model::levelsOf(*m_quantized, tensor);
            m_decided.push_back(decidedAs(m_dump.tensors()[*index], levelled));
        }
    }

    /// Its values are not those of the recording, nor its scales for them.
    [[nodiscard]] bool isFactored(const std::string& name) const
    {
        return m_folded.weights.contains({std::string(), name}) ||
               std::ranges::find(m_folded.activations, name, &model::FactoredTensor::name) !=
                   m_folded.activations.end();
    }

    /// Which outputs the recording has; where it has none, the last of the other tensors.
    void findRecorded()
    {
        if (!m_options.feeds.empty()) {
            m_plan.notes.push_back("the model is not fed what it was when it was recorded "
                                   "(--feed), so nothing is compared with the recording");
            return;
        }
        bool isAny = false;
        for (PlannedOutput& output : m_plan.outputs)
            if (output.isOutput)
                isAny = setRecorded(output) || isAny;
        for (std::size_t place = m_plan.outputs.size(); !isAny && place-- > 0;)
            isAny = !m_plan.outputs[place].isOutput && setRecorded(m_plan.outputs[place]);
        if (!isAny)
            m_plan.notes.push_back(m_plan.dump +
                                   ": holds none of the model's outputs, so whether " +
                                   m_options.model + " is the recorded model is not known");
    }

    bool setRecorded(PlannedOutput& output)
    {
        const std::optional<std::size_t> index = m_recordedAs(output.name);
        if (!index)
            return false;
        const TensorInfo& tensor = m_dump.tensors()[*index];
        // Of a choice of samples it is not known here which of the feeds they were.
        if (!tensor.isReadable() || tensor.batchAxis != 0 || !tensor.samples.empty())
            return false;
        output.recorded = *index;
        output.isHalf = tensor.elementType == ElementKind::Float16 ||
                        tensor.elementType == ElementKind::Bfloat16;
        return true;
    }

    const CheckOptions& m_options;
    const DumpFile& m_dump;
    std::shared_ptr<const ModelFile> m_float;
    std::shared_ptr<const ModelFile> m_quantized;
    std::vector<GraphPort> m_inputs;
    RecordedAs m_recordedAs;
    std::map<std::string, std::size_t> m_floatTensors;
    std::set<std::string> m_quantizedNames;
    std::vector<QuantizedTensor> m_inIntegers;  ///< that the quantized model has as such alone
    std::size_t m_unknown = 0;
    std::set<std::string> m_factoredLayers;  ///< outputs of layers whose inputs have factors
    std::vector<DecidedTensor> m_decided;    ///< what the quantized model says of the recording's
    model::FoldedModel m_folded;             ///< by factors that the quantized model states
    CheckPlan m_plan;
};

}  // namespace

CheckPlan prepareCheck(const CheckOptions& options, const DumpFile& dump, const std::string& folder,
                       const Progress& progress)
{
    PlanMaker maker(options, dump);
    maker.make();
    maker.writeCuts(folder);
    maker.writeAdjoint(folder);
    maker.writeModels(folder);
    CheckPlan plan = maker.plan();
    plan.draws = options.variants.empty() ? maker.writeDraws(plan, folder, progress)
                                          : options.variants.size();
    if (!plan.judgesEnds)
        maker.judgeLayers(plan, progress);
    plan.batches = writeFeeds(dump, maker.inputs(), maker.recordedAs(), options, folder, progress);
    // A recording that ends before the feeds do: not to be compared with samples that it lacks.
    const std::uint64_t samples = plan.samples();
    for (PlannedOutput& output : plan.outputs)
        if (output.recorded && dump.tensors()[*output.recorded].sampleCount() < samples) {
            plan.notes.push_back("output \"" + output.name +
                                 "\" was recorded from fewer samples than the model was fed: not "
                                 "compared with the recording");
            output.recorded.reset();
        }
    return plan;
}

}  // namespace calibscope::deploy
