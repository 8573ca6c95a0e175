// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/choice_json.h"
#include "core/recipes/recipe.h"

namespace calibscope {

namespace {

RecipeRule ruleFromJson(const JsonObject& object)
{
    object.allowOnly({"role", "ops", "feeds", "name", "calibrator", "settings", "scheme",
                      "granularity", "note"});
    const std::string role = object.text("role");
    RecipeRule rule{.role = parseRole(role),
                    .ops = object.texts("ops"),
                    .feeds = object.texts("feeds"),
                    .name = object.text("name"),
                    .choice = choiceFrom(object)};
    // A bias gets no scale: a rule for it would never apply.
    if (!role.empty() && (!rule.role || rule.role == Role::Bias))
        object.fail("has a role \"" + role + "\"; available: activation, weight, unknown");
    return rule;
}

}  // namespace

Recipe recipeFromJson(std::string_view text, std::string_view origin)
{
    const std::string place(origin);
    const nlohmann::json json = parseJson(text, place, Fault::Usage);
    const JsonObject object(json, place, Fault::Usage);
    object.allowOnly({"id", "order", "title", "vendor", "source", "states", "chosen", "variant",
                      "unlisted", "propagate", "rules"});
    Recipe recipe{.id = object.requiredText("id"),
                  .title = object.requiredText("title"),
                  .vendor = object.text("vendor"),
                  .source = object.text("source"),
                  .states = object.texts("states"),
                  .chosen = object.texts("chosen"),
                  .isVariant = object.flag("variant"),
                  .isListed = !object.flag("unlisted"),
                  .propagates = object.flag("propagate"),
                  .order = static_cast<int>(object.integer("order", 1000)),
                  .rules = {}};
    object.list("rules",
                [&recipe](const JsonObject& rule) { recipe.rules.push_back(ruleFromJson(rule)); });
    if (recipe.rules.empty())
        object.fail("has no rules");
    return recipe;
}

}  // namespace calibscope
