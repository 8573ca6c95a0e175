// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/stand_in.h"

#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"

#include <string_view>

namespace calibscope {

namespace {

constexpr std::string_view presetPrefix = "preset:";
constexpr std::string_view calibratorPrefix = "calibrator:";
constexpr std::string_view sessionPrefix = "session:";

/// `make` gives the choice for a granularity.
template <typename Make>
std::vector<RecipeRule> rulesOf(const Make& make)
{
    return {{.role = Role::Weight, .choice = make(defaultGranularity(Role::Weight))},
            {.choice = make(defaultGranularity(Role::Activation))}};
}

}  // namespace

std::pair<std::string, GivenSettings> idAndSettings(const std::string& text)
{
    const std::size_t colon = text.find(':');
    std::string id = text.substr(0, colon);
    GivenSettings given;
    if (colon != std::string::npos)
        given = parseGivenSettings(std::string_view(text).substr(colon + 1), id);
    return {std::move(id), std::move(given)};
}

Recipe presetAsRecipe(const std::string& text)
{
    const auto [id, given] = idAndSettings(text);
    const Preset chosen = presetOrOwn(id);
    return {.id = std::string(presetPrefix) + text,
            .title = chosen.title,
            .source = chosen.source,
            .rules = rulesOf([&chosen, &given = given](Granularity granularity) {
                return makeChoice(chosen, given, SchemeKind::SymmetricRestricted, granularity);
            })};
}

Recipe calibratorAsRecipe(const std::string& text)
{
    const auto [id, given] = idAndSettings(text);
    Recipe recipe{.id = std::string(calibratorPrefix) + text,
                  .rules = rulesOf([&id = id, &given = given](Granularity granularity) {
                      return withProgramFacts(
                          makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity), {},
                          given);
                  })};
    recipe.title = shortLabel(recipe.rules.back().choice);
    recipe.source = calibrator(id).source;
    return recipe;
}

Choice withoutStandIn(Choice choice)
{
    if (choice.recipe.starts_with(presetPrefix) || choice.recipe.starts_with(calibratorPrefix) ||
        choice.recipe.starts_with(sessionPrefix))
        choice.recipe.clear();
    return choice;
}

}  // namespace calibscope
