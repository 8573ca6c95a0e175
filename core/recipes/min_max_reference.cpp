#include "core/recipes/min_max_reference.h"

#include "core/recipes/make_choice.h"
#include "core/recipes/scale_rows.h"

#include <algorithm>

namespace calibscope {

namespace {

/// How far below min-max a threshold by the entropy text as written may lie before a note says so
/// (a quarter of the signal-to-noise ratio of one bit less).
constexpr double strikingLossDb = 6.0;

bool isEntropyAsWritten(const Choice& choice)
{
    return choice.calibrator == "entropy" && choice.settings.is("outliers-in-q", "yes");
}

}  // namespace

MinMaxReference::MinMaxReference(std::span<const Choice> choices, const TensorProfile& profile)
{
    for (const Choice& choice : choices) {
        if (!isEntropyAsWritten(choice) ||
            std::ranges::find(m_schemes, choice.scheme) != m_schemes.end())
            continue;
        Choice minMax = makeChoice("min-max", {}, choice.scheme.kind, Granularity::Tensor);
        minMax.scheme = choice.scheme;
        m_schemes.push_back(minMax.scheme);
        m_quantizers.push_back(calibrateProfile(minMax, profile).row.quantizer);
    }
}

void MinMaxReference::note(Outcome& outcome, std::span<const ErrorTally> tallies) const
{
    const auto found = std::ranges::find(m_schemes, outcome.choice.scheme);
    if (!isEntropyAsWritten(outcome.choice) || found == m_schemes.end())
        return;
    ScaleRow reference;
    reference.metrics = metricValues(tallies[static_cast<std::size_t>(found - m_schemes.begin())]);
    const std::optional<double> own = outcome.whole.metric("sqnr_db");
    const std::optional<double> minMax = reference.metric("sqnr_db");
    if (own && minMax && *own < *minMax - strikingLossDb)
        outcome.whole.notes.push_back("chosen by the text as written; see -open");
}

}  // namespace calibscope
