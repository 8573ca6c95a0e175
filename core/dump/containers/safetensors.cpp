// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/join.h"
#include "core/base/json_object.h"
#include "core/base/natural_order.h"
#include "core/base/number_text.h"
#include "core/base/open_descriptor.h"
#include "core/base/whole_file.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/stored_tensors.h"
#include "core/tensor/safetensors_header.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* safetensorsRule = "safetensors";
constexpr std::size_t lengthBytes = 8;  ///< of the header's length, in front of it
constexpr std::size_t mostAxes = 32;
/// Part of the memory for the largest header: 60,000 tensors from 6.3 MB take 250 MiB in all.
constexpr std::uint64_t headerShare = 24;

struct NamedKind
{
    std::string_view name;
    ElementKind kind;
};

constexpr std::array namedKinds{
    NamedKind{"F64", ElementKind::Float64},
    NamedKind{"F32", ElementKind::Float32},
    NamedKind{"F16", ElementKind::Float16},
    NamedKind{"BF16", ElementKind::Bfloat16},
    NamedKind{"F8_E4M3", ElementKind::Float8E4m3fn},
    NamedKind{"F8_E5M2", ElementKind::Float8E5m2},
    NamedKind{"I64", ElementKind::Int64},
    NamedKind{"I32", ElementKind::Int32},
    NamedKind{"I16", ElementKind::Int16},
    NamedKind{"I8", ElementKind::Int8},
    NamedKind{"U64", ElementKind::Uint64},
    NamedKind{"U32", ElementKind::Uint32},
    NamedKind{"U16", ElementKind::Uint16},
    NamedKind{"U8", ElementKind::Uint8},
};

/// Bytes behind the header, from one to the other.
struct Extent
{
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// A file of the format, whose header is read.
struct OpenShard
{
    OpenShard(const std::string& file, std::uint64_t mostBytes)
        : path(file), open(file), mostHeaderBytes(mostBytes)
    {
        struct stat status
        {
        };
        if (!open.isOpen() || ::fstat(open.number(), &status) != 0 || !S_ISREG(status.st_mode))
            fail("cannot be read, or is not a file");
        bytes = static_cast<std::uint64_t>(status.st_size);
        stamp = stampOf(open.number());
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, path + ": " + what);
    }

    std::string path;
    OpenDescriptor open;
    std::uint64_t mostHeaderBytes;
    std::uint64_t bytes = 0;
    std::string stamp;
    std::uint64_t firstByte = 0;  ///< behind the header
};

/// The header's text. Throws Error(Input) where its length leaves the file, or is so large that
/// its list of tensors takes too much memory.
std::string headerOf(OpenShard& shard)
{
    std::array<std::byte, lengthBytes> stored{};
    if (shard.bytes < lengthBytes)
        shard.fail("is truncated within the length of its header");
    readAt(shard.open.number(), 0, stored, shard.path + ": ");
    std::uint64_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = length << 8U | std::to_integer<std::uint64_t>(stored[byte]);
    if (length > shard.bytes - lengthBytes)
        shard.fail("is truncated, or damaged: its header has " + numberText(length) +
                   " bytes, the file " + numberText(shard.bytes));
    if (length > shard.mostHeaderBytes)
        shard.fail("its header has " + numberText(length) +
                   " bytes; its list of tensors takes more memory than may be taken");
    std::string text(length, '\0');
    readAt(shard.open.number(), lengthBytes, std::as_writable_bytes(std::span(text)),
           shard.path + ": ");
    shard.firstByte = lengthBytes + length;
    return text;
}

/// Bytes of a tensor; nothing where they are more than 64 bits count.
std::optional<std::uint64_t> bytesOf(const std::vector<std::uint64_t>& shape,
                                     std::uint64_t elementBytes)
{
    std::uint64_t bytes = elementBytes;
    for (const std::uint64_t length : shape)
        if (__builtin_mul_overflow(bytes, length, &bytes))
            return std::nullopt;
    return bytes;
}

