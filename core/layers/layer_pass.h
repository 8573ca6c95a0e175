// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layers/layer_plan.h"
#include "core/layers/positions.h"
#include "core/layers/unit_errors.h"
#include "core/quant/tensor_quantization.h"
#include "core/results/layer_results.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::layers {

/// A scale with where its axis lies: in a sample of the input, in the weight, in a sample of a
/// second activation. Checked: scales are finite and above 0, as many as the axis is long.
struct AppliedScale
{
    TensorQuantization scale;
    ChannelAxis axis = {};
};

/// Trials on both operands, the decided one first. Nothing stands for float.
struct Alternatives
{
    std::vector<std::optional<AppliedScale>> input;   ///< at least one
    std::vector<std::optional<AppliedScale>> weight;  ///< at least one
};

/// X^T X of a layer's inputs as they are quantized, for each group of channels.
struct InputGrams
{
    std::uint64_t depth = 0;
    std::uint64_t rows = 0;    ///< positions that were added up
    std::vector<double> sums;  ///< [group][depth][depth]

    [[nodiscard]] std::span<const double> of(std::uint64_t group) const
    {
        return std::span(sums).subspan(group * depth * depth, depth * depth);
    }
};

/// Magnitudes of a layer's input, by channel, over all values of all samples.
struct InputMagnitudes
{
    std::vector<double> largest;
    std::vector<double> mean;  ///< where there are grams; else empty
};

/// Flags of a sample's values that count; empty: all do.
struct SampleCounts
{
    std::span<const std::uint8_t> input = {};
    std::span<const std::uint8_t> output = {};

    [[nodiscard]] bool isEmpty() const { return input.empty() && output.empty(); }
};

/// Goes through a layer's samples and adds up what quantizing its operands does to its output. With
/// x^ = x + a, w^ = w + b, rounded to float32 as programs have them, the error of the output is
/// f(a, w) + f(x, b) + f(a, b); its first term is the input's part, its second the weight's. All
/// products and sums are in double: those of float32 values are exact there.
class LayerPass
{
public:
    struct Options
    {
        PositionPlan positions;
        bool hasOutput = true;  ///< add() is given outputs
        /// Multiplies each channel of the output; empty: by 1.
        std::vector<double> channelFactors = {};
        /// Parts of each sample's positions whose errors are summed by themselves; 0: only all
        /// positions are.
        std::uint64_t unitsPerSample = 0;
        /// Samples whose inputs, as decided, are added up in grams(); none: of no samples.
        std::function<bool(std::uint64_t sample)> gramsOf = {};
    };

    LayerPass(LayerPlan plan, Alternatives alternatives, const Options& options);
    ~LayerPass();
    LayerPass(LayerPass&&) noexcept;
    LayerPass& operator=(LayerPass&&) = delete;

    /// The weight's values, which must outlive the pass; to be called once before add(), unless
    /// they come with each sample. `rounded` are those of the first alternative, where it is not
    /// rounded to nearest.
    void setWeight(std::span<const float> values, std::span<const float> rounded = {});
    /// The next sample: values of the input, of a weight that comes with each sample (else none),
    /// and of the output (none if there is none). With flags, 0 for values that do not count,
    /// positions are left out that take such a value of the input or have one in the output.
    void add(std::span<const float> input, std::span<const float> weight,
             std::span<const float> output, const SampleCounts& counts = {});
    /// To be called once, after the last sample: what is below is known then.
    void finish();

    /// Which tensor holds NaN or infinite values: "input", "weight", "output"; empty: none does.
    /// With one there are no numbers.
    [[nodiscard]] const std::string& notFinite() const;

    /// Sets what was added up under what was decided: numbers, channels, dominant channels.
    void report(LayerResult& result, bool withChannels) const;
    /// SQNR in dB of each pair of alternatives: [input][weight].
    [[nodiscard]] std::vector<std::vector<double>> sqnrDb() const;
    /// Errors under what was decided, unit by unit; of no meaning where no units were asked for.
    [[nodiscard]] const UnitErrors& units() const;
    [[nodiscard]] const InputGrams& grams() const;
    [[nodiscard]] const InputMagnitudes& magnitudes() const;
    /// That were computed.
    [[nodiscard]] std::uint64_t positions() const;
    /// Sum of squares of the outputs at the positions that were computed.
    [[nodiscard]] double signal() const;
    /// rms(d - mean_c d) / rms(y) with d = y - f(x, w): the recorded output less the computed one,
    /// but for a constant of each channel. Nothing without outputs; infinite for outputs of zeros
    /// that are computed as others.
    [[nodiscard]] std::optional<double> residual() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Bytes that a pass takes beside the samples that it is given: for its alternatives, the weight
/// and what is gathered.
[[nodiscard]] std::uint64_t passBytes(const LayerPlan& plan, std::size_t inputAlternatives,
                                      std::size_t weightAlternatives);

/// Channels whose largest magnitude is at least eight times the median of all that are not 0, the
/// largest first, 16 at most; none of fewer than 8 channels. As a tensor's diagnosis has it.
[[nodiscard]] std::vector<DominantChannel> dominantChannels(std::span<const double> largest);

}  // namespace calibscope::layers
