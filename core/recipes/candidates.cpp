#include "core/recipes/candidates.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace calibscope {

namespace {

struct Standard
{
    const char* calibrator;
    GivenSettings settings;
};

const std::array<Standard, standardCandidates>& standards()
{
    static const std::array<Standard, standardCandidates> list = {{
        {"min-max", {}},
        {"percentile", {{"alpha", "99.999"}}},
        {"entropy", {}},
        {"entropy", {{"outliers-in-q", "no"}}},
        {"fixed", {}},
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

/// "first bin discarded"; "open", as in the names of recipes, for outliers that stay out of Q.
std::string deviation(const Parameter& parameter, const std::string& value)
{
    if (parameter.id == "outliers-in-q" && value == "no")
        return "open";
    const std::string label = lowerFirst(parameter.label);
    if (value == "no")
        return "without " + label;
    return value == "yes" ? "with " + label : label + " " + value;
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
                candidates[later].label += " (" + std::to_string(number++) + ")";
    }
}

}  // namespace

std::string shortLabel(const Choice& choice)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    std::string label(algorithm.id);
    std::string deviations;
    for (const Parameter& parameter : algorithm.parameters) {
        const std::string& value = choice.settings.text(parameter.id);
        if (isNamed(algorithm.id, parameter, value))
            label += " " + value;
        else if (value != parameter.fallback)
            deviations += ", " + deviation(parameter, value);
    }
    if (choice.granularity != Granularity::Tensor)
        label += " per " + std::string(granularityText(choice.granularity));
    return label + deviations + (choice.rangeFrom.empty() ? "" : ", propagated");
}

std::vector<Candidate> candidatesFor(const TensorInfo& tensor, const Consumers& consumers,
                                     std::span<const Recipe> recipes)
{
    std::vector<Candidate> candidates;
    for (const Standard& standard : standards())
        candidates.push_back({makeChoice(standard.calibrator, standard.settings,
                                         SchemeKind::SymmetricRestricted, Granularity::Tensor),
                              {},
                              {}});
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
                place = candidates.insert(candidates.end(), {*choice, {}, {}});
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
