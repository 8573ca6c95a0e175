// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/layer_results.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope::layers {

/// The errors of one channel's outputs at some positions.
struct ChannelErrors
{
    std::span<const double> output;    ///< as recorded, else as computed
    std::span<const double> computed;  ///< without bias
    std::span<const double> error;     ///< of both operands quantized
    std::span<const double> byInput;   ///< of the input alone; empty: it is float
    std::span<const double> byWeight;  ///< likewise
};

/// Adds up the errors of a layer's outputs by channel and by position.
class OutputSums
{
public:
    explicit OutputSums(std::size_t channels) : m_channels(channels) {}

    /// Positions that all channels are about to be added for.
    void begin(std::size_t positions);
    void add(std::size_t channel, const ChannelErrors& errors);
    /// All channels of these positions were added.
    void end();

    [[nodiscard]] double signal() const;  ///< sum of squares of the outputs
    [[nodiscard]] double noise() const;   ///< of the errors
    [[nodiscard]] std::uint64_t positions() const { return m_positions; }
    /// As LayerPass::residual().
    [[nodiscard]] double residual() const;
    /// Sets the numbers of a layer; parts of float operands stay away.
    void report(LayerResult& result, bool withChannels) const;

private:
    /// Sums of what is left of the first value, so that a large mean costs no digits.
    struct Shifted
    {
        double first = 0.0;
        double sum = 0.0;
        double squares = 0.0;

        void add(std::span<const double> values, bool isFirst);
        void addValue(double value, bool isFirst);
        /// Sum of squares without their mean.
        [[nodiscard]] double varied(double count) const;
    };

    struct Channel
    {
        double signal = 0.0;
        double noise = 0.0;
        double error = 0.0;  ///< sum
        double byInput = 0.0;
        double byWeight = 0.0;
        Shifted output;
        Shifted difference;  ///< recorded less computed
    };

    [[nodiscard]] double total(double Channel::*member) const;
    [[nodiscard]] double variedError() const;
    [[nodiscard]] double halfInterval() const;
    void reportChannels(LayerResult& result, bool withChannels) const;

    std::vector<Channel> m_channels;
    std::uint64_t m_positions = 0;
    bool m_hasInputPart = false;
    bool m_hasWeightPart = false;
    std::vector<double> m_signalAt;  ///< of the positions that are being added
    std::vector<double> m_noiseAt;
    double m_signalSquares = 0.0;  ///< of positions: q^2
    double m_noiseSquares = 0.0;   ///< p^2
    double m_products = 0.0;       ///< p q
};

/// 10 log10(signal / noise); infinite without noise, -infinite for noise on nothing.
[[nodiscard]] double decibels(double signal, double noise);

}  // namespace calibscope::layers