/// The header's entry of a tensor. Throws Error(Input) where it breaks the format: nothing of such a
/// file can be relied on.
std::pair<DatasetFacts, Extent> entryOf(SafetensorsHeader::Entry entry, const OpenShard& shard)
{
    const std::uint64_t dataBytes = shard.bytes - shard.firstByte;
    const std::string who = "its header is damaged: tensor \"" + entry.name.substr(0, 200) + "\" ";
    if (!entry.dtype)
        shard.fail(who + "has no dtype");
    if (!entry.shape || entry.shape->size() > mostAxes)
        shard.fail(who + "has no shape of at most 32 axes");
    const SafetensorsHeader::Counts& offsets = entry.offsets;
    if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
        shard.fail(who + "has no data_offsets of two ascending numbers");
    const Extent extent{(*offsets)[0], (*offsets)[1]};
    const std::size_t axes = entry.shape->size();
    DatasetFacts facts{.path = "/" + entry.name,
                       .shape = *std::move(entry.shape),
                       .typeText = *std::move(entry.dtype),
                       .chunk = std::vector<std::uint64_t>(axes, 1),
                       .compression = "none",
                       .checksum = "none"};
    const auto* const known = std::ranges::find(namedKinds, facts.typeText, &NamedKind::name);
    if (extent.end > dataBytes) {
        facts.unreadable = "its values end behind the end of the file, which is truncated or "
                           "still being written";
    } else if (known == namedKinds.end()) {
        facts.unreadable = {Unreadable::Reason::ElementType, "its elements are of the type " +
                                                                 facts.typeText +
                                                                 ", which is not read"};
    } else {
        facts.element = ElementType{.kind = known->kind};
        facts.typeText = elementText(known->kind);
        if (bytesOf(facts.shape, facts.element->bytes()) != extent.end - extent.begin)
            shard.fail(who + "has " + numberText(extent.end - extent.begin) +
                       " bytes of values, which its shape " + shapeText(facts.shape) +
                       " does not take");
        if (extent.begin == extent.end)
            facts.unreadable = "it has no values: one of its axes has length 0";
    }
    return {std::move(facts), extent};
}

/// Gaps, and tensors that share bytes, as a warning: the format allows neither. They come of names
/// that occur twice, too.
void checkCoverage(std::vector<Extent> extents, std::uint64_t dataBytes, Container& made)
{
    std::ranges::sort(extents, {}, [](const Extent& one) { return std::pair(one.begin, one.end); });
    std::uint64_t end = 0;
    for (const Extent& extent : extents) {
        if (extent.begin != end) {
            made.warnings.push_back("/: the file is not as its format asks for: " +
                                    std::string(extent.begin < end ? "tensors share bytes"
                                                                   : "bytes belong to no tensor") +
                                    " at byte " + numberText(std::min(extent.begin, end)) +
                                    " of its values");
            return;
        }
        end = extent.end;
    }
    if (end < dataBytes)
        made.warnings.push_back("/: the file is not as its format asks for: its last " +
                                numberText(dataBytes - end) + " bytes belong to no tensor");
}

/// What is opened: the tensors of all files so far, and in which of them the index says they are.
struct Gathered
{
    StoredTensors stored;
    std::map<std::string, std::string> shardOf = {};  ///< by tensor; empty without an index
    bool isOneOfSeveral = false;                      ///< files, whose tensors may have one name
    std::unordered_set<std::string> paths = {};       ///< of the datasets of these
};

/// Whether the tensor of a file is to be listed: not one that the index says is in another, nor one
/// that another has brought.
bool addPath(const std::string& path, const std::string& shardName, Gathered& all, Container& made)
{
    const auto indexed = all.shardOf.find(path.substr(1));
    if ((indexed == all.shardOf.end() || indexed->second == shardName) &&
        all.paths.insert(path).second)
        return true;
    made.warnings.push_back(path + ": the file " + shardName + " holds it, too, which is not read");
    return false;
}

/// Adds everything that a file's header says, in the order of its values.
void gather(OpenShard& shard, const std::string& shardName, Gathered& all, Container& made)
{
    SafetensorsHeader header = parseSafetensorsHeader(headerOf(shard), shard.path);
    for (const auto& [key, text] : header.metadata)
        made.attributes[key] = text;
    std::vector<std::pair<DatasetFacts, Extent>> entries;
    std::vector<Extent> extents;
    entries.reserve(header.entries.size());
    extents.reserve(header.entries.size());
    std::size_t unnamed = 0;
    for (SafetensorsHeader::Entry& entry : header.entries) {
        if (isListableName(entry.name))
            extents.push_back(entries.emplace_back(entryOf(std::move(entry), shard)).second);
        else
            ++unnamed;
    }
    std::vector<SafetensorsHeader::Entry>().swap(header.entries);
    if (unnamed > 0)
        made.warnings.push_back("/: " + std::to_string(unnamed) +
                                " tensors are not listed, whose names are empty, no text, or "
                                "longer than 32 KiB");
    else
        checkCoverage(std::move(extents), shard.bytes - shard.firstByte, made);
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t entry) { return entries[entry].second.begin; });
    const std::size_t file = all.stored.files.size();
    all.stored.files.push_back({.path = shard.path, .stamp = shard.stamp});
    all.stored.locations.reserve(all.stored.locations.size() + order.size());
    all.stored.contents.datasets.reserve(all.stored.locations.size() + order.size());
    for (const std::size_t entry : order) {
        auto& [facts, extent] = entries[entry];
        const ElementLocation location{.file = file,
                                       .begin = shard.firstByte + extent.begin,
                                       .end = shard.firstByte + extent.end};
        if (all.isOneOfSeveral && !addPath(facts.path, shardName, all, made))
            continue;
        all.stored.locations.push_back(location);
        all.stored.contents.datasets.push_back(std::move(facts));
    }
}

