// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/folder_files.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/stated_type.h"
#include "core/dump/stored_files.h"
#include "core/tensor/npy_header.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
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

/// The path that a file's or member's name stands for: without its ending.
std::string pathOf(std::string_view name)
{
    return "/" + std::string(name.substr(0, name.size() - arrayEnding.size()));
}

StoredList listFor(const DumpOptions& options)
{
    return {.stored = {.rule = numpyRule,
                       .title = "Names of NumPy files",
                       .memoryBytes = options.memoryBytes,
                       .mergeNumbered = options.mergeNumbered}};
}

/// Names of layers by the names of their files without the ending: of a folder that RKNN's accuracy
/// analysis left, where "map_name_to_file.txt" has a layer and its file in each line, here or in one
/// of the two folders above ("golden/npy").
std::map<std::string, std::string, std::less<>> layerNames(const std::string& folder)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{16} << 20U;
    const std::optional<std::string> file = fileAtOrAbove(folder, [](const std::string& path) {
        return std::filesystem::path(path).filename() == "map_name_to_file.txt";
    });
    std::map<std::string, std::string, std::less<>> names;
    std::istringstream lines(file ? readWholeFile(*file, mostBytes) : std::string());
    for (std::string line; std::getline(lines, line);) {
        line.erase(line.find_last_not_of(" \t\r") + 1);
        const std::size_t gap = line.find_last_of(" \t");
        if (gap == std::string::npos || line.starts_with("layer_name"))
            continue;
        std::string name = line.substr(0, line.find_last_not_of(" \t", gap) + 1);
        if (name.starts_with('['))  // "[Conv] name"
            name.erase(0, name.find(']') + 1);
        name.erase(0, name.find_first_not_of(" \t/"));
        std::string stored = line.substr(gap + 1);
        if (stored.ends_with(arrayEnding))
            stored.resize(stored.size() - arrayEnding.size());
        if (isListableName(name))
            names.emplace(std::move(stored), std::move(name));
    }
    return names;
}

/// Files of arrays, each with its header.
StoredFolder folderOf(const std::string& path)
{
    return {.path = path,
            .ending = arrayEnding,
            .pathFor =
                [names = layerNames(path)](const std::string& file) {
                    const std::string stored = pathOf(file);
                    const std::size_t leaf = stored.rfind('/') + 1;
                    const auto known = names.find(std::string_view(stored).substr(leaf));
                    return known == names.end() ? stored : stored.substr(0, leaf) + known->second;
                },
            .describe =
                [](const std::string& /*name*/, int descriptor, std::uint64_t bytes,
                   DatasetFacts& facts, ElementLocation& location) {
                    std::uint64_t at = 0;
                    const NpyHeader header = headerIn(bytes, "it", [&](std::span<std::byte> some) {
                        readAt(descriptor, at, some, "it: ");
                        at += some.size();
                    });
                    describe(header, bytes, facts, location);
                }};
}

Container openFolder(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    StoredList list = listFor(options);
    list.made.identity = checkedIdentity(path);
    addStoredFiles(folderOf(path), options, progress, list);
    return containerOf(std::move(list.stored), std::move(list.made));
}

Container openArray(const std::string& path, const DumpOptions& options)
{
    StoredList list = listFor(options);
    list.made.identity = checkedIdentity(path);
    const std::filesystem::path file = std::filesystem::absolute(path);
    StoredFolder folder = folderOf(file.parent_path().string());
    const std::string name = file.stem().string();
    folder.pathFor = [&](const std::string&) {
        return "/" + (isListableName(name) ? name : "array");
    };
    addStoredFile(file.filename().string(), folder, list);
    return containerOf(std::move(list.stored), std::move(list.made));
}

/// An array of an archive; only the bytes of its header are unpacked.
void addMember(const OpenDescriptor& open, std::uint64_t fileBytes, const ZipMember& member,
               StoredList& list)
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
        facts.unreadable = unreadableBy(*problem);
    list.add(std::move(facts), std::move(location));
}

Container openArchive(const std::string& path, const DumpOptions& options, const Progress& progress)
{
    StoredList list = listFor(options);
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
