// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/json_object.h"
#include "core/base/number_text.h"
#include "core/base/open_descriptor.h"
#include "core/base/utf8.h"
#include "core/dump/batch_first.h"
#include "core/dump/container.h"
#include "core/dump/doubt_names.h"
#include "core/dump/element_blocks.h"
#include "core/dump/file_check.h"
#include "core/dump/layout.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace calibscope::containers {

namespace {

constexpr const char* safetensorsRule = "safetensors";
constexpr std::size_t lengthBytes = 8;  ///< of the header's length, in front of it
constexpr std::size_t readBytes = std::size_t{1} << 20U;
constexpr std::size_t longestPath = std::size_t{32} << 10U;
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

/// A file whose values stay in it until they are visited.
struct OpenTensors
{
    explicit OpenTensors(const std::string& path) : file(path), identity(checkedIdentity(path)) {}

    OpenDescriptor file;
    FileIdentity identity;
    std::uint64_t firstByte = 0;  ///< behind the header
    std::uint64_t memoryBytes = 0;
    std::vector<Extent> extents = {};  ///< for each tensor of the list
};

[[noreturn]] void failWith(const FileIdentity& identity, const std::string& what)
{
    throw Error(Fault::Input, identity.path + ": " + what);
}

/// Reads all of `bytes` from there on. Throws Error(Input), `who` and a sentence.
void readAt(const OpenTensors& tensors, std::uint64_t from, std::span<std::byte> bytes,
            const std::string& who)
{
    while (!bytes.empty()) {
        const ::ssize_t count =
            ::pread(tensors.file.number(), bytes.data(), bytes.size(), static_cast<::off_t>(from));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            throw Error(Fault::Input,
                        who + (count == 0 ? "its values end early; the file was changed or cut"
                                          : std::generic_category().message(errno)));
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        from += static_cast<std::uint64_t>(count);
    }
}

/// The header's text. Throws Error(Input) where its length leaves the file, or is so large that
/// its list of tensors takes too much memory.
std::string headerOf(OpenTensors& tensors)
{
    std::array<std::byte, lengthBytes> stored{};
    if (tensors.identity.bytes < lengthBytes)
        failWith(tensors.identity, "is truncated within the length of its header");
    readAt(tensors, 0, stored, tensors.identity.path + ": ");
    std::uint64_t length = 0;
    for (std::size_t byte = lengthBytes; byte-- > 0;)
        length = length << 8U | std::to_integer<std::uint64_t>(stored[byte]);
    if (length > tensors.identity.bytes - lengthBytes)
        failWith(tensors.identity, "is truncated, or damaged: its header has " +
                                       numberText(length) + " bytes, the file " +
                                       numberText(tensors.identity.bytes));
    if (length > tensors.memoryBytes / headerShare)
        failWith(tensors.identity,
                 "its header has " + numberText(length) +
                     " bytes; its list of tensors takes more memory than may be taken");
    std::string text(length, '\0');
    readAt(tensors, lengthBytes, std::as_writable_bytes(std::span(text)),
           tensors.identity.path + ": ");
    tensors.firstByte = lengthBytes + length;
    return text;
}

/// The array of non-negative integers under that key; nothing where there is none.
std::optional<std::vector<std::uint64_t>> countsIn(const nlohmann::json& entry, const char* key)
{
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_array())
        return std::nullopt;
    std::vector<std::uint64_t> counts;
    for (const nlohmann::json& count : *found) {
        if (!count.is_number_unsigned())
            return std::nullopt;
        counts.push_back(count.get<std::uint64_t>());
    }
    return counts;
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
std::pair<DatasetFacts, Extent> entryOf(const std::string& name, const nlohmann::json& entry,
                                        const OpenTensors& tensors)
{
    const std::uint64_t dataBytes = tensors.identity.bytes - tensors.firstByte;
    const std::string who = "its header is damaged: tensor \"" + name.substr(0, 200) + "\" ";
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        failWith(tensors.identity, who + "has no dtype");
    const auto shape = countsIn(entry, "shape");
    const auto offsets = countsIn(entry, "data_offsets");
    if (!shape || shape->size() > mostAxes)
        failWith(tensors.identity, who + "has no shape of at most 32 axes");
    if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
        failWith(tensors.identity, who + "has no data_offsets of two ascending numbers");
    const Extent extent{(*offsets)[0], (*offsets)[1]};
    DatasetFacts facts{.path = "/" + name,
                       .shape = *shape,
                       .chunk = std::vector<std::uint64_t>(shape->size(), 1),
                       .compression = "none",
                       .checksum = "none"};
    facts.typeText = validUtf8(entry["dtype"].get<std::string>());
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
            failWith(tensors.identity, who + "has " + numberText(extent.end - extent.begin) +
                                           " bytes of values, which its shape " +
                                           shapeText(facts.shape) + " does not take");
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

/// Everything the header says, in the order of the values.
std::pair<FileFacts, std::vector<Extent>> contentsOf(OpenTensors& tensors, Container& made)
{
    const nlohmann::json header = parseJson(headerOf(tensors), tensors.identity.path);
    if (!header.is_object())
        failWith(tensors.identity, "its header is damaged: it is not an object of JSON");
    std::vector<std::pair<DatasetFacts, Extent>> entries;
    std::size_t unnamed = 0;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") {
            for (const auto& [key, text] : entry.items())
                if (text.is_string())
                    made.attributes[key] = text.get<std::string>();
        } else if (name.empty() || name.size() > longestPath ||
                   name.find('\0') != std::string::npos) {
            ++unnamed;
        } else {
            entries.push_back(entryOf(name, entry, tensors));
        }
    }
    if (unnamed > 0)
        made.warnings.push_back("/: " + std::to_string(unnamed) +
                                " tensors are not listed, whose names are empty, no text, or "
                                "longer than 32 KiB");
    std::ranges::stable_sort(entries, {}, [](const auto& entry) { return entry.second.begin; });
    FileFacts contents;
    std::vector<Extent> extents;
    for (auto& [facts, extent] : entries) {
        contents.datasets.push_back(std::move(facts));
        extents.push_back(extent);
    }
    if (unnamed == 0)
        checkCoverage(extents, tensors.identity.bytes - tensors.firstByte, made);
    return {std::move(contents), std::move(extents)};
}

