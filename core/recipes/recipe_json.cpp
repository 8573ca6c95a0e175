#include "core/base/error.h"
#include "core/recipes/json_object.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/recipe.h"

namespace calibscope {

namespace {

using Json = nlohmann::json;

RecipeRule ruleFromJson(const Json& json, const std::string& place)
{
    const JsonObject reader(json, place,
                            {"role", "ops", "feeds", "name", "calibrator", "settings", "scheme",
                             "granularity", "note"});
    RecipeRule rule{.role = {},
                    .ops = reader.texts("ops"),
                    .feeds = reader.texts("feeds"),
                    .name = reader.text("name"),
                    .choice = {}};
    const std::string role = reader.text("role");
    rule.role = parseRole(role);
    if (!role.empty() && !rule.role)
        reader.fail("has a role \"" + role + "\"; available: activation, weight, unknown");
    try {
        rule.choice = makeChoice(reader.requiredText("calibrator"), reader.settings("settings"),
                                 parseSchemeKind(reader.text("scheme", "symmetric-restricted")),
                                 parseGranularity(reader.text("granularity", "tensor")));
    } catch (const Error& error) {
        throw Error(Fault::Usage, place + ": " + error.what());
    }
    rule.choice.note = reader.text("note");
    return rule;
}

}  // namespace

Recipe recipeFromJson(std::string_view text, std::string_view origin)
{
    const std::string place(origin);
    const Json json = parseJsonFile(text, origin);
    const JsonObject reader(json, place,
                            {"id", "order", "title", "vendor", "source", "states", "chosen",
                             "variant", "propagate", "rules"});
    Recipe recipe{.id = reader.requiredText("id"),
                  .title = reader.requiredText("title"),
                  .vendor = reader.text("vendor"),
                  .source = reader.text("source"),
                  .states = reader.texts("states"),
                  .chosen = reader.texts("chosen"),
                  .isVariant = reader.flag("variant"),
                  .propagates = reader.flag("propagate"),
                  .order = reader.integer("order", 1000),
                  .rules = {}};
    const Json rules = reader.array("rules");
    if (rules.empty())
        reader.fail("has no rules");
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
        recipe.rules.push_back(
            ruleFromJson(rules[rule], place + ", rule " + std::to_string(rule + 1)));
    return recipe;
}

}  // namespace calibscope
