// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"
#include "core/dump/container.h"
#include "core/dump/file_check.h"
#include "core/dump/ggml_blocks.h"
#include "core/dump/header_reader.h"
#include "core/dump/stored_tensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

namespace calibscope::containers {

namespace {

constexpr const char* ggufRule = "gguf";
constexpr std::uint64_t mostGgufAxes = 8;
constexpr std::uint64_t longestList = std::uint64_t{1} << 30U;  ///< that is passed over
constexpr std::uint64_t longestShown = 4096;                    ///< text of an attribute
/// Part of the memory for the largest list of tensors, and of keys.
constexpr std::uint64_t ggufListShare = 24;

struct PlainType
{
    std::uint32_t type;
    ElementKind kind;
};

/// Types of ggml without blocks.
constexpr std::array plainTypes{
    PlainType{0, ElementKind::Float32},  PlainType{1, ElementKind::Float16},
    PlainType{24, ElementKind::Int8},    PlainType{25, ElementKind::Int16},
    PlainType{26, ElementKind::Int32},   PlainType{27, ElementKind::Int64},
    PlainType{28, ElementKind::Float64}, PlainType{30, ElementKind::Bfloat16}};

/// Types of the values of keys.
enum GgufValue : std::uint32_t {
    GgufUint8,
    GgufInt8,
    GgufUint16,
    GgufInt16,
    GgufUint32,
    GgufInt32,
    GgufFloat32,
    GgufBool,
    GgufText,
    GgufList,
    GgufUint64,
    GgufInt64,
    GgufFloat64
};

/// Bytes of a value of fixed length; 0 for all others.
std::uint64_t bytesOfValue(std::uint32_t type)
{
    switch (type) {
    case GgufUint8:
    case GgufInt8:
    case GgufBool: return 1;
    case GgufUint16:
    case GgufInt16: return 2;
    case GgufUint32:
    case GgufInt32:
    case GgufFloat32: return 4;
    case GgufUint64:
    case GgufInt64:
    case GgufFloat64: return 8;
    default: return 0;
    }
}

std::optional<std::string> textIn(HeaderReader& header, std::uint64_t most)
{
    return header.text(header.number<std::uint64_t>(), most);
}

template <typename Number>
std::string numberIn(HeaderReader& header)
{
    const auto number = header.number<Number>();
    if constexpr (std::integral<Number>)
        return std::to_string(number);
    else
        return numberText(static_cast<double>(number));
}

/// The value of a key as a text; nothing for lists, which are passed over, and for long texts.
std::optional<std::string> valueText(HeaderReader& header, std::uint32_t type)
{
    switch (type) {
    case GgufUint8: return numberIn<std::uint8_t>(header);
    case GgufInt8: return numberIn<std::int8_t>(header);
    case GgufUint16: return numberIn<std::uint16_t>(header);
    case GgufInt16: return numberIn<std::int16_t>(header);
    case GgufUint32: return numberIn<std::uint32_t>(header);
    case GgufInt32: return numberIn<std::int32_t>(header);
    case GgufFloat32: return numberIn<float>(header);
    case GgufBool: return header.number<std::uint8_t>() != 0 ? "true" : "false";
    case GgufText: return textIn(header, longestShown);
    case GgufUint64: return numberIn<std::uint64_t>(header);
    case GgufInt64: return numberIn<std::int64_t>(header);
    case GgufFloat64: return numberIn<double>(header);
    case GgufList: break;
    default:
        header.fail("its header is damaged: a value has the type " + std::to_string(type) +
                    ", which there is not");
    }
    const auto listed = header.number<std::uint32_t>();
    const auto count = header.number<std::uint64_t>();
    if (const std::uint64_t each = bytesOfValue(listed); each > 0 && count <= longestList)
        header.skip(count * each);
    else if (listed == GgufText)
        for (std::uint64_t entry = 0; entry < count; ++entry)
            textIn(header, 0);
    else
        header.fail("its header is damaged: a list of " + numberText(count) +
                    " values of the type " + std::to_string(listed));
    return std::nullopt;
}

/// The keys' values into the attributes. Returns what the values are aligned to.
std::uint64_t readKeys(HeaderReader& header, std::uint64_t keys, std::uint64_t mostBytes,
                       Container& made)
{
    std::uint64_t alignment = 32;
    std::uint64_t bytes = 0;
    for (std::uint64_t key = 0; key < keys; ++key) {
        const std::optional<std::string> name = textIn(header, longestShown);
        const std::optional<std::string> value = valueText(header, header.number<std::uint32_t>());
        if (!name || !value)
            continue;
        bytes += name->size() + value->size();
        if (bytes > mostBytes)
            header.fail("its keys take more memory than may be taken");
        made.attributes[validUtf8(*name)] = validUtf8(*value);
        if (*name == "general.alignment") {
            alignment = std::strtoull(value->c_str(), nullptr, 10);
            if (!std::has_single_bit(alignment) || alignment > (std::uint64_t{1} << 30U))
                header.fail("its header is damaged: its values are aligned to " + *value +
                            " bytes");
        }
    }
    return alignment;
}

/// A tensor of the header, before the position of the values is known.
struct ListedGguf
{
    DatasetFacts facts;
    ElementLocation location;
};

/// Bytes of values of that shape; nothing where 64 bits do not count them, or a row is not made of
/// whole blocks.
std::optional<std::uint64_t> storedBytes(const std::vector<std::uint64_t>& shape,
                                         std::uint64_t blockValues, std::uint64_t blockBytes)
{
    if (shape.empty() || shape.back() % blockValues != 0)
        return std::nullopt;
    std::uint64_t bytes = blockBytes;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (__builtin_mul_overflow(
                bytes, axis + 1 == shape.size() ? shape[axis] / blockValues : shape[axis], &bytes))
            return std::nullopt;
    return bytes;
}

/// The next tensor of the list. Its name is empty where none can be listed.
ListedGguf readTensor(HeaderReader& header)
{
    constexpr std::uint64_t longestName = std::uint64_t{32} << 10U;
    const std::string name = textIn(header, longestName).value_or("");
    const std::string who =
        "its header is damaged: tensor \"" + validUtf8(name.substr(0, 200)) + "\" ";
    const auto axes = header.number<std::uint32_t>();
    if (axes == 0 || axes > mostGgufAxes)
        header.fail(who + "has " + std::to_string(axes) + " axes");
    std::vector<std::uint64_t> shape(axes);
    for (std::uint32_t axis = axes; axis-- > 0;)  // the fastest one first
        shape[axis] = header.number<std::uint64_t>();
    const auto type = header.number<std::uint32_t>();
    const auto offset = header.number<std::uint64_t>();
    ListedGguf listed{.facts = {.path = isListableName(name) ? "/" + name : std::string(),
                                .shape = shape,
                                .typeText = "ggml type " + std::to_string(type),
                                .chunk = std::vector<std::uint64_t>(axes, 1),
                                .compression = "none",
                                .checksum = "none"},
                      .location = {.begin = offset, .end = offset}};
    DatasetFacts& facts = listed.facts;
    std::uint64_t blockValues = 1;
    std::uint64_t blockBytes = 1;
    const auto* const plain = std::ranges::find(plainTypes, type, &PlainType::type);
    if (plain != plainTypes.end()) {
        facts.element = ElementType{.kind = plain->kind};
        facts.typeText = elementText(plain->kind);
        blockBytes = facts.element->bytes();
    } else if (const GgmlBlocks* const blocks = ggmlBlocks(type)) {
        facts.element = ElementType{.kind = ElementKind::Float32};
        facts.typeText = elementText(ElementKind::Float32);
        facts.storedType = blocks->id;
        facts.evidence = {"holds what blocks of " + std::to_string(blocks->values) +
                          " values stand for: " + std::string(blocks->id)};
        listed.location.blocks = blocks;
        blockValues = blocks->values;
        blockBytes = blocks->bytes;
    } else {
        facts.unreadable = {Unreadable::Reason::ElementType, "its values are of ggml's type " +
                                                                 std::to_string(type) +
                                                                 ", which is not read"};
    }
    const std::optional<std::uint64_t> bytes = storedBytes(shape, blockValues, blockBytes);
    if (!bytes || __builtin_add_overflow(offset, *bytes, &listed.location.end))
        header.fail(who + "has a shape that no file holds in " + std::string(facts.typeText) +
                    ": " + shapeText(shape));
    if (*bytes == 0 && facts.unreadable.empty())
        facts.unreadable = "it has no values: one of its axes has length 0";
    return listed;
}

/// The values of each tensor where the file holds them, and why some can't be read.
void locate(std::vector<ListedGguf>& tensors, std::uint64_t firstByte, const HeaderReader& header)
{
    for (ListedGguf& tensor : tensors) {
        if (!tensor.facts.unreadable.empty())
            continue;
        const std::uint64_t room = header.bytes() - std::min(header.bytes(), firstByte);
        if (tensor.location.end > room)
            tensor.facts.unreadable = "its values end behind the end of the file, which is "
                                      "truncated or still being written";
        tensor.location.begin += firstByte;
        tensor.location.end += firstByte;
    }
}

Container openGguf(const std::string& path, const DumpOptions& options, const Progress& /*all*/)
{
    Container made{.identity = checkedIdentity(path)};
    HeaderReader header(path);
    if (header.stamp() != made.identity.stamp)
        header.fail("was changed while it was opened; open it again");
    header.skip(4);
    const auto version = header.number<std::uint32_t>();
    if (version != 2 && version != 3)
        header.fail("is of version " + std::to_string(version) +
                    " of GGUF, or big-endian; versions 2 and 3, little-endian, are read");
    const auto count = header.number<std::uint64_t>();
    const std::uint64_t mostBytes = options.memoryBytes / ggufListShare;
    const std::uint64_t alignment =
        readKeys(header, header.number<std::uint64_t>(), mostBytes, made);
    const std::uint64_t listBegin = header.at();
    std::vector<ListedGguf> tensors;
    std::set<std::string> paths;
    std::size_t unnamed = 0;
    for (std::uint64_t tensor = 0; tensor < count; ++tensor) {
        if (header.at() - listBegin > mostBytes)
            header.fail("its list of tensors takes more memory than may be taken");
        ListedGguf listed = readTensor(header);
        if (!listed.facts.path.empty() && paths.insert(listed.facts.path).second)
            tensors.push_back(std::move(listed));
        else
            ++unnamed;
    }
    if (unnamed > 0)
        made.warnings.push_back("/: " + std::to_string(unnamed) +
                                " tensors are not listed, whose names are empty, no text, longer "
                                "than 32 KiB, or those of others");
    locate(tensors, (header.at() + alignment - 1) / alignment * alignment, header);
    StoredTensors stored{.rule = ggufRule,
                         .title = "Names of a GGUF model",
                         .memoryBytes = options.memoryBytes,
                         .files = {{.path = path, .stamp = made.identity.stamp}}};
    for (ListedGguf& tensor : tensors) {
        stored.contents.datasets.push_back(std::move(tensor.facts));
        stored.locations.push_back(std::move(tensor.location));
    }
    return containerOf(std::move(stored), std::move(made));
}

bool isGguf(std::string_view firstBytes, const std::string& /*path*/)
{
    return firstBytes.starts_with("GGUF");
}

}  // namespace

/// Weights of a GGUF model (ggml, docs/gguf.md), those in blocks as the floats that they stand for:
/// roles and channels by the names, as of a dump without attributes.
ContainerFormat gguf()
{
    return {.id = ggufRule, .recognise = isGguf, .open = openGguf};
}

}  // namespace calibscope::containers
