// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <algorithm>

namespace calibscope::exchange {

namespace {

std::optional<double> rangeOf(std::string_view line)
{
    const std::size_t colon = line.rfind(':');
    return colon == std::string_view::npos || colon == 0 ? std::nullopt
                                                         : looseNumber(line.substr(colon + 1));
}

Likeness recogniseTensorrtRanges(std::string_view bytes)
{
    const std::vector<TextLine> lines =
        looksLikeText(bytes) ? linesOf(bytes.substr(0, 65536)) : std::vector<TextLine>{};
    if (lines.empty() || bytes.starts_with('{'))
        return Likeness::None;
    return rangeOf(lines.front().text) ? Likeness::Possible : Likeness::None;
}

ScaleFile readTensorrtRanges(std::string_view bytes, const std::string& origin)
{
    if (!looksLikeText(bytes))
        throw Error(Fault::Input, "{}: is not a text of dynamic ranges", origin);
    ScaleFile file;
    for (const TextLine& line : linesOf(bytes)) {
        const auto range = rangeOf(line.text);
        if (range)
            file.entries.push_back({.name = std::string(line.text.substr(0, line.text.rfind(':'))),
                                    .role = Role::Activation,
                                    .values = {symmetricValue(*range)},
                                    .line = line.number});
        else
            file.entries.push_back(strangeLine(line, "the line is not NAME: NUMBER"));
    }
    if (std::ranges::none_of(file.entries,
                             [](const ScaleEntry& entry) { return !entry.values.empty(); }))
        throw Error(Fault::Input, "{}: no line is NAME: NUMBER", origin);
    return file;
}

std::string writeTensorrtRanges(const ScaleFile& file)
{
    std::string text;
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, "\r\n", "a text of dynamic ranges");
        text +=
            entry.name + ": " + floatText(onlyThreshold(entry, "a text of dynamic ranges")) + '\n';
    }
    return text;
}

}  // namespace

ExchangeFormat tensorrtRanges()
{
    return {.order = 1,
            .id = "tensorrt-ranges",
            .title = "Dynamic ranges, text (sampleINT8API)",
            .suffix = "txt",
            .source = "TensorRT 8: samples/sampleINT8API, per_tensor_dynamic_range.txt",
            .holds = "The threshold of each activation; no weights, no zero point",
            .recognise = recogniseTensorrtRanges,
            .read = readTensorrtRanges,
            .write = writeTensorrtRanges};
}

}  // namespace calibscope::exchange
