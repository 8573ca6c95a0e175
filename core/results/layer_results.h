// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What quantizing a layer's operands does to its output, computed from what was recorded
/// (resources/docs/layers.md): plain values.
namespace calibscope {

/// A channel of an input whose largest magnitude is far above its neighbours'.
struct DominantChannel
{
    std::uint64_t channel = 0;
    double absMax = 0.0;
    double ratio = 0.0;  ///< to the median of all channels' largest magnitudes

    bool operator==(const DominantChannel&) const = default;
};

/// One of both operands of a layer.
struct LayerOperand
{
    std::string tensor;  ///< its name; of one that is not in the dump, as the layer calls it
    std::string path;    ///< of its dataset; empty: not in the dump
    /// The candidate that was decided for it: id as of candidates, and label; both empty: none, it
    /// counts as float.
    std::string candidate = {};
    std::string label = {};
    bool isWeight = false;
    /// The tensor whose decision it has, where that is not its own: values were only moved.
    std::string decidedBy = {};

    [[nodiscard]] bool isDecided() const { return !label.empty(); }
    bool operator==(const LayerOperand&) const = default;
};

/// One number for each output channel of a layer, over the positions that were computed. All
/// vectors are of one length.
struct LayerChannels
{
    std::vector<double> signal;     ///< mean square of the output
    std::vector<double> noise;      ///< mean square of the error
    std::vector<double> meanError;  ///< the shift that correcting the bias removes
    /// Gain of correcting it: how much less noise there is without its mean, in dB, at least 0;
    /// infinite where the error is nothing but a shift, 0 where there is none.
    std::vector<double> gainDb;
    std::vector<bool> isDead;  ///< signal below 1e-12 of the channels' mean: left out of medians

    [[nodiscard]] std::size_t size() const { return signal.size(); }
    bool operator==(const LayerChannels&) const = default;
};

/// What was found of a layer (Conv, ConvTranspose, Gemm, MatMul). Numbers are there where
/// whyNot is empty.
struct LayerResult
{
    std::string layer;  ///< name of its output; without a recorded one, of the node
    std::string path;   ///< of the output's dataset; empty: not in the dump
    std::string op;
    LayerOperand input;
    LayerOperand weight;  ///< or the second activation of a MatMul
    std::string whyNot;   ///< why there are no numbers, as a sentence; empty: there are

    /// 10 log10(sum y^2 / sum e^2); infinite without any error, -infinite for an error on an output
    /// of zeros.
    std::optional<double> outputSqnrDb = {};
    /// Half width of its 95 % interval; nothing: all positions were computed.
    std::optional<double> intervalDb = {};
    std::optional<double> outputAcDb = {};  ///< signal without each channel's mean
    std::optional<double> inputDb = {};     ///< the input alone quantized; nothing: it is float
    std::optional<double> weightDb = {};    ///< the weight alone quantized; nothing: it is float
    std::optional<double> residual = {};    ///< of the self-check; nothing: no recorded output
    std::uint64_t positions = 0;            ///< computed
    std::uint64_t of = 0;                   ///< all there are: samples times places
    std::string attributes = {};  ///< "recorded", or what was found by recomputing; empty: it needs
                                  ///< none
    std::vector<std::string> notes = {};

    /// SQNR that correcting the mean error of each channel would gain, in dB.
    std::optional<double> biasGainDb = {};
    std::optional<double> medianChannelDb = {};  ///< of the channels that are not dead
    std::optional<double> leastChannelDb = {};   ///< likewise
    LayerChannels channels = {};                 ///< empty unless asked for
    std::vector<DominantChannel> dominant = {};  ///< of the input, the largest first

    /// From all positions.
    [[nodiscard]] bool isExact() const { return whyNot.empty() && positions == of; }
    bool operator==(const LayerResult&) const = default;
};

/// All layers of a dump.
struct LayerReport
{
    std::string dump;
    std::uint64_t seed = 0;  ///< of the positions
    /// An output after those that it is made of, as far as inputs were recorded; layers without
    /// a recorded output behind them.
    std::vector<LayerResult> layers;

