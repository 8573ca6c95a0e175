// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/aimet/density_searches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace calibscope {

namespace {

struct CostTrial
{
    float scale;
    int offset;
};

constexpr int scalesAsymmetric = 16;
constexpr int offsetSteps = 20;
constexpr double scalesSymmetric = 100.0;

/// The observed range's own scale and offset, and its ends on their levels.
struct ObservedGrid
{
    CostTrial trial;
    float low;
    float high;
};

ObservedGrid observedGrid(const AveragedDensity& density, float steps)
{
    const float low = density.observedLow();
    const float scale = (density.observedHigh() - low) / steps;
    const int offset = static_cast<int>(std::round(low / scale));
    const float onGrid = scale * static_cast<float>(offset);
    return {.trial = {scale, offset}, .low = onGrid, .high = onGrid + scale * steps};
}

/// The trial inside the observed range; false where it reaches beyond both ends.
bool clampTo(const ObservedGrid& observed, float steps, CostTrial& trial)
{
    const float low = trial.scale * static_cast<float>(trial.offset);
    const float high = low + trial.scale * steps;
    if (low < observed.low && high > observed.high)
        return false;
    const float keptLow = std::max(observed.low, low);
    trial.scale = (std::min(observed.high, high) - keptLow) / steps;
    if (trial.scale > 0.0F)
        trial.offset = static_cast<int>(std::round(keptLow / trial.scale));
    return true;
}

std::vector<CostTrial> asymmetricTrials(const AveragedDensity& density, float steps)
{
    const ObservedGrid observed = observedGrid(density, steps);
    std::vector<CostTrial> trials;
    const auto all = static_cast<double>(steps);
    for (int part = 1; part <= scalesAsymmetric + 1; ++part)
        for (int index = 0; index <= offsetSteps; ++index) {
            CostTrial trial{static_cast<float>(part) / scalesAsymmetric * observed.trial.scale,
                            static_cast<int>(-all + all / offsetSteps * index)};
            if (clampTo(observed, steps, trial) && trial.scale > 0.0F)
                trials.push_back(trial);
        }
    trials.push_back(observed.trial);
    return trials;
}

std::vector<CostTrial> symmetricTrials(const AveragedDensity& density, float steps)
{
    const float largest = std::max(density.observedHigh(), -density.observedLow());
    const float widest = 2.0F * largest / steps;
    const int offset = static_cast<int>(std::floor(-steps / 2.0F));
    std::vector<CostTrial> trials;
    constexpr double part = 1.0 / scalesSymmetric;
    for (auto share = static_cast<float>(part); static_cast<double>(share) <= 1.0 + part;
         share = static_cast<float>(static_cast<double>(share) + part))
        trials.push_back({share * widest, offset});
    return trials;
}

/// Cost of a trial; the tool takes 2^b - 1 steps for it under every scheme.
class DensityCost
{
public:
    DensityCost(const AveragedDensity& density, const Scheme& scheme, double clippingWeight)
        : m_density(density),
          m_steps(static_cast<float>((1 << scheme.bits) - 1)),
          m_weight(static_cast<float>(clippingWeight))
    {
        for (std::size_t bin = 0; bin < AveragedDensity::bins; ++bin)
            m_middles.push_back(middle(static_cast<float>(bin)));
    }

    [[nodiscard]] float of(const CostTrial& trial) const
    {
        const float low = trial.scale * static_cast<float>(trial.offset);
        const float high = trial.scale * m_steps + low;
        const std::size_t first = binOf(low);
        const std::size_t last = binOf(high);
        float below = 0.0F;
        for (std::size_t bin = 0; bin < first; ++bin)
            addSquare(below, bin, m_middles[bin] - m_middles[first]);
        float above = 0.0F;
        for (std::size_t bin = last; bin < m_middles.size(); ++bin)
            addSquare(above, bin, m_middles[bin] - m_middles[last]);
        float rounding = 0.0F;
        const auto offset = static_cast<float>(trial.offset);
        for (std::size_t bin = first; bin < last; ++bin) {
            const float level = std::round(m_middles[bin] / trial.scale - offset);
            addSquare(rounding, bin, m_middles[bin] - trial.scale * (level + offset));
        }
        return m_weight * (below + above) + rounding;
    }

private:
    [[nodiscard]] float middle(float bin) const
    {
        return m_density.left(0) + bin * m_density.width() + m_density.width() / 2.0F;
    }
    [[nodiscard]] std::size_t binOf(float value) const
    {
        const float place = std::floor((value - m_density.left(0)) / m_density.width());
        return static_cast<std::size_t>(
            std::clamp(place, 0.0F, static_cast<float>(AveragedDensity::bins - 1)));
    }
    void addSquare(float& sum, std::size_t bin, float distance) const
    {
        const auto exact = static_cast<double>(distance);
        sum = static_cast<float>(static_cast<double>(sum) + m_density.share(bin) * (exact * exact));
    }

    const AveragedDensity& m_density;
    float m_steps;
    float m_weight;
    std::vector<float> m_middles;
};

}  // namespace

std::optional<AimetEncoding> densityLeastCost(const AveragedDensity& density, const Scheme& scheme,
                                              double clippingWeight)
{
    const auto steps = static_cast<float>(scheme.highLevel() - scheme.lowLevel());
    const std::vector<CostTrial> trials =
        scheme.isAffine() ? asymmetricTrials(density, steps) : symmetricTrials(density, steps);
    const DensityCost cost(density, scheme, clippingWeight);
    float least = std::numeric_limits<float>::max();
    std::optional<AimetEncoding> best;
    for (const CostTrial& trial : trials) {
        const float own = cost.of(trial);
        if (own < least) {
            least = own;
            best = {.scale = static_cast<double>(trial.scale),
                    .offset = static_cast<double>(trial.offset)};
        }
    }
    return best;
}

}  // namespace calibscope
