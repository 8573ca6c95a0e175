// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/ort_ranges.h"

#include <algorithm>

namespace calibscope::exchange {

namespace {

/// An object whose first member is a list of something.
Likeness recogniseOrtJsonPairs(std::string_view bytes)
{
    std::string start;
    for (const char byte : bytes.substr(0, 65536)) {
        if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n')
            start += byte;
    }
    const std::size_t colon = start.find("\":");
    return start.starts_with("{\"") && colon != std::string::npos &&
                   start.substr(colon + 2).starts_with('[')
               ? Likeness::Possible
               : Likeness::None;
}

ScaleFile readOrtJsonPairs(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    if (ortForm(json.value()) == OrtForm::None)
        throw Error(Fault::Input, "{}: its first member is not a pair [min, max]", origin);
    ScaleFile file;
    file.entries = json.inOrder(1, ortEntries(json.value()));
    return file;
}

std::string writeOrtJsonPairs(const ScaleFile& file)
{
    std::string tensors;
    for (const ScaleEntry& entry : file.entries) {
        if (entry.isPerChannel)
            throw Error(Fault::Usage,
                        "{}: has a scale for each channel; calibration.json of ONNX Runtime up to "
                        "1.15 can't carry that",
                        entry.name);
        const auto [lowest, highest] = ortEnds(entry);
        tensors += (tensors.empty() ? "" : ", ") + pythonText(entry.name) + ": [" + lowest + ", " +
                   highest + ']';
    }
    return '{' + tensors + '}';
}

}  // namespace

ExchangeFormat ortJsonPairs()
{
    return {.order = 31,
            .id = "ort-json-pairs",
            .title = "ONNX Runtime calibration.json, up to 1.15",
            .suffix = "json",
            .source = "ONNX Runtime 1.15: quant_utils.write_calibration_table",
            .holds = "The two ends of each activation; no weights, none per channel",
            .recognise = recogniseOrtJsonPairs,
            .read = readOrtJsonPairs,
            .write = writeOrtJsonPairs};
}

}  // namespace calibscope::exchange
