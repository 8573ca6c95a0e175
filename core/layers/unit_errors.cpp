// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/unit_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope::layers {

UnitErrors::UnitErrors(std::uint64_t samples, std::uint64_t unitsPerSample, std::uint64_t channels)
    : m_perSample(unitsPerSample),
      m_channels(channels),
      m_cells(samples * unitsPerSample * channels),
      m_positions(samples * unitsPerSample, 0.0)
{}

std::uint64_t UnitErrors::bytesFor(std::uint64_t units, std::uint64_t channels)
{
    return units * (channels * sizeof(Cell) + sizeof(double));
}

std::uint64_t UnitErrors::unitOf(std::uint64_t sample, std::uint64_t position) const
{
    return sample * m_perSample + position % m_perSample;
}

void UnitErrors::add(std::size_t channel, std::span<const std::uint64_t> units,
                     const ChannelErrors& errors)
{
    for (std::size_t i = 0; i < units.size(); ++i) {
        Cell& cell = m_cells[units[i] * m_channels + channel];
        cell.signal += errors.output[i] * errors.output[i];
        cell.noise += errors.error[i] * errors.error[i];
        cell.error += errors.error[i];
        if (channel == 0)
            m_positions[units[i]] += 1.0;
    }
}

UnitNoise UnitErrors::noiseWith(std::span<const double> shift) const
{
    UnitNoise sums{.signal = std::vector<double>(units()), .noise = std::vector<double>(units())};
    for (std::size_t unit = 0; unit < units(); ++unit)
        for (std::size_t channel = 0; channel < m_channels; ++channel) {
            const Cell& cell = m_cells[unit * m_channels + channel];
            const double by = shift.empty() ? 0.0 : shift[channel];
            sums.signal[unit] += cell.signal;
            // Below 0 only by what rounding leaves of it.
            sums.noise[unit] +=
                std::max(cell.noise + 2.0 * by * cell.error + m_positions[unit] * by * by, 0.0);
        }
    return sums;
}

ChannelShift UnitErrors::meanShift(const SampleSplit& split) const
{
    ChannelShift found{
        .shift = std::vector<double>(m_channels, 0.0),
        .standardError = std::vector<double>(m_channels, std::numeric_limits<double>::infinity())};
    for (std::size_t channel = 0; channel < m_channels; ++channel) {
        double error = 0.0;
        double positions = 0.0;
        std::vector<double> means;
        for (std::uint64_t sample = 0; sample < split.samples; ++sample) {
            if (!split.calibrates(sample))
                continue;
            double ofSample = 0.0;
            double count = 0.0;
            for (std::uint64_t unit = sample * m_perSample; unit < (sample + 1) * m_perSample;
                 ++unit) {
                ofSample += m_cells[unit * m_channels + channel].error;
                count += m_positions[unit];
            }
            error += ofSample;
            positions += count;
            if (count > 0.0)
                means.push_back(ofSample / count);
        }
        const double mean = positions > 0.0 ? error / positions : 0.0;
        found.shift[channel] = mean == 0.0 ? 0.0 : -mean;
        double squares = 0.0;
        for (const double one : means)
            squares += (one - mean) * (one - mean);
        const auto samples = static_cast<double>(means.size());
        if (samples > 1.0)
            found.standardError[channel] = std::sqrt(squares / (samples - 1.0) / samples);
    }
    return found;
}

std::optional<double> UnitErrors::sqnrDb(const UnitNoise& errors, const SampleSplit& split,
                                         bool calibrating) const
{
    if ((calibrating ? split.calibrating() : split.judging()) == 0)
        return std::nullopt;
    double signal = 0.0;
    double noise = 0.0;
    for (std::size_t unit = 0; unit < units(); ++unit)
        if (split.calibrates(sampleOf(unit)) == calibrating) {
            signal += errors.signal[unit];
            noise += errors.noise[unit];
        }
    return decibels(signal, noise);
}

std::optional<double> UnitErrors::gainInterval(const UnitNoise& before, const UnitNoise& after,
                                               const SampleSplit& split) const
{
    double allBefore = 0.0;
    double allAfter = 0.0;
    std::vector<std::size_t> judging;
    for (std::size_t unit = 0; unit < units(); ++unit)
        if (!split.calibrates(sampleOf(unit)) && m_positions[unit] > 0.0) {
            judging.push_back(unit);
            allBefore += before.noise[unit];
            allAfter += after.noise[unit];
        }
    if (judging.size() < 2)
        return std::nullopt;
    std::vector<double> gains;
    double mean = 0.0;
    for (const std::size_t unit : judging) {
        const double leftBefore = allBefore - before.noise[unit];
        const double leftAfter = allAfter - after.noise[unit];
        if (!(leftBefore > 0.0) || !(leftAfter > 0.0))
            return std::nullopt;
        gains.push_back(decibels(leftBefore, leftAfter));
        mean += gains.back();
    }
    const auto count = static_cast<double>(judging.size());
    mean /= count;
    double squares = 0.0;
    for (const double gain : gains)
        squares += (gain - mean) * (gain - mean);
    constexpr double ofNormal = 1.96;  // 95 % of a normal distribution
    return ofNormal * std::sqrt((count - 1.0) / count * squares);
}

std::uint64_t unitsPerSample(std::uint64_t samples, std::uint64_t positions)
{
    constexpr std::uint64_t enoughSamples = 16;
    constexpr std::uint64_t wanted = 32;
    if (samples >= enoughSamples || samples == 0)
        return 1;
    return std::clamp<std::uint64_t>((wanted + samples - 1) / samples, 1,
                                     std::max<std::uint64_t>(positions, 1));
}

}  // namespace calibscope::layers
