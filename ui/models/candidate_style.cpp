// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/candidate_style.h"

#include "core/base/digest.h"
#include "core/recipes/candidates.h"
#include "ui/document/outcome_rows.h"

#include <array>
#include <cstdint>
#include <map>

namespace calibscope {

namespace {

/// Places in the table of seriesStyle(): grey min-max, amber percentile, blue entropy, vermillion
/// entropy without outliers, purple fixed; then what is left of its beginning.
constexpr std::array<int, 7> stylePlaces = {5, 3, 0, 1, 4, 2, 6};
static_assert(stylePlaces.size() >= standardCandidates && stylePlaces.size() < seriesColorCount);

/// Ids that any tensor may have: the standard candidates, then what the recipes' rules choose.
const std::map<std::string, std::size_t>& knownPlaces()
{
    static const std::map<std::string, std::size_t> places = [] {
        std::map<std::string, std::size_t> made;
        const auto add = [&made](const std::string& id) { made.try_emplace(id, made.size()); };
        for (const Candidate& standard : candidatesFor({}, Consumers({}), {}))
            add(standard.id);
        for (const Recipe& recipe : recipes())
            for (const RecipeRule& rule : recipe.rules)
                add(choiceId(rule.choice));
        return made;
    }();
    return places;
}

/// Of the known candidate at that place, or one after them.
SeriesStyle styleAt(std::size_t place, const ChartColors& colors)
{
    return seriesStyle(place < stylePlaces.size() ? stylePlaces[place] : static_cast<int>(place),
                       colors);
}

}  // namespace

SeriesStyle candidateStyle(const std::string& id, const ChartColors& colors)
{
    if (id == importedId)
        return {.color = colors.text, .pen = Qt::DashDotDotLine};
    if (id == manualId)
        return manualStyle(colors);
    const std::map<std::string, std::size_t>& known = knownPlaces();
    if (const auto found = known.find(id); found != known.end())
        return styleAt(found->second, colors);
    const std::size_t further = seriesStyleCount - known.size();
    return styleAt(known.size() + fnv1a<std::uint32_t>(id) % further, colors);
}

}  // namespace calibscope
