// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/codec/values.h"

#include "core/base/utf8.h"
#include "core/recipes/choice_json.h"

namespace calibscope::protocol {

const Json& member(const Json& json, std::string_view name, const Where& where)
{
    if (!json.is_object())
        where.fail("is not an object");
    const auto found = json.find(name);
    if (found == json.end())
        Where{&where, name}.fail("is missing");
    return *found;
}

Json write(const std::string& text)
{
    return text;
}

void read(const Json& json, std::string& text, const Where& where)
{
    if (!json.is_string())
        where.fail("is not a string");
    const auto& told = json.get_ref<const std::string&>();
    if (told.size() > textLimit)
        where.fail("has " + std::to_string(told.size()) + " bytes, more than the " +
                   std::to_string(textLimit) + " of the longest name");
    text = told;
}

void readSentences(const Json& json, std::string& sentence, const Where& where)
{
    if (!json.is_string())
        where.fail("is not a string");
    sentence = shortened(json.get<std::string>());
}

void readSentences(const Json& json, std::vector<std::string>& sentences, const Where& where)
{
    if (!json.is_array())
        where.fail("is not a list");
    sentences.clear();
    for (const Json& item : json)
        readSentences(item, sentences.emplace_back(), where);
}

void readSentences(const Json& json, std::map<std::string, std::string>& texts, const Where& where)
{
    if (!json.is_object())
        where.fail("is not an object");
    texts.clear();
    for (const auto& [key, value] : json.items())
        readSentences(value, texts[shortened(key)], where);
}

void read(const Json& json, bool& flag, const Where& where)
{
    if (!json.is_boolean())
        where.fail("is not true or false");
    flag = json.get<bool>();
}

template <>
constexpr int enumCount<FindingKind> = static_cast<int>(FindingKind::RoundingBound) + 1;

Json write(FindingLevel level)
{
    return std::string(levelText(level));
}

void read(const Json& json, FindingLevel& level, const Where& where)
{
    std::string text;
    read(json, text, where);
    const std::optional<FindingLevel> known = parseLevel(text);
    if (!known)
        where.fail("is a level that is not known");
    level = *known;
}

Json write(const TensorFinding& finding)
{
    return {{"kind", write(finding.kind)},
            {"measure", finding.measure},
            {"text", finding.finding.text}};
}

void read(const Json& json, TensorFinding& finding, const Where& where)
{
    FindingKind kind{};
    double measure = 0.0;
    std::string text;
    read(member(json, "kind", where), kind, Where{&where, "kind"});
    read(member(json, "measure", where), measure, Where{&where, "measure"});
    if (json.contains("text"))
        readSentences(json["text"], text, Where{&where, "text"});
    finding = {kind, measure, std::move(text)};
}

Json write(const std::vector<bool>& flags)
{
    const std::vector<std::uint8_t> bytes(flags.begin(), flags.end());
    return writeNumbers(std::span<const std::uint8_t>(bytes));
}

void read(const Json& json, std::vector<bool>& flags, const Where& where)
{
    const std::vector<std::uint8_t> bytes = readNumbers<std::uint8_t>(json, where);
    flags.assign(bytes.size(), false);
    for (std::size_t index = 0; index < bytes.size(); ++index)
        flags[index] = bytes[index] != 0;
}

void read(const Json& json, double& number, const Where& where)
{
    if (!json.is_number())
        where.fail("is not a number");
    number = json.get<double>();
}

void read(const Json& json, float& number, const Where& where)
{
    double wide = 0.0;
    read(json, wide, where);
    number = static_cast<float>(wide);
}

Json write(const Choice& choice)
{
    return choice.calibrator.empty() ? Json() : choiceJson(choice);
}

void read(const Json& json, Choice& choice, const Where& where)
{
    choice = json.is_null() ? Choice() : choiceFrom(JsonObject(json, where.text()));
}

Json write(const MetricValues& metrics)
{
    Json entries = Json::array();
    for (const auto& [id, value] : metrics)
        entries.push_back({id, value});
    return entries;
}

void read(const Json& json, MetricValues& metrics, const Where& where)
{
    if (!json.is_array())
        where.fail("is not a list of metrics");
    metrics.clear();
    for (const Json& entry : json) {
        if (!entry.is_array() || entry.size() != 2)
            where.fail("holds an entry that is not id and value");
        auto& [id, value] = metrics.emplace_back();
        read(entry[0], id, where);
        read(entry[1], value, where);
    }
}

Json write(const std::map<std::string, std::string>& texts)
{
    return texts;
}

}  // namespace calibscope::protocol
