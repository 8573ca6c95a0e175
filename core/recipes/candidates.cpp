// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/candidates.h"

#include "core/base/digest.h"
#include "core/calibrators/calibrator.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/make_choice.h"
#include "core/stats/growth_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace calibscope {

namespace {

struct Standard
{
    const char* id;
    const char* calibrator;
    GivenSettings settings;
};

const std::array<Standard, standardCandidates>& standards()
{
    static const std::array<Standard, standardCandidates> list = {{
        {"min-max", "min-max", {}},
        {"percentile", "percentile", {{"alpha", "99.999"}}},
        {"entropy", "entropy", {}},
        {"entropy-open", "entropy", {{"outliers-in-q", "no"}}},
        {"fixed", "fixed", {}},
    }};
    return list;
}

/// The number that says most of what a calibrator does: it follows the name without a label.
std::string_view namingParameter(std::string_view calibratorId)
{
    if (calibratorId == "percentile")
        return "alpha";
    if (calibratorId == "min-max")
        return "fraction";
    return calibratorId == "fixed" ? "threshold" : "";
}

/// It is left out where it is the default and the name is understood without it.
bool isNamed(std::string_view calibratorId, const Parameter& parameter, const std::string& value)
{
    return parameter.id == namingParameter(calibratorId) &&
           (calibratorId != "min-max" || value != parameter.fallback);
}

std::string lowerFirst(std::string text)
{
    const bool isAcronym = text.size() > 1 && std::isupper(static_cast<unsigned char>(text[1]));
    if (!text.empty() && !isAcronym)
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

/// Outliers stay out of Q: "open", as in the names of recipes.
bool isOpen(const Parameter& parameter, const std::string& value)
{
    return parameter.id == "outliers-in-q" && value == "no";
}

/// "first bin discarded".
std::string deviation(const Parameter& parameter, const std::string& value)
{
    const std::string label = lowerFirst(parameter.label);
    if (value == "no")
        return "without " + label;
    return value == "yes" ? "with " + label : label + " " + value;
}

/// As a calibrator is called in a text: its id, but for the names that have a spelling of their
/// own.
std::string visibleName(std::string_view calibratorId)
{
    static const std::map<std::string_view, std::string_view> spelled = {
        {"mse", "MSE"},
        {programId, "own program"},
        {"l2", "L2"},
        {"kl-window", "KL window"},
        {"centred-kl", "centred KL"},
        {"ppq-mse", "ppq MSE"},
        {"aimet-mse", "AIMET MSE"},
        {"aimet-entropy", "AIMET entropy"},
        {"aimet-percentile", "AIMET percentile"},
        {"aimet-tf-enhanced", "AIMET tf_enhanced"}};
    const auto found = spelled.find(calibratorId);
    return std::string(found == spelled.end() ? calibratorId : found->second);
}

/// " 512 bins" and ", rebin on growth" where they are not the defaults. But an MSE of other bins is
/// one that rebins, as in the text that they are from: a fixed range is reported then.
std::string histogramWords(const Choice& choice)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    const auto known = [&](std::string_view id) {
        return std::ranges::find(algorithm.parameters, id, &Parameter::id);
    };
    const auto bins = known("bins");
    const auto growth = known("growth");
    const auto none = algorithm.parameters.end();
    const bool isOtherBins =
        bins != none && shortValue(choice.settings.text("bins")) != bins->fallback;
    const std::string_view joint = namingParameter(algorithm.id).empty() ? " " : ", ";
    std::string words =
        isOtherBins ? fmt::format("{}{} bins", joint, choice.settings.text("bins")) : "";
    if (growth == none)
        return words;
    const std::string rule = choice.settings.text("growth");
    const std::string implied =
        isOtherBins && algorithm.id == "mse" ? "redistribute" : growth->fallback;
    return rule == implied ? words : words + ", " + lowerFirst(std::string(growthRule(rule).title));
}

std::string_view schemeWord(SchemeKind kind)
{
    switch (kind) {
    case SchemeKind::SymmetricRestricted: return "restricted";
    case SchemeKind::SymmetricFull: return "full";
    case SchemeKind::Affine: return "affine";
    case SchemeKind::AffineReal: return "affine-real";
    }
    return "";
}

Choice choiceOf(const Standard& standard)
{
    return makeChoice(standard.calibrator, standard.settings, SchemeKind::SymmetricRestricted,
                      Granularity::Tensor);
}

/// "parameter=value;..." of what tells computations apart.
std::string tellingSettings(const Choice& choice)
{
    std::string text;
    for (const auto& [id, value] : choice.settings.entries())
        text += (text.empty() ? "" : ";") + id + "=" + value;
    return text;
}

/// Two propagated choices may differ in nothing but the tensors whose range they take.
std::string uniqueId(const std::vector<Candidate>& candidates, const Choice& choice)
{
    const std::string base = choiceId(choice);
    std::string id = base;
    for (int number = 2; std::ranges::find(candidates, id, &Candidate::id) != candidates.end();
         ++number)
        id = base + "#" + std::to_string(number);
    return id;
}

bool differInSchemeAlone(const Choice& one, const Choice& other)
{
    Choice aligned = other;
    aligned.scheme.kind = one.scheme.kind;
    return one.isSameComputation(aligned);
}

/// Labels that several candidates share get the word of their scheme, but for those in the standard
/// places, which are always called the same; what then still collides is numbered.
void tellApart(std::vector<Candidate>& candidates)
{
    const auto hasTwin = [&](const Candidate& candidate) {
        return std::ranges::count(candidates, candidate.label, &Candidate::label) > 1;
    };
    std::vector<bool> ambiguous;
    std::ranges::transform(candidates, std::back_inserter(ambiguous), hasTwin);
    for (std::size_t i = standardCandidates; i < candidates.size(); ++i)
        if (ambiguous[i])
            candidates[i].label += ", " + std::string(schemeWord(candidates[i].choice.scheme.kind));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        int number = 2;
        for (std::size_t later = i + 1; later < candidates.size(); ++later)
            if (candidates[later].label == candidates[i].label)
                candidates[later].label += fmt::format(" ({})", number++);
    }
}

}  // namespace

