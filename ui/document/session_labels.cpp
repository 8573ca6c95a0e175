#include "ui/document/session_labels.h"

#include "core/recipes/candidates.h"
#include "ui/document/outcome_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

/// As the program calls today what it called so then.
std::string asNow(std::string label)
{
    constexpr std::string_view former = ", open";
    if (const std::size_t place = label.find(former); place != std::string::npos)
        label.replace(place, former.size(), ", no fold-in");
    return label;
}

class Labels
{
public:
    explicit Labels(std::vector<AddedCandidate>& added)
    {
        m_added["by hand"] = manualId;
        std::map<std::string, int> uses;
        for (AddedCandidate& candidate : added) {
            candidate.id = choiceId(candidate.choice);
            if (const int number = ++uses[candidate.id]; number > 1)
                candidate.id += "#" + std::to_string(number);
            m_added[candidate.label] = candidate.id;
        }
    }

    [[nodiscard]] std::vector<std::string> ids(const std::string& label) const
    {
        if (const auto added = m_added.find(label); added != m_added.end())
            return {added->second};
        std::vector<std::string> published = idsOfLabel(asNow(label));
        return published.empty() ? std::vector{label} : published;
    }

    /// The likeliest; empty for an empty label.
    [[nodiscard]] std::string id(const std::string& label) const
    {
        return label.empty() ? label : ids(label).front();
    }

    /// Of a label that stood for that choice, at least until it was edited.
    [[nodiscard]] std::string id(const std::string& label, const Choice& choice) const
    {
        const std::vector<std::string> known = ids(label);
        const auto same = std::ranges::find(known, choiceId(choice));
        return same == known.end() ? known.front() : *same;
    }

private:
    std::map<std::string, std::string> m_added;  ///< id by label
};

}  // namespace

void idsFromLabels(SessionDocument& session)
{
    Workbench& shared = session.shared;
    const Labels labels(shared.added);
    for (const auto& [label, isTicked] : std::exchange(shared.ticks, {}))
        for (const std::string& id : labels.ids(label))
            shared.ticks[id] = isTicked;
    for (const auto& [label, choice] : std::exchange(shared.edits, {}))
        shared.edits.insert_or_assign(labels.id(label, choice), choice);
    shared.manualScheme = labels.id(shared.manualScheme);
    shared.baseline = labels.id(shared.baseline);
    session.layout.card = labels.id(session.layout.card);
    for (SessionDump& dump : session.dumps)
        for (Decision& decision : dump.own.decisions)
            decision.id = labels.id(decision.label, decision.choice);
}

}  // namespace calibscope
