// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"
#include "core/recipes/stand_in.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace calibscope::cli {

namespace {

/// A choice's calibrator under another scheme or number of bits.
Choice remade(const std::string& calibrator, const Settings& settings, SchemeKind scheme,
              std::optional<int> bits, Granularity granularity)
{
    GivenSettings given(settings.entries().begin(), settings.entries().end());
    if (bits)
        given["bits"] = std::to_string(*bits);
    return makeChoice(calibrator, given, scheme, granularity);
}

/// A calibrator with its settings; of a program with what its file says.
std::string withProgramFacts(const std::string& text)
{
    const auto [id, given] = idAndSettings(text);
    if (id != programId)
        return text;
    std::string settings =
        calibscope::withProgramFacts(
            makeChoice(id, given, SchemeKind::SymmetricRestricted, Granularity::Tensor), {}, given)
            .settings.toText();
    std::ranges::replace(settings, ';', ',');
    return id + ":" + settings;
}

/// Ids of a list.
template <typename List>
std::vector<std::string> idsOf(const List& list)
{
    std::vector<std::string> ids;
    for (const auto& member : list)
        ids.emplace_back(member.id);
    return ids;
}

}  // namespace

void ChoiceOptions::declare(Command& command)
{
    const auto addList = [&command](const char* names, std::vector<std::string>& values,
                                    const char* help, const char* type,
                                    std::function<std::vector<std::string>()> offers = {}) {
        command.add({.names = names,
                     .target = &values,
                     .help = help,
                     .type = type,
                     .isOneByOne = true,
                     .offers = std::move(offers)});
    };
    addList("--recipe", m_recipeIds, "Recipe by id, published or your own; may be repeated", "ID",
            [] { return idsOf(allRecipes()); });
    addList("--preset", m_presets, "Preset, with settings that override its own",
            "ID[:PARAMETER=VALUE,...]", [] { return idsOf(presets()); });
    addList("--calibrator", m_calibrators,
            "Calibrator with settings of your own; program:file=FILE is a program of your own",
            "ID[:PARAMETER=VALUE,...]", [] { return idsOf(calibrators()); });
    addList("--recipe-file", m_recipeFiles, "Recipe of your own, a JSON file", "FILE");
    command.add(
        {.names = "--scheme", .target = &m_scheme, .help = "Scheme for all choices", .type = "ID"});
    command.add({.names = "--granularity",
                 .target = &m_granularity,
                 .help = "Granularity for all choices: tensor, channel, row, g32",
                 .type = "WORD"});
    command.add({.names = "--bits",
                 .target = &m_bits,
                 .help = "Bits for all choices, 2 to 16",
                 .type = "B"});
}

const std::array<ChoiceOptions::Named, 4> ChoiceOptions::allNamed{
    {{"--recipe", &ChoiceOptions::m_recipeIds},
     {"--recipe-file", &ChoiceOptions::m_recipeFiles},
     {"--preset", &ChoiceOptions::m_presets},
     {"--calibrator", &ChoiceOptions::m_calibrators}}};

std::size_t ChoiceOptions::count() const
{
    return std::accumulate(
        allNamed.begin(), allNamed.end(), std::size_t{0},
        [this](std::size_t sum, const Named& named) { return sum + (this->*named.values).size(); });
}

std::vector<ChoiceOptions> ChoiceOptions::each() const
{
    ChoiceOptions none = *this;
    for (const Named& named : allNamed)
        (none.*named.values).clear();
    std::vector<ChoiceOptions> each;
    for (const Named& named : allNamed)
        for (auto value = (this->*named.values).begin(); value != (this->*named.values).end();
             ++value)
            if (std::find((this->*named.values).begin(), value, *value) == value)
                (each.emplace_back(none).*named.values).push_back(*value);
    return each;
}

ChoiceOptions ChoiceOptions::ofRecipe(std::string id)
{
    ChoiceOptions options;
    options.m_recipeIds.push_back(std::move(id));
    return options;
}

