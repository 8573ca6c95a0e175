#include "ui/document/choice_json.h"

#include "core/base/error.h"
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
            {"settings", settings},
            {"scheme", std::string(schemeText(part.scheme.kind))}};
}

Choice calibratorFrom(const FileObject& object)
{
    if (!object.has("calibrator"))
        object.fail("lacks its calibrator");
    try {
        return makeChoice(object.text("calibrator"), object.textMap("settings"),
                          parseSchemeKind(object.text("scheme", "symmetric-restricted")),
                          parseGranularity(object.text("granularity", "tensor")));
    } catch (const Error& error) {
        if (error.fault() == Fault::Input)
            throw;
        object.fail(error.what());
    }
}

}  // namespace

Json choiceJson(const Choice& choice)
{
    Json json = calibratorJson(choice);
    json["granularity"] = std::string(granularityText(choice.granularity));
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

Choice choiceFrom(const FileObject& object)
{
    Choice choice = calibratorFrom(object);
    choice.recipe = object.text("recipe");
    choice.preset = object.text("preset");
    choice.note = object.text("note");
    object.list("range_from", [&choice](const FileObject& from) {
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
