// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/exchange/entry_matches.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"
#include "core/kernels/half_floats.h"
#include "core/tensor/safetensors_header.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <memory>

namespace calibscope::exchange {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view checkpointTitle = "a checkpoint of compressed-tensors";
constexpr std::string_view configKey = "quantization_config";
constexpr std::size_t lengthBytes = 8;  ///< of the header's length, in front of it
constexpr int byteBits = 8;
constexpr int mostBits = 16;
constexpr std::size_t mostConfigBytes = std::size_t{4} << 20U;  ///< states some 50,000 modules

/// Bytes of the file, from one position to another.
using ByteReader = std::function<std::string(std::uint64_t begin, std::uint64_t end)>;

template <typename Number>
Number numberAt(std::string_view bytes, std::size_t index)
{
    Number number{};
    std::memcpy(&number, bytes.data() + index * sizeof number, sizeof number);
    return number;
}

/// How an element of each type that scales, zero points and shapes are stored in is read.
struct StoredType
{
    std::string_view name;
    std::size_t bytes;
    double (*at)(std::string_view bytes, std::size_t index);
};

template <typename Number>
double plainAt(std::string_view bytes, std::size_t index)
{
    return static_cast<double>(numberAt<Number>(bytes, index));
}

constexpr std::array storedTypes{StoredType{"F64", sizeof(double), plainAt<double>},
                                 StoredType{"F32", sizeof(float), plainAt<float>},
                                 StoredType{"F16", sizeof(std::uint16_t),
                                            [](std::string_view bytes, std::size_t index) {
                                                return static_cast<double>(kernels::float16Value(
                                                    numberAt<std::uint16_t>(bytes, index)));
                                            }},
                                 StoredType{"BF16", sizeof(std::uint16_t),
                                            [](std::string_view bytes, std::size_t index) {
                                                return static_cast<double>(kernels::bfloat16Value(
                                                    numberAt<std::uint16_t>(bytes, index)));
                                            }},
                                 StoredType{"I8", sizeof(std::int8_t), plainAt<std::int8_t>},
                                 StoredType{"U8", sizeof(std::uint8_t), plainAt<std::uint8_t>},
                                 StoredType{"I16", sizeof(std::int16_t), plainAt<std::int16_t>},
                                 StoredType{"I32", sizeof(std::int32_t), plainAt<std::int32_t>},
                                 StoredType{"I64", sizeof(std::int64_t), plainAt<std::int64_t>}};

/// The header, and how the values behind it are read.
class Checkpoint
{
public:
    Checkpoint(ByteReader read, std::uint64_t fileBytes, const std::string& origin)
        : m_read(std::move(read)), m_fileBytes(fileBytes)
    {
        if (fileBytes < lengthBytes)
            throw Error(Fault::Input, "{}: is truncated within the length of its header", origin);
        const auto length = numberAt<std::uint64_t>(m_read(0, lengthBytes), 0);
        if (length > fileBytes - lengthBytes || length > mostScaleFileBytes)
            throw Error(Fault::Input,
                        "{}: is truncated, damaged, or not of safetensors: its header has {} bytes",
                        origin, length);
        m_first = lengthBytes + length;
        header = parseSafetensorsHeader(m_read(lengthBytes, m_first), origin);
    }

    [[nodiscard]] const SafetensorsHeader::Entry* find(const std::string& name) const
    {
        const auto found =
            std::ranges::lower_bound(header.entries, name, {}, &SafetensorsHeader::Entry::name);
        return found != header.entries.end() && found->name == name ? &*found : nullptr;
    }

    /// All values of a tensor; nothing where the header says what can't be, or of another type.
    [[nodiscard]] std::optional<std::vector<double>>
    values(const SafetensorsHeader::Entry& entry) const
    {
        const auto* const type =
            std::ranges::find(storedTypes, entry.dtype.value_or(std::string()), &StoredType::name);
        if (type == storedTypes.end() || !entry.shape || !entry.offsets ||
            entry.offsets->size() != 2)
            return std::nullopt;
        std::uint64_t count = 1;
        for (const std::uint64_t length : *entry.shape)
            if (__builtin_mul_overflow(count, length, &count) || count > mostEntries)
                return std::nullopt;
        const std::uint64_t begin = entry.offsets->front();
        const std::uint64_t end = entry.offsets->back();
        if (begin > end || end > m_fileBytes - m_first || end - begin != count * type->bytes)
            return std::nullopt;
        const std::string bytes = m_read(m_first + begin, m_first + end);
        std::vector<double> values;
        for (std::size_t index = 0; index < count; ++index)
            values.push_back(type->at(bytes, index));
        return values;
    }

