#include "core/recipes/former_candidates.h"

#include "core/recipes/make_choice.h"

#include <algorithm>

namespace calibscope {

namespace {

void addFormer(std::vector<FormerCandidate>& candidates, const Choice& choice)
{
    const Choice former = formerly(choice);
    const std::string id = choiceId(former);
    const bool isKnown = std::ranges::any_of(
        candidates, [&](const FormerCandidate& candidate) { return candidate.name.id == id; });
    if (!former.isSameComputation(choice) && !isKnown)
        candidates.push_back({.name = {.id = id, .label = shortLabel(former)}, .choice = former});
}

std::vector<FormerCandidate> listFormer()
{
    std::vector<FormerCandidate> candidates;
    for (const Candidate& standard : candidatesFor({}, Consumers({}), {}))
        if (const Choice former = formerly(standard.choice);
            !former.isSameComputation(standard.choice))
            candidates.push_back({.name = {.id = standard.id, .label = shortLabel(former)},
                                  .choice = former,
                                  .isStandard = true});
    for (const Recipe& recipe : recipes())
        for (const RecipeRule& rule : recipe.rules)
            addFormer(candidates, rule.choice);
    return candidates;
}

}  // namespace

Choice formerly(const Choice& choice)
{
    if (choice.calibrator != "entropy")
        return choice;
    GivenSettings given(choice.settings.entries().begin(), choice.settings.entries().end());
    if (given["empty-bins"] == "all")
        given["empty-bins"] = "spread";
    Choice former = makeChoice(choice.calibrator, given, choice.scheme.kind, choice.granularity);
    former.recipe = choice.recipe;
    former.preset = choice.preset;
    former.note = choice.note;
    former.rangeFrom = choice.rangeFrom;
    return former;
}

std::string formerLabel(const Choice& choice)
{
    const std::string told = ", empty bins spread";
    std::string label = plainLabel(choice);
    if (const std::size_t place = label.find(told); place != std::string::npos)
        label.erase(place, told.size());
    return label;
}

const std::vector<FormerCandidate>& formerCandidates()
{
    static const std::vector<FormerCandidate> candidates = listFormer();
    return candidates;
}

}  // namespace calibscope
