// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/layer_methods.h"

#include "core/base/error.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_errors.h"
#include "core/layers/operand_search.h"
#include "core/recipes/candidates.h"
#include "core/tensor/layout_override.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::engine {

namespace {

/// A dump as the user understands it, and what is computed on its tensors.
class LayerSubject
{
public:
    LayerSubject(EngineMemory& memory, const std::string& path, bool allowExternal,
                 const std::vector<TensorRef>& edited, std::uint64_t memoryBytes,
                 const Progress& progress)
        : m_memory(memory),
          m_progress(progress),
          m_memoryBytes(memoryBytes),
          m_dump(memory.dumps.asOpened(path, allowExternal, progress)),
          m_tensors(m_dump->tensors)
    {
        for (std::size_t index = 0; index < m_tensors.size(); ++index)
            m_addresses.push_back({.file = path, .allowExternal = allowExternal, .index = index});
        for (const TensorRef& tensor : edited) {
            if (tensor.index >= m_tensors.size())
                throw Error(Fault::Input, "{}: has fewer tensors than it had; open it again", path);
            m_tensors[tensor.index] =
                understoodAs(m_dump->tensors[tensor.index], tensor.layoutOverride);
            m_addresses[tensor.index] = tensor;
        }
    }

    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return m_tensors; }
    [[nodiscard]] layers::LayerDump dump() const
    {
        return {m_dump->identity.path, m_tensors, m_dump->source};
    }

    /// The choices on one tensor, computed; their outcomes may have problems.
    [[nodiscard]] std::vector<DecidedTensor> computed(std::size_t tensor,
                                                      std::span<const Choice> choices) const
    {
        Subject subject(m_memory, m_addresses[tensor], m_progress);
        const AnalyseOptions options{.effort = MetricEffort::None,
                                     .memoryBytes = m_memoryBytes,
                                     .otherTensor = subject.otherTensors(),
                                     .ask = m_memory.ask(m_progress)};
        std::vector<DecidedTensor> all;
        for (Outcome& outcome :
             m_memory.parts.analyse(subject.source, subject.profile, choices, options, m_progress))
            all.push_back({.file = m_dump->identity.path,
                           .info = m_tensors[tensor],
                           .outcome = std::move(outcome),
                           .graphName = {}});
        return all;
    }

    /// What was decided, computed. Throws Error(Input) with the sentence of what failed.
    [[nodiscard]] std::vector<DecidedTensor>
    decided(const std::vector<protocol::ChoiceOnTensor>& decisions) const
    {
        std::vector<DecidedTensor> all;
        for (const protocol::ChoiceOnTensor& decision : decisions)
            if (const std::optional<std::size_t> tensor = find(decision.path))
                for (DecidedTensor& one : computed(*tensor, std::span(&decision.choice, 1))) {
                    if (!one.outcome.problem.empty())
                        throw Error(Fault::Input, "{}: {}", one.info.name, one.outcome.problem);
                    all.push_back(std::move(one));
                }
        return all;
    }

    [[nodiscard]] std::optional<std::size_t> find(const std::string& path) const
    {
        const auto found = std::ranges::find(m_tensors, path, &TensorInfo::path);
        return found == m_tensors.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::size_t>(found - m_tensors.begin()));
    }

private:
    EngineMemory& m_memory;
    const Progress& m_progress;
    std::uint64_t m_memoryBytes;
    std::shared_ptr<const OpenDump> m_dump;
    std::vector<TensorInfo> m_tensors;
    std::vector<TensorRef> m_addresses;
};

LayerSubject subjectOf(EngineMemory& memory, const auto& request, std::uint64_t memoryBytes,
                       const Progress& progress)
{
    return {memory, request.path, request.allowExternal, request.edited, memoryBytes, progress};
}

layers::LayerOptions optionsOf(const protocol::LayerRequest& request, std::uint64_t memoryBytes)
{
    return {.positions = request.positions,
            .seed = request.seed,
            .withChannels = request.perChannel,
            .memoryBytes = memoryBytes,
            .layers = {request.layer}};
}

/// The layer without numbers, as it is listed.
LayerResult listed(const layers::FoundLayer& layer, const layers::LayerDecisions& decisions)
{
    LayerResult result = decisions.begun(layer);
    result.whyNot = layer.whyNot;
    return result;
}

LayerResult failed(const LayerSubject& subject, const std::string& layer, const Error& error)
{
    const layers::LayerDump dump = subject.dump();
    const layers::LayerDecisions none(dump, {});
    for (const layers::FoundLayer& found : layers::foundLayers(subject.tensors()))
        if (found.name == layer) {
            LayerResult result = listed(found, none);
            result.whyNot = error.what();
            return result;
        }
    throw error;
}

