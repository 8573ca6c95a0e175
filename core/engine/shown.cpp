// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/shown.h"

#include "core/base/range.h"
#include "core/recipes/scale_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace calibscope::engine {

namespace {

std::size_t columnOf(double value, const Range& shown)
{
    const double columns = static_cast<double>(sparklineColumns);
    const double place = (value / shown.width() - shown.low / shown.width()) * columns;
    return static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, columns - 1.0));
}

/// Spreads a count over the part of `bin` that is shown.
void spread(std::vector<double>& columns, const Range& shown, const Range& bin, double count)
{
    const double low = std::clamp(bin.low, shown.low, shown.high);
    const double high = std::clamp(bin.high, low, shown.high);
    const std::size_t first = columnOf(low, shown);
    const std::size_t last = columnOf(high, shown);
    if (first == last || high == low) {
        columns[first] += count;
        return;
    }
    const double width = shown.width() / static_cast<double>(sparklineColumns);
    for (std::size_t column = first; column <= last; ++column) {
        const double columnLow = shown.low + static_cast<double>(column) * width;
        const double part = std::min(high, columnLow + width) - std::max(low, columnLow);
        columns[column] += count * std::max(part, 0.0) / (high - low);
    }
}

}  // namespace

std::vector<double> sparkline(const MagnitudeSketch& sketch, const Extents& extents)
{
    std::vector<double> columns(sparklineColumns, 0.0);
    const Range shown{extents.min, extents.max};
    if (extents.finite == 0)
        return columns;
    if (!(shown.width() > 0.0)) {
        columns[sparklineColumns / 2] = static_cast<double>(extents.finite);
        return columns;
    }
    // Bins of subnormal magnitudes are 2^-136 wide: they would fill all columns alike.
    if (shown.width() < static_cast<double>(sparklineColumns) * 0x1p-136)
        return columns;
    for (const SketchBin& bin : sketch.negative)
        spread(columns, shown, {-bin.highEdge(), -bin.lowEdge()}, static_cast<double>(bin.count));
    if (sketch.zeros > 0)
        columns[columnOf(0.0, shown)] += static_cast<double>(sketch.zeros);
    for (const SketchBin& bin : sketch.positive)
        spread(columns, shown, {bin.lowEdge(), bin.highEdge()}, static_cast<double>(bin.count));
    return columns;
}

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

namespace {

std::vector<OrderRequest> ordersOf(std::span<const Choice> choices, const Extents& extents)
{
    std::vector<OrderRequest> orders;
    for (const Choice& choice : choices) {
        if (choice.granularity != Granularity::Tensor)
            continue;
        const CalibratorNeeds needs = needsOf(choice, extents);
        orders.insert(orders.end(), needs.orders.begin(), needs.orders.end());
    }
    return orders;
}

/// What puts histograms in an order, whichever it is.
auto keyOf(const HistogramSpec& spec)
{
    return std::tie(spec.growth, spec.bins, spec.domain);
}

/// Those asked for first, in that order.
std::vector<Histogram> histogramsOf(const TensorProfile& profile,
                                    const protocol::ViewRequest& request,
                                    std::span<const Outcome> outcomes)
{
    const auto placeOf = [&request](const Histogram& histogram) {
        return std::ranges::find(request.histograms, histogram.spec) - request.histograms.begin();
    };
    const auto isWanted = [&](const Histogram& histogram) {
        return placeOf(histogram) < std::ssize(request.histograms) ||
               std::ranges::count(outcomes, histogram.spec, &Outcome::histogram) > 0;
    };
    std::vector<Histogram> wanted;
    std::ranges::copy_if(profile.histograms, std::back_inserter(wanted), isWanted);
    std::ranges::sort(wanted, [&](const Histogram& one, const Histogram& other) {
        return std::tuple(placeOf(one), keyOf(one.spec)) <
               std::tuple(placeOf(other), keyOf(other.spec));
    });
    return wanted;
}

}  // namespace

TensorProfile shownProfile(const TensorProfile& profile, const protocol::ViewRequest& request,
                           std::span<const Choice> choices, std::span<const Outcome> outcomes)
{
    TensorProfile shown{.info = profile.info,
                        .moments = profile.moments,
                        .firstNotFinite = profile.firstNotFinite,
                        .zeroBlocks = profile.zeroBlocks,
                        .constantEnds = profile.constantEnds,
                        .batches = profile.batches,
                        .channels = profile.channels,
                        .sketch = profile.sketch,
                        .histograms = histogramsOf(profile, request, outcomes),
                        .orders = {}};
    for (const OrderRequest& wanted : ordersOf(choices, profile.extents()))
        if (const auto value = profile.order(wanted); value && !shown.order(wanted))
            shown.orders.push_back({.request = wanted, .value = *value});
    return shown;
}

bool holdsAll(const TensorProfile& profile, std::span<const Choice> choices,
              std::span<const Outcome> outcomes)
{
    const auto hasHistogram = [&profile](const Outcome& outcome) {
        return !outcome.histogram || profile.histogram(*outcome.histogram) != nullptr;
    };
    const auto hasOrder = [&profile](const OrderRequest& order) {
        return order.rank >= profile.extents().finite || profile.order(order);
    };
    return std::ranges::all_of(outcomes, hasHistogram) &&
           std::ranges::all_of(ordersOf(choices, profile.extents()), hasOrder);
}

}  // namespace calibscope::engine
