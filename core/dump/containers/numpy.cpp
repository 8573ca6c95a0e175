// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/natural_order.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/layouts/path_words.h"
#include "core/dump/numbered_runs.h"
#include "core/dump/stated_type.h"
#include "core/dump/stored_tensors.h"
#include "core/tensor/npy_header.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* numpyRule = "numpy";
constexpr std::string_view arrayEnding = ".npy";
constexpr std::string_view archiveEnding = ".npz";
/// Part of the memory for the list of an archive, whose tensors take many times its bytes.
constexpr std::uint64_t listShare = 24;

StatedType typeOf(const NpyHeader& header)
{
    if (header.type) {
        const ElementKind kind = npyElementKind(*header.type);
        const ElementType element{.kind = kind, .isBigEndian = header.isBigEndian};
        const bool isBool = *header.type == NpyType::Bool;
        return {.text = std::string(elementText(kind)),
                .storedText = isBool ? "bool" : "",
                .element = element,
                .others = element.isInteger() && !isBool
                              ? floatsOf(element.bytes(), header.isBigEndian)
                              : std::vector<ElementType>()};
    }
    const std::string& descr = header.descr;
    const std::string_view code =
        std::string_view(descr).substr(std::min<std::size_t>(1, descr.size()));
    if (code == "V1" || code == "V2")  // ml_dtypes: float8, bfloat16
        return opaqueType(code == "V1" ? 1 : 2);
    if (descr.starts_with('[') || code.starts_with('V'))
        return typeOfNoNumbers("records", "records of several members");
    if (code.starts_with('O'))
        return typeOfNoNumbers("object", "Python objects, which can run any program when they are "
                                         "read");
    if (code.starts_with('U') || code.starts_with('S'))
        return typeOfNoNumbers("string", "texts");
    return {.text = validUtf8(descr.substr(0, 100)),
            .unreadable = {Unreadable::Reason::ElementType, "its elements are of the type " +
                                                                validUtf8(descr.substr(0, 100)) +
                                                                ", which is not read"}};
}

/// Facts and location of an array, from its header. `end`: of its elements in an undamaged file.
void describe(const NpyHeader& header, std::uint64_t end, DatasetFacts& facts,
              ElementLocation& location)
{
    StatedType type = typeOf(header);
    facts.shape = header.shape;
    facts.chunk.assign(header.shape.size(), 1);
    facts.typeText = std::move(type.text);
    facts.storedType = std::move(type.storedText);
    facts.element = type.element;
    location.isBigEndian = header.isBigEndian;
    location.isFortran = header.isFortran;
    location.begin = header.firstByte;
    const std::size_t size = facts.element         ? facts.element->bytes()
                             : type.others.empty() ? 0
                                                   : type.others.front().bytes();
    std::uint64_t bytes = size;
    bool isCountable = true;
    for (const std::uint64_t length : header.shape)
        isCountable = isCountable && !__builtin_mul_overflow(bytes, length, &bytes);
    const bool isEmpty = std::ranges::count(header.shape, std::uint64_t{0}) > 0;
    if (size == 0)
        facts.unreadable = type.unreadable;
    else if (isEmpty)
        facts.unreadable = "it has no values: one of its axes has length 0";
    else if (header.shape.empty())
        facts.unreadable = "it is a single value, not a tensor";
    else if (!isCountable || header.firstByte > end || bytes > end - header.firstByte)
        facts.unreadable = "its values end behind the end of the file, which is truncated or still "
                           "being written";
    else if (bytes < end - header.firstByte)
        facts.warnings.push_back(numberText(end - header.firstByte - bytes) +
                                 " bytes follow its values");
    if (!facts.unreadable.empty())
        return;
    location.end = header.firstByte + bytes;
    facts.otherElements = std::move(type.others);
    facts.unreadable = type.unreadable;
}

/// The header in front of bytes that `read` gives, from the first one on, and no more than asked.
NpyHeader headerIn(std::uint64_t fileBytes, const std::string& origin,
                   const std::function<void(std::span<std::byte>)>& read)
{
    std::string text(std::min<std::uint64_t>(fileBytes, npyLengthEnd), '\0');
    read(std::as_writable_bytes(std::span(text)));
    const std::uint64_t bytes = std::min(npyHeaderBytes(text, origin), fileBytes);
    const std::size_t known = text.size();
    text.resize(std::max<std::uint64_t>(bytes, known));
    read(std::as_writable_bytes(std::span(text)).subspan(known));
    return parseNpyHeader(text, origin);
}