CandidateName toldApart(CandidateName name, std::span<const CandidateName> others)
{
    const auto isTaken = [&](const std::string& label) {
        return std::ranges::any_of(others, [&](const CandidateName& other) {
            return other.label == label && other.id != name.id;
        });
    };
    std::string label = name.label;
    for (int number = 2; isTaken(label); ++number)
        label = fmt::format("{} ({})", name.label, number);
    name.label = std::move(label);
    return name;
}

std::string choiceId(const Choice& choice)
{
    const std::string computed =
        fmt::format("{}|{}|{}|{}", tellingSettings(choice), schemeWord(choice.scheme.kind),
                    choice.granularity.text(), choice.rangeFrom.empty() ? "" : "propagated");
    return fmt::format("{}:{:016x}", choice.calibrator, fnv1a<std::uint64_t>(computed));
}

std::string candidateId(const Choice& choice)
{
    for (const Standard& standard : standards())
        if (choiceOf(standard).isSameComputation(choice))
            return standard.id;
    return choiceId(choice);
}

std::string shortLabel(const Choice& choice)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    std::string label = visibleName(choice.calibrator);
    std::string deviations = histogramWords(choice);
    std::string open;  // last, where it is seen of a label that is cut in its middle
    for (const Parameter& parameter : algorithm.parameters) {
        if (parameter.id == "file")
            label += " " + programName(choice.settings);
        if (std::ranges::count(std::array{"bins", "growth", "file", "sha256"}, parameter.id) > 0)
            continue;
        const std::string value = shortValue(choice.settings.text(parameter.id));
        if (isNamed(algorithm.id, parameter, value))
            label += " " + value;
        else if (isOpen(parameter, value))
            open = ", no fold-in";
        else if (value != parameter.fallback)
            deviations += ", " + deviation(parameter, value);
    }
    if (choice.granularity != Granularity::Tensor)
        label += (choice.granularity.isGroup() ? " in " : " per ") + choice.granularity.text();
    return label + deviations + open + (choice.rangeFrom.empty() ? "" : ", propagated");
}

std::vector<Candidate> candidatesFor(const TensorInfo& tensor, const Consumers& consumers,
                                     std::span<const Recipe> recipes)
{
    std::vector<Candidate> candidates;
    for (const Standard& standard : standards())
        candidates.push_back(
            {.id = standard.id, .choice = choiceOf(standard), .label = {}, .recipes = {}});
    for (const Recipe& recipe : recipes) {
        const std::optional<Choice> choice = choose(recipe, tensor, consumers);
        if (!choice)
            continue;
        auto place = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
            return candidate.choice.isSameComputation(*choice);
        });
        if (place == candidates.end()) {
            const auto standardsEnd = candidates.begin() + standardCandidates;
            place = std::find_if(candidates.begin(), standardsEnd, [&](const Candidate& candidate) {
                return candidate.recipes.empty() && differInSchemeAlone(candidate.choice, *choice);
            });
            if (place == standardsEnd)
                place = candidates.insert(candidates.end(), {.id = uniqueId(candidates, *choice),
                                                             .choice = *choice,
                                                             .label = {},
                                                             .recipes = {}});
        }
        if (place->recipes.empty())
            place->choice = *choice;
        place->recipes.push_back(recipe.id);
    }
    for (Candidate& candidate : candidates)
        candidate.label = shortLabel(candidate.choice);
    tellApart(candidates);
    return candidates;
}

}  // namespace calibscope
