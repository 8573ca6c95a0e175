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

constexpr int textDepth = 3;  // of a tensor's name, in an object in a list in the object

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : std::string();
}

void takeValues(ScaleEntry& entry, const Json& encoding)
{
    const Json& scales = memberOf(encoding, "scale");
    const Json& offsets = memberOf(encoding, "offset");
    if (!scales.is_array() || scales.empty()) {
        entry.oddities.emplace_back("has no list \"scale\"");
        return;
    }
    if (!offsets.is_array() || offsets.size() != scales.size())
        entry.oddities.emplace_back("has not as many offsets as scales");
    for (std::size_t place = 0; place < scales.size(); ++place) {
        const bool hasOffset = offsets.is_array() && place < offsets.size();
        takeAimetValue(entry, looseJsonNumber(scales[place]),
                       hasOffset ? looseJsonNumber(offsets[place])
                                 : static_cast<double>(entry.format.low()));
    }
}

ScaleEntry entryOfAimetLists(const Json& encoding, Role role)
{
    ScaleEntry entry{.name = textOf(memberOf(encoding, "name")), .role = role};
    if (!encoding.is_object() || entry.name.empty())
        entry.oddities.emplace_back("an encoding without a name");
    takeAimetBits(entry, looseJsonNumber(memberOf(encoding, "bw")));
    if (memberOf(encoding, "dtype") == "FLOAT") {
        entry.isFloat = true;
        return entry;
    }
    if (memberOf(encoding, "is_sym").is_boolean())
        entry.isSymmetric = memberOf(encoding, "is_sym").get<bool>();
    takeValues(entry, encoding);
    const std::string kind = textOf(memberOf(encoding, "enc_type"));
    entry.isPerChannel = kind == "PER_CHANNEL" || entry.values.size() > 1;
    if (kind != "PER_TENSOR" && kind != "PER_CHANNEL") {
        entry.layout = kind.empty() ? "no enc_type" : kind;
        entry.oddities.push_back("the scales are neither for the tensor nor for its channels: " +
                                 entry.layout);
    }
    return entry;
}

void takeEncodings(ScaleFile& file, const LooseJson& json, const char* member, Role role)
{
    const Json& list = memberOf(json.value(), member);
    if (!list.is_array())
        return;
    for (const Json& encoding : list) {
        file.entries.push_back(entryOfAimetLists(encoding, role));
        file.entries.back().line = json.lineOf(textDepth, file.entries.back().name);
    }
}

Likeness recogniseAimetLists(std::string_view bytes)
{
    const std::size_t place = bytes.find("\"activation_encodings\"");
    if (place == std::string_view::npos)
        return Likeness::None;
    const std::size_t open = bytes.find_first_of("{[", place);
    return open != std::string_view::npos && bytes[open] == '[' ? Likeness::Certain
                                                                : Likeness::None;
}

ScaleFile readAimetLists(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    if (!memberOf(json.value(), "activation_encodings").is_array() &&
        !memberOf(json.value(), "param_encodings").is_array())
        throw Error(Fault::Input,
                    "{}: has no lists \"activation_encodings\" or \"param_encodings\"", origin);
    ScaleFile file;
    file.facts["version"] = textOf(memberOf(json.value(), "version"));
    takeEncodings(file, json, "activation_encodings", Role::Activation);
    takeEncodings(file, json, "param_encodings", Role::Weight);
    return file;
}

std::string encodingText(const ScaleEntry& entry)
{
    constexpr int depth = 2;
    requireAimetEntry(entry);
    std::vector<std::string> members{"\"bw\": " + std::to_string(entry.format.bits()),
                                     std::string("\"dtype\": \"") +
                                         (entry.isFloat ? "FLOAT" : "INT") + '"',
                                     std::string("\"enc_type\": \"") +
                                         (entry.isPerChannel ? "PER_CHANNEL" : "PER_TENSOR") + '"'};
    if (!entry.isFloat)
        members.push_back(std::string("\"is_sym\": ") +
                          (isAimetSymmetric(entry) ? "true" : "false"));
    members.push_back("\"name\": " + pythonText(entry.name));
    if (!entry.isFloat) {
        std::vector<std::string> scales;
        std::vector<std::string> offsets;
        for (const EntryValue& value : entry.values) {
            const AimetNumbers numbers = aimetNumbers(entry, value);
            scales.push_back(pythonNumber(numbers.scale));
            offsets.push_back(aimetOffsetText(numbers.offset));
        }
        members.push_back("\"offset\": " + pythonBlock('[', offsets, ']', depth + 1));
        members.push_back("\"scale\": " + pythonBlock('[', scales, ']', depth + 1));
    }
    return pythonBlock('{', members, '}', depth);
}

std::string encodingsOf(const ScaleFile& file, bool isWeight)
{
    std::vector<std::string> encodings;
    for (const ScaleEntry& entry : file.entries)
        if ((entry.role == Role::Weight) == isWeight)
            encodings.push_back(encodingText(entry));
    return pythonBlock('[', encodings, ']', 1);
}

std::string writeAimetLists(const ScaleFile& file)
{
    return pythonBlock('{',
                       {"\"activation_encodings\": " + encodingsOf(file, false),
                        "\"excluded_layers\": []",
                        "\"param_encodings\": " + encodingsOf(file, true), "\"quantizer_args\": {}",
                        "\"version\": \"1.0.0\""},
                       '}', 0);
}

}  // namespace

ExchangeFormat aimetLists()
{
    return {.order = 41,
            .id = "aimet-1.0.0",
            .title = "AIMET encodings, 1.0.0",
            .suffix = "encodings",
            .source = "AIMET 2.x: quantsim.export(), encoding version 1.0.0",
            .holds = "Scale and offset of activations and of weights, for the tensor or each "
                     "channel; no zero point that is not whole",
            .hasWeights = true,
            .statesScale = true,
            .recognise = recogniseAimetLists,
            .read = readAimetLists,
            .write = writeAimetLists};
}

}  // namespace calibscope::exchange