    SafetensorsHeader header;

private:
    ByteReader m_read;
    std::uint64_t m_fileBytes;
    std::uint64_t m_first = 0;  ///< behind the header
};

/// How a module's operand is quantized.
struct OperandArguments
{
    int bits = byteBits;
    bool isFloat = false;
};

/// By "fc.weight" and "fc.input".
using NamedArguments = std::map<std::string, OperandArguments>;

OperandArguments argumentsIn(const nlohmann::json& stated)
{
    OperandArguments arguments;
    const auto type = stated.find("type");
    const auto bits = stated.find("num_bits");
    arguments.isFloat = type != stated.end() && *type == "float";
    if (bits != stated.end() && bits->is_number_integer() && *bits >= 2 && *bits <= mostBits)
        arguments.bits = bits->get<int>();
    return arguments;
}

/// What a configuration in the header states of modules by name; nothing where it is none.
NamedArguments configuredArguments(const std::string& text)
{
    NamedArguments named;
    const nlohmann::json config = nlohmann::json::parse(text, nullptr, false);
    const auto memberOf = [](const nlohmann::json& object, const char* name) {
        const auto found = object.is_object() ? object.find(name) : object.end();
        return found == object.end() ? nlohmann::json() : *found;
    };
    const nlohmann::json groups = memberOf(config, "config_groups");
    for (const nlohmann::json& group : groups.is_object() ? groups : nlohmann::json::object())
        for (const auto& [operand, end] :
             {std::pair("weights", ".weight"), std::pair("input_activations", ".input")})
            if (const nlohmann::json stated = memberOf(group, operand); stated.is_object())
                for (const nlohmann::json& target : memberOf(group, "targets"))
                    if (target.is_string())
                        named.emplace(target.get<std::string>() + end, argumentsIn(stated));
    return named;
}

/// Bits of weights that are packed into int32, as many values as fit whole, by their shape before.
std::optional<int> packedBits(const Checkpoint& checkpoint, const std::string& module)
{
    constexpr int wordBits = 32;
    const SafetensorsHeader::Entry* packed = checkpoint.find(module + ".weight_packed");
    const SafetensorsHeader::Entry* shape = checkpoint.find(module + ".weight_shape");
    const auto lengths = shape != nullptr ? checkpoint.values(*shape) : std::nullopt;
    if (packed == nullptr || !packed->shape || packed->shape->size() != 2 || !lengths ||
        lengths->size() != 2)
        return std::nullopt;
    const auto words = static_cast<double>(packed->shape->back());
    for (const int bits : {4, byteBits, 2, 3, 5, 6, 7}) {  // the usual ones first
        const int perWord = wordBits / bits;
        if (std::ceil(lengths->back() / perWord) == words)
            return bits;
    }
    return std::nullopt;
}

/// Whether a module's weights are stored as floats of 8 bits, or of 4 packed in bytes.
bool hasFloatWeights(const Checkpoint& checkpoint, const std::string& module)
{
    for (const char* name : {".weight", ".weight_packed"})
        if (const auto* weight = checkpoint.find(module + name); weight != nullptr && weight->dtype)
            return weight->dtype->starts_with("F8") || weight->dtype->starts_with("U8");
    return false;
}

/// Of a weight [1] or [], [channels] or [channels, 1]; all else is by groups.
void nameLayout(ScaleEntry& entry, const std::vector<std::uint64_t>& shape, std::size_t count)
{
    if (count == 1)
        return;
    const bool isByChannel = shape.size() == 1 || (shape.size() == 2 && shape.back() == 1);
    if (isByChannel && entry.role == Role::Weight) {
        entry.isPerChannel = true;
        entry.axis = 0;
        return;
    }
    entry.layout = "groups or blocks";
    entry.oddities.emplace_back(
        "has scales for groups or blocks, which are neither the tensor's nor its channels'");
}

ScaleEntry moduleEntry(const Checkpoint& checkpoint, const NamedArguments& configured,
                       const std::string& module, const SafetensorsHeader::Entry& scale,
                       bool isWeight)
{
    const std::string base = module + (isWeight ? ".weight" : ".input");
    ScaleEntry entry{.name = isWeight ? base : module,
                     .role = isWeight ? Role::Weight : Role::Activation};
    const auto stated = configured.find(base);
    if (stated != configured.end() ? stated->second.isFloat : hasFloatWeights(checkpoint, module)) {
        entry.oddities.emplace_back("is of floats of 8 or 4 bits, which have no range of integers");
        return entry;
    }
    const int bits = stated != configured.end() ? stated->second.bits
                     : isWeight                 ? packedBits(checkpoint, module).value_or(byteBits)
                                                : byteBits;
    const int highest = (1 << (bits - 1)) - 1;
    entry.format = NumberFormat::integers(-highest - 1, highest);
    const bool isPlain = scale.dtype && (scale.dtype->starts_with("F") || *scale.dtype == "BF16");
    const auto scales = isPlain ? checkpoint.values(scale) : std::nullopt;
    if (!scales || scales->empty()) {
        entry.oddities.emplace_back("its scale can't be read: type, shape and bytes do not agree");
        return entry;
    }
    const SafetensorsHeader::Entry* stored = checkpoint.find(base + "_zero_point");
    const auto zeroPoints = stored != nullptr ? checkpoint.values(*stored) : std::nullopt;
    if (stored != nullptr && (!zeroPoints || zeroPoints->size() != scales->size())) {
        entry.oddities.emplace_back("its zero points are packed, or do not fit its scales");
        return entry;
    }
    nameLayout(entry, *scale.shape, scales->size());
    for (std::size_t index = 0; index < scales->size() && entry.layout.empty(); ++index) {
        const double step = (*scales)[index];
        const double zeroPoint = zeroPoints ? (*zeroPoints)[index] : 0.0;
        entry.values.push_back({.range = {.low = step * (entry.format.low() - zeroPoint),
                                          .high = step * (entry.format.high() - zeroPoint)},
                                .scale = step,
                                .zeroPoint = zeroPoint});
    }
    entry.isSymmetric = std::ranges::all_of(
        entry.values, [](const EntryValue& value) { return value.zeroPoint == 0.0; });
    return entry;
}

/// The name without its end; empty: it has another.
std::string withoutEnd(std::string_view name, std::string_view end)
{
    return std::string(name.ends_with(end) ? name.substr(0, name.size() - end.size())
                                           : std::string_view());
}

ScaleFile scalesOf(const Checkpoint& checkpoint, const std::string& origin)
{
    const auto stated = checkpoint.header.metadata.find(std::string(configKey));
    const bool isStated = stated != checkpoint.header.metadata.end();
    const bool isTooLong = isStated && stated->second.size() > mostConfigBytes;
    const NamedArguments configured =
        isStated && !isTooLong ? configuredArguments(stated->second) : NamedArguments();
    ScaleFile file;
    std::size_t others = 0;
    for (const SafetensorsHeader::Entry& entry : checkpoint.header.entries) {
        const std::string weight = withoutEnd(entry.name, ".weight_scale");
        const std::string input = withoutEnd(entry.name, ".input_scale");
        others += weight.empty() && input.empty() && entry.name.ends_with("_scale") ? 1U : 0U;
        if (!weight.empty() || !input.empty())
            file.entries.push_back(moduleEntry(
                checkpoint, configured, weight.empty() ? input : weight, entry, input.empty()));
    }
    if (file.entries.empty())
        throw Error(Fault::Input, "{}: has no weight_scale and no input_scale of a module", origin);
    if (isTooLong)
        file.oddities.emplace_back("its quantization_config is too long, and is left out");
    if (others > 0)
        file.oddities.push_back(fmt::format(
            "{} scales of outputs, keys, values or whole checkpoints are left out", others));
    return file;
}

ScaleFile readCompressedTensors(std::string_view bytes, const std::string& origin)
{
    const auto part = [bytes](std::uint64_t begin, std::uint64_t end) {
        return std::string(bytes.substr(begin, end - begin));
    };
    return scalesOf(Checkpoint(part, bytes.size(), origin), origin);
}

/// A checkpoint's header and scales, however large its weights are.
Checkpoint openCheckpoint(const std::string& path)
{
    const auto stream = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
    const std::streamoff bytes = stream->tellg();
    if (!*stream || bytes < 0)
        throw Error(Fault::Input, "{}: can't be read", path);
    const auto part = [stream, path](std::uint64_t begin, std::uint64_t end) {
        std::string read(end - begin, '\0');
        stream->seekg(static_cast<std::streamoff>(begin));
        if (!stream->read(read.data(), static_cast<std::streamsize>(read.size())))
            throw Error(Fault::Input, "{}: can't be read", path);
        return read;
    };
    return {part, static_cast<std::uint64_t>(bytes), path};
}

bool isCheckpoint(const std::string& path)
{
    return path.ends_with(".safetensors");
}

ScaleFile readCheckpoint(const std::string& path)
{
    return scalesOf(openCheckpoint(path), path);
}

Likeness recogniseCompressedTensors(std::string_view bytes)
{
    if (bytes.size() <= lengthBytes || bytes[lengthBytes] != '{')
        return Likeness::None;
    const auto length = numberAt<std::uint64_t>(bytes, 0);
    const std::string_view text =
        bytes.substr(lengthBytes, std::min<std::uint64_t>(length, bytes.size()));
    return text.find("_scale\"") != std::string_view::npos ? Likeness::Certain : Likeness::None;
}

/// A module's operands, as they are written.
struct ModuleEntries
{
    const ScaleEntry* weight = nullptr;
    const ScaleEntry* input = nullptr;
};

[[noreturn]] void refuseModule(const ScaleEntry& entry, const std::string& fault)
{
    throw Error(Fault::Usage, "{}: {}; {} can't carry that", entry.name, fault, checkpointTitle);
}

/// Of a zero point of an unsigned format that of the signed one.
double signedZeroPoint(const ScaleEntry& entry, const EntryValue& value)
{
    const double shift = entry.format.low() == 0 ? (entry.format.high() + 1) / 2 : 0;
    const double zeroPoint = value.zeroPoint ? *value.zeroPoint - shift : 0.0;
    const double most = 1 << (entry.format.bits() - 1);
    if (zeroPoint != std::floor(zeroPoint) || !(std::fabs(zeroPoint) <= most) || zeroPoint == most)
        refuseModule(entry, "has the zero point " + numberText(zeroPoint));
    return zeroPoint;
}

OrderedJson argumentsOf(const ScaleEntry& entry)
{
    const bool isSymmetric = std::ranges::all_of(entry.values, [&](const EntryValue& value) {
        return signedZeroPoint(entry, value) == 0.0;
    });
    return {{"num_bits", entry.format.bits()},
            {"type", "int"},
            {"symmetric", isSymmetric},
            {"strategy", entry.isPerChannel ? "channel" : "tensor"},
            {"dynamic", false}};
}

/// Modules whose operands are quantized alike are one group.
std::string configOf(const std::map<std::string, ModuleEntries>& modules)
{
    std::vector<std::pair<OrderedJson, OrderedJson>> groups;  // arguments, targets
    for (const auto& [name, module] : modules) {
        OrderedJson arguments = OrderedJson::object();
        if (module.weight != nullptr)
            arguments["weights"] = argumentsOf(*module.weight);
        if (module.input != nullptr)
            arguments["input_activations"] = argumentsOf(*module.input);
        auto group =
            std::ranges::find(groups, arguments, &std::pair<OrderedJson, OrderedJson>::first);
        if (group == groups.end())
            group = groups.emplace(groups.end(), std::move(arguments), OrderedJson::array());
        group->second.push_back(name);
    }
    OrderedJson config{{"quant_method", "compressed-tensors"},
                       {"format", "int-quantized"},
                       {"quantization_status", "frozen"},
                       {"config_groups", OrderedJson::object()},
                       {"ignore", OrderedJson::array()}};
    for (std::size_t index = 0; index < groups.size(); ++index) {
        auto group = OrderedJson::object();
        group["targets"] = std::move(groups[index].second);
        group.update(groups[index].first);
        config["config_groups"]["group_" + std::to_string(index)] = std::move(group);
    }
    return config.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Values of one type behind the header.
struct StoredValues
{
    std::string name;
    std::string_view dtype;
    std::vector<std::size_t> shape;
    std::string bytes;
};

template <typename Number>
void appendNumber(std::string& bytes, Number number)
{
    std::array<char, sizeof number> stored{};
    std::memcpy(stored.data(), &number, sizeof number);
    bytes.append(stored.data(), stored.size());
}

void addValues(const ScaleEntry& entry, const std::string& base, std::vector<StoredValues>& stored)
{
    requireName(entry, {}, checkpointTitle);
    if (entry.values.empty() || !entry.layout.empty())
        refuseModule(entry,
                     entry.values.empty() ? "has no value" : "has values by " + entry.layout);
    if (entry.isPerChannel && entry.role != Role::Weight)
        refuseModule(entry, "has scales of channels and is no weight");
    if (entry.format.bits() > mostBits)
        refuseModule(entry, fmt::format("has {} bits", entry.format.bits()));
    std::vector<std::size_t> shape{entry.values.size()};
    if (entry.isPerChannel)
        shape.push_back(1);
    StoredValues scales{base + "_scale", "F32", shape, {}};
    const bool isWide = entry.format.bits() > byteBits;
    StoredValues zeroPoints{base + "_zero_point", isWide ? "I16" : "I8", shape, {}};
    bool hasZeroPoints = false;
    for (const EntryValue& value : entry.values) {
        appendNumber(scales.bytes, static_cast<float>(scaleOf(entry, value)));
        const double zeroPoint = signedZeroPoint(entry, value);
        hasZeroPoints = hasZeroPoints || zeroPoint != 0.0;
        if (isWide)
            appendNumber(zeroPoints.bytes, static_cast<std::int16_t>(zeroPoint));
        else
            appendNumber(zeroPoints.bytes, static_cast<std::int8_t>(zeroPoint));
    }
    stored.push_back(std::move(scales));
    if (hasZeroPoints)
        stored.push_back(std::move(zeroPoints));
}

/// By size of element, then by name, as safetensors itself orders them: each is aligned.
std::string writeCompressedTensors(const ScaleFile& file)
{
    std::map<std::string, ModuleEntries> modules;
    std::vector<StoredValues> stored;
    for (const ScaleEntry& entry : file.entries) {
        const bool isWeight = entry.role == Role::Weight;
        const std::string module = isWeight ? moduleOfWeight(entry.name) : entry.name;
        (isWeight ? modules[module].weight : modules[module].input) = &entry;
        addValues(entry, module + (isWeight ? ".weight" : ".input"), stored);
    }
    std::ranges::sort(stored, [](const StoredValues& one, const StoredValues& other) {
        const auto rank = [](const StoredValues& values) {
            return values.dtype == "F32" ? 0 : values.dtype == "I16" ? 1 : 2;
        };
        return std::pair(rank(one), one.name) < std::pair(rank(other), other.name);
    });
    auto header = OrderedJson::object();
    header["__metadata__"]["format"] = "pt";
    header["__metadata__"][std::string(configKey)] = configOf(modules);
    std::string values;
    for (const StoredValues& one : stored) {
        header[one.name] = {{"dtype", one.dtype},
                            {"shape", one.shape},
                            {"data_offsets", {values.size(), values.size() + one.bytes.size()}}};
        values += one.bytes;
    }
    std::string text = header.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    text.resize((text.size() + lengthBytes - 1) / lengthBytes * lengthBytes, ' ');
    std::string bytes;
    appendNumber(bytes, static_cast<std::uint64_t>(text.size()));
    return bytes + text + values;
}

}  // namespace

ExchangeFormat compressedTensors()
{
    return {.order = 60,
            .id = "compressed-tensors",
            .title = "compressed-tensors checkpoint",
            .suffix = "safetensors",
            .source = "compressed-tensors 0.10: quantization/lifecycle/initialize.py, "
                      "quantization/quant_args.py, compressors/quantized_compressors",
            .holds =
                "Scales and zero points of the modules' inputs and weights, for the tensor or "
                "each output channel of a weight, and the quantization_config that says their "
                "bits; names are those of modules, of which the tool takes Linear and Embedding",
            .hasWeights = true,
            .statesScale = true,
            .isByLayer = true,
            .recognise = recogniseCompressedTensors,
            .read = readCompressedTensors,
            .write = writeCompressedTensors,
            .isFile = isCheckpoint,
            .readFile = readCheckpoint};
}

}  // namespace calibscope::exchange
