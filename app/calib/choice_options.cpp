#include "app/calib/choice_options.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

namespace calibscope::cli {

namespace {

/// "ID" or "ID:parameter=value,..."
std::pair<std::string, GivenSettings> idAndSettings(const std::string& text)
{
    const std::size_t colon = text.find(':');
    std::string id = text.substr(0, colon);
    GivenSettings given;
    if (colon != std::string::npos)
        given = parseGivenSettings(std::string_view(text).substr(colon + 1), id);
    return {std::move(id), std::move(given)};
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad())
        throw Error(Fault::Input, path + ": the recipe file can't be read");
    return content;
}

}  // namespace

void ChoiceOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--recipe", m_recipeIds, "Published recipe by id; may be repeated")
        ->type_name("ID")
        ->allow_extra_args(false);
    subcommand.add_option("--preset", m_presets, "Preset, with settings that replace its own")
        ->type_name("ID[:PARAMETER=VALUE,...]")
        ->allow_extra_args(false);
    subcommand.add_option("--calibrator", m_calibrators, "Calibrator with settings of your own")
        ->type_name("ID[:PARAMETER=VALUE,...]")
        ->allow_extra_args(false);
    subcommand.add_option("--recipe-file", m_recipeFiles, "Recipe of your own, a JSON file")
        ->type_name("FILE")
        ->allow_extra_args(false);
    subcommand.add_option("--scheme", m_scheme, "Scheme for all choices")->type_name("ID");
    subcommand
        .add_option("--granularity", m_granularity,
                    "Granularity for all choices: tensor, channel, row")
        ->type_name("WORD");
    subcommand.add_option("--bits", m_bits, "Bits for all choices, 2 to 16")->type_name("B");
}

void ChoiceOptions::resolve()
{
    for (const std::string& id : m_recipeIds)
        m_recipes.push_back(recipe(id));
    for (const std::string& path : m_recipeFiles)
        m_recipes.push_back(recipeFromJson(contentOf(path), path));
    if (m_recipes.empty() && m_presets.empty() && m_calibrators.empty())
        for (const Recipe& published : recipes())
            if (!published.isVariant)
                m_recipes.push_back(published);
    for (const Recipe& chosen : m_recipes)
        for (const RecipeRule& rule : chosen.rules)
            static_cast<void>(overridden(rule.choice));
    static_cast<void>(choicesFor({.name = "a tensor"}, Consumers({})));
}

Choice ChoiceOptions::overridden(Choice choice) const
{
    if (!m_granularity.empty())
        choice.granularity = parseGranularity(m_granularity);
    if (m_scheme.empty() && !m_bits)
        return choice;
    GivenSettings given(choice.settings.entries().begin(), choice.settings.entries().end());
    if (m_bits)
        given["bits"] = std::to_string(*m_bits);
    const SchemeKind kind = m_scheme.empty() ? choice.scheme.kind : parseSchemeKind(m_scheme);
    Choice made = makeChoice(choice.calibrator, given, kind, choice.granularity);
    made.recipe = std::move(choice.recipe);
    made.preset = std::move(choice.preset);
    made.note = std::move(choice.note);
    return made;
}

std::vector<Choice> ChoiceOptions::choicesFor(const TensorInfo& tensor,
                                              const Consumers& consumers) const
{
    std::vector<Choice> choices;
    for (const Recipe& chosen : m_recipes)
        if (std::optional<Choice> choice = choose(chosen, tensor, consumers))
            choices.push_back(std::move(*choice));
    const Granularity granularity = defaultGranularity(tensor.role);
    for (const std::string& text : m_presets) {
        const auto [id, given] = idAndSettings(text);
        choices.push_back(
            makeChoice(preset(id), given, SchemeKind::SymmetricRestricted, granularity));
    }
    for (const std::string& text : m_calibrators) {
        const auto [id, given] = idAndSettings(text);
        choices.push_back(makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity));
    }
    for (Choice& choice : choices)
        choice = fittedTo(overridden(std::move(choice)), tensor);
    return choices;
}

}  // namespace calibscope::cli
