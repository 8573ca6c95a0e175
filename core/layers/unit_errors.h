// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/output_sums.h"
#include "core/layers/sample_split.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope::layers {

/// Signal and noise of a layer's output, unit by unit: sums of squares over the unit's positions and
/// all channels.
struct UnitNoise
{
    std::vector<double> signal;
    std::vector<double> noise;
};

/// A constant for each output channel, and how sure it is.
struct ChannelShift
{
    std::vector<double> shift;
    /// Standard error over the samples that it is the mean of; infinite for a single one.
    std::vector<double> standardError;
};

/// Errors of a layer's outputs by unit and channel. A unit is a sample, or where there are few one
/// of the equal parts of its positions: position i of a sample belongs to part i modulo their
/// number.
class UnitErrors
{
public:
    UnitErrors() = default;
    UnitErrors(std::uint64_t samples, std::uint64_t unitsPerSample, std::uint64_t channels);

    /// Bytes that it takes.
    [[nodiscard]] static std::uint64_t bytesFor(std::uint64_t units, std::uint64_t channels);

    [[nodiscard]] std::uint64_t unitOf(std::uint64_t sample, std::uint64_t position) const;
    [[nodiscard]] std::uint64_t sampleOf(std::uint64_t unit) const { return unit / m_perSample; }
    [[nodiscard]] std::uint64_t units() const { return m_positions.size(); }

    /// One channel's errors at some positions, with the unit of each.
    void add(std::size_t channel, std::span<const std::uint64_t> units,
             const ChannelErrors& errors);

    /// The noise that is left when a constant is added to each channel's output; empty: none is.
    [[nodiscard]] UnitNoise noiseWith(std::span<const double> shift = {}) const;
    /// The constants that take the mean error away from the samples that calibrate: minus the mean
    /// error of each channel over their positions.
    [[nodiscard]] ChannelShift meanShift(const SampleSplit& split) const;
    /// SQNR in dB over the samples that calibrate, or over those that judge; nothing where no
    /// sample does.
    [[nodiscard]] std::optional<double> sqnrDb(const UnitNoise& errors, const SampleSplit& split,
                                               bool calibrating) const;
    /// Half width of the 95 % interval of the gain in dB from `before` to `after` over the samples
    /// that judge: by the jackknife, leaving out one unit after the other. Nothing for fewer than
    /// two units, or where a noise is 0.
    [[nodiscard]] std::optional<double>
    gainInterval(const UnitNoise& before, const UnitNoise& after, const SampleSplit& split) const;

private:
    struct Cell
    {
        double signal = 0.0;
        double noise = 0.0;
        double error = 0.0;
    };

    std::uint64_t m_perSample = 1;
    std::uint64_t m_channels = 0;
    std::vector<Cell> m_cells;        ///< [unit][channel]
    std::vector<double> m_positions;  ///< of each unit
};

/// Parts that each sample's positions are cut into: 1 for 16 samples and more, so that 8 judge;
/// else as many as make 32 units, and no more than positions.
[[nodiscard]] std::uint64_t unitsPerSample(std::uint64_t samples, std::uint64_t positions);

}  // namespace calibscope::layers
