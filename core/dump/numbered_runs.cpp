// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/numbered_runs.h"

#include "core/dump/layouts/path_words.h"
#include "core/dump/layouts/shape_survey.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace calibscope {

namespace {

/// What stands before the number of a batch.
constexpr std::array<std::string_view, 14> batchWords{
    "",       "b",     "i",    "batch", "step",  "iter", "iteration",
    "sample", "chunk", "part", "run",   "calib", "it",   "result"};

/// Groups whose numbered members are layers, blocks or outputs of a model, not batches.
constexpr std::array<std::string_view, 14> listWords{
    "layer", "block", "stage",  "module",   "net",     "encoder",      "decoder",
    "h",     "head",  "expert", "resblock", "feature", "hidden_state", "attention"};

struct NumberedName
{
    std::string_view prefix;
    std::uint64_t number = 0;
};

std::optional<NumberedName> numberedName(std::string_view leaf)
{
    const std::size_t digits = leaf.find_last_not_of("0123456789") + 1;
    NumberedName name{.prefix = leaf.substr(0, digits)};
    const std::string_view number = leaf.substr(digits);
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), name.number);
    if (number.empty() || error != std::errc())
        return std::nullopt;
    std::string word = layouts::lowerCase(name.prefix);
    word.erase(word.find_last_not_of("_- ") + 1);
    if (std::ranges::find(batchWords, word) == batchWords.end())
        return std::nullopt;
    return name;
}

/// What lies under one group, or behind one common beginning of dotted names.
struct Folder
{
    std::vector<std::size_t> datasets;
    bool holdsFolders = false;
};

using Folders = std::unordered_map<std::string_view, Folder>;  // by path with its last separator

/// The path up to its last separator, which it keeps.
std::string_view folderOf(std::string_view path)
{
    return path.substr(0, path.find_last_of("/.") + 1);
}

Folders foldersOf(std::span<const DatasetFacts> datasets)
{
    Folders folders;
    for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
        std::string_view key = folderOf(datasets[dataset].path);
        folders[key].datasets.push_back(dataset);
        while (key.size() > 1) {
            key = folderOf(key.substr(0, key.size() - 1));
            Folder& outer = folders[key];
            if (std::exchange(outer.holdsFolders, true))
                break;
        }
    }
    return folders;
}

/// A counter or a text beside the batches of a tensor.
bool isNoTensor(const DatasetFacts& dataset)
{
    return dataset.shape.empty() || !dataset.holdsNumbers();
}

bool isContinuedBy(const DatasetFacts& first, const DatasetFacts& next, bool isLast)
{
    return first.shape.size() == next.shape.size() && first.typeText == next.typeText &&
           first.element == next.element &&
           std::equal(first.shape.begin() + 1, first.shape.end(), next.shape.begin() + 1) &&
           (next.shape.front() == first.shape.front() ||
            (isLast && next.shape.front() < first.shape.front()));
}

/// The numbered members in their order; nothing where one of them is not a batch.
std::optional<std::vector<std::size_t>> inOrder(const Folder& folder,
                                                std::span<const DatasetFacts> datasets)
{
    std::vector<std::pair<std::uint64_t, std::size_t>> numbered;
    std::optional<std::string_view> prefix;
    for (const std::size_t dataset : folder.datasets) {
        const std::string_view path = datasets[dataset].path;
        const auto name = numberedName(path.substr(folderOf(path).size()));
        if (isNoTensor(datasets[dataset]))
            continue;
        if (!name || name->prefix != prefix.value_or(name->prefix))
            return std::nullopt;
        prefix = name->prefix;
        numbered.emplace_back(name->number, dataset);
    }
    std::ranges::sort(numbered);
    std::vector<std::size_t> order;
    for (const auto& [number, dataset] : numbered) {
        if (numbered.front().first > 1 || number != numbered.front().first + order.size())
            return std::nullopt;
        order.push_back(dataset);
    }
    return order;
}

std::optional<NumberedRun> runIn(std::string_view key, const Folder& folder,
                                 std::span<const DatasetFacts> datasets)
{
    if (folder.holdsFolders || folder.datasets.size() < 2)
        return std::nullopt;
    std::optional<std::vector<std::size_t>> order = inOrder(folder, datasets);
    if (!order || order->size() < 2)
        return std::nullopt;
    const DatasetFacts& first = datasets[order->front()];
    for (const std::size_t dataset : *order)
        if (!isContinuedBy(first, datasets[dataset], dataset == order->back()))
            return std::nullopt;
    return NumberedRun{.path = key.size() > 1 ? std::string(key.substr(0, key.size() - 1)) : "/",
                       .datasets = *std::move(order),
                       .length = first.shape.front()};
}

std::string apartByWord(const NumberedRun& run)
{
    const auto segments = layouts::pathSegments(run.path);
    if (segments.empty())
        return {};
    std::string word = layouts::lowerCase(segments.back());
    word.erase(word.find_last_not_of("0123456789_") + 1);
    if (word.ends_with('s') && word.size() > 1)
        word.pop_back();
    if (std::ranges::find(listWords, word) == listWords.end())
        return {};
    return "numbered neighbours are tensors of their own, since " + std::string(segments.back()) +
           " counts parts of a model (numbered-batches)";
}

/// Batches are shorter than the tensors that were recorded in one piece; outputs of one module are
/// as long. A mask or two next to many runs decide nothing.
std::string apartByLength(const NumberedRun& run, const layouts::ShapeSurvey& others,
                          std::size_t runs)
{
    if (run.length < 2 || run.length != others.samples() || others.tensorsOfSamples() < runs)
        return {};
    return "numbered neighbours are tensors of their own, since each has as many samples as the "
           "other tensors, " +
           std::to_string(run.length) + " (numbered-batches)";
}

}  // namespace

std::optional<std::uint64_t> batchNumber(std::string_view name)
{
    const std::optional<NumberedName> numbered = numberedName(name);
    return numbered ? std::optional(numbered->number) : std::nullopt;
}

std::vector<NumberedRun> numberedRuns(std::span<const DatasetFacts> datasets)
{
    std::vector<NumberedRun> runs;
    std::vector<bool> isInRun(datasets.size());
    const Folders folders = foldersOf(datasets);
    for (const auto& [key, folder] : folders)
        if (std::optional<NumberedRun> run = runIn(key, folder, datasets)) {
            // Nothing else may bear the name that the whole will have.
            if (folders.contains(run->path + (key.back() == '/' ? "." : "/")))
                continue;
            for (const std::size_t dataset : run->datasets)
                isInRun[dataset] = true;
            runs.push_back(*std::move(run));
        }
    std::ranges::sort(runs, {}, [](const NumberedRun& run) { return run.datasets.front(); });
    const layouts::ShapeSurvey others(datasets, std::move(isInRun));
    for (NumberedRun& run : runs) {
        if (std::ranges::all_of(run.datasets,
                                [&](std::size_t one) { return datasets[one].isBatch; }))
            continue;
        run.apart = apartByWord(run);
        if (run.apart.empty())
            run.apart = apartByLength(run, others, runs.size());
    }
    return runs;
}

}  // namespace calibscope
