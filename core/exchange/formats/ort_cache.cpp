// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <algorithm>

namespace calibscope::exchange {

namespace {

/// NAME NUMBER, parted by the last space: names may hold some.
std::optional<double> numberOf(std::string_view line)
{
    const std::size_t space = line.rfind(' ');
    return space == std::string_view::npos || space == 0 ? std::nullopt
                                                         : looseNumber(line.substr(space + 1));
}

Likeness recogniseOrtCache(std::string_view bytes)
{
    const std::vector<TextLine> lines =
        looksLikeText(bytes) ? linesOf(bytes.substr(0, 65536)) : std::vector<TextLine>{};
    const bool isLike = !lines.empty() && !bytes.starts_with('{') &&
                        !lines.front().text.ends_with(' ') && numberOf(lines.front().text);
    // "a: 1" is a text of ranges.
    return isLike && lines.front().text.find(": ") == std::string_view::npos ? Likeness::Possible
                                                                             : Likeness::None;
}

ScaleFile readOrtCache(std::string_view bytes, const std::string& origin)
{
    if (!looksLikeText(bytes))
        throw Error(Fault::Input, "{}: is not a calibration cache of ONNX Runtime", origin);
    ScaleFile file;
    for (const TextLine& line : linesOf(bytes)) {
        const auto number = numberOf(line.text);
        if (number)
            file.entries.push_back({.name = std::string(line.text.substr(0, line.text.rfind(' '))),
                                    .role = Role::Activation,
                                    .values = {symmetricValue(*number)},
                                    .line = line.number});
        else
            file.entries.push_back(strangeLine(line, "the line is not NAME NUMBER"));
    }
    if (std::ranges::none_of(file.entries,
                             [](const ScaleEntry& entry) { return !entry.values.empty(); }))
        throw Error(Fault::Input, "{}: no line is NAME NUMBER", origin);
    return file;
}

std::string writeOrtCache(const ScaleFile& file)
{
    std::vector<std::string> lines;
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, "\r\n", "a calibration cache of ONNX Runtime");
        lines.push_back(entry.name + ' ' +
                        floatText(onlyMagnitude(entry, "a calibration cache of ONNX Runtime")) +
                        '\n');
    }
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines)
        text += line;
    return text;
}

}  // namespace

ExchangeFormat ortCache()
{
    return {.order = 32,
            .id = "ort-cache",
            .title = "ONNX Runtime calibration.cache",
            .suffix = "cache",
            .source = "ONNX Runtime 1.15: quant_utils.write_calibration_table",
            .holds = "The threshold of each activation, of a range max(|low|, |high|); no weights, "
                     "no zero point",
            .recognise = recogniseOrtCache,
            .read = readOrtCache,
            .write = writeOrtCache};
}

}  // namespace calibscope::exchange