    bool operator==(const LayerReport&) const = default;
};

/// What a candidate on one operand does to the layer's output, the other operand as decided.
struct CandidateEffect
{
    std::string candidate;  ///< its id
    std::string label;
    bool isDecided = false;  ///< it is what was decided
    std::optional<double> outputSqnrDb = {};
    std::optional<double> differenceDb = {};  ///< to what was decided; above 0: better
    std::string problem = {};                 ///< why it has no numbers, as a sentence

    bool operator==(const CandidateEffect&) const = default;
};

/// What the candidates would change in a layer, on the same positions for all of them.
struct LayerCandidates
{
    LayerResult decided;                  ///< as decided: whyNot says why there is nothing below
    std::vector<CandidateEffect> input;   ///< with the weight as decided
    std::vector<CandidateEffect> weight;  ///< with the input as decided
    /// The pair of least noise: places in `input` and `weight`; nothing where one has no numbers.
    std::optional<std::size_t> bestInput = {};
    std::optional<std::size_t> bestWeight = {};
    std::optional<double> bestSqnrDb = {};
    std::optional<double> bestDifferenceDb = {};

    bool operator==(const LayerCandidates&) const = default;
};

/// What equalizing the channels between two layers would give, in dB of output error.
struct Equalization
{
    std::string first;                 ///< layer, by its output
    std::string second;                ///< the layer behind it
    std::string activation;            ///< what the second one takes, whose channels are scaled
    std::vector<std::string> through;  ///< tensors between both, in order
    std::string whyNot = {};           ///< why there are no numbers, as a sentence
    std::optional<double> firstBeforeDb = {};  ///< SQNR of the first layer's output
    std::optional<double> firstAfterDb = {};
    std::optional<double> secondBeforeDb = {};
    std::optional<double> secondAfterDb = {};
    double leastScale = 1.0;  ///< of the channels' factors s: z is divided by them
    double largestScale = 1.0;
    std::vector<DominantChannel> dominant = {};  ///< of the activation as recorded
    std::vector<std::string> notes = {};

    bool operator==(const Equalization&) const = default;
};

/// What is tried on a layer's operands.
enum class OperandAnalysis {
    Formats,  ///< number formats of the weight
    Smooth,   ///< SmoothQuant's factors for alpha 0 to 1, input and weight quantized
    Awq,      ///< AWQ's factors, of each kind
    AwqClip,  ///< AWQ's clip
    Rotate    ///< Hadamard rotations of groups of the input's channels
};
inline constexpr std::array<std::string_view, 5> operandAnalysisWords{"formats", "smooth", "awq",
                                                                      "awq-clip", "rotate"};

/// A trial on a layer's operands, and the error of its output.
struct OperandTrial
{
    /// "none", "smooth", "awq", "awq-duo", "awq-lite": what the input's channels are divided by and
    /// the weight's multiplied with; "clip": ends of the weight's blocks; "rotate"; a family of
    /// formats.
    std::string method = "none";
    std::string format = {};  ///< of the weight
    std::optional<double> setting =
        {};  ///< alpha, the share of the ends (nothing: each block its own), or channels of a group
    double effectiveBits = 0.0;  ///< of the weight
    double outputMse = 0.0;      ///< of each output at the positions that were computed
    std::optional<double> outputSqnrDb = {};
    std::vector<float> factors = {};           ///< of the input's channels; empty: none
    std::optional<std::uint64_t> blocks = {};  ///< for which this share of the ends is the best
    bool isBest = false;                       ///< the first of the largest SQNR

    bool operator==(const OperandTrial&) const = default;
};

/// Trials on a layer's operands.
struct OperandTrials
{
    std::string layer;  ///< name of its output; without a recorded one, of the node
    std::string input;
    std::string weight;
    std::string whyNot = {};  ///< why there are no trials, as a sentence
    std::uint64_t positions = 0;
    std::uint64_t of = 0;
    std::vector<std::string> notes = {};
    std::vector<OperandTrial> trials = {};
    std::vector<double> inputLargest = {};   ///< max |x| of each channel of the input
    std::vector<double> weightLargest = {};  ///< max |w| of those that meet it
    /// Share of each channel of the input in the error of the weight alone in its first format
    /// (int8-row where families are tried); may be below 0, as errors of channels that go together cancel out.
    std::vector<double> errorShares = {};

    bool operator==(const OperandTrials&) const = default;
};

}  // namespace calibscope