/// Why an array is not read, by the sentence behind "it: ".
Unreadable reasonOf(const std::string& problem)
{
    constexpr std::string_view origin = "it: ";
    return "it cannot be read: " + problem.substr(problem.starts_with(origin) ? origin.size() : 0);
}

/// The path that a file's or member's name stands for: without its ending.
std::string pathOf(std::string_view name)
{
    return "/" + std::string(name.substr(0, name.size() - arrayEnding.size()));
}

DatasetFacts factsAt(std::string path)
{
    return {.path = std::move(path), .compression = "none", .checksum = "none"};
}

/// What is opened, dataset by dataset.
struct ArrayList
{
    StoredTensors stored;
    Container made;

    void add(DatasetFacts facts, ElementLocation location)
    {
        for (const std::string& warning : facts.warnings)
            made.warnings.push_back(facts.path + ": " + warning);
        stored.contents.datasets.push_back(std::move(facts));
        stored.locations.push_back(std::move(location));
    }
};

ArrayList listFor(const DumpOptions& options)
{
    return {.stored = {.rule = numpyRule,
                       .title = "Names of NumPy files",
                       .memoryBytes = options.memoryBytes,
                       .mergeNumbered = options.mergeNumbered}};
}

/// An array of a file of its own. What is wrong with it is a reason, since there may be others.
void addFile(const std::string& file, std::string path, ArrayList& list)
{
    DatasetFacts facts = factsAt(std::move(path));
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
        const auto bytes = static_cast<std::uint64_t>(status.st_size);
        std::uint64_t at = 0;
        const auto problem = inputProblem([&] {
            const NpyHeader header = headerIn(bytes, "it", [&](std::span<std::byte> some) {
                readAt(open.number(), at, some, "it: ");
                at += some.size();
            });
            describe(header, bytes, facts, location);
        });
        if (problem)
            facts.unreadable = reasonOf(*problem);
    }
    list.stored.files.push_back(std::move(element));
    list.add(std::move(facts), std::move(location));
}

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
/// batches.
void turnBatchFolders(std::vector<DatasetFacts>& datasets)
{
    std::map<std::uint64_t, std::pair<std::string_view, std::set<std::string_view>>> batches;
    for (const DatasetFacts& dataset : datasets) {
        const std::optional<NumberedFolder> location = numberedFolder(dataset.path);
        if (!location)
            return;
        auto& [folder, files] = batches.try_emplace(location->number).first->second;
        if (folder.empty())
            folder = location->folder;
        if (folder != location->folder || !files.insert(location->rest).second)
            return;
    }
    const auto areAlike = [&](const auto& batch) {
        return batch.second.second == batches.begin()->second.second;
    };
    if (batches.size() < 2 || !std::ranges::all_of(batches, areAlike) ||
        batches.begin()->first > 1 ||
        batches.rbegin()->first != batches.begin()->first + batches.size() - 1)
        return;
    std::vector<std::string> turned;
    for (const DatasetFacts& dataset : datasets) {
        const NumberedFolder location = *numberedFolder(dataset.path);
        const auto word = layouts::roleByWords(location.rest);
        if (word && (word->role == Role::Weight || word->role == Role::Bias))
            return;
        turned.push_back(std::string(location.rest) + "/" + std::string(location.folder));
    }
    for (std::size_t dataset = 0; dataset < datasets.size(); ++dataset)
        datasets[dataset].path = std::move(turned[dataset]);
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

Container openFolder(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    ArrayList list = listFor(options);
    list.made.identity = checkedIdentity(path);
    const std::vector<FolderFile> files = folderDumpFiles(path);
    for (std::size_t location = 0; location < files.size(); ++location) {
        const FolderFile& file = files[location];
        progress.step(location, files.size(), file.name);
        if (!file.name.ends_with(arrayEnding))
            continue;
        if (!isListableName(file.name)) {
            list.made.warnings.emplace_back("/: a file is not listed, whose name is not text");
        } else if (file.isOutside && !options.allowExternal) {
            DatasetFacts facts = factsAt(pathOf(file.name));
            facts.unreadable = {Unreadable::Reason::OtherFile,
                                "it is a link that leads out of the folder; other files are read "
                                "only with --allow-external"};
            list.add(std::move(facts), {});
        } else {
            addFile((std::filesystem::path(path) / file.name).string(), pathOf(file.name), list);
        }
    }
    if (options.mergeNumbered) {
        turnBatchFolders(list.stored.contents.datasets);
        nameAfterFolder(list.stored.contents.datasets, path);
    }
    sortByPath(list.stored);
    return containerOf(std::move(list.stored), std::move(list.made));
}

Container openArray(const std::string& path, const DumpOptions& options)
{
    ArrayList list = listFor(options);
    list.made.identity = checkedIdentity(path);
    const std::string name = std::filesystem::path(path).stem().string();
    addFile(path, "/" + (isListableName(name) ? name : "array"), list);
    return containerOf(std::move(list.stored), std::move(list.made));
}

/// An array of an archive; only the bytes of its header are unpacked.
void addMember(const OpenDescriptor& open, std::uint64_t fileBytes, const ZipMember& member,
               ArrayList& list)
{
    DatasetFacts facts = factsAt(pathOf(member.name));
    facts.checksum = "crc32 (zip)";
    if (member.method != 0)
        facts.compression = "deflate (zip)";
    ElementLocation location{.member = std::make_shared<const ZipMember>(member)};
    const auto problem = inputProblem([&] {
        ZipMemberStream stream(open.number(), fileBytes, member, "it: ");
        const NpyHeader header =
            headerIn(member.bytes, "it", [&](std::span<std::byte> some) { stream.read(some); });
        describe(header, member.bytes, facts, location);
    });
    if (problem)
        facts.unreadable = reasonOf(*problem);
    list.add(std::move(facts), std::move(location));
}

Container openArchive(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    ArrayList list = listFor(options);
    list.made.identity = checkedIdentity(path);
    const OpenDescriptor open(path);
    if (stampOf(open.number()) != list.made.identity.stamp)
        throw Error(Fault::Input, path + ": was changed while it was opened; open it again");
    const std::uint64_t bytes = list.made.identity.bytes;
    const std::vector<ZipMember> members =
        zipMembers(open.number(), bytes, options.memoryBytes / listShare, path);
    std::set<std::string_view> names;
    std::size_t others = 0;
    for (std::size_t location = 0; location < members.size(); ++location) {
        const ZipMember& member = members[location];
        progress.step(location, members.size(), member.name);
        if (!member.name.ends_with(arrayEnding) || !isListableName(member.name) ||
            member.name == arrayEnding || !names.insert(member.name).second)
            ++others;
        else
            addMember(open, bytes, member, list);
    }
    if (others > 0)
        list.made.warnings.push_back(
            "/: " + std::to_string(others) +
            " members are not listed, which are not .npy, have the name of "
            "another, or one that is not text");
    list.stored.files.push_back({.path = path, .stamp = list.made.identity.stamp});
    return containerOf(std::move(list.stored), std::move(list.made));
}

constexpr std::string_view zipMagic = "PK\x03\x04";

/// A zip archive whose first member is a .npy.
bool isArchive(std::string_view firstBytes, std::string_view path)
{
    constexpr std::size_t nameLengthAt = 26;
    constexpr std::size_t nameAt = 30;
    if (!firstBytes.starts_with(zipMagic) || firstBytes.size() < nameAt)
        return false;
    const auto length =
        static_cast<std::size_t>(static_cast<unsigned char>(firstBytes[nameLengthAt]) +
                                 256U * static_cast<unsigned char>(firstBytes[nameLengthAt + 1]));
    return path.ends_with(archiveEnding) ||
           firstBytes.substr(nameAt, length).ends_with(arrayEnding);
}

Container openNumpy(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    if (isFolderDump(path))
        return openFolder(path, options, progress);
    const OpenDescriptor open(path);
    std::string start(zipMagic.size(), '\0');
    readAt(open.number(), 0, std::as_writable_bytes(std::span(start)), path + ": ");
    return start == zipMagic ? openArchive(path, options, progress) : openArray(path, options);
}

bool isNumpy(std::string_view firstBytes, const std::string& path)
{
    return firstBytes.empty() ? folderDumpEnding(path) == arrayEnding
                              : firstBytes.starts_with(npyMagic) || isArchive(firstBytes, path);
}

}  // namespace

/// Arrays that NumPy saved (numpy.lib.format): one, an archive of several, or a folder of files,
/// whose names are the tensors'. Roles and axes by the names, as of a dump without attributes.
ContainerFormat numpy()
{
    return {.id = numpyRule, .recognise = isNumpy, .open = openNumpy};
}

}  // namespace calibscope::containers
