// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/stored_files.h"

#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/natural_order.h"
#include "core/base/open_descriptor.h"
#include "core/dump/file_check.h"
#include "core/dump/layouts/path_words.h"
#include "core/dump/numbered_runs.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace calibscope {

namespace {

/// The number of a batch and what stands behind it: "0001/conv1" of "/0001/conv1".
struct NumberedFolder
{
    std::uint64_t number = 0;
    std::string_view folder;
    std::string_view rest;
};

std::optional<NumberedFolder> numberedFolder(std::string_view path)
{
    const std::size_t slash = path.find('/', 1);
    if (slash == std::string_view::npos)
        return std::nullopt;
    const std::string_view folder = path.substr(1, slash - 1);
    const std::optional<std::uint64_t> number = batchNumber(folder);
    if (!number)
        return std::nullopt;
    return NumberedFolder{.number = *number, .folder = folder, .rest = path.substr(slash)};
}

/// Where a folder for each batch holds a file for each tensor (0001/conv1.npy), the paths as of a
/// folder for each tensor (/conv1/0001), which numberedRuns() knows. Only if each folder of the
/// root is one of a batch, numbered without a gap, and all have the same files; weights are no
/// batches. Returns the reason where folders that are called batches are none, else nothing.
std::string turnBatchFolders(std::vector<DatasetFacts>& datasets)
{
    std::map<std::uint64_t, std::pair<std::string_view, std::set<std::string_view>>> batches;
    for (const DatasetFacts& dataset : datasets) {
        const std::optional<NumberedFolder> location = numberedFolder(dataset.path);
        if (!location)
            return {};
        auto& [folder, files] = batches.try_emplace(location->number).first->second;
        if (folder.empty())
            folder = location->folder;
        if (folder != location->folder || !files.insert(location->rest).second)
            return {};
    }
    const auto areAlike = [&](const auto& batch) {
        return batch.second.second == batches.begin()->second.second;
    };
    if (batches.size() < 2)
        return {};
    const bool areAll = batches.begin()->first <= 1 &&
                        batches.rbegin()->first == batches.begin()->first + batches.size() - 1;
    if (!areAll || !std::ranges::all_of(batches, areAlike)) {
        const bool isCalledBatch =
            std::isdigit(static_cast<unsigned char>(batches.begin()->second.first.front())) == 0;
        return !isCalledBatch ? std::string()
               : areAll ? "its folders of samples hold different files, perhaps of a recording "
                          "that was interrupted: each file is a tensor of its own"
                        : "its folders of samples are not numbered from 0 or 1 without a gap: "
                          "each file is a tensor of its own";
    }
    std::vector<std::string> turned;
    for (const DatasetFacts& dataset : datasets) {
        const NumberedFolder location = *numberedFolder(dataset.path);
        const auto word = layouts::roleByWords(location.rest);
        if (word && (word->role == Role::Weight || word->role == Role::Bias))
            return {};
        turned.push_back(std::string(location.rest) + "/" + std::string(location.folder));
    }
    for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset) {
        datasets[dataset].path = std::move(turned[dataset]);
        datasets[dataset].isBatch = true;
    }
    return {};
}

/// Where "batch_0" stands in a path ("/conv1_batch_0"), or a number alone ("/conv1_0").
struct BatchInName
{
    std::size_t separator = 0;
    bool isNumberAlone = false;
};

std::optional<BatchInName> batchInName(std::string_view path)
{
    constexpr std::size_t shortestWord = 4;  // "b0" may be a branch
    const std::size_t name = path.find_last_of('/') + 1;
    for (std::size_t at = path.find_first_of("_-", name + 1); at != std::string_view::npos;
         at = path.find_first_of("_-", at + 1)) {
        const std::string_view batch = path.substr(at + 1);
        const std::size_t word = std::min(batch.find_first_of("0123456789_-"), batch.size());
        if (batchNumber(batch) && (word == 0 || word >= shortestWord))
            return BatchInName{.separator = at, .isNumberAlone = word == 0};
    }
    return std::nullopt;
}

