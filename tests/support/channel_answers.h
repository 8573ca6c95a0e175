// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/recipes/outcome.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace calibscope::test {

/// What an engine would say of min-max on channels with these largest magnitudes, per channel and
/// for the tensor.
[[nodiscard]] inline protocol::TensorView channelsView(const protocol::ViewRequest& request,
                                                       const std::vector<double>& absMax)
{
    const double greatest = std::ranges::max(absMax);
    const auto quantizerOf = [](double threshold) {
        return Quantizer{.scale = threshold > 0.0 ? threshold / 127.0 : 1.0,
                         .clip = {-threshold, threshold}};
    };
    protocol::TensorView view;
    for (const Choice& choice : request.choices) {
        Outcome outcome{.choice = choice};
        outcome.whole.quantizer = quantizerOf(greatest);
        outcome.whole.extents = {
            .finite = 10 * absMax.size(), .min = -greatest, .max = greatest, .absMin = 0.0};
        const bool isPerChannel = choice.granularity == Granularity::Channel;
        outcome.whole.metrics = {{"sqnr_db", isPerChannel ? 40.0 : 25.5}};
        for (const double largest : absMax) {
            if (!isPerChannel)
                break;
            ScaleRow row;
            row.quantizer = quantizerOf(largest);
            row.extents = {.finite = 10, .min = -largest, .max = largest / 2.0};
            outcome.channels.push_back(row);
        }
        view.outcomes.push_back(std::move(outcome));
    }
    return view;
}

/// A strip of so many channels in which every cell holds one value.
[[nodiscard]] inline Strip evenStrip(const protocol::StripRequest& request, std::uint64_t channels)
{
    Strip strip{.range = {0.0, 4.0}, .rows = channels, .columns = request.columns};
    strip.counts.assign(channels * request.columns, 1);
    return strip;
}

}  // namespace calibscope::test
