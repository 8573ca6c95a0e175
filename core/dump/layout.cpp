// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layout.h"

#include "core/base/find_by_id.h"
#include "core/dump/numbered_runs.h"

#include "layout_rules.decl.inc"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace calibscope {

namespace {

TensorDatasets datasetsOf(const FileFacts& file, std::size_t dataset)
{
    return {.facts = file.datasets[dataset], .datasets = {dataset}};
}

/// The text that both have, or a word that says that they differ.
void mixIn(std::string& text, const std::string& other)
{
    if (text != other)
        text = "mixed";
}

TensorDatasets datasetsOf(const FileFacts& file, const NumberedRun& run)
{
    TensorDatasets datasets = datasetsOf(file, run.datasets.front());
    datasets.datasets = run.datasets;
    datasets.partLength = run.length;
    DatasetFacts& whole = datasets.facts;
    whole.path = run.path;
    whole.warnings.clear();
    whole.doubts.clear();
    whole.unreadable = {};
    whole.shape.front() = 0;
    for (const std::size_t dataset : run.datasets) {
        const DatasetFacts& part = file.datasets[dataset];
        whole.shape.front() += part.shape.front();
        mixIn(whole.compression, part.compression);
        mixIn(whole.checksum, part.checksum);
        for (const std::string& doubt : part.doubts)
            whole.doubts.push_back(part.path + ": " + doubt);
        if (whole.unreadable.empty() && !part.unreadable.empty() && part.shape.front() > 0)
            whole.unreadable = {part.unreadable.reason,
                                part.path + ": " + part.unreadable.sentence};
    }
    return datasets;
}

using Readers = std::vector<LayoutRule::Reader>;

Readers readersFor(const FileFacts& file)
{
    Readers readers;
    for (const LayoutRule& rule : layoutRules())
        readers.push_back(rule.readerFor(file));
    return readers;
}

Understood firstThatApplies(const Readers& readers, const TensorDatasets& datasets)
{
    for (const LayoutRule::Reader& reader : readers)
        if (std::optional<Understood> understood = reader(datasets))
            return *std::move(understood);
    throw std::logic_error("the last layout rule must apply to everything");
}

/// Whether a run may be the batches of one tensor, as one of its datasets is understood.
bool mayBeBatches(const Understood& part)
{
    return !part.standsAlone && part.info.role != Role::Weight && part.info.role != Role::Bias &&
           part.info.batchAxis.value_or(0) == 0 && part.info.channelAxis != 0;
}

constexpr std::size_t noRun = std::numeric_limits<std::size_t>::max();

/// What may be a tensor, not looked at yet: facts take much more memory.
struct TensorCandidate
{
    std::size_t dataset = 0;
    std::size_t run = noRun;  ///< that it is in
    bool isBatches = false;   ///< all of the run is it
};

/// Runs that are batches are at the position of their first dataset.
std::vector<TensorCandidate> candidatesIn(const FileFacts& file, const Readers& readers,
                                          std::span<const NumberedRun> runs)
{
    std::vector<TensorCandidate> candidates(file.datasets.size());
    for (std::size_t dataset = 0; dataset < candidates.size(); ++dataset)
        candidates[dataset].dataset = dataset;
    std::vector<bool> isLater(candidates.size());  // than the first dataset of its run
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const TensorDatasets first = datasetsOf(file, runs[run].datasets.front());
        if (!mayBeBatches(firstThatApplies(readers, first)))
            continue;
        const bool areBatches = runs[run].apart.empty();
        const std::size_t earliest = std::ranges::min(runs[run].datasets);
        for (const std::size_t dataset : runs[run].datasets) {
            candidates[dataset] = {dataset, run, areBatches};
            isLater[dataset] = areBatches && dataset != earliest;
        }
    }
    std::erase_if(candidates,
                  [&](const TensorCandidate& candidate) { return isLater[candidate.dataset]; });
    return candidates;
}

