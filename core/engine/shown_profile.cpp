#include "core/engine/shown_profile.h"

#include "core/recipes/scale_rows.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace calibscope::engine {

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
        const auto usedIt = [text = histogramText(histogram.spec)](const Outcome& outcome) {
            return outcome.histogram == text;
        };
        return placeOf(histogram) < std::ssize(request.histograms) ||
               std::ranges::any_of(outcomes, usedIt);
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
        return outcome.histogram.empty() ||
               std::ranges::any_of(profile.histograms, [&outcome](const Histogram& histogram) {
                   return histogramText(histogram.spec) == outcome.histogram;
               });
    };
    const auto hasOrder = [&profile](const OrderRequest& order) {
        return order.rank >= profile.extents().finite || profile.order(order);
    };
    return std::ranges::all_of(outcomes, hasHistogram) &&
           std::ranges::all_of(ordersOf(choices, profile.extents()), hasOrder);
}

}  // namespace calibscope::engine
