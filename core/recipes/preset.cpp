// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/preset.h"

#include "core/base/json_object.h"
#include "core/recipes/make_choice.h"

namespace calibscope {

Preset presetFromJson(std::string_view json, std::string_view origin)
{
    const std::string place(origin);
    const nlohmann::json parsed = parseJson(json, place, Fault::Usage);
    const JsonObject object(parsed, place, Fault::Usage);
    object.allowOnly({"id", "order", "title", "tool", "source", "calibrator", "settings", "scheme",
                      "granularity"});
    Preset preset{.order = static_cast<int>(object.integer("order", 1000)),
                  .id = object.requiredText("id"),
                  .title = object.requiredText("title"),
                  .tool = object.text("tool"),
                  .source = object.text("source"),
                  .calibrator = object.requiredText("calibrator"),
                  .settings = object.settings("settings"),
                  .scheme = {},
                  .granularity = {}};
    if (object.has("scheme"))
        preset.scheme = parseSchemeKind(object.text("scheme"));
    if (object.has("granularity"))
        preset.granularity = parseGranularity(object.text("granularity"));
    return preset;
}

Choice makeChoice(const Preset& preset, const GivenSettings& further, SchemeKind scheme,
                  Granularity granularity)
{
    GivenSettings given = preset.settings;
    for (const auto& [id, value] : further)
        given[id] = value;
    Choice choice = makeChoice(preset.calibrator, given, preset.scheme.value_or(scheme),
                               preset.granularity.value_or(granularity));
    choice.preset = preset.id;
    return choice;
}

}  // namespace calibscope
