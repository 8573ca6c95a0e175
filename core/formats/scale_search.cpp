// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/scale_search.h"

#include "core/formats/weighted_scales.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace calibscope {

namespace {

using Kind = ScaleSearch::Kind;

/// The same block with its ends moved, in float32 as the tools have it.
BlockPeak scaledPeak(BlockPeak peak, float factor)
{
    peak.low *= factor;
    peak.high *= factor;
    peak.extreme *= factor;
    return peak;
}

/// 39 numbers from 0.25 to 4, as PyTorch's linspace: from each end to the middle.
float multiplier(int index)
{
    constexpr float step = (4.0F - 0.25F) / 38.0F;
    return index < 19 ? 0.25F + static_cast<float>(index) * step
                      : 4.0F - static_cast<float>(38 - index) * step;
}

/// Factors of the ends of a block. Four over six: m / 4 is m / 6 of a block half as large again.
std::vector<float> searchFactors(const ScaleSearch& search)
{
    std::vector<float> factors;
    if (search.kind == Kind::Multiplier)
        for (int i = 0; i < 39; ++i)
            factors.push_back(multiplier(i));
    if (search.kind == Kind::Shrink)
        for (int i = 0; i < std::max(static_cast<int>(search.maxShrink * search.grid), 1); ++i)
            factors.push_back(
                static_cast<float>(search.expand * (1.0 - static_cast<double>(i) / search.grid)));
    if (factors.empty())
        factors.push_back(1.0F);
    if (search.kind == Kind::FourOverSix)
        factors.push_back(1.5F);
    return factors;
}

/// Powers of two about that of ScaleRule::Floor.
std::vector<BlockScale> exponentTrials(const BlockFormat& format, const BlockPeak& peak)
{
    BlockFormat floor = format;
    floor.rule = ScaleRule::Floor;
    const BlockScale middle = blockScale(floor, peak, 1.0F);
    std::vector<BlockScale> trials;
    for (int offset = -1; offset <= 2; ++offset)
        if (const int pattern = static_cast<int>(middle.pattern) + offset;
            pattern >= 0 && pattern <= 254)
            trials.push_back(storedBlockScale(format, static_cast<unsigned>(pattern), 1.0F));
    return trials;
}

/// Values that count, which steps go through again and again.
std::vector<float> finiteValues(std::span<const float> values)
{
    std::vector<float> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](float value) { return std::isfinite(value); });
    return finite;
}

/// One scale after the other, each that by which its integers' products come nearest to the values:
/// at most 20, until one differs from the former by less than 1e-5 of it.
BlockScale leastSquaresScale(const BlockFormat& format, const BlockPeak& peak,
                             const std::vector<float>& values)
{
    const double start = -static_cast<double>(peak.largest()) / format.element->numbers().least();
    BlockScale scale = storedScale(format, static_cast<float>(start));
    for (int step = 0; step < 20; ++step) {
        double products = 0.0;
        double squares = 0.0;
        for (const float value : values) {
            const auto level = static_cast<double>(
                format.element->nearest(quotientOf(format, scale, value), format.ties));
            products += static_cast<double>(value) * level;
            squares += level * level;
        }
        if (squares == 0.0 || !(products > 0.0))
            break;
        const BlockScale next = storedScale(format, static_cast<float>(products / squares));
        const float change = std::abs(next.scale - scale.scale);
        if (next.quotient == 0.0F)
            break;
        const bool isOver = change < 1e-5F * scale.scale;
        scale = next;
        if (isOver)
            break;
    }
    return scale;
}

/// Half-quadratic steps of a zero point (Badri and Shaji 2023): errors are shrunk towards 0 by a
/// norm of 0.7, and the zero point is the mean of what they leave.
class ZeroSteps
{
public:
    static constexpr std::size_t mostSteps = 20;

    ZeroSteps(const BlockFormat& format, const BlockScale& start, const std::vector<float>& values)
        : m_format(format), m_scale(start), m_values(values)
    {
        m_scale.zeroPoint = std::nearbyint(m_scale.zeroPoint);
    }

    /// Takes a step; the sum of the magnitudes of the errors before it.
    double next()
    {
        const auto most = static_cast<float>(m_format.element->largest());
        const auto width = static_cast<float>(1.0 / m_beta);
        double error = 0.0;
        double sum = 0.0;
        for (const float value : m_values) {
            const float level = std::clamp(
                std::nearbyint(value * m_scale.quotient + m_scale.zeroPoint), 0.0F, most);
            const float rest = value - (level - m_scale.zeroPoint) / m_scale.quotient;
            const float size = std::abs(rest);
            const float shrunk =
                size > 0.0F ? std::max(size - width * std::pow(size, -0.3F), 0.0F) : 0.0F;
            sum += static_cast<double>(level -
                                       (value - std::copysign(shrunk, rest)) * m_scale.quotient);
            error += static_cast<double>(size);
        }
        m_scale.zeroPoint = static_cast<float>(sum / static_cast<double>(m_values.size()));
        m_beta *= 1.01;
        return error;
    }

    [[nodiscard]] const BlockScale& scale() const { return m_scale; }

private:
    const BlockFormat& m_format;
    BlockScale m_scale;
    const std::vector<float>& m_values;
    double m_beta = 10.0;
};

