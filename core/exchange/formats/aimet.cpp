// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/aimet_values.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/text_lines.h"

#include <algorithm>

namespace calibscope::exchange {

namespace {

using Json = nlohmann::json;

constexpr const char* activationsKey = "activation_encodings";
constexpr const char* weightsKey = "param_encodings";

/// "True" or "False"; some write a flag.
std::optional<bool> flagOf(const Json& value)
{
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_string() && (value == "True" || value == "true"))
        return true;
    if (value.is_string() && (value == "False" || value == "false"))
        return false;
    return std::nullopt;
}

void takeEncoding(ScaleEntry& entry, const Json& encoding)
{
    if (!encoding.is_object()) {
        entry.oddities.emplace_back("an encoding is not an object");
        return;
    }
    takeAimetBits(entry, looseJsonNumber(memberOf(encoding, "bitwidth")));
    if (memberOf(encoding, "dtype") == "float") {
        entry.isFloat = true;
        return;
    }
    entry.isSymmetric = flagOf(memberOf(encoding, "is_symmetric"));
    takeAimetValue(entry, looseJsonNumber(memberOf(encoding, "scale")),
                   looseJsonNumber(memberOf(encoding, "offset")));
    // Ends that are stated are what its tool goes by, be they odd.
    if (encoding.contains("min") && encoding.contains("max"))
        entry.values.back().range = {.low = looseJsonNumber(encoding["min"]),
                                     .high = looseJsonNumber(encoding["max"])};
}

ScaleEntry entryOfAimet(const std::string& name, const Json& encodings, Role role)
{
    ScaleEntry entry{.name = name, .role = role};
    if (encodings.is_array())
        for (const Json& encoding : encodings)
            takeEncoding(entry, encoding);
    else
        takeEncoding(entry, encodings);
    entry.isPerChannel = entry.values.size() > 1;
    if (entry.values.empty() && !entry.isFloat)
        entry.oddities.emplace_back("has no encoding");
    return entry;
}

/// Activations by tensor; in files for PyTorch alone by module: {"input": {"0": {...}}}.
void takeActivations(ScaleFile& file, const LooseJson& json)
{
    for (const auto& [name, value] : memberOf(json.value(), activationsKey).items()) {
        const bool isByModule = value.is_object() && !value.contains("bitwidth");
        if (!isByModule) {
            file.entries.push_back(entryOfAimet(name, value, Role::Activation));
            file.entries.back().line = json.lineOf(2, name);
            continue;
        }
        for (const auto& [side, places] : value.items())
            for (const auto& [index, encoding] : places.items()) {
                file.entries.push_back(
                    entryOfAimet(name + '/' + side + '/' + index, encoding, Role::Activation));
                file.entries.back().line = json.lineOf(2, name);
                file.entries.back().oddities.emplace_back("is named by a module and its " + side +
                                                          ", not by a tensor");
            }
    }
}

Likeness recogniseAimet(std::string_view bytes)
{
    const std::size_t place = bytes.find("\"activation_encodings\"");
    if (place == std::string_view::npos)
        return Likeness::None;
    const std::size_t open = bytes.find_first_of("{[", place);
    return open != std::string_view::npos && bytes[open] == '{' ? Likeness::Certain
                                                                : Likeness::None;
}

ScaleFile readAimet(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    if (!memberOf(json.value(), activationsKey).is_object() &&
        !memberOf(json.value(), weightsKey).is_object())
        throw Error(Fault::Input,
                    origin + ": has no objects \"activation_encodings\" or \"param_encodings\"");
    ScaleFile file;
    const Json& version = memberOf(json.value(), "version");
    if (version.is_string())
        file.facts["version"] = version.get<std::string>();
    if (memberOf(json.value(), activationsKey).is_object())
        takeActivations(file, json);
    if (memberOf(json.value(), weightsKey).is_object())
        for (const auto& [name, value] : memberOf(json.value(), weightsKey).items()) {
            file.entries.push_back(entryOfAimet(name, value, Role::Weight));
            file.entries.back().line = json.lineOf(2, name);
        }
    return file;
}

/// Members in the order of their names.
std::string encodingText(const ScaleEntry& entry, const EntryValue* value, bool hasType)
{
    constexpr int depth = 3;
    std::vector<std::string> members{"\"bitwidth\": " + std::to_string(entry.format.bits())};
    if (hasType)
        members.push_back(std::string("\"dtype\": \"") + (value ? "int" : "float") + '"');
    if (value != nullptr) {
        const AimetNumbers numbers = aimetNumbers(entry, *value);
        members.push_back(std::string(R"("is_symmetric": ")") +
                          (isAimetSymmetric(entry) ? "True" : "False") + '"');
        members.push_back("\"max\": " + pythonNumber(numbers.max));
        members.push_back("\"min\": " + pythonNumber(numbers.min));
        members.push_back("\"offset\": " + aimetOffsetText(numbers.offset));
        members.push_back("\"scale\": " + pythonNumber(numbers.scale));
    }
    return pythonBlock('{', members, '}', depth);
}

std::string encodingsOf(const ScaleFile& file, bool isWeight, bool hasType)
{
    std::vector<std::pair<std::string, std::string>> members;
    for (const ScaleEntry& entry : file.entries) {
        if ((entry.role == Role::Weight) != isWeight)
            continue;
        requireAimetEntry(entry);
        if (entry.isFloat && !hasType)
            throw Error(Fault::Usage, entry.name + ": is kept in float; AIMET's encodings 0.4.0 "
                                                   "can't carry that");
        std::vector<std::string> encodings;
        if (entry.isFloat)
            encodings.push_back(encodingText(entry, nullptr, hasType));
        for (const EntryValue& value : entry.values)
            encodings.push_back(encodingText(entry, &value, hasType));
        members.emplace_back(entry.name, pythonBlock('[', encodings, ']', 2));
    }
    std::ranges::sort(members);
    std::vector<std::string> items;
    for (const auto& [name, text] : members)
        items.push_back(pythonText(name) + ": " + text);
    return pythonBlock('{', items, '}', 1);
}

std::string writeAimet(const ScaleFile& file)
{
    const std::string& version = file.facts.at("version");
    const bool hasType = version != "0.4.0";
    std::vector<std::string> members{"\"activation_encodings\": " +
                                         encodingsOf(file, false, hasType),
                                     "\"param_encodings\": " + encodingsOf(file, true, hasType)};
    if (version == "0.6.1")
        members.emplace_back("\"quantizer_args\": {}");
    members.push_back("\"version\": \"" + version + '"');
    return pythonBlock('{', members, '}', 0);
}

}  // namespace

ExchangeFormat aimet()
{
    return {.order = 40,
            .id = "aimet",
            .title = "AIMET encodings, 0.4 to 0.6",
            .suffix = "encodings",
            .source = "AIMET 1.x: quantsim.export(), quantsim.encoding_version",
            .holds = "Scale and offset, min and max of activations and of weights, for the tensor "
                     "or each channel; no zero point that is not whole",
            .hasWeights = true,
            .statesScale = true,
            .parameters = {choiceParameter("version", "Version", "Of the file's layout.",
                                           {"0.6.1", "0.5.0", "0.4.0"})},
            .recognise = recogniseAimet,
            .read = readAimet,
            .write = writeAimet};
}

}  // namespace calibscope::exchange
