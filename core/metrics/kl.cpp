#include "core/metrics/metric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace calibscope::measure {

namespace {

/// Added to each bin's share, so that no logarithm is infinite.
constexpr double leastShare = 1e-12;

/// Shares of the bins with `leastShare` added to each, of sum 1.
template <typename Number>
std::vector<double> smoothedShares(const std::vector<Number>& masses)
{
    const double total =
        static_cast<double>(std::accumulate(masses.begin(), masses.end(), Number{}));
    const double smoothedTotal = 1.0 + leastShare * static_cast<double>(masses.size());
    std::vector<double> shares;
    shares.reserve(masses.size());
    for (const Number mass : masses)
        shares.push_back((static_cast<double>(mass) / total + leastShare) / smoothedTotal);
    return shares;
}

std::optional<double> evaluate(const ErrorSummary& errors)
{
    if (errors.sums.count == 0)
        return std::nullopt;
    const std::vector<double> recorded = smoothedShares(errors.recorded);
    const std::vector<double> quantized = smoothedShares(errors.quantized);
    double divergence = 0.0;
    for (std::size_t bin = 0; bin < recorded.size(); ++bin)
        divergence += recorded[bin] * std::log(recorded[bin] / quantized[bin]);
    return std::max(divergence, 0.0);  // equal distributions can sum to -1e-17
}

}  // namespace

Metric kl()
{
    return {.order = 80,
            .id = "kl",
            .title = "KL divergence",
            .unit = "nats",
            .summary = "Divergence of the quantized from the recorded distribution over 2048 bins "
                       "of the whole range; shown, never used to rank.",
            .better = Metric::Better::Neither,
            .evaluate = evaluate};
}

}  // namespace calibscope::measure
