#include "core/engine/thin_curve.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

namespace calibscope::engine {

namespace {

/// The points of [first, end) that are to be kept: up to three.
void keepOfStretch(const std::vector<double>& value, std::size_t first, std::size_t end,
                   std::set<std::size_t>& kept)
{
    std::optional<std::size_t> least;
    std::optional<std::size_t> greatest;
    std::optional<std::size_t> infinite;
    for (std::size_t point = first; point < end; ++point) {
        if (!std::isfinite(value[point])) {
            infinite = infinite.value_or(point);
            continue;
        }
        if (!least || value[point] < value[*least])
            least = point;
        if (!greatest || value[point] > value[*greatest])
            greatest = point;
    }
    for (const std::optional<std::size_t> point : {least, greatest, infinite})
        if (point)
            kept.insert(*point);
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t most)
{
    const std::size_t points = curve.threshold.size();
    if (points <= most)
        return curve;
    constexpr std::size_t perStretch = 3;
    constexpr std::size_t always = 5;
    const std::size_t stretches = (most - always) / perStretch;
    std::set<std::size_t> kept{0, points - 1, curve.chosen};
    for (const std::optional<std::size_t> point : {curve.runnerUp, curve.chosenLow})
        if (point)
            kept.insert(*point);
    for (std::size_t stretch = 0; stretch < stretches; ++stretch)
        keepOfStretch(curve.value, stretch * points / stretches, (stretch + 1) * points / stretches,
                      kept);

    Curve thin{.objective = curve.objective, .unit = curve.unit, .plateau = curve.plateau};
    for (const CurvePart& part : curve.parts)
        thin.parts.push_back({.name = part.name, .value = {}});
    for (const std::size_t point : kept) {
        if (point == curve.chosen)
            thin.chosen = thin.threshold.size();
        if (point == curve.runnerUp)
            thin.runnerUp = thin.threshold.size();
        if (point == curve.chosenLow)
            thin.chosenLow = thin.threshold.size();
        if (std::ranges::find(curve.ties, point) != curve.ties.end())
            thin.ties.push_back(thin.threshold.size());
        thin.threshold.push_back(curve.threshold[point]);
        thin.value.push_back(curve.value[point]);
        for (std::size_t part = 0; part < curve.parts.size(); ++part)
            thin.parts[part].value.push_back(curve.parts[part].value[point]);
    }
    return thin;
}

}  // namespace calibscope::engine
