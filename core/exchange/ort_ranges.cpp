// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/ort_ranges.h"

#include "core/base/error.h"
#include "core/base/float32.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/text_lines.h"

namespace calibscope::exchange {

namespace {

/// A number, or a list of such, as numbers.
std::vector<double> numbersOf(const nlohmann::json& value)
{
    std::vector<double> numbers;
    if (value.is_array())
        for (const nlohmann::json& one : value)
            numbers.push_back(looseJsonNumber(one));
    else if (value.is_number() || value.is_string())
        numbers.push_back(looseJsonNumber(value));
    return numbers;
}

void takeEnds(ScaleEntry& entry, const std::vector<double>& lows, const std::vector<double>& highs)
{
    if (lows.size() != highs.size() || lows.empty()) {
        entry.oddities.emplace_back("has no two ends, or not as many low as high ones");
        return;
    }
    entry.isPerChannel = lows.size() > 1;
    for (std::size_t channel = 0; channel < lows.size(); ++channel)
        entry.values.push_back({.range = {.low = lows[channel], .high = highs[channel]}});
}

/// {"CLS": "numpy.array", "data": ..., "dtype": ...}, or the number itself.
const nlohmann::json& arrayData(const nlohmann::json& value)
{
    return value.is_object() ? memberOf(value, "data") : value;
}

}  // namespace

OrtForm ortForm(const nlohmann::json& tensors)
{
    if (!tensors.is_object() || tensors.empty())
        return OrtForm::None;
    const nlohmann::json& first = *tensors.begin();
    if (first.is_array() && first.size() == 2)
        return OrtForm::Pairs;
    return first.is_object() && (first.contains("lowest") || first.contains("avg") ||
                                 first.contains("hist") || first.contains("CLS"))
               ? OrtForm::TensorData
               : OrtForm::None;
}

std::vector<ScaleEntry> ortEntries(const nlohmann::json& tensors)
{
    std::vector<ScaleEntry> entries;
    for (const auto& [name, value] : tensors.items()) {
        ScaleEntry entry{.name = name, .role = Role::Activation};
        if (value.is_array() && value.size() == 2)
            takeEnds(entry, numbersOf(value[0]), numbersOf(value[1]));
        else
            takeEnds(entry, numbersOf(arrayData(memberOf(value, "lowest"))),
                     numbersOf(arrayData(memberOf(value, "highest"))));
        entries.push_back(std::move(entry));
    }
    return entries;
}

OrtEnds ortEnds(const ScaleEntry& entry)
{
    requireName(entry, {}, "calibration.json");
    if (entry.values.empty())
        throw Error(Fault::Usage, "{}: has no value; calibration.json can't carry that",
                    entry.name);
    const auto single = [](double value) { return pythonNumber(toFloat32(value)); };
    OrtEnds ends;
    for (const EntryValue& value : entry.values) {
        const std::string comma = ends.lowest.empty() ? "" : ", ";
        ends.lowest += comma + single(value.range.low);
        ends.highest += comma + single(value.range.high);
    }
    if (entry.isPerChannel)
        ends = {.lowest = '[' + ends.lowest + ']', .highest = '[' + ends.highest + ']'};
    return ends;
}

}  // namespace calibscope::exchange
