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

Candidate candidateOf(const FileFacts& file, std::size_t dataset)
{
    return {.facts = file.datasets[dataset], .datasets = {dataset}};
}

/// The text that both have, or a word that says that they differ.
void mixIn(std::string& text, const std::string& other)
{
    if (text != other)
        text = "mixed";
}

Candidate candidateOf(const FileFacts& file, const NumberedRun& run)
{
    Candidate candidate = candidateOf(file, run.datasets.front());
    candidate.datasets = run.datasets;
    candidate.partLength = run.length;
    DatasetFacts& whole = candidate.facts;
    whole.path = run.path;
    whole.warnings.clear();
    whole.unreadable.clear();
    whole.shape.front() = 0;
    for (const std::size_t dataset : run.datasets) {
        const DatasetFacts& part = file.datasets[dataset];
        whole.shape.front() += part.shape.front();
        mixIn(whole.compression, part.compression);
        mixIn(whole.checksum, part.checksum);
        if (whole.unreadable.empty() && !part.unreadable.empty() && part.shape.front() > 0)
            whole.unreadable = part.path + ": " + part.unreadable;
    }
    return candidate;
}

using Readers = std::vector<LayoutRule::Reader>;

Readers readersFor(const FileFacts& file)
{
    Readers readers;
    for (const LayoutRule& rule : layoutRules())
        readers.push_back(rule.readerFor(file));
    return readers;
}

Understood firstThatApplies(const Readers& readers, const Candidate& candidate)
{
    for (const LayoutRule::Reader& reader : readers)
        if (std::optional<Understood> understood = reader(candidate))
            return *std::move(understood);
    throw std::logic_error("the last layout rule must apply to everything");
}

/// Whether a run may be the batches of one tensor, as one of its datasets is understood.
bool mayBeBatches(const Understood& part)
{
    return !part.standsAlone && part.info.role != Role::Weight &&
           part.info.batchAxis.value_or(0) == 0 && part.info.channelAxis != 0;
}

/// Runs that are batches become one candidate at the place of their first dataset.
std::vector<Candidate> candidatesOf(const FileFacts& file, const Readers& readers,
                                    bool mergeNumbered)
{
    constexpr std::size_t alone = std::numeric_limits<std::size_t>::max();
    const std::vector<NumberedRun> runs =
        mergeNumbered ? numberedRuns(file.datasets) : std::vector<NumberedRun>{};
    std::vector<std::size_t> runOf(file.datasets.size(), alone);
    std::vector<bool> isBatches(runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const Candidate first = candidateOf(file, runs[run].datasets.front());
        const bool standsAlone = !mayBeBatches(firstThatApplies(readers, first));
        isBatches[run] = !standsAlone && runs[run].apart.empty();
        for (const std::size_t dataset : runs[run].datasets)
            runOf[dataset] = standsAlone ? alone : run;
    }
    std::vector<Candidate> candidates;
    for (std::size_t dataset = 0; dataset < file.datasets.size(); ++dataset) {
        const std::size_t run = runOf[dataset];
        if (run == alone || !isBatches[run]) {
            candidates.push_back(candidateOf(file, dataset));
            if (run != alone)
                candidates.back().evidence.push_back(runs[run].apart);
        } else if (dataset == *std::ranges::min_element(runs[run].datasets)) {
            candidates.push_back(candidateOf(file, runs[run]));
        }
    }
    return candidates;
}

/// What the rules need not know: the parts of a tensor, and that its batches are them.
void addParts(Understood& understood, const Candidate& candidate, const FileFacts& file)
{
    TensorInfo& info = understood.info;
    for (const std::size_t dataset : candidate.datasets)
        info.parts.push_back(file.datasets[dataset].path);
    info.isGuess = true;
    info.batchAxis = 0;
    if (info.batchSize == 0)
        info.batchSize = candidate.partLength;
    info.evidence.push_back(std::to_string(info.parts.size()) +
                            " numbered datasets are its batches of " +
                            std::to_string(info.batchSize) +
                            " along axis 0, unless they are several outputs (numbered-batches)");
}

Understood understood(const Readers& readers, const Candidate& candidate, const FileFacts& file)
{
    Understood result = firstThatApplies(readers, candidate);
    result.datasets = candidate.datasets;
    if (candidate.isMerged())
        addParts(result, candidate, file);
    std::ranges::copy(candidate.evidence, std::back_inserter(result.info.evidence));
    if (!candidate.facts.holdsNumbers())
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
    std::vector<Understood> tensors;
    for (const Candidate& candidate : candidatesOf(file, readers, mergeNumbered))
        tensors.push_back(understood(readers, candidate, file));
    std::ranges::stable_sort(tensors, {}, [](const Understood& tensor) {
        return tensor.order.value_or(std::numeric_limits<std::int64_t>::max());
    });
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
    info.elementType = dataset.typeText;
    info.storedType = dataset.storedType;
    for (const ElementType& other : dataset.otherElements)
        info.otherTypes.emplace_back(other.text());
    if (dataset.element)
        info.lossy = dataset.element->loss();
    info.evidence = dataset.evidence;
    info.shape = dataset.shape;
    info.layoutRule = layoutRule;
    info.compression = dataset.compression;
    info.checksum = dataset.checksum;
    info.unreadable = dataset.unreadable;
    return info;
}

}  // namespace calibscope
