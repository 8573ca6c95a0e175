// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/min_max_reference.h"

#include "core/base/find_by_id.h"
#include "core/metrics/metric.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace calibscope {

namespace {

/// How far below min-max an entropy threshold may lie before a note says so (one bit less).
constexpr double strikingLossDb = 6.0;

bool isEntropy(const Choice& choice)
{
    return choice.calibrator == "entropy";
}

/// Of the text as written there is another reading to look at; without it there is nothing to add.
std::string_view lossNote(const Choice& choice)
{
    return choice.settings.is("outliers-in-q", "yes")
               ? "follows the source literally; see -open (no fold-in)"
               : "more than 6 dB below min-max";
}

std::optional<double> sqnrOf(const ErrorTally& errors)
{
    ErrorSummary sums;  // the metric needs no more of it
    sums.sums = errors.sums;
    return findById(metrics(), "sqnr_db", "metric").evaluate(sums);
}

}  // namespace

MinMaxReference::MinMaxReference(std::span<const Choice> choices, const TensorProfile& profile)
{
    for (const Choice& choice : choices) {
        if (!isEntropy(choice) || std::ranges::find(m_schemes, choice.scheme) != m_schemes.end())
            continue;
        Choice minMax = makeChoice("min-max", {}, choice.scheme.kind, Granularity::Tensor);
        minMax.scheme = choice.scheme;
        m_schemes.push_back(minMax.scheme);
        m_quantizers.push_back(calibrateProfile(minMax, profile).row.quantizer);
    }
}

void MinMaxReference::note(ScaleRow& row, const Choice& choice, const ErrorTally& own,
                           std::span<const ErrorTally> tallies) const
{
    const auto found = std::ranges::find(m_schemes, choice.scheme);
    if (!isEntropy(choice) || found == m_schemes.end())
        return;
    const std::optional<double> ownDb = sqnrOf(own);
    const std::optional<double> minMaxDb =
        sqnrOf(tallies[static_cast<std::size_t>(found - m_schemes.begin())]);
    if (ownDb && minMaxDb && *ownDb < *minMaxDb - strikingLossDb)
        row.notes.emplace_back(lossNote(choice));
}

}  // namespace calibscope
