// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/deploy_plan.h"

#include "core/base/json_object.h"
#include "core/base/utf8.h"

#include <limits>

namespace calibscope {

std::string planJson(const DeployPlan& plan)
{
    using Json = nlohmann::ordered_json;
    Json value = {{"calibscope", CALIBSCOPE_VERSION},
                  {"integers", Json::array()},
                  {"biases", plan.biases},
                  {"lints", Json::array()}};
    for (const PlannedIntegers& tensor : plan.integers)
        value["integers"].push_back(Json{{"tensor", validUtf8(tensor.tensor)},
                                         {"dump_tensor", validUtf8(tensor.dumpTensor)},
                                         {"role", tensor.isWeight ? "weight" : "activation"},
                                         {"bits", tensor.bits},
                                         {"scales", tensor.scales},
                                         {"scale", Json(numberValue(tensor.scale))},
                                         {"zero_point", tensor.zeroPoint}});
    for (const Finding& lint : plan.lints) {
        Json object = {{"level", levelText(lint.level)}, {"rule", lint.id}};
        if (!lint.subject.empty())
            object["tensor"] = validUtf8(lint.subject);
        object["text"] = validUtf8(lint.text);
        value["lints"].push_back(std::move(object));
    }
    constexpr int indent = 1;
    return value.dump(indent) + "\n";
}

DeployPlan parseDeployPlan(std::string_view text, const std::string& origin)
{
    const nlohmann::json value = parseJson(text, origin);
    const JsonObject object(value, origin);
    DeployPlan plan{.integers = {}, .biases = object.count("biases"), .lints = {}};
    object.list("integers", [&](const JsonObject& tensor) {
        const std::int64_t zeroPoint = tensor.integer("zero_point");
        if (zeroPoint < std::numeric_limits<int>::min() ||
            zeroPoint > std::numeric_limits<int>::max())
            tensor.fail("zero_point is out of range");
        plan.integers.push_back({.tensor = tensor.requiredText("tensor"),
                                 .dumpTensor = tensor.text("dump_tensor"),
                                 .isWeight = tensor.text("role") == "weight",
                                 .bits = tensor.count("bits", 8),
                                 .scales = tensor.count("scales", 1),
                                 .scale = tensor.number("scale"),
                                 .zeroPoint = static_cast<int>(zeroPoint)});
    });
    object.list("lints", [&](const JsonObject& lint) {
        const std::optional<FindingLevel> level = parseLevel(lint.requiredText("level"));
        if (!level)
            lint.fail("level is not note, warning or error");
        plan.lints.push_back({.id = lint.text("rule"),
                              .level = *level,
                              .subject = lint.text("tensor"),
                              .text = lint.requiredText("text")});
    });
    return plan;
}

}  // namespace calibscope