/// d^T H d of finite errors.
double errorTogether(std::span<const float> values, std::span<const float> decoded,
                     const ErrorWeights& weights)
{
    std::vector<double> errors;
    for (std::size_t i = 0; i < values.size(); ++i)
        errors.push_back(std::isfinite(values[i])
                             ? static_cast<double>(values[i]) - static_cast<double>(decoded[i])
                             : 0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const std::span<const double> row =
            weights.products.subspan(i * weights.stride, errors.size());
        double product = 0.0;
        for (std::size_t j = 0; j < errors.size(); ++j)
            product += row[j] * errors[j];
        sum += errors[i] * product;
    }
    return sum;
}

}  // namespace

std::vector<ScaleTrial> trialScales(const BlockFormat& format, const BlockPeak& peak,
                                    float tensorScale)
{
    const Kind kind = format.search.kind;
    const bool isShared = format.search.endsByTensor;
    std::vector<BlockScale> scales;
    std::vector<float> factors{1.0F};
    if (peak.largest() == 0.0F)
        scales = {};
    else if (kind == Kind::Sweep && format.isPowerOfTwo())
        scales = exponentTrials(format, peak);
    else if (kind == Kind::Sweep)
        for (unsigned pattern = 1; format.scales->decode(pattern) > 0.0F; ++pattern)
            scales.push_back(storedBlockScale(format, pattern, tensorScale));
    else
        factors = searchFactors(format.search);
    std::vector<ScaleTrial> trials;
    for (const BlockScale& scale : scales)
        trials.push_back({scale, scale});
    if (!trials.empty())
        return trials;
    for (const float factor : factors) {
        ScaleTrial trial{.stored = blockScale(format, scaledPeak(peak, factor), tensorScale)};
        trial.tried = trial.stored;
        if (isShared && format.rule == ScaleRule::TwoLevel)
            trial.tried.scale = trial.tried.quotient =
                peak.largest() * factor / static_cast<float>(format.element->largest());
        const bool isSame = !trials.empty() && !isShared &&
                            trials.back().stored.scale == trial.stored.scale &&
                            trials.back().stored.quotient == trial.stored.quotient &&
                            trials.back().stored.zeroPoint == trial.stored.zeroPoint;
        if (!isSame)
            trials.push_back(trial);
    }
    return trials;
}

double searchError(const BlockFormat& format, const BlockScale& scale,
                   std::span<const float> values, const ErrorWeights& weights)
{
    std::vector<float> decoded(values.size());
    encodeBlock(format, scale, values, decoded, {});
    if (!weights.products.empty())
        return errorTogether(values, decoded, weights);
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::isfinite(values[i])) {
            const double error =
                std::abs(static_cast<double>(values[i]) - static_cast<double>(decoded[i]));
            const double own =
                format.search.norm == 2.0 ? error * error : std::pow(error, format.search.norm);
            sum += weights.squares.empty() ? own : own * static_cast<double>(weights.squares[i]);
        }
    return sum;
}

void BlockSearch::watch(const BlockPeak& peak, std::span<const float> values,
                        const ErrorWeights& weights)
{
    if (peak.largest() == 0.0F)
        return;
    if (m_format.search.kind == Kind::Hqq) {
        const std::vector<float> finite = finiteValues(values);
        ZeroSteps steps(m_format, blockScale(m_format, peak, m_tensorScale), finite);
        m_errors.resize(ZeroSteps::mostSteps);
        for (double& error : m_errors)
            error += steps.next();
        return;
    }
    std::vector<double> errors;
    for (const ScaleTrial& trial : trialScales(m_format, peak, m_tensorScale))
        errors.push_back(searchError(m_format, trial.tried, values, weights));
    watch(errors);
}

void BlockSearch::watch(std::span<const double> errors)
{
    m_gains.resize(std::max(m_gains.size(), errors.size()));
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < errors.size(); ++i) {
        m_gains[i] = m_gains[i] || errors[i] < least;
        least = std::min(least, errors[i]);
    }
}

template <typename ErrorOf>
std::size_t BlockSearch::bestOf(std::size_t trials, const ErrorOf& errorOf) const
{
    const int patience = m_format.search.patience;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    int inVain = 0;
    for (std::size_t i = 0; i < trials; ++i) {
        const double error = errorOf(i);
        const bool isGain = error < least;
        if (isGain) {
            least = error;
            best = i;
        }
        inVain = (isShared() ? i < m_gains.size() && m_gains[i] : isGain) ? 0 : inVain + 1;
        if (patience > 0 && inVain >= patience)
            break;
    }
    return best;
}

std::size_t BlockSearch::best(std::span<const double> errors) const
{
    return bestOf(errors.size(), [&](std::size_t i) { return errors[i]; });
}

BlockScale BlockSearch::scale(const BlockPeak& peak, std::span<const float> values,
                              const ErrorWeights& weights) const
{
    const BlockScale own = blockScale(m_format, peak, m_tensorScale);
    const Kind kind = m_format.search.kind;
    if (kind == Kind::None || peak.largest() == 0.0F)
        return own;
    if (!m_format.search.isIterative()) {
        const std::vector<ScaleTrial> trials = trialScales(m_format, peak, m_tensorScale);
        return trials[bestOf(trials.size(),
                             [&](std::size_t i) {
                                 return searchError(m_format, trials[i].tried, values, weights);
                             })]
            .stored;
    }
    const std::vector<float> finite = finiteValues(values);
    if (kind == Kind::LeastSquares)
        return leastSquaresScale(m_format, peak, finite);
    if (kind == Kind::Weighted)
        return weightedScales(m_format, values, weights.squares).front();
    ZeroSteps steps(m_format, own, finite);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ZeroSteps::mostSteps; ++i) {
        const double ownError = steps.next();
        const double error = isShared() ? m_errors[i] : ownError;
        if (error >= least)
            break;
        least = error;
    }
    return steps.scale();
}

}  // namespace calibscope
