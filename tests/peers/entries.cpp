// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/peers/entries.h"

#include <fstream>

namespace calibscope::test {

namespace {

/// Glow's answers to data that are not finite were recorded as the line that its program printed,
/// without the brace at its end.
void takeApartLine(Entry& entry)
{
    const nlohmann::json line =
        nlohmann::json::parse(entry.result.at("line").get<std::string>() + "}", nullptr, false);
    entry.method = "chooseQuantizationParams";
    if (line.is_discarded()) {  // "inf" is not JSON: take what tells the entries apart
        const std::string text = entry.result.at("line");
        entry.settings = {
            {"bins", 512},
            {"schema", "asymmetric"},
            {"calibration", text.find("\"KL\"") == std::string::npos ? "none" : "KL"}};
        return;
    }
    for (const char* key : {"bins", "schema", "calibration"})
        entry.settings[key] = line.at(key);
    entry.result = line;
}

Entry entryOf(const std::string& part, const nlohmann::json& json)
{
    const bool isHistogram = json.contains("hist");
    Entry entry{.part = part,
                .peer = json.value("peer", "reference"),
                .input = json.at(isHistogram ? "hist" : "input"),
                .method = json.at("method"),
                .settings = json.value("settings", nlohmann::json::object()),
                .result = json.at("result"),
                .histogram = isHistogram ? json : nlohmann::json()};
    if (json.contains("layout"))
        entry.input += " " + json.at("layout").get<std::string>();
    if (entry.method == "raw")
        takeApartLine(entry);
    return entry;
}

nlohmann::json golden()
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/peers.json");
    return nlohmann::json::parse(file);
}

}  // namespace

std::string Entry::text() const
{
    return part + ": " + peer + " " + method + " " + settings.dump() + " on " + input;
}

std::set<std::string> goldenLists()
{
    const nlohmann::json peers = golden();
    std::set<std::string> lists;
    for (const auto& [name, member] : peers.items())
        if (member.is_array() || name == "format_examples")
            lists.insert(name);
    return lists;
}

std::vector<Entry> peerEntries()
{
    const nlohmann::json peers = golden();
    std::vector<Entry> entries;
    for (const char* part : {"results", "weights", "small_histograms", "non_finite", "reference"})
        for (const nlohmann::json& json : peers.at(part))
            entries.push_back(entryOf(part, json));
    return entries;
}

}  // namespace calibscope::test
