// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/float32.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/text_lines.h"

#include <algorithm>
#include <cmath>

namespace calibscope::exchange {

namespace {

constexpr const char* ppqMember = "act_quant_info";

Likeness recognisePpqJson(std::string_view bytes)
{
    return bytes.substr(0, 4096).find("\"act_quant_info\"") != std::string_view::npos
               ? Likeness::Certain
               : Likeness::None;
}

ScaleFile readPpqJson(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    const nlohmann::json& ranges = memberOf(json.value(), ppqMember);
    if (!ranges.is_object())
        throw Error(Fault::Input, "{}: has no object \"act_quant_info\"", origin);
    ScaleFile file;
    for (const auto& [name, range] : ranges.items()) {
        ScaleEntry entry{.name = name, .role = Role::Activation};
        if (range.is_number() || range.is_string())
            entry.values = {symmetricValue(looseJsonNumber(range))};
        else
            entry.oddities.emplace_back("is not a number");
        file.entries.push_back(std::move(entry));
    }
    file.entries = json.inOrder(2, std::move(file.entries));
    return file;
}

std::string writePpqJson(const ScaleFile& file)
{
    std::vector<std::string> members;
    for (const ScaleEntry& entry : file.entries) {
        requireName(entry, {}, "JSON of ppq");
        const double threshold = onlyThreshold(entry, "JSON of ppq");
        members.push_back(pythonText(entry.name) + ": " + pythonNumber(toFloat32(threshold)));
    }
    return pythonBlock('{', {"\"act_quant_info\": " + pythonBlock('{', members, '}', 1)}, '}', 0) +
           '\n';
}

}  // namespace

ExchangeFormat ppqJson()
{
    return {.order = 10,
            .id = "ppq-json",
            .title = "ppq, ranges for TensorRT (JSON)",
            .suffix = "json",
            .source = "ppq 0.6: parser/tensorRT.py",
            .holds = "The threshold of each activation (scale x 127); no weights, no zero point",
            .recognise = recognisePpqJson,
            .read = readPpqJson,
            .write = writePpqJson};
}

}  // namespace calibscope::exchange