/// Paths of batches in one folder (conv1_batch_0.npy) as of a folder for each tensor
/// (/conv1/batch_0).
void splitBatchNames(std::vector<DatasetFacts>& datasets)
{
    std::set<std::string> paths;
    for (const DatasetFacts& dataset : datasets)
        paths.insert(dataset.path);
    for (DatasetFacts& dataset : datasets) {
        const std::optional<BatchInName> batch = batchInName(dataset.path);
        if (!batch || batch->isNumberAlone)
            continue;
        std::string split = dataset.path;
        split[batch->separator] = '/';
        if (paths.insert(split).second) {
            dataset.path = std::move(split);
            dataset.isBatch = true;
        }
    }
}

/// A number alone may be a layer's as well. What to do, where the files may all be batches.
std::string adviceOnNumbers(std::span<const DatasetFacts> datasets)
{
    std::map<std::string_view, std::set<std::uint64_t>> numbers;
    for (const DatasetFacts& dataset : datasets) {
        const std::string_view path = dataset.path;
        const std::optional<BatchInName> batch = batchInName(path);
        if (!batch || !batch->isNumberAlone)
            return {};
        numbers[path.substr(0, batch->separator)].insert(
            *batchNumber(path.substr(batch->separator + 1)));
    }
    const auto areThese = [&](const auto& name) { return name.second == numbers.begin()->second; };
    if (numbers.empty() || !std::ranges::all_of(numbers, areThese))
        return {};
    const std::set<std::uint64_t>& all = numbers.begin()->second;
    const std::uint64_t first = *all.begin();
    const std::uint64_t last = *all.rbegin();
    if (all.size() < 2 || first > 1 || last - first + 1 != all.size())
        return {};
    const std::string name(numbers.begin()->first.substr(1));
    return "the names of its files end in the numbers " + std::to_string(first) + " to " +
           std::to_string(last) + "; if these are batches, call them " + name + ".0.npy, " + name +
           ".1.npy, ...: so they are joined";
}

/// Where a folder holds batches alone (conv1/0.npy, opened as conv1/), the paths as if its parent
/// were opened, so that the tensor has the folder's name.
void nameAfterFolder(std::vector<DatasetFacts>& datasets, const std::string& folder)
{
    std::error_code failure;
    const std::string name = std::filesystem::canonical(folder, failure).filename().string();
    const auto isBatch = [](const DatasetFacts& dataset) {
        return batchNumber(std::string_view(dataset.path).substr(1)).has_value();
    };
    if (isListableName(name) && std::ranges::all_of(datasets, isBatch))
        for (DatasetFacts& dataset : datasets)
            dataset.path = "/" + name + dataset.path;
}

/// Datasets and their locations in the natural order of the paths.
void sortByPath(StoredTensors& stored)
{
    std::vector<DatasetFacts>& datasets = stored.contents.datasets;
    std::vector<std::size_t> order(datasets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, naturallyBefore, [&](std::size_t dataset) -> const std::string& {
        return datasets[dataset].path;
    });
    std::vector<DatasetFacts> sorted;
    std::vector<ElementLocation> locations;
    for (const std::size_t dataset : order) {
        sorted.push_back(std::move(datasets[dataset]));
        locations.push_back(std::move(stored.locations[dataset]));
    }
    datasets = std::move(sorted);
    stored.locations = std::move(locations);
}

}  // namespace

DatasetFacts factsAt(std::string path)
{
    return {.path = std::move(path), .compression = "none", .checksum = "none"};
}

void StoredList::add(DatasetFacts facts, ElementLocation location)
{
    for (const std::string& warning : facts.warnings)
        made.warnings.push_back(facts.path + ": " + warning);
    stored.contents.datasets.push_back(std::move(facts));
    stored.locations.push_back(std::move(location));
}

Unreadable unreadableBy(const std::string& problem)
{
    constexpr std::string_view origin = "it: ";
    return "it cannot be read: " + problem.substr(problem.starts_with(origin) ? origin.size() : 0);
}