/// Tensors that the index has and no file.
void addMissing(const std::map<std::string, Unreadable>& unreadable, Gathered& all, Container& made)
{
    for (const auto& [name, shard] : all.shardOf) {
        if (all.paths.contains("/" + name) || !isListableName(name))
            continue;
        const auto reason = unreadable.find(shard);
        DatasetFacts facts{.path = "/" + name, .compression = "none", .checksum = "none"};
        facts.unreadable =
            reason != unreadable.end()
                ? reason->second
                : Unreadable("it is not in the file " + shard + ", where the index says it is");
        all.stored.contents.datasets.push_back(std::move(facts));
        all.stored.locations.emplace_back();
    }
    for (const auto& [shard, reason] : unreadable)
        made.warnings.push_back("/: tensors of the file " + shard +
                                " cannot be read: " + reason.sentence);
}

constexpr std::string_view safetensorsEnding = ".safetensors";
constexpr std::string_view indexEnding = ".safetensors.index.json";

/// The index's file of each tensor. Throws Error(Input) for an index that is none, and for files
/// outside its folder.
std::map<std::string, std::string> weightMap(const std::string& indexPath,
                                             std::uint64_t memoryBytes, Container& made)
{
    const auto fail = [&](const std::string& what) {
        throw Error(Fault::Input, indexPath + ": " + what);
    };
    const nlohmann::json index =
        parseJson(readWholeFile(indexPath, memoryBytes / headerShare), indexPath);
    if (!index.is_object() || !index.contains("weight_map") || !index["weight_map"].is_object())
        fail("has no weight_map, which says which file holds which tensor");
    if (const auto metadata = index.find("metadata");
        metadata != index.end() && metadata->is_object())
        for (const auto& [key, text] : metadata->items())
            if (text.is_string())
                made.attributes[key] = text.get<std::string>();
    std::map<std::string, std::string> shards;
    for (const auto& [tensor, shard] : index["weight_map"].items()) {
        if (!shard.is_string())
            fail("its weight_map is damaged: tensor \"" + tensor.substr(0, 200) +
                 "\" has no name of a file");
        const auto name = shard.get<std::string>();
        const std::filesystem::path path(name);
        if (!isListableName(name) || path.is_absolute() || std::ranges::count(path, "..") > 0)
            fail("tensor \"" + tensor.substr(0, 200) + "\" is assigned to the file \"" +
                 name.substr(0, 200) + "\", which leaves the folder; such an index is not read");
        shards.emplace(tensor, name);
    }
    return shards;
}

/// The files of a model that is split, by their names in the folder, and why some are not read.
std::map<std::string, Unreadable> shardsOf(const std::string& folder, bool allowExternal,
                                           std::vector<std::string>& names)
{
    std::map<std::string, Unreadable> unreadable;
    std::error_code failure;
    for (const std::string& name : names) {
        const std::filesystem::path path = std::filesystem::path(folder) / name;
        if (!std::filesystem::exists(path, failure))
            unreadable[name] = "the file " + name + " is missing; fetch it, too";
        else if (!allowExternal && !leadsInto(path.string(), folder))
            unreadable[name] = {Unreadable::Reason::OtherFile,
                                "its values are in the file " + name +
                                    ", a link that leads out of the folder; other files are read "
                                    "only with --allow-external"};
    }
    std::erase_if(names, [&](const std::string& name) { return unreadable.contains(name); });
    return unreadable;
}

