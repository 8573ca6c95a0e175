// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/output_sums.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::layers {

namespace {

double squaresOf(std::span<const double> values)
{
    double sum = 0.0;
    for (const double value : values)
        sum += value * value;
    return sum;
}

}  // namespace

double decibels(double signal, double noise)
{
    if (noise == 0.0)
        return std::numeric_limits<double>::infinity();
    return 10.0 * std::log10(signal / noise);
}

void OutputSums::Shifted::addValue(double value, bool isFirst)
{
    if (isFirst)
        first = value;
    const double left = value - first;
    sum += left;
    squares += left * left;
}

void OutputSums::Shifted::add(std::span<const double> values, bool isFirst)
{
    for (const double value : values) {
        addValue(value, isFirst);
        isFirst = false;
    }
}

double OutputSums::Shifted::varied(double count) const
{
    return std::max(squares - sum * sum / count, 0.0);
}

void OutputSums::begin(std::size_t positions)
{
    m_signalAt.assign(positions, 0.0);
    m_noiseAt.assign(positions, 0.0);
}

void OutputSums::add(std::size_t channel, const ChannelErrors& errors)
{
    Channel& sums = m_channels[channel];
    const bool isFirst = m_positions == 0;
    double error = 0.0;
    double noise = 0.0;
    double signal = 0.0;
    for (std::size_t i = 0; i < errors.error.size(); ++i) {
        const double square = errors.error[i] * errors.error[i];
        const double power = errors.output[i] * errors.output[i];
        error += errors.error[i];
        noise += square;
        signal += power;
        m_noiseAt[i] += square;
        m_signalAt[i] += power;
        sums.difference.addValue(errors.output[i] - errors.computed[i], isFirst && i == 0);
    }
    sums.error += error;
    sums.noise += noise;
    sums.signal += signal;
    sums.output.add(errors.output, isFirst);
    sums.byInput += squaresOf(errors.byInput);
    sums.byWeight += squaresOf(errors.byWeight);
    m_hasInputPart = m_hasInputPart || !errors.byInput.empty();
    m_hasWeightPart = m_hasWeightPart || !errors.byWeight.empty();
}

void OutputSums::end()
{
    for (std::size_t i = 0; i < m_signalAt.size(); ++i) {
        m_signalSquares += m_signalAt[i] * m_signalAt[i];
        m_noiseSquares += m_noiseAt[i] * m_noiseAt[i];
        m_products += m_signalAt[i] * m_noiseAt[i];
    }
    m_positions += m_signalAt.size();
}

double OutputSums::total(double Channel::*member) const
{
    double sum = 0.0;
    for (const Channel& channel : m_channels)
        sum += channel.*member;
    return sum;
}

double OutputSums::signal() const
{
    return total(&Channel::signal);
}

double OutputSums::noise() const
{
    return total(&Channel::noise);
}

double OutputSums::residual() const
{
    double left = 0.0;
    for (const Channel& channel : m_channels)
        left += channel.difference.varied(static_cast<double>(m_positions));
    const double all = signal();
    if (all == 0.0)
        return left == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    return std::sqrt(left / all);
}

double OutputSums::variedError() const
{
    double left = 0.0;
    const auto count = static_cast<double>(m_positions);
    for (const Channel& channel : m_channels)
        left += std::max(channel.noise - channel.error * channel.error / count, 0.0);
    return left;
}

double OutputSums::halfInterval() const
{
    const auto count = static_cast<double>(m_positions);
    const double meanSignal = signal() / count;
    const double meanNoise = noise() / count;
    if (m_positions < 2 || meanSignal == 0.0 || meanNoise == 0.0)
        return 0.0;
    // q / mean q - p / mean p has the mean 0.
    const double squares = m_signalSquares / (meanSignal * meanSignal) +
                           m_noiseSquares / (meanNoise * meanNoise) -
                           2.0 * m_products / (meanSignal * meanNoise);
    const double deviation = std::sqrt(std::max(squares, 0.0) / (count - 1.0));
    constexpr double ofNormal = 1.96;  // 95 % of a normal distribution
    return ofNormal * 10.0 / std::log(10.0) * deviation / std::sqrt(count);
}

void OutputSums::reportChannels(LayerResult& result, bool withChannels) const
{
    const auto count = static_cast<double>(m_positions);
    constexpr double deadShare = 1e-12;
    const double dead = deadShare * signal() / static_cast<double>(m_channels.size());
    std::vector<double> living;
    LayerChannels all;
    for (const Channel& channel : m_channels) {
        const bool isDead = channel.signal <= dead;
        if (!isDead)
            living.push_back(decibels(channel.signal, channel.noise));
        if (!withChannels)
            continue;
        const double left = std::max(channel.noise - channel.error * channel.error / count, 0.0);
        all.signal.push_back(channel.signal / count);
        all.noise.push_back(channel.noise / count);
        all.meanError.push_back(channel.error / count);
        all.gainDb.push_back(channel.noise == 0.0 ? 0.0 : decibels(channel.noise, left));
        all.isDead.push_back(isDead);
    }
    result.channels = std::move(all);
    if (living.empty())
        return;
    result.leastChannelDb = *std::ranges::min_element(living);
    result.medianChannelDb = medianOf(std::move(living));
}

void OutputSums::report(LayerResult& result, bool withChannels) const
{
    double varied = 0.0;
    for (const Channel& channel : m_channels)
        varied += channel.output.varied(static_cast<double>(m_positions));
    const double all = signal();
    const double errors = noise();
    result.positions = m_positions;
    result.outputSqnrDb = decibels(all, errors);
    result.outputAcDb = decibels(varied, errors);
    if (m_hasInputPart)
        result.inputDb = decibels(all, total(&Channel::byInput));
    if (m_hasWeightPart)
        result.weightDb = decibels(all, total(&Channel::byWeight));
    if (m_positions < result.of)
        result.intervalDb = halfInterval();
    result.biasGainDb = errors == 0.0 ? 0.0 : decibels(errors, variedError());
    reportChannels(result, withChannels);
}

}  // namespace calibscope::layers