std::optional<std::string>
fileAtOrAbove(const std::string& folder,
              const std::function<bool(const std::string& path)>& matches)
{
    constexpr int mostFolders = 3;
    std::error_code failure;
    std::filesystem::path here = std::filesystem::absolute(folder, failure).lexically_normal();
    if (!here.has_filename())  // "snapshot/"
        here = here.parent_path();
    for (int level = 0; level < mostFolders && !failure; ++level, here = here.parent_path()) {
        std::vector<std::string> files;
        for (std::filesystem::directory_iterator entry(here, failure), end;
             !failure && entry != end; entry.increment(failure)) {
            std::error_code ignored;
            if (entry->is_regular_file(ignored) && !entry->is_symlink(ignored))
                files.push_back(entry->path().string());
        }
        std::ranges::sort(files, naturallyBefore);
        if (const auto found = std::ranges::find_if(files, matches); found != files.end())
            return *found;
    }
    return std::nullopt;
}

void addStoredFile(const std::string& name, const StoredFolder& folder, StoredList& list)
{
    const std::string file = (std::filesystem::path(folder.path) / name).string();
    DatasetFacts facts = factsAt(folder.pathFor(name));
    ElementLocation location{.file = list.stored.files.size()};
    ElementFile element{.path = file};
    const OpenDescriptor open(file);
    struct stat status
    {
    };
    if (!open.isOpen() || ::fstat(open.number(), &status) != 0) {
        facts.unreadable = "it cannot be opened: " + std::generic_category().message(errno);
    } else if (!S_ISREG(status.st_mode)) {
        facts.unreadable = "it is not a regular file";
    } else {
        element.stamp = stampOf(open.number());
        const auto problem = inputProblem([&] {
            folder.describe(name, open.number(), static_cast<std::uint64_t>(status.st_size), facts,
                            location);
        });
        if (problem)
            facts.unreadable = unreadableBy(*problem);
    }
    list.stored.files.push_back(std::move(element));
    list.add(std::move(facts), std::move(location));
}

void addStoredFiles(const StoredFolder& folder, const DumpOptions& options,
                    const Progress& progress, StoredList& list)
{
    const std::vector<FolderFile> files = folderDumpFiles(folder.path);
    const auto others = std::ranges::count_if(
        files, [&](const FolderFile& file) { return !file.name.ends_with(folder.ending); });
    if (others > 0)
        list.made.warnings.push_back("/: it is opened for its files *" +
                                     std::string(folder.ending) + "; " + std::to_string(others) +
                                     " of other kinds are not listed");
    for (std::size_t location = 0; location < files.size(); ++location) {
        const FolderFile& file = files[location];
        progress.step(location, files.size(), file.name);
        if (!file.name.ends_with(folder.ending))
            continue;
        if (!isListableName(file.name)) {
            list.made.warnings.emplace_back("/: a file is not listed, whose name is not text");
        } else if (file.isOutside && !options.allowExternal) {
            DatasetFacts facts = factsAt(folder.pathFor(file.name));
            facts.unreadable = {Unreadable::Reason::OtherFile,
                                "it is a link that leads out of the folder; other files are read "
                                "only with --allow-external"};
            list.add(std::move(facts), {});
        } else {
            addStoredFile(file.name, folder, list);
        }
    }
    if (list.stored.mergeNumbered) {
        if (const std::string reason = turnBatchFolders(list.stored.contents.datasets);
            !reason.empty())
            list.made.warnings.push_back("/: " + reason);
        if (folder.ending == ".npy") {
            splitBatchNames(list.stored.contents.datasets);
            if (const std::string advice = adviceOnNumbers(list.stored.contents.datasets);
                !advice.empty())
                list.made.warnings.push_back("/: " + advice);
        }
        nameAfterFolder(list.stored.contents.datasets, folder.path);
    }
    sortByPath(list.stored);
}

}  // namespace calibscope