Gathered gatheredFor(const DumpOptions& options)
{
    return {.stored = {.rule = safetensorsRule,
                       .title = "Names of a safetensors file",
                       .memoryBytes = options.memoryBytes}};
}

Container openFile(const std::string& path, const DumpOptions& options)
{
    Container made{.identity = checkedIdentity(path)};
    OpenShard shard(path, options.memoryBytes / headerShare);
    if (shard.stamp != made.identity.stamp)
        shard.fail("was changed while it was opened; open it again");
    Gathered all = gatheredFor(options);
    gather(shard, path, all, made);
    return containerOf(std::move(all.stored), std::move(made));
}

/// A model in several files: those that its index names, or all of a folder without one.
Container openShards(const std::string& path, const std::string& folder,
                     const std::string& indexPath, std::vector<std::string> names,
                     const DumpOptions& options, const Progress& progress)
{
    Container made;
    Gathered all = gatheredFor(options);
    all.isOneOfSeveral = true;
    if (!indexPath.empty()) {
        all.shardOf = weightMap(indexPath, options.memoryBytes, made);
        names.clear();
        for (const auto& [tensor, shard] : all.shardOf)
            names.push_back(shard);
    }
    std::ranges::sort(names, naturallyBefore);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::map<std::string, Unreadable> unreadable =
        shardsOf(folder, options.allowExternal, names);
    std::vector<std::string> files;
    for (const std::string& name : names)
        files.push_back((std::filesystem::path(folder) / name).string());
    const bool isFolder = path == folder;
    made.identity = isFolder ? checkedIdentity(path) : checkedIdentity(path, files);
    if (!isFolder)
        made.dataFiles = files;
    std::uint64_t headerBytesLeft = options.memoryBytes / headerShare;
    for (std::size_t file = 0; file < files.size(); ++file) {
        progress.step(file, files.size(), files[file]);
        OpenShard shard(files[file], headerBytesLeft);
        gather(shard, names[file], all, made);
        headerBytesLeft -= shard.firstByte - lengthBytes;
    }
    addMissing(unreadable, all, made);
    return containerOf(std::move(all.stored), std::move(made));
}

/// Names of the files of that ending in the folder itself, in natural order.
std::vector<std::string> namesIn(const std::string& folder, std::string_view ending)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (std::string name = entry->path().filename().string();
            name.ends_with(ending) && !name.starts_with('.'))
            names.push_back(std::move(name));
    std::ranges::sort(names, naturallyBefore);
    return names;
}

Container openSafetensors(const std::string& path, const DumpOptions& options,
                          const Progress& progress)
{
    if (isFolderDump(path)) {
        const std::vector<std::string> indices = namesIn(path, indexEnding);
        if (indices.size() > 1)
            throw Error(Fault::Input,
                        path + ": holds several models; open one of " + joinedText(indices));
        return openShards(path, path,
                          indices.empty()
                              ? std::string()
                              : (std::filesystem::path(path) / indices.front()).string(),
                          namesIn(path, safetensorsEnding), options, progress);
    }
    if (path.ends_with(".json")) {
        const std::string folder = std::filesystem::path(path).parent_path().string();
        return openShards(path, folder.empty() ? "." : folder, path, {}, options, progress);
    }
    return openFile(path, options);
}

/// The length of a header of less than 100 MB, as the format allows, and an object of JSON; the
/// index of several such files; a folder that holds some.
bool isSafetensors(std::string_view firstBytes, const std::string& path)
{
    if (firstBytes.empty())
        return folderDumpEnding(path) == safetensorsEnding;
    if (firstBytes.starts_with('{'))
        return path.ends_with(indexEnding) ||
               (path.ends_with(".json") &&
                firstBytes.find("\"weight_map\"") != std::string_view::npos);
    const std::string_view text =
        firstBytes.substr(std::min<std::size_t>(firstBytes.size(), lengthBytes));
    return firstBytes.size() > lengthBytes && firstBytes[5] == 0 && firstBytes[6] == 0 &&
           firstBytes[7] == 0 && firstBytes[4] == 0 &&
           (text.starts_with("{\"") || text.starts_with("{}"));
}

}  // namespace

/// Tensors of the safetensors format (huggingface/safetensors, README "Format"): roles and channels
/// by the names, as of a dump without attributes. A model that is split into several files is one
/// dump, by its index or its folder.
ContainerFormat safetensors()
{
    return {.id = safetensorsRule, .recognise = isSafetensors, .open = openSafetensors};
}

}  // namespace calibscope::containers