std::string ChoiceOptions::text() const
{
    std::vector<std::string> words;
    const auto add = [&words](std::string_view option, const std::string& value) {
        if (!value.empty())
            words.push_back(fmt::format("{} {}", option, value));
    };
    for (const Named& named : allNamed)
        for (const std::string& value : this->*named.values)
            add(named.option, value);
    add("--scheme", m_scheme);
    add("--granularity", m_granularity);
    add("--bits", m_bits ? std::to_string(*m_bits) : std::string());
    return joinedText(words, " ");
}

bool ChoiceOptions::isGiven() const
{
    return count() > 0 || overrides();
}

bool ChoiceOptions::overrides() const
{
    return !m_scheme.empty() || !m_granularity.empty() || m_bits;
}

Granularity ChoiceOptions::granularity() const
{
    return m_granularity.empty() ? Granularity::Tensor : parseGranularity(m_granularity);
}

void ChoiceOptions::resolve()
{
    for (const std::string& id : m_recipeIds)
        m_recipes.push_back(recipeOrOwn(id));
    for (const std::string& path : m_recipeFiles)
        m_recipes.push_back(recipeFromFile(path));
    if (m_recipes.empty() && m_presets.empty() && m_calibrators.empty())
        for (const Recipe& published : recipes())
            if (!published.isVariant)
                m_recipes.push_back(published);
    for (const Recipe& chosen : m_recipes)
        for (const RecipeRule& rule : chosen.rules)
            static_cast<void>(overridden(rule.choice));
    for (const std::string& text : m_presets) {
        const std::string id = idAndSettings(text).first;
        m_presetsById.emplace(id, presetOrOwn(id));
    }
    for (std::string& text : m_calibrators)
        text = withProgramFacts(text);
    static_cast<void>(choicesFor({.name = "a tensor"}, Consumers({})));
}

Choice ChoiceOptions::overridden(Choice choice) const
{
    if (!m_granularity.empty())
        choice.granularity = granularity();
    if (choice.granularity != Granularity::Tensor)
        choice.rangeFrom.clear();
    if (m_scheme.empty() && !m_bits)
        return choice;
    const auto kindOf = [this](const Scheme& scheme) {
        return m_scheme.empty() ? scheme.kind : parseSchemeKind(m_scheme);
    };
    Choice made = remade(choice.calibrator, choice.settings, kindOf(choice.scheme), m_bits,
                         choice.granularity);
    for (RangeSource& source : choice.rangeFrom) {
        Choice own = remade(source.calibrator, source.settings, kindOf(source.scheme), m_bits,
                            Granularity::Tensor);
        source.settings = std::move(own.settings);
        source.scheme = own.scheme;
    }
    made.rangeFrom = std::move(choice.rangeFrom);
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
            makeChoice(m_presetsById.at(id), given, SchemeKind::SymmetricRestricted, granularity));
    }
    for (const std::string& text : m_calibrators) {
        const auto [id, given] = idAndSettings(text);
        choices.push_back(makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity));
    }
    for (Choice& choice : choices)
        choice = fittedTo(overridden(std::move(choice)), tensor);
    return choices;
}

void HistogramOptions::declare(Command& command)
{
    constexpr int mostBins = 1 << 20;
    command.add({.names = "--growth",
                 .target = &growth,
                 .help = "How the bins follow the range from batch to batch",
                 .type = "RULE",
                 .showsDefault = true});
    command.add({.names = "--bins",
                 .target = &bins,
                 .help = "Bins at the start (as the rule was published)",
                 .type = "N",
                 .range = OptionRange{1, mostBins}});
    command.add({.names = "--domain",
                 .target = &domain,
                 .help = "Of |x| or of x (as the rule was published)",
                 .type = "magnitude|signed",
                 .words = {"magnitude", "signed"}});
}

HistogramSpec HistogramOptions::spec() const
{
    const GrowthRule& rule = growthRule(growth);
    Domain counted = rule.domain;
    if (!domain.empty())
        counted = domain == domainText(Domain::Signed) ? Domain::Signed : Domain::Magnitude;
    return {.growth = growth, .bins = bins == 0 ? rule.bins : bins, .domain = counted};
}

}  // namespace calibscope::cli