void visitTensor(const OpenTensors& tensors, std::size_t tensor, const TensorInfo& info,
                 const std::vector<std::uint64_t>& shape, const BlockVisitor& visitor,
                 const Progress& progress)
{
    const std::string who = tensors.identity.path + ":" + info.path + ": ";
    const Extent& extent = tensors.extents.at(tensor);
    visitElements({.who = who,
                   .shape = shape,
                   .memoryBytes = tensors.memoryBytes,
                   .visit =
                       [&](const auto& take) {
                           std::vector<std::byte> piece;
                           for (std::uint64_t at = extent.begin; at < extent.end;
                                at += piece.size()) {
                               piece.resize(std::min<std::uint64_t>(readBytes, extent.end - at));
                               readAt(tensors, tensors.firstByte + at, piece, who);
                               take(std::span<const std::byte>(piece));
                           }
                       }},
                  info, visitor, progress);
    if (stampOf(tensors.file.number()) != tensors.identity.stamp)
        throw Error(Fault::Input, who + "cannot be read: the file was changed since it was opened; "
                                        "open it again");
}

ValueSource sourceOfTensor(const std::shared_ptr<const OpenTensors>& tensors, std::size_t tensor,
                           const std::vector<std::uint64_t>& shape, TensorInfo info)
{
    auto visit = [tensors, tensor, shape, info](const BlockVisitor& visitor,
                                                const Progress& progress) {
        visitTensor(*tensors, tensor, info, shape, visitor, progress);
    };
    return {.info = batchFirst(std::move(info)), .visit = std::move(visit)};
}

Container openSafetensors(const std::string& path, const DumpOptions& options,
                          const Progress& /*progress*/)
{
    const auto tensors = std::make_shared<OpenTensors>(path);
    if (stampOf(tensors->file.number()) != tensors->identity.stamp)
        failWith(tensors->identity, "was changed while it was opened; open it again");
    tensors->memoryBytes = options.memoryBytes;
    Container made{.identity = tensors->identity};
    const auto [contents, extents] = contentsOf(*tensors, made);
    std::vector<Understood> found = understand(contents, false);
    std::ranges::move(doubtNames(found), std::back_inserter(made.warnings));
    for (Understood& tensor : found) {
        tensor.info.layoutRule = safetensorsRule;
        tensors->extents.push_back(extents[tensor.datasets.front()]);
        made.tensors.push_back(std::move(tensor.info));
    }
    if (made.tensors.empty())
        made.warnings.emplace_back("/: the file holds no tensors");
    else
        made.rules = {{.id = safetensorsRule,
                       .title = "Names of a safetensors file",
                       .tensors = made.tensors.size(),
                       .guesses = static_cast<std::size_t>(std::ranges::count_if(
                           made.tensors, [](const TensorInfo& info) { return info.isGuess; }))}};
    const auto shapes = std::make_shared<std::vector<std::vector<std::uint64_t>>>();
    for (const TensorInfo& info : made.tensors)
        shapes->push_back(info.shape);
    made.source = [tensors, shapes](std::size_t tensor, const TensorInfo& info,
                                    std::uint64_t firstBatches, const SampleRange& /*all*/) {
        return sourceOfTensor(
            tensors, tensor, shapes->at(tensor),
            cutToBatches(info, firstBatches, tensors->memoryBytes, tensors->identity.path));
    };
    made.boxes = [tensors, shapes](std::size_t tensor, const TensorInfo& info,
                                   bool /*isFirstLook*/) {
        return heldBoxes(tensors->identity.path + ":" + info.path + ": ", info,
                         tensors->memoryBytes, [tensors, shapes, tensor](TensorInfo whole) {
                             return sourceOfTensor(tensors, tensor, shapes->at(tensor),
                                                   std::move(whole));
                         });
    };
    return made;
}

/// The length of a header of less than 100 MB, as the format allows, and an object of JSON.
bool isSafetensors(std::string_view firstBytes, const std::string& /*path*/)
{
    const std::string_view text =
        firstBytes.substr(std::min<std::size_t>(firstBytes.size(), lengthBytes));
    return firstBytes.size() > lengthBytes && firstBytes[5] == 0 && firstBytes[6] == 0 &&
           firstBytes[7] == 0 && firstBytes[4] == 0 &&
           (text.starts_with("{\"") || text.starts_with("{}"));
}

}  // namespace

/// Tensors of the safetensors format (huggingface/safetensors, README "Format"): roles and channels
/// by the names, as of a dump without attributes.
ContainerFormat safetensors()
{
    return {.id = safetensorsRule, .recognise = isSafetensors, .open = openSafetensors};
}

}  // namespace calibscope::containers
