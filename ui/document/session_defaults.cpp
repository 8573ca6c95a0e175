#include "ui/document/session_defaults.h"

#include "core/recipes/former_candidates.h"

#include <algorithm>

namespace calibscope {

namespace {

bool names(const SessionDocument& document, const std::string& id)
{
    const Workbench& shared = document.shared;
    const auto decides = [&id](const SessionDump& dump) {
        return std::ranges::any_of(dump.own.decisions,
                                   [&id](const Decision& decision) { return decision.id == id; });
    };
    return shared.ticks.contains(id) || shared.edits.contains(id) || shared.baseline == id ||
           shared.manualScheme == id || document.layout.card == id ||
           std::ranges::any_of(document.dumps, decides);
}

bool isAdded(const Workbench& shared, const std::string& id)
{
    return std::ranges::find(shared.added, id, &AddedCandidate::id) != shared.added.end();
}

}  // namespace

void keepFormerDefaults(SessionDocument& document)
{
    Workbench& shared = document.shared;
    for (const FormerCandidate& former : formerCandidates()) {
        const auto& [id, label] = former.name;
        if (former.isStandard)
            shared.edits.try_emplace(id, former.choice);
        else if (names(document, id) && !isAdded(shared, id))
            shared.added.push_back({.id = id, .label = label, .choice = former.choice});
    }
}

}  // namespace calibscope
