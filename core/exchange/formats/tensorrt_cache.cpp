// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/hex.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>

namespace calibscope::exchange {

namespace {

constexpr double levels = 127.0;  // of a dynamic range: scale = amax / 127
constexpr std::string_view mark = "TRT-";
constexpr std::size_t digits = 8;

/// The float32 whose pattern these digits are, the sign first.
std::optional<float> floatFromHex(std::string_view text)
{
    std::uint32_t pattern = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pattern, 16);
    if (text.size() != digits || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return std::bit_cast<float>(pattern);
}

ScaleEntry entryOfTensorrtCache(const TextLine& line)
{
    const std::size_t colon = line.text.rfind(": ");  // a name may hold it, too
    if (colon == std::string_view::npos)
        return strangeLine(line, "the line has no \": \"");
    const auto scale = floatFromHex(line.text.substr(colon + 2));
    ScaleEntry entry{.name = std::string(line.text.substr(0, colon)),
                     .role = Role::Activation,
                     .line = line.number};
    if (!scale)
        return strangeLine(line,
                           "what follows \": \" is not a float32 of eight hexadecimal digits");
    // Exact: 24 bits times 7.
    entry.values = {symmetricValue(levels * static_cast<double>(*scale))};
    return entry;
}

/// "TRT-8205-EntropyCalibration2" as version and algorithm.
void readHeader(std::string_view header, ScaleFile& file)
{
    const std::size_t dash = header.find('-', mark.size());
    file.facts["version"] = header.substr(
        mark.size(), dash == std::string_view::npos ? std::string_view::npos : dash - mark.size());
    file.facts["algorithm"] =
        dash == std::string_view::npos ? std::string() : header.substr(dash + 1);
}

Likeness recogniseTensorrtCache(std::string_view bytes)
{
    return bytes.starts_with(mark) ? Likeness::Certain : Likeness::None;
}

ScaleFile readTensorrtCache(std::string_view bytes, const std::string& origin)
{
    const std::vector<TextLine> lines = linesOf(bytes);
    if (lines.empty() || !looksLikeText(bytes))
        throw Error(Fault::Input, "{}: is not a calibration cache of TensorRT", origin);
    ScaleFile file;
    const bool hasHeader = lines.front().text.starts_with(mark);
    if (hasHeader)
        readHeader(lines.front().text, file);
    else
        file.oddities.emplace_back("has no header (TRT-version-algorithm); TensorRT will not take "
                                   "it");
    for (std::size_t index = hasHeader ? 1 : 0; index < lines.size(); ++index)
        file.entries.push_back(entryOfTensorrtCache(lines[index]));
    if (!bytes.ends_with('\n'))
        file.oddities.emplace_back("the last line has no end; the file may be truncated");
    return file;
}

std::string writeTensorrtCache(const ScaleFile& file)
{
    std::string text =
        std::string(mark) + file.facts.at("version") + '-' + file.facts.at("algorithm") + '\n';
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, "\r\n", "a TensorRT cache");
        if (entry.format.bits() != 8)
            throw Error(Fault::Usage, "{}: has {} bits; a TensorRT cache can't carry that",
                        entry.name, entry.format.bits());
        const auto scale = static_cast<float>(onlyThreshold(entry, "a TensorRT cache") / levels);
        std::string hex(digits, '0');
        auto pattern = std::bit_cast<std::uint32_t>(scale);
        for (std::size_t place = digits; place > 0; pattern >>= 4U)
            hex[--place] = "0123456789abcdef"[pattern & 15U];
        text += entry.name + ": " + hex + '\n';
    }
    return text;
}

}  // namespace

ExchangeFormat tensorrtCache()
{
    return {.order = 0,
            .id = "tensorrt-cache",
            .title = "TensorRT calibration cache",
            .suffix = "cache",
            .source = "TensorRT 7 to 8: IInt8Calibrator::writeCalibrationCache",
            .holds = "float32 of threshold / 127 of each activation; no weights, no zero point",
            .parameters = {{.id = "version",
                            .label = "Version",
                            .help = "Digits of the version of TensorRT that is to read it: 8205 is "
                                    "8.2.5; another one refuses it.",
                            .kind = Parameter::Kind::Integer,
                            .fallback = "8501",
                            .least = 1000,
                            .greatest = 999999,
                            .step = 1},
                           choiceParameter("algorithm", "Algorithm",
                                           "The calibrator that TensorRT is asked for; another one "
                                           "refuses the file.",
                                           {"EntropyCalibration2", "EntropyCalibration",
                                            "MinMaxCalibration", "LegacyCalibration"})},
            .recognise = recogniseTensorrtCache,
            .read = readTensorrtCache,
            .write = writeTensorrtCache};
}

}  // namespace calibscope::exchange
