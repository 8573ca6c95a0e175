// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_json.h"

#include "core/recipes/make_choice.h"

#include <utility>

namespace calibscope {

namespace {

using Json = nlohmann::json;

/// What a choice and a range's source have in common.
Json calibratorJson(const auto& part)
{
    Json settings = Json::object();
    for (const auto& [id, value] : part.settings.entries())
        settings[id] = value;
    return {{"calibrator", part.calibrator},
            {"settings", std::move(settings)},
            {"scheme", std::string(schemeText(part.scheme.kind))}};
}

Choice calibratorFrom(const JsonObject& object)
{
    const std::string id = object.requiredText("calibrator");
    const GivenSettings given = object.settings("settings");
    const std::string scheme = object.text("scheme", "symmetric-restricted");
    const std::string granularity = object.text("granularity", "tensor");
    try {
        return makeChoice(id, given, parseSchemeKind(scheme), parseGranularity(granularity));
    } catch (const Error& error) {
        object.fail(error.what());
    }
}

}  // namespace

Json choiceJson(const Choice& choice)
{
    Json json = calibratorJson(choice);
    json["granularity"] = choice.granularity.text();
    for (const auto& [key, text] :
         {std::pair("recipe", &choice.recipe), std::pair("preset", &choice.preset),
          std::pair("note", &choice.note)})
        if (!text->empty())
            json[key] = *text;
    for (const RangeSource& source : choice.rangeFrom) {
        Json from = calibratorJson(source);
        from["tensor"] = source.tensor;
        from["path"] = source.path;
        json["range_from"].push_back(std::move(from));
    }
    return json;
}

Choice choiceFrom(const JsonObject& object)
{
    Choice choice = calibratorFrom(object);
    choice.recipe = object.text("recipe");
    choice.preset = object.text("preset");
    choice.note = object.text("note");
    object.list("range_from", [&choice](const JsonObject& from) {
        Choice own = calibratorFrom(from);
        choice.rangeFrom.push_back({.tensor = from.text("tensor"),
                                    .path = from.text("path"),
                                    .calibrator = std::move(own.calibrator),
                                    .settings = std::move(own.settings),
                                    .scheme = own.scheme});
    });
    return choice;
}

}  // namespace calibscope
