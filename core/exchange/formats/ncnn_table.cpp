// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace calibscope::exchange {

namespace {

constexpr std::string_view weightMark = "_param_";
constexpr int mostDecimals = 60;  // the least float32 needs 52 to be read back
constexpr int sixBits = 6;        // what ncnn has for some convolutions, beside eight

std::vector<std::string_view> wordsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.empty())
            return words;
        const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
        words.push_back(line.substr(0, end));
        line.remove_prefix(end);
    }
}

/// As the tool decides it.
bool isWeight(std::string_view name)
{
    return name.find(weightMark) != std::string_view::npos;
}

ScaleEntry entryOfNcnnTable(const TextLine& line)
{
    const std::vector<std::string_view> words = wordsOf(line.text);
    if (words.size() < 2)
        return strangeLine(line, "the line has no number");
    ScaleEntry entry{.name = std::string(words.front()), .line = line.number};
    entry.role = isWeight(entry.name) ? Role::Weight : Role::Activation;
    entry.isPerChannel = words.size() > 2;
    entry.isSymmetric = true;
    entry.format = NumberFormat::integers(-127, 127);
    for (std::size_t word = 1; word < words.size(); ++word) {
        const auto factor = looseNumber(words[word]);
        if (!factor)
            return strangeLine(line, fmt::format("\"{}\" is not a number",
                                                 std::string(words[word].substr(0, 40))));
        // The inverse of a scale: 127 / threshold.
        entry.values.push_back(symmetricValue(entry.format.high() / *factor));
    }
    if (entry.role == Role::Activation && entry.isPerChannel)
        entry.oddities.emplace_back("an activation with several numbers");
    return entry;
}

/// As the tool prints it, "%f"; with more decimals where these would be another float32.
std::string factorText(double factor)
{
    const auto single = static_cast<float>(factor);
    if (!std::isfinite(single))
        return std::isnan(single) ? "nan" : single > 0 ? "inf" : "-inf";
    std::string text;
    for (int decimals = 6; decimals <= mostDecimals; ++decimals) {
        text = fmt::format("{:.{}f}", factor, decimals);
        const auto again = parseNumber(text);
        if (again && static_cast<float>(*again) == single)
            break;
    }
    return text;
}

Likeness recogniseNcnnTable(std::string_view bytes)
{
    const std::vector<TextLine> lines =
        looksLikeText(bytes) ? linesOf(bytes.substr(0, 65536)) : std::vector<TextLine>{};
    if (lines.empty() || bytes.starts_with('{'))
        return Likeness::None;
    const std::vector<std::string_view> words = wordsOf(lines.front().text);
    if (words.size() < 2 || !looseNumber(words[1]) || !looseNumber(words.back()))
        return Likeness::None;
    if (isWeight(words.front()) || lines.front().text.ends_with(' '))
        return Likeness::Certain;
    return words.size() > 2 ? Likeness::Possible : Likeness::None;  // NAME NUMBER is another cache
}

ScaleFile readNcnnTable(std::string_view bytes, const std::string& origin)
{
    if (!looksLikeText(bytes))
        throw Error(Fault::Input, "{}: is not a table of ncnn", origin);
    ScaleFile file;
    for (const TextLine& line : linesOf(bytes))
        file.entries.push_back(entryOfNcnnTable(line));
    if (std::ranges::none_of(file.entries,
                             [](const ScaleEntry& entry) { return !entry.values.empty(); }))
        throw Error(Fault::Input, "{}: no line is NAME NUMBER", origin);
    return file;
}

std::string line(const ScaleEntry& entry)
{
    constexpr std::string_view title = "a table of ncnn";
    requireName(entry, " \t\r\n", title);
    if (entry.format.bits() != 8 && entry.format.bits() != sixBits)
        throw Error(Fault::Usage, "{}: has {} bits; a table of ncnn can't carry that", entry.name,
                    entry.format.bits());
    const bool isWeightEntry = entry.role == Role::Weight;
    if (entry.isPerChannel && !isWeightEntry)
        throw Error(
            Fault::Usage,
            "{}: is an activation with a scale for each channel; a table of ncnn can't carry that",
            entry.name);
    if (!isWeightEntry && isWeight(entry.name))
        throw Error(
            Fault::Usage,
            "{}: a table of ncnn would have the input's scale under this name as a weight's",
            entry.name);
    std::string text = entry.name;
    if (isWeightEntry && !isWeight(entry.name))
        text += std::string(weightMark) + '0';
    text += ' ';
    const double levels = (1 << (entry.format.bits() - 1)) - 1;
    for (const EntryValue& value : entry.values) {
        ScaleEntry one = entry;
        one.isPerChannel = false;
        one.values = {value};
        text += factorText(levels / onlyThreshold(one, title)) + ' ';
    }
    return text + '\n';
}

/// Weights first, then activations.
std::string writeNcnnTable(const ScaleFile& file)
{
    std::string weights;
    std::string others;
    for (const ScaleEntry& entry : file.entries)
        (entry.role == Role::Weight ? weights : others) += line(entry);
    return weights + others;
}

}  // namespace

ExchangeFormat ncnnTable()
{
    return {.order = 20,
            .id = "ncnn-table",
            .title = "ncnn table",
            .suffix = "table",
            .source = "ncnn: tools/quantize/ncnn2table.cpp",
            .holds = "127 / threshold of the layers' inputs, and of each channel of their weights; "
                     "names are those of layers; no zero point",
            .hasWeights = true,
            .isByLayer = true,
            .recognise = recogniseNcnnTable,
            .read = readNcnnTable,
            .write = writeNcnnTable};
}

}  // namespace calibscope::exchange
