// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/session_report.h"

#include "core/recipes/candidates.h"
#include "core/recipes/make_choice.h"
#include "ui/document/manual_range.h"
#include "ui/document/measured_gains.h"

#include <algorithm>
#include <map>
#include <optional>

namespace calibscope {

namespace {

Recipe recipeOf(const CandidateName& candidate, const Choice& choice)
{
    return {.id = "session:" + candidate.id,
            .title = candidate.label,
            .source = "as set in the session",
            .rules = {{.choice = choice}}};
}

/// The candidates that any tensor has, by id.
std::map<std::string, Candidate> knownCandidates()
{
    std::map<std::string, Candidate> known;
    for (const Role role : {Role::Activation, Role::Weight}) {
        const TensorInfo tensor{.name = "t",
                                .role = role,
                                .elementType = ElementKind::Float32,
                                .shape = {2, 2},
                                .channelAxis = 0};
        for (const Candidate& candidate : candidatesFor(tensor, Consumers({}), recipes()))
            known.emplace(candidate.id, candidate);
    }
    return known;
}

Choice manualSchemeOf(const Workbench& shared, const TensorInfo& tensor, const Consumers& consumers)
{
    for (const Candidate& candidate : candidatesFor(tensor, consumers, recipes()))
        if (!shared.manualScheme.empty() && candidate.id == shared.manualScheme)
            return candidate.choice;
    const auto chosen = std::ranges::find(recipes(), shared.recipe, &Recipe::id);
    if (chosen != recipes().end())
        if (std::optional<Choice> choice = choose(*chosen, tensor, consumers))
            return *choice;
    return makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
}

}  // namespace

void addSession(ReportOptions& options, const SessionDocument& session)
{
    // Whether other files are read is up to who writes the report, not to the session.
    for (const SessionDump& dump : session.dumps)
        options.files.push_back(dump.identity.path);
    const Workbench& shared = session.shared;
    const bool isPublished =
        std::ranges::find(recipes(), shared.recipe, &Recipe::id) != recipes().end();
    if (isPublished)
        options.recipes.push_back(shared.recipe);
    std::map<std::string, Candidate> further;
    const std::map<std::string, Candidate> known = knownCandidates();
    for (const auto& [id, isTicked] : shared.ticks)
        if (isTicked && known.contains(id))
            further[id] = known.at(id);
    for (const AddedCandidate& added : shared.added)
        further[added.id] = {
            .id = added.id, .choice = added.choice, .label = added.label, .recipes = {}};
    for (const auto& [id, choice] : shared.edits) {
        Candidate& edited = further[id];
        if (edited.id.empty())
            edited =
                known.contains(id)
                    ? known.at(id)
                    : Candidate{.id = id, .choice = {}, .label = shortLabel(choice), .recipes = {}};
        edited.choice = choice;
    }
    for (auto& [id, candidate] : further) {
        candidate.choice.recipe.clear();
        candidate.choice.rangeFrom.clear();
        options.further.push_back(recipeOf(candidate.name(), candidate.choice));
    }
    addGains(options, session);
}

void addGains(ReportOptions& options, const SessionDocument& session)
{
    for (const SessionDump& dump : session.dumps) {
        if (std::optional<ImprovementReport> ticked = tickedGains(dump.own))
            options.improvements.push_back(*std::move(ticked));
        if (std::vector<LadderRung> rungs = rungGains(dump.own); !rungs.empty())
            options.ladders.push_back(std::move(rungs));
    }
}

std::vector<Recipe> decisionRecipes(const SessionDocument& session,
                                    std::span<const protocol::DumpOpened> dumps)
{
    Recipe decided{.id = "session:decided",
                   .title = "Accepted",
                   .source = "what was accepted for each tensor in the session"};
    Recipe manualRange{
        .id = "session:by-hand", .title = "Manual", .source = "manual ranges of the session"};
    for (std::size_t place = 0; place < std::min(session.dumps.size(), dumps.size()); ++place) {
        const Workbench& own = session.dumps[place].own;
        const Consumers consumers(dumps[place].tensors);
        for (const TensorInfo& tensor : dumps[place].tensors) {
            if (const auto found = own.decisions.find(tensor.path); found != own.decisions.end()) {
                Choice choice = found->choice;
                choice.note = "accepted: " + found->label +
                              (found->remark.empty() ? "" : "; " + found->remark);
                decided.rules.push_back({.name = tensor.name, .choice = choice});
            }
            if (const auto found = own.manualRange.find(tensor.path);
                found != own.manualRange.end())
                manualRange.rules.push_back(
                    {.name = tensor.name,
                     .choice = manualChoice(found->second,
                                            manualSchemeOf(session.shared, tensor, consumers))});
        }
    }
    std::vector<Recipe> made;
    for (Recipe* recipe : {&decided, &manualRange})
        if (!recipe->rules.empty())
            made.push_back(std::move(*recipe));
    return made;
}

}  // namespace calibscope