/// Ids of candidates as the request has them, by tensor and by what they compute.
using KnownIds = std::map<std::pair<std::string, std::string>, std::string>;

void takeIds(std::vector<CandidateEffect>& effects, const LayerOperand& operand,
             const KnownIds& ids)
{
    for (CandidateEffect& effect : effects)
        if (const auto known = ids.find({operand.path, effect.candidate}); known != ids.end())
            effect.candidate = known->second;
}

}  // namespace

protocol::LayerList listedLayers(EngineMemory& memory, const protocol::LayersRequest& request,
                                 const Progress& progress)
{
    const LayerSubject subject = subjectOf(memory, request, 0, progress);
    const layers::LayerDump dump = subject.dump();
    const layers::LayerDecisions none(dump, {});
    protocol::LayerList list;
    for (const layers::FoundLayer& layer : layers::foundLayers(subject.tensors()))
        list.layers.push_back(listed(layer, none));
    return list;
}

LayerResult layerResult(EngineMemory& memory, const protocol::LayerRequest& request,
                        std::uint64_t memoryBytes, const Progress& progress)
{
    const LayerSubject subject = subjectOf(memory, request, memoryBytes, progress);
    try {
        const std::vector<DecidedTensor> decided = subject.decided(request.decisions);
        LayerReport report =
            layers::layerReport(subject.dump(), decided, optionsOf(request, memoryBytes), progress);
        if (report.layers.empty())
            throw Error(Fault::Usage, "{}: there is no layer {}", request.path, request.layer);
        return std::move(report.layers.front());
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        return failed(subject, request.layer, error);
    }
}

LayerCandidates layerTrials(EngineMemory& memory, const protocol::LayerTrialsRequest& request,
                            std::uint64_t memoryBytes, const Progress& progress)
{
    const LayerSubject subject = subjectOf(memory, request.layer, memoryBytes, progress);
    KnownIds ids;
    const auto candidatesOf = [&](const TensorInfo& tensor) {
        std::vector<layers::OperandCandidate> candidates;
        std::vector<Choice> choices;
        for (const protocol::ChoiceOnTensor& candidate : request.candidates)
            if (candidate.path == tensor.path) {
                choices.push_back(candidate.choice);
                const std::string computes = candidateId(candidate.choice);
                ids.try_emplace({tensor.path, computes}, candidate.id);
                candidates.push_back({.id = computes, .label = candidate.label, .tensor = {}});
            }
        if (const std::optional<std::size_t> place = subject.find(tensor.path)) {
            std::vector<DecidedTensor> computed = subject.computed(*place, choices);
            for (std::size_t index = 0; index < candidates.size(); ++index)
                candidates[index].tensor = std::move(computed[index]);
        }
        return candidates;
    };
    try {
        const std::vector<DecidedTensor> decided = subject.decided(request.layer.decisions);
        LayerCandidates found =
            layers::layerCandidates(subject.dump(), request.layer.layer, decided, candidatesOf,
                                    optionsOf(request.layer, memoryBytes), progress);
        takeIds(found.input, found.decided.input, ids);
        takeIds(found.weight, found.decided.weight, ids);
        return found;
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        return {.decided = failed(subject, request.layer.layer, error), .input = {}, .weight = {}};
    }
}

OperandTrials operandTrials(EngineMemory& memory, const protocol::OperandTrialsRequest& request,
                            std::uint64_t memoryBytes, const Progress& progress)
{
    const LayerSubject subject = subjectOf(memory, request.layer, memoryBytes, progress);
    layers::OperandOptions options{.analysis = layers::operandAnalysis(request.analysis),
                                   .layers = optionsOf(request.layer, memoryBytes)};
    if (!request.format.empty())
        options.formats.push_back(parseBlockFormat(request.format));
    std::vector<OperandTrials> found = layers::operandTrials(subject.dump(), options, progress);
    if (found.empty())
        throw Error(Fault::Usage, "{}: there is no layer {}", request.layer.path,
                    request.layer.layer);
    return std::move(found.front());
}

protocol::Equalizations layerEqualizations(EngineMemory& memory,
                                           const protocol::EqualizationsRequest& request,
                                           std::uint64_t memoryBytes, const Progress& progress)
{
    const LayerSubject subject = subjectOf(memory, request, memoryBytes, progress);
    const std::vector<DecidedTensor> decided = subject.decided(request.decisions);
    return {layers::equalizations(
        subject.dump(), decided,
        {.positions = request.positions, .seed = request.seed, .memoryBytes = memoryBytes},
        progress)};
}

}  // namespace calibscope::engine
