// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/exchange/exchange_format.h"
#include "core/exchange/loose_json.h"
#include "core/exchange/ort_ranges.h"

#include <algorithm>

namespace calibscope::exchange {

namespace {

constexpr const char* methodMember = "calibration_method";

/// The whole TensorsData, or the mapping alone.
bool isWhole(const nlohmann::json& json)
{
    const nlohmann::json& kind = memberOf(json, "CLS");
    return kind.is_string() && kind.get<std::string>() == "TensorsData";
}

Likeness recogniseOrtJson(std::string_view bytes)
{
    const std::string_view start = bytes.substr(0, 65536);
    const bool isObject = start.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                          start[start.find_first_not_of(" \t\r\n")] == '{';
    return isObject && start.find("\"CLS\"") != std::string_view::npos ? Likeness::Certain
                                                                       : Likeness::None;
}

ScaleFile readOrtJson(std::string_view bytes, const std::string& origin)
{
    const LooseJson json(bytes, origin);
    const bool whole = isWhole(json.value());
    const nlohmann::json& tensors = whole ? memberOf(json.value(), "data") : json.value();
    if (ortForm(tensors) == OrtForm::None)
        throw Error(Fault::Input, origin + ": has no tensors with \"lowest\" and \"highest\"");
    ScaleFile file;
    const nlohmann::json& method = memberOf(memberOf(json.value(), methodMember), "value");
    if (whole && method.is_string()) {
        const auto text = method.get<std::string>();
        file.facts["method"] = text.substr(text.rfind('.') + 1);
    }
    file.entries = json.inOrder(whole ? 2 : 1, ortEntries(tensors));
    return file;
}

/// On one line, as the tool writes it.
std::string writeOrtJson(const ScaleFile& file)
{
    std::string tensors;
    for (const ScaleEntry& entry : file.entries) {
        const auto [lowest, highest] = ortEnds(entry);
        const auto array = [](const std::string& data) {
            return R"({"data": )" + data + R"(, "dtype": "float32", "CLS": "numpy.array"})";
        };
        tensors += (tensors.empty() ? "" : ", ") + pythonText(entry.name) + R"(: {"lowest": )" +
                   array(lowest) + R"(, "highest": )" + array(highest) +
                   R"(, "CLS": "TensorData"})";
    }
    return R"({"CLS": "TensorsData", "data": {)" + tensors +
           R"(}, "calibration_method": {"CLS": "CalibrationMethod", "value": "CalibrationMethod.)" +
           file.facts.at("method") + R"("}})";
}

}  // namespace

ExchangeFormat ortJson()
{
    return {.order = 30,
            .id = "ort-json",
            .title = "ONNX Runtime calibration.json",
            .suffix = "json",
            .source = "ONNX Runtime 1.16 and later: quant_utils.write_calibration_table",
            .holds = "The two ends of each activation, also for each channel; no weights",
            .parameters = {choiceParameter("method", "Method",
                                           "What the file says of how the ranges were found.",
                                           {"MinMax", "Entropy", "Percentile", "Distribution"})},
            .recognise = recogniseOrtJson,
            .read = readOrtJson,
            .write = writeOrtJson};
}

}  // namespace calibscope::exchange
