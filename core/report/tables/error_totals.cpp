#include "core/report/tables/error_totals.h"

#include "core/report/tables/table.h"

#include <algorithm>

namespace calibscope {

namespace {

/// Kind and id of what made a choice.
std::pair<std::string, std::string> originOf(const Choice& choice)
{
    if (!choice.recipe.empty())
        return {"recipe", choice.recipe};
    if (!choice.preset.empty())
        return {"preset", choice.preset};
    return {"calibrator", choice.calibrator + ":" + choice.settings.toText()};
}

}  // namespace

void ErrorTotals::add(const Outcome& outcome)
{
    const std::optional<double> error = outcome.whole.metric("squared_error");
    if (outcome.role == Role::Weight || !outcome.problem.empty() || !error)
        return;
    const auto [kind, id] = originOf(outcome.choice);
    auto total = std::ranges::find_if(m_totals, [&kind = kind, &id = id](const Total& known) {
        return known.kind == kind && known.id == id;
    });
    if (total == m_totals.end())
        total = m_totals.insert(total, {.kind = kind, .id = id});
    ++total->activations;
    total->squaredError += *error;
}

std::string ErrorTotals::json() const
{
    std::string text = "[";
    for (const Total& total : m_totals)
        text += std::string(text.size() == 1 ? "" : ",") + "{" + jsonText(total.kind) + ":" +
                jsonText(total.id) + ",\"activations\":" + std::to_string(total.activations) +
                ",\"squared_error\":" + jsonNumber(total.squaredError) + "}";
    return text + "]";
}

}  // namespace calibscope
