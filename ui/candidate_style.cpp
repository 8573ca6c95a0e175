#include "ui/candidate_style.h"

#include "core/recipes/candidates.h"

#include <array>

namespace calibscope {

namespace {

/// Places in the table of seriesStyle(): grey min-max, orange percentile, blue entropy, vermillion
/// entropy without outliers, purple fixed; then what is left of the table, green and sky blue.
constexpr std::array<int, 7> stylePlaces = {5, 3, 0, 1, 4, 2, 6};
static_assert(stylePlaces.size() >= standardCandidates && stylePlaces.size() == seriesColorCount);

}  // namespace

SeriesStyle candidateStyle(std::size_t place, const ChartColors& colors)
{
    return seriesStyle(place < stylePlaces.size() ? stylePlaces[place] : static_cast<int>(place),
                       colors);
}

}  // namespace calibscope
