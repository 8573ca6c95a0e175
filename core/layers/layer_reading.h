// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/layers/found_layers.h"
#include "core/layers/layer_errors.h"
#include "core/layers/layer_pass.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::layers {

/// Factors that operands are multiplied with before they are quantized, by channel; empty: none.
struct OperandFactors
{
    std::vector<float> input;         ///< of the input's channels
    std::vector<float> weightInput;   ///< of the weight's channels that meet these
    std::vector<float> weightOutput;  ///< of the weight's output channels
    std::vector<double> output;       ///< of the outputs that are computed
};

/// More that a pass computes.
struct PassExtras
{
    std::uint64_t unitsPerSample = 0;  ///< as LayerPass::Options
    std::function<bool(std::uint64_t sample)> gramsOf = {};
    std::span<const float> rounded = {};  ///< as LayerPass::setWeight()
};

/// A layer of a dump whose operands are there, to be passed over as often as needed.
class LayerReading
{
public:
    /// Reads the weight, and what finding attributes that were not recorded needs. Throws
    /// Error(Input) with a sentence that says why the layer can't be computed. `dump` and `options`
    /// must outlive it.
    LayerReading(const LayerDump& dump, const FoundLayer& layer, const LayerOptions& options,
                 const Progress& progress);

    [[nodiscard]] const LayerPlan& plan() const { return m_plan; }
    [[nodiscard]] const std::string& attributes() const { return m_attributes; }
    [[nodiscard]] bool hasOutput() const { return m_hasOutput; }
    /// How much of input and output their masks leave, as sentences.
    [[nodiscard]] std::vector<std::string> maskNotes() const;
    /// The input was recorded in 16 bits or fewer.
    [[nodiscard]] bool hasRoughInput() const;
    [[nodiscard]] std::span<const float> weight() const { return m_weight; }
    /// max |w| of each output channel, or of each channel of the input.
    [[nodiscard]] std::vector<double> weightRanges(bool ofInputs) const;
    /// The weight times its factors.
    [[nodiscard]] std::vector<float> weightTimes(const OperandFactors& factors) const;

    /// A scale of the input as it is applied.
    [[nodiscard]] std::optional<AppliedScale>
    appliedToInput(const std::optional<TensorQuantization>& scale) const;
    [[nodiscard]] std::optional<AppliedScale>
    appliedToWeight(const std::optional<TensorQuantization>& scale) const;

    /// The positions that a pass computes.
    [[nodiscard]] PositionPlan positions() const;

    /// Passes over all samples. Throws Error(Input) with a sentence where values are not finite,
    /// where there is not enough memory, or where the self-check fails.
    [[nodiscard]] LayerPass passed(Alternatives alternatives, const OperandFactors& factors = {},
                                   const PassExtras& extras = {}) const;

private:
    [[nodiscard]] const TensorInfo& tensor(std::optional<std::size_t> place) const;
    [[nodiscard]] const TensorInfo& input() const { return tensor(m_layer.input.tensor); }
    [[nodiscard]] const TensorInfo& secondOperand() const { return tensor(m_layer.weight.tensor); }
    [[nodiscard]] const TensorInfo& output() const { return tensor(m_layer.output); }
    void requireReadable(const TensorInfo& info) const;
    void checkSamples() const;
    void setGeometry();
    [[nodiscard]] OpGeometry foundGeometry() const;
    void requireRoom(std::size_t inputs, std::size_t weights, std::uint64_t unitsPerSample) const;
    [[nodiscard]] double residualLimit() const;
    void check(const LayerPass& pass) const;

    const LayerDump& m_dump;
    const FoundLayer m_layer;
    const LayerOptions& m_options;
    Progress m_progress;
    LayerShapes m_shapes;
    LayerPlan m_plan;
    std::string m_attributes;
    bool m_hasOutput = true;
    std::vector<float> m_weight;  ///< empty for a second activation
};

}  // namespace calibscope::layers
