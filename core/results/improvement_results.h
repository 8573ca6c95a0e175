// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/quant/tensor_quantization.h"
#include "core/results/layer_results.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Remedies for layers whose output quantization harms, judged on samples that they were not made
/// from (resources/docs/improve.md): plain values.
namespace calibscope {

enum class Remedy {
    Precision,  ///< layers with few positions stay float
    Channels,   ///< loud channels of the input divided, weights multiplied
    Rounding,   ///< of weights below 8 bits, by their error at the output
    Bias,       ///< the mean error of each output channel taken away
};

/// A layer's errors under a remedy, on top of those before it.
struct RemedyResult
{
    std::string remedy;   ///< "decided", "precision", "channels", "rounding", "bias", "all"
    std::string setting;  ///< what was chosen for it; empty: it has none
    std::optional<double> calibrationDb = {};  ///< SQNR over the samples that it was made from
    std::optional<double> heldOutDb = {};      ///< over the others; nothing: none are held out
    std::optional<double> gainDb = {};         ///< held out, to the row before; "all": to "decided"
    std::optional<double> intervalDb = {};     ///< half width of its 95 % interval
    std::optional<double> overfitDb = {};      ///< gain in calibration less the gain held out
    bool isChosen = false;
    std::string changes = {};  ///< of the model, as a sentence
    std::vector<std::string> notes = {};

    bool operator==(const RemedyResult&) const = default;
};

/// A remedy with less is not chosen: scales times 1 to 1.003, which nobody would call better or
/// worse, change the noise of whole networks by more (resources/docs/improve.md, "Luck").
constexpr double leastRemedyGainDb = 0.1;

/// Reason against a gain on the samples held out; empty: it is above half its interval, and not
/// below leastRemedyGainDb.
[[nodiscard]] std::string whyNoGain(const RemedyResult& result);

/// How the channels of a layer's input are divided.
struct ChannelDivision
{
    double alpha = 0.0;
    std::vector<float> factors = {};     ///< of each channel; empty: they are not
    std::vector<std::string> fold = {};  ///< constants of the model that take them
    /// Multiplications for a sample of a Mul in front of the layer, which takes them instead; 0:
    /// there is none.
    std::uint64_t ofMul = 0;
    bool operator==(const ChannelDivision&) const = default;
};

/// A layer with its remedies, and what the chosen ones change.
struct LayerImprovement
{
    LayerResult decided;          ///< names; whyNot says why there is nothing but the first row
    std::uint64_t positions = 0;  ///< that calibrate, computed or not
    std::uint64_t columns = 0;    ///< products that make one output
    std::uint64_t multiplications = 0;  ///< for a sample; 0: not known
    std::vector<RemedyResult> rows;     ///< "decided" first, "all" last

    // Of the remedies that were chosen.
    bool isFloat = false;
    std::vector<double> biasShift = {};  ///< for each output channel; empty: none moves
    ChannelDivision division = {};
    WeightRounding rounding = {};

    [[nodiscard]] bool isImproved() const
    {
        return isFloat || !biasShift.empty() || !division.factors.empty() ||
               !rounding.integers.empty();
    }
    bool operator==(const LayerImprovement&) const = default;
};

[[nodiscard]] bool hasRemedy(const LayerImprovement& layer, Remedy remedy);

/// All layers of a dump, in the order of LayerReport.
struct ImprovementReport
{
    std::string dump;
    std::vector<LayerImprovement> layers;

    bool operator==(const ImprovementReport&) const = default;
};

struct ImprovementCounts
{
    std::uint64_t computed = 0;
    std::uint64_t improved = 0;            ///< by other remedies than to stay float
    std::array<std::uint64_t, 4> of = {};  ///< layers that have it, by Remedy
};

/// `has`: whether a layer is counted with that remedy.
[[nodiscard]] ImprovementCounts
countsOf(const ImprovementReport& report,
         const std::function<bool(const LayerImprovement&, Remedy)>& has = hasRemedy);

}  // namespace calibscope