TensorDatasets datasetsAt(const FileFacts& file, std::span<const NumberedRun> runs,
                          const TensorCandidate& candidate)
{
    if (candidate.isBatches)
        return datasetsOf(file, runs[candidate.run]);
    TensorDatasets datasets = datasetsOf(file, candidate.dataset);
    if (candidate.run != noRun)
        datasets.evidence.push_back(runs[candidate.run].apart);
    return datasets;
}

/// What the rules need not know: the parts of a tensor, and that its batches are them.
void addParts(Understood& understood, const TensorDatasets& datasets, const FileFacts& file)
{
    TensorInfo& info = understood.info;
    for (const std::size_t dataset : datasets.datasets)
        info.parts.push_back(file.datasets[dataset].path);
    info.isGuess = true;
    info.batchAxis = 0;
    if (info.batchSize == 0)
        info.batchSize = datasets.partLength;
    info.evidence.push_back(std::to_string(info.parts.size()) +
                            " numbered datasets are its batches of " +
                            std::to_string(info.batchSize) +
                            " along axis 0, unless they are several outputs (numbered-batches)");
}

Understood understood(const Readers& readers, const TensorDatasets& datasets, const FileFacts& file)
{
    Understood result = firstThatApplies(readers, datasets);
    result.datasets = datasets.datasets;
    if (datasets.isMerged())
        addParts(result, datasets, file);
    std::ranges::copy(datasets.evidence, std::back_inserter(result.info.evidence));
    if (!datasets.facts.holdsNumbers())
        result.info.isGuess = false;  // there is nothing to be done with the answer
    return result;
}

}  // namespace

const std::vector<LayoutRule>& layoutRules()
{
    static const std::vector<LayoutRule> rules = sortedByOrder(std::vector<LayoutRule>{
#include "layout_rules.calls.inc"
    });
    return rules;
}

std::vector<Understood> understand(const FileFacts& file, bool mergeNumbered)
{
    const Readers readers = readersFor(file);
    const std::vector<NumberedRun> runs =
        mergeNumbered ? numberedRuns(file.datasets) : std::vector<NumberedRun>{};
    const std::vector<TensorCandidate> candidates = candidatesIn(file, readers, runs);
    std::vector<Understood> tensors;
    tensors.reserve(candidates.size());
    for (const TensorCandidate& candidate : candidates)
        tensors.push_back(understood(readers, datasetsAt(file, runs, candidate), file));
    const auto order = [](const Understood& tensor) {
        return tensor.order.value_or(std::numeric_limits<std::int64_t>::max());
    };
    // Sorting takes the memory of a second list.
    if (!std::ranges::is_sorted(tensors, {}, order))
        std::ranges::stable_sort(tensors, {}, order);
    return tensors;
}

std::vector<RuleUse> usesOf(std::span<const TensorInfo> tensors)
{
    std::vector<RuleUse> uses;
    for (const LayoutRule& rule : layoutRules())
        uses.push_back({.id = std::string(rule.id), .title = std::string(rule.title)});
    for (const TensorInfo& tensor : tensors) {
        const auto use = std::ranges::find(uses, tensor.layoutRule, &RuleUse::id);
        if (use == uses.end())
            continue;
        ++use->tensors;
        use->guesses += tensor.isGuess ? 1U : 0U;
    }
    std::erase_if(uses, [](const RuleUse& use) { return use.tensors == 0; });
    return uses;
}

TensorInfo plainInfo(const DatasetFacts& dataset, std::string name, std::string_view layoutRule)
{
    TensorInfo info;
    info.name = std::move(name);
    info.path = dataset.path;
    info.otherPaths = dataset.otherPaths;
    info.elementType = elementKind(dataset.typeText);
    info.storedType = info.elementType ? dataset.storedType : dataset.typeText;
    for (const ElementType& other : dataset.otherElements)
        info.otherTypes.push_back(other.kind);
    if (dataset.element)
        info.lossy = dataset.element->loss();
    info.evidence = dataset.evidence;
    info.shape = dataset.shape;
    info.layoutRule = layoutRule;
    info.compression = dataset.compression;
    info.checksum = dataset.checksum;
    info.doubts = dataset.doubts;
    info.unreadable = dataset.unreadable;
    return info;
}

}  // namespace calibscope
