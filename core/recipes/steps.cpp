// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/steps.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/stats/growth_rule.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <utility>

namespace calibscope {

namespace {

std::vector<Parameter> parametersOf(std::string_view calibratorId)
{
    std::vector<Parameter> parameters = calibrator(calibratorId).parameters;
    parameters.insert(parameters.end(), schemeParameters().begin(), schemeParameters().end());
    return parameters;
}

bool accepts(const Parameter& parameter, const std::string& value)
{
    try {
        static_cast<void>(
            Settings(std::span(&parameter, 1), {{parameter.id, value}}, parameter.id));
        return true;
    } catch (const Error&) {
        return false;
    }
}

GivenSettings givenOf(const Choice& choice)
{
    return {choice.settings.entries().begin(), choice.settings.entries().end()};
}

/// Whether values of both signs can be counted as the calibrator wants them.
bool isComputable(const Choice& choice)
{
    const Calibrator& algorithm = calibrator(choice.calibrator);
    if (!algorithm.needs)
        return true;
    Extents extents;
    extents.add(std::array{-2.0F, 1.0F, 2.0F});
    const CalibratorNeeds needs = algorithm.needs(
        {.settings = choice.settings, .scheme = schemeFor(choice.scheme, {-2.0, 2.0})}, extents);
    return std::ranges::all_of(needs.histograms, canCount);
}

/// A choice whose parts can be set one by one; nothing where the calibrator refuses them together.
struct Draft
{
    std::string calibrator;
    GivenSettings given;
    SchemeKind scheme = SchemeKind::SymmetricRestricted;
    Granularity granularity = Granularity::Tensor;

    [[nodiscard]] std::optional<Choice> made() const
    {
        try {
            Choice choice = makeChoice(calibrator, given, scheme, granularity);
            return isComputable(choice) ? std::optional(std::move(choice)) : std::nullopt;
        } catch (const Error&) {
            return std::nullopt;
        }
    }
};

/// The draft with another calibrator: options that both have are kept where they are accepted, all
/// others start at their defaults.
Draft withCalibrator(const Draft& draft, const std::string& id)
{
    Draft changed = draft;
    changed.calibrator = id;
    changed.given.clear();
    for (const Parameter& parameter : parametersOf(id)) {
        const auto kept = draft.given.find(parameter.id);
        const bool isKept = kept != draft.given.end() && accepts(parameter, kept->second);
        changed.given[parameter.id] = isKept ? kept->second : parameter.fallback;
    }
    return changed;
}

std::string instead(const std::string& what, std::string_view now, std::string_view before)
{
    return what + ": " + std::string(now) + " instead of " + std::string(before);
}

/// Something that is still to be changed.
struct Change
{
    /// The changed draft and its step's name; nothing where there is no such change to make yet.
    std::function<std::optional<std::pair<std::string, Draft>>(const Draft&)> apply;
    std::function<bool(const Draft&)> isDone;
};

Change settingChange(const Parameter& parameter, const std::string& target)
{
    return {.apply = [parameter,
                      target](const Draft& draft) -> std::optional<std::pair<std::string, Draft>> {
                const auto now = draft.given.find(parameter.id);
                if (now == draft.given.end())
                    return std::nullopt;
                Draft changed = draft;
                changed.given[parameter.id] = target;
                return std::pair{instead(parameter.label, target, now->second), changed};
            },
            .isDone =
                [id = parameter.id, target](const Draft& draft) {
                    const auto now = draft.given.find(id);
                    return now != draft.given.end() && now->second == target;
                }};
}

Change schemeChange(SchemeKind target)
{
    return {.apply = [target](const Draft& draft) -> std::optional<std::pair<std::string, Draft>> {
                Draft changed = draft;
                changed.scheme = target;
                return std::pair{instead("Scheme", schemeText(target), schemeText(draft.scheme)),
                                 changed};
            },
            .isDone = [target](const Draft& draft) { return draft.scheme == target; }};
}

Change granularityChange(Granularity target)
{
    return {.apply = [target](const Draft& draft) -> std::optional<std::pair<std::string, Draft>> {
                Draft changed = draft;
                changed.granularity = target;
                return std::pair{instead("Granularity", target.text(), draft.granularity.text()),
                                 changed};
            },
            .isDone = [target](const Draft& draft) { return draft.granularity == target; }};
}

Change calibratorChange(const std::string& target)
{
    return {.apply = [target](const Draft& draft) -> std::optional<std::pair<std::string, Draft>> {
                return std::pair{instead("Calibrator", target, draft.calibrator),
                                 withCalibrator(draft, target)};
            },
            .isDone = [target](const Draft& draft) { return draft.calibrator == target; }};
}

/// In the order in which they are tried.
std::vector<Change> changesTo(const Choice& to)
{
    std::vector<Change> changes;
    const std::vector<Parameter> own = calibrator(to.calibrator).parameters;
    for (const Parameter& parameter : own)
        changes.push_back(settingChange(parameter, to.settings.text(parameter.id)));
    changes.push_back(schemeChange(to.scheme.kind));
    for (const Parameter& parameter : schemeParameters())
        changes.push_back(settingChange(parameter, to.settings.text(parameter.id)));
    changes.push_back(granularityChange(to.granularity));
    changes.push_back(calibratorChange(to.calibrator));
    return changes;
}

/// The first change that can be made now.
std::optional<std::pair<std::string, Draft>> nextOf(const std::vector<Change>& changes,
                                                    const Draft& draft)
{
    for (const Change& change : changes)
        if (!change.isDone(draft))
            if (auto changed = change.apply(draft); changed && changed->second.made())
                return changed;
    return std::nullopt;
}

Draft draftOf(const Choice& choice)
{
    return {.calibrator = choice.calibrator,
            .given = givenOf(choice),
            .scheme = choice.scheme.kind,
            .granularity = choice.granularity};
}

std::string nameOf(const Choice& choice)
{
    return choice.preset.empty() ? choice.calibrator : choice.preset;
}

}  // namespace

std::vector<ChoiceStep> stepsBetween(const Choice& from, const Choice& to)
{
    std::vector<ChoiceStep> steps = {{.name = "from " + nameOf(from), .choice = from}};
    const std::vector<Change> changes = changesTo(to);
    Draft draft = draftOf(from);
    while (auto changed = nextOf(changes, draft)) {
        draft = std::move(changed->second);
        steps.push_back({.name = changed->first, .choice = *draft.made()});
    }
    if (!steps.back().choice.isSameComputation(to))
        steps.push_back({.name = "all that is left: " + nameOf(to), .choice = to});
    steps.back().choice = steps.size() > 1 ? to : from;
    return steps;
}

}  // namespace calibscope
