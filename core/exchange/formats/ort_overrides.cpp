// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace calibscope::exchange {

namespace {

constexpr std::string_view overridesTitle = "ONNX Runtime's TensorQuantOverrides";

/// The names of QuantType, and their levels.
struct OverrideType
{
    std::string_view name;
    NumberFormat levels;
};

const std::array<OverrideType, 6>& overrideTypes()
{
    static const std::array<OverrideType, 6> types{
        {{"QInt8", NumberFormat::integers(-128, 127)},
         {"QUInt8", NumberFormat::integers(0, 255)},
         {"QInt16", NumberFormat::integers(-32768, 32767)},
         {"QUInt16", NumberFormat::integers(0, 65535)},
         {"QInt4", NumberFormat::integers(-8, 7)},
         {"QUInt4", NumberFormat::integers(0, 15)}}};
    return types;
}

/// Nothing for a channel that states neither a scale nor both ends.
std::optional<EntryValue> overrideValue(const nlohmann::json& members, const NumberFormat& levels)
{
    const auto number = [&members](const char* name) {
        return members.contains(name) ? std::optional(looseJsonNumber(members[name]))
                                      : std::nullopt;
    };
    const std::optional<double> scale = number("scale");
    const std::optional<double> low = number("rmin");
    const std::optional<double> high = number("rmax");
    if (!scale && !(low && high))
        return std::nullopt;
    if (!scale)
        return EntryValue{.range = {.low = *low, .high = *high}};
    const double zeroPoint = number("zero_point").value_or(0.0);
    return EntryValue{.range = {.low = *scale * (levels.low() - zeroPoint),
                                .high = *scale * (levels.high() - zeroPoint)},
                      .scale = scale,
                      .zeroPoint = zeroPoint};
}

ScaleEntry overridesEntry(const std::string& name, const nlohmann::json& list)
{
    ScaleEntry entry{.name = name};
    if (!list.is_array() || list.empty()) {
        entry.oddities.emplace_back("has no list of overrides");
        return entry;
    }
    const nlohmann::json& first = list.front();
    const nlohmann::json& type = memberOf(first, "quant_type");
    for (const OverrideType& known : overrideTypes())
        if (type == known.name)
            entry.format = known.levels;
    const auto isOfThatName = [&type](const OverrideType& known) { return type == known.name; };
    if (!type.is_null() && std::ranges::none_of(overrideTypes(), isOfThatName))
        entry.oddities.push_back("has the quant_type " + type.dump() + "; taken for QInt8");
    if (const nlohmann::json& axis = memberOf(first, "axis"); axis.is_number_integer()) {
        entry.role = Role::Weight;
        entry.isPerChannel = true;
        entry.axis = axis.get<int>();
    }
    if (first.is_object() && first.contains("convert"))
        entry.oddities.emplace_back("is converted to another type behind it, which is left out");
    if (first.is_object() && first.contains("scale") && !first.contains("zero_point"))
        entry.oddities.emplace_back("has a scale without a zero point, which the tool refuses; "
                                    "taken for 0");
    for (const nlohmann::json& members : list)
        if (const std::optional<EntryValue> value = overrideValue(members, entry.format))
            entry.values.push_back(*value);
    if (entry.values.empty()) {
        entry.layout = "a type alone";
        entry.oddities.emplace_back("states no scale and no ends, which the tool finds itself");
    }
    return entry;
}

Likeness recogniseOrtOverrides(std::string_view bytes)
{
    const std::string_view start = bytes.substr(0, 65536);
    const std::size_t first = start.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || start[first] != '{' ||
        start.find("_encodings\"") != std::string_view::npos)
        return Likeness::None;
    const auto has = [start](std::string_view word) {
        return start.find(word) != std::string_view::npos;
    };
    return has("\"quant_type\"")                      ? Likeness::Certain
           : has("\"zero_point\"") || has("\"rmin\"") ? Likeness::Possible
                                                      : Likeness::None;
}

ScaleFile readOrtOverrides(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    if (!json.value().is_object())
        throw Error(Fault::Input, "{}: is no object of tensors with lists of overrides", origin);
    ScaleFile file;
    for (const auto& [name, list] : json.value().items())
        file.entries.push_back(overridesEntry(name, list));
    file.entries = json.inOrder(1, std::move(file.entries));
    return file;
}

[[noreturn]] void refuseOverride(const ScaleEntry& entry, const std::string& fault)
{
    throw Error(Fault::Usage, "{}: {}; {} can't carry that", entry.name, fault, overridesTitle);
}

std::string_view overrideTypeOf(const ScaleEntry& entry)
{
    const bool isUnsigned = entry.format.low() == 0;
    for (const OverrideType& type : overrideTypes())
        if (type.levels.bits() == entry.format.bits() && (type.levels.low() == 0) == isUnsigned)
            return type.name;
    refuseOverride(entry, fmt::format("has {} bits", entry.format.bits()));
}

std::string overrideText(const ScaleEntry& entry, const EntryValue& value, bool isFirst)
{
    std::string text = "{";
    if (isFirst)
        text += fmt::format(R"("quant_type": "{}", )", overrideTypeOf(entry));
    if (isFirst && entry.isPerChannel)
        text += fmt::format(R"("axis": {}, )", *entry.axis);
    const bool isOfEnds = !value.scale && !value.zeroPoint && !value.threshold;
    if (isOfEnds)
        return text + fmt::format(R"("rmin": {}, "rmax": {}}})", floatText(value.range.low),
                                  floatText(value.range.high));
    const double zeroPoint = value.zeroPoint.value_or(0.0);
    const double scale = scaleOf(entry, value);
    if (zeroPoint != std::floor(zeroPoint) || !std::isfinite(zeroPoint))
        refuseOverride(entry, fmt::format("has the zero point {}", numberText(zeroPoint)));
    if (!std::isfinite(scale))
        refuseOverride(entry, fmt::format("has the scale {}", numberText(scale)));
    return text + fmt::format(R"("scale": {}, "zero_point": {}}})", floatText(scale),
                              numberText(zeroPoint));
}

/// In the order of the entries, a tensor a line.
std::string writeOrtOverrides(const ScaleFile& file)
{
    std::vector<std::string> tensors;
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, {}, overridesTitle);
        if (entry.values.empty() || !entry.layout.empty())
            refuseOverride(entry,
                           entry.values.empty() ? "has no value" : "has values by " + entry.layout);
        if (entry.isPerChannel && entry.role != Role::Weight)
            refuseOverride(entry, "has scales of channels and is no weight");
        if (entry.isPerChannel && !entry.axis)
            refuseOverride(entry, "has scales of channels along an axis that is not known");
        std::string list;
        for (const EntryValue& value : entry.values)
            list += (list.empty() ? "" : ", ") + overrideText(entry, value, list.empty());
        tensors.push_back(pythonText(entry.name) + ": [" + list + "]");
    }
    return pythonBlock('{', tensors, '}', 0) + "\n";
}

}  // namespace

ExchangeFormat ortOverrides()
{
    return {.order = 35,
            .id = "ort-overrides",
            .title = "ONNX Runtime TensorQuantOverrides",
            .suffix = "json",
            .source = "ONNX Runtime 1.17 and later: quantization/tensor_quant_overrides.py, "
                      "extra_options of quantize_static",
            .holds = "Type, scale and zero point of activations and of weights, for the tensor or "
                     "each channel of a weight; no zero point that is not whole",
            .hasWeights = true,
            .statesScale = true,
            .recognise = recogniseOrtOverrides,
            .read = readOrtOverrides,
            .write = writeOrtOverrides};
}

}  // namespace calibscope::exchange
