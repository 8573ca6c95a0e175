// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/improvements.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/layers/calibrated_anew.h"
#include "core/layers/channel_factors.h"
#include "core/layers/layer_costs.h"
#include "core/layers/layer_decisions.h"
#include "core/layers/layer_reading.h"
#include "core/layers/wanted_layers.h"
#include "core/layers/weight_rounding.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace calibscope::layers {

namespace {

/// The distance of neighbouring sums of an output channel in integers; nothing where an operand has
/// no scale, the input several, or the channel's groups have some of their own.
std::optional<double> stepOf(std::size_t channel, const std::optional<TensorQuantization>& input,
                             const std::optional<TensorQuantization>& weight)
{
    if (!input || !weight || input->axis || weight->group > 1)
        return std::nullopt;
    return static_cast<double>(input->scales.front()) *
           static_cast<double>(weight->scales[channel % weight->scales.size()]);
}

/// Integers of 8 bits and more are rounded to nearest: there a layer's gain is not the network's.
bool isRoundedByGrams(const TensorQuantization& weight)
{
    return weight.format.isInteger() && weight.format.bits() < 8 && !weight.roundsWithZeroPoint;
}

constexpr const char* leftOut = "left out as asked";

/// A layer with the decisions on its operands.
struct LayerSubject
{
    const LayerDump& dump;
    const FoundLayer& layer;
    OperandDecision inputDecision;
    OperandDecision weightDecision;
    std::vector<std::string> others;       ///< layers that multiply its input, too
    std::vector<std::string> weightUsers;  ///< and its weight
    Progress progress;

    [[nodiscard]] const TensorInfo& input() const { return dump.tensors()[*layer.input.tensor]; }
};

/// Names of the other layers that have that operand, too.
template <typename Operand>
std::vector<std::string> othersWith(Operand operand, const FoundLayer& layer,
                                    std::span<const FoundLayer> all)
{
    std::vector<std::string> names;
    for (const FoundLayer& other : all)
        if (other.name != layer.name && (other.*operand).tensor == (layer.*operand).tensor)
            names.push_back(other.name);
    return names;
}

/// One layer on its way through its remedies.
class LayerRemedies
{
public:
    LayerRemedies(const LayerSubject& subject, const LayerReading& reading,
                  const ImproveOptions& options, LayerImprovement& result)
        : m_subject(subject),
          m_reading(reading),
          m_input(scaleOf(subject.inputDecision)),
          m_weight(scaleOf(subject.weightDecision)),
          m_options(options),
          m_result(result),
          m_split{.heldOut = options.heldOut, .samples = reading.plan().samples}
    {}

    void compute(const FewPositions& few)
    {
        const LayerPass pass = passed(m_input, m_weight, {});
        pass.report(m_result.decided, false);
        addReadingNotes(m_reading, m_options.layers, m_result.decided);
        m_units = &pass.units();
        m_start = m_noise = m_units->noiseWith();
        refuseEmptyHalves();
        m_result.rows.push_back(row("decided", "", m_noise));
        if (asks(Remedy::Precision))
            keepFloat(few);
        if (asks(Remedy::Channels) && !m_result.isFloat)
            divideChannels();
        if (asks(Remedy::Rounding) && !m_result.isFloat && m_weight && isRoundedByGrams(*m_weight))
            roundWeight();
        if (asks(Remedy::Bias) && !m_result.isFloat)
            moveBias();
        addAll();
    }

private:
    [[nodiscard]] bool asks(Remedy remedy) const { return m_options.remedies.contains(remedy); }
    [[nodiscard]] bool isLeftOut(Remedy remedy) const
    {
        return m_options.without.contains({m_result.decided.layer, remedy});
    }

    [[nodiscard]] RemedyResult row(std::string remedy, std::string setting,
                                   const UnitNoise& errors) const
    {
        return {.remedy = std::move(remedy),
                .setting = std::move(setting),
                .calibrationDb = m_units->sqnrDb(errors, m_split, true),
                .heldOutDb = m_units->sqnrDb(errors, m_split, false)};
    }

    /// Where masks leave nothing of a half, nothing is learnt or judged.
    void refuseEmptyHalves() const
    {
        if (m_reading.maskNotes().empty())
            return;
        for (const bool calibrates : {true, false}) {
            double signal = 0.0;
            bool hasUnits = false;
            for (std::size_t unit = 0; unit < m_start.signal.size(); ++unit)
                if (m_split.calibrates(m_units->sampleOf(unit)) == calibrates) {
                    hasUnits = true;
                    signal += m_start.signal[unit];
                }
            if (hasUnits && signal == 0.0)
                throw Error(Fault::Input, "no position counts in the samples {}",
                            calibrates ? "that calibrate" : "held out");
        }
    }

    /// A row with its gains over other errors.
    [[nodiscard]] RemedyResult gainedRow(std::string remedy, std::string setting,
                                         const UnitNoise& errors, const UnitNoise& before) const
    {
        RemedyResult result = row(std::move(remedy), std::move(setting), errors);
        const RemedyResult from = row("", "", before);
        if (!result.heldOutDb)
            return result;
        const auto difference = [](double to, double value) {
            return to == value ? 0.0 : to - value;
        };
        result.gainDb = difference(*result.heldOutDb, *from.heldOutDb);
        result.intervalDb = m_units->gainInterval(before, errors, m_split);
        result.overfitDb =
            difference(difference(*result.calibrationDb, *from.calibrationDb), *result.gainDb);
        return result;
    }

    [[nodiscard]] LayerPass passed(const std::optional<TensorQuantization>& input,
                                   const std::optional<TensorQuantization>& weight,
                                   const OperandFactors& factors, PassExtras extras = {}) const
    {
        extras.unitsPerSample = unitsPerSample(m_split.samples, m_reading.positions().perSample);
        return m_reading.passed({.input = {m_reading.appliedToInput(input)},
                                 .weight = {m_reading.appliedToWeight(weight)}},
                                factors, extras);
    }

    void keepFloat(const FewPositions& few)
    {
        if (m_result.positions >= fewPositions)
            return;
        RemedyResult result{.remedy = "precision", .setting = few.isSmallShare ? "float" : "int8"};
        result.notes.push_back(countText(m_result.positions, "position", "positions") +
                               " in calibration, fewer than " + std::to_string(fewPositions));
        if (isLeftOut(Remedy::Precision)) {
            result.notes.emplace_back(leftOut);
        } else if (few.isSmallShare) {
            result.isChosen = true;
            result.changes = "`" + m_result.decided.layer + "` stays float";
            m_result.isFloat = true;
        } else {
            result.notes.push_back("stays int8: layers with few positions have " +
                                   numberText(std::round(few.share * 1000.0) / 10.0) +
                                   " % of the multiplications, and up to 1 % would stay float");
        }
        m_result.rows.push_back(std::move(result));
    }

    /// Reason against dividing channels; empty: none.
    [[nodiscard]] std::string whyNoChannels() const
    {
        if (m_reading.plan().isWeightPerSample)
            return "its second operand is an activation";
        if (m_result.positions < fewPositions)
            return countText(m_result.positions, "position", "positions") +
                   " in calibration, fewer than " + std::to_string(fewPositions);
        if (m_reading.plan().matrices != 1)
            return "its weight is a stack of matrices";
        if (!m_input || !m_weight || m_input->axis)
            return "it needs one scale for its input, and a decision on its weight";
        if (m_subject.input().batchAxis.value_or(0) != 0)
            return "the samples of its input do not lie along the first axis";
        if (m_split.calibrating() < 2)
            return "one sample calibrates";
        if (!m_subject.others.empty())
            return m_subject.others.front() + " multiplies " + m_subject.input().name + ", too";
        return {};
    }

    /// Every second sample that calibrates, or all of them.
    [[nodiscard]] std::function<bool(std::uint64_t)> fitting(bool all) const
    {
        std::vector<bool> fits(m_split.samples, false);
        bool isNext = true;
        for (std::uint64_t sample = 0; sample < m_split.samples; ++sample)
            if (m_split.calibrates(sample)) {
                fits[sample] = all || isNext;
                isNext = !isNext;
            }
        return [fits](std::uint64_t sample) { return fits[sample]; };
    }

    [[nodiscard]] ValueSource inputOf(const std::function<bool(std::uint64_t)>& fits) const
    {
        return ofSamples(m_subject.dump.source(m_subject.input()), fits);
    }

    /// The factors that these samples of the input give.
    [[nodiscard]] std::vector<float> factorsOf(double alpha, const ValueSource& values) const
    {
        const LayerPlan& plan = m_reading.plan();
        const bool isDepthwise = plan.groups > 1 && plan.outers == 1;
        constexpr double quarter = 0.25;  // each scale of a depthwise weight takes its factor
        return channelFactors(largestOf(values), m_reading.weightRanges(true),
                              {.alpha = alpha, .low = isDepthwise ? quarter : 1.0});
    }

    /// A pass with channels divided by factors, and its scales.
    struct Divided
    {
        LayerPass pass;
        std::optional<TensorQuantization> input;
        std::optional<TensorQuantization> weight;
    };

    /// With scales calibrated anew on these values.
    [[nodiscard]] Divided divided(const std::vector<float>& factors,
                                  const ValueSource& values) const
    {
        const OperandFactors applied = factorsApplied(factors);
        const auto input = calibratedAnew(
            m_subject.inputDecision,
            times(values, applied.input, m_reading.plan().inputChannelAxis()), m_subject.progress);
        const auto weight =
            weightAnew(m_reading, m_subject.weightDecision, applied, m_subject.progress);
        return {.pass = passed(input, weight, applied), .input = input, .weight = weight};
    }

    [[nodiscard]] std::vector<double> largestOf(const ValueSource& values) const
    {
        const ChannelAxis axis = m_reading.plan().inputChannelAxis();
        std::vector<double> largest(axis.channels, 0.0);
        values.visit(
            [&](const Block& block) {
                forEachRun(axis, block.firstIndex, block.values.size(),
                           [&](std::size_t channel, std::uint64_t first, std::uint64_t count) {
                               for (const float value :
                                    block.values.subspan(first - block.firstIndex, count))
                                   largest[channel] = std::max(
                                       largest[channel], static_cast<double>(std::abs(value)));
                           });
            },
            m_subject.progress);
        return largest;
    }

    /// x / s and W s, or as they are.
    [[nodiscard]] static OperandFactors factorsApplied(const std::vector<float>& factors)
    {
        OperandFactors applied{
            .input = {}, .weightInput = factors, .weightOutput = {}, .output = {}};
        for (const float factor : factors)
            applied.input.push_back(1.0F / factor);
        return applied;
    }

    /// Noise over signal on the calibrating samples that the factors were not made from.
    [[nodiscard]] double crossNoise(const Divided& divided,
                                    const std::function<bool(std::uint64_t)>& fits) const
    {
        const UnitNoise errors = divided.pass.units().noiseWith();
        double signal = 0.0;
        double noise = 0.0;
        for (std::size_t unit = 0; unit < errors.noise.size(); ++unit) {
            const std::uint64_t sample = m_units->sampleOf(unit);
            if (!m_split.calibrates(sample) || fits(sample))
                continue;
            signal += errors.signal[unit];
            noise += errors.noise[unit];
        }
        return signal == 0.0 ? noise : noise / signal;
    }

    void divideChannels()
    {
        if (const std::string why = whyNoChannels(); !why.empty())
            return addReason("channels", why);
        // Without factors the scale is calibrated on the same samples as with them.
        const auto half = fitting(false);
        const ValueSource some = inputOf(half);
        const std::vector<float> ones(m_reading.plan().inputChannels(), 1.0F);
        double best = crossNoise(divided(ones, some), half);
        std::optional<double> chosen;
        for (const double alpha : m_options.alphas)
            if (const double noise = crossNoise(divided(factorsOf(alpha, some), some), half);
                noise < best) {
                best = noise;
                chosen = alpha;
            }
        if (!chosen)
            return addReason("channels", "no alpha gains on the calibrating samples left out");
        const ValueSource all = inputOf(fitting(true));
        const std::vector<float> factors = factorsOf(*chosen, all);
        Divided made = divided(factors, all);
        const UnitNoise after = made.pass.units().noiseWith();
        RemedyResult result = gainedRow("channels", "alpha " + numberText(*chosen), after, m_noise);
        const auto live = std::ranges::count_if(factors, [](float one) { return one != 1.0F; });
        const auto [least, largest] = std::ranges::minmax(factors);
        result.changes = "`" + m_subject.input().name + "`: " + std::to_string(live) + " of " +
                         countText(factors.size(), "channel", "channels") + " divided by " +
                         factorText(least) + " to " + factorText(largest);
        const std::optional<model::Fold> fold =
            m_options.foldOf ? std::optional(m_options.foldOf(m_subject.input())) : std::nullopt;
        const std::string why = whyNoGain(result);
        const bool isWritable = why.empty() && fold && fold->whyNot.empty();
        result.isChosen = isWritable && !isLeftOut(Remedy::Channels);
        const std::uint64_t ofMul = fold && fold->isMul() ? m_subject.input().valuesPerSample() : 0;
        const std::string where =
            (fold ? foldText(*fold) : "fold not known without the model's graph") +
            (ofMul == 0 ? "" : ": " + mulText(ofMul, m_result.multiplications));
        result.notes.push_back(result.isChosen ? where
                               : isWritable    ? leftOut
                               : why.empty()   ? "not written: " + where
                                               : why);
        if (result.isChosen) {
            m_result.division = {
                .alpha = *chosen, .factors = factors, .fold = fold->constants, .ofMul = ofMul};
            m_input = made.input;
            m_weight = made.weight;
            m_noise = after;
            m_units = &m_improved.emplace(std::move(made.pass)).units();
        }
        m_result.rows.push_back(std::move(result));
    }

    /// Reason against rounding by the gram of the inputs; empty: none.
    [[nodiscard]] std::string whyNoRounding() const
    {
        const LayerPlan& plan = m_reading.plan();
        if (plan.isWeightPerSample)
            return "its second operand is an activation";
        if (m_result.positions < fewPositions)
            return countText(m_result.positions, "position", "positions") +
                   " in calibration, fewer than " + std::to_string(fewPositions);
        if (plan.matrices != 1)
            return "its weight is a stack of matrices";
        if (!m_subject.weightUsers.empty())
            return m_subject.weightUsers.front() + " multiplies its weight, too";
        const std::uint64_t rows = m_split.calibrating() * m_reading.positions().perSample;
        if (2 * rows < plan.depth())
            return countText(rows, "position", "positions") + " for " +
                   countText(plan.depth(), "column", "columns") + ", fewer than half as many";
        if (const std::uint64_t bytes = roundingBytes(plan); bytes > m_options.layers.memoryBytes)
            return "its inputs' products take " + std::to_string((bytes >> 20U) + 1) +
                   " MiB, more than the " +
                   std::to_string((m_options.layers.memoryBytes >> 20U) + 1) +
                   " MiB that a layer may take";
        return {};
    }

    void roundWeight()
    {
        if (const std::string why = whyNoRounding(); !why.empty())
            return addReason("rounding", why);
        const OperandFactors applied = factorsApplied(m_result.division.factors);
        const std::vector<float> weight = m_reading.weightTimes(applied);
        const LayerPass inputs = passed(
            m_input, m_weight, applied,
            {.gramsOf = [this](std::uint64_t sample) { return m_split.calibrates(sample); }});
        AppliedScale scale = *m_reading.appliedToWeight(m_weight);
        const std::vector<float> decided = scale.scale.scales;
        scale.scale.scales = clippedScales(m_reading.plan(), inputs.grams(), weight, scale);
        const std::vector<std::int16_t> integers =
            roundedByGrams(m_reading.plan(), inputs.grams(), weight, scale);
        const std::vector<float> values = dequantized(integers, scale.scale, scale.axis);
        LayerPass pass = passed(m_input, scale.scale, applied, {.rounded = values});
        const UnitNoise after = pass.units().noiseWith();
        RemedyResult result =
            gainedRow("rounding", "damping " + numberText(roundingDamping), after, m_noise);
        result.changes = roundingText(integers, weight, scale, decided);
        chooseOrSay(result, Remedy::Rounding);
        if (result.isChosen) {
            m_result.rounding = {.integers = integers, .quantization = scale.scale};
            m_weight = scale.scale;
            m_noise = after;
            m_units = &m_improved.emplace(std::move(pass)).units();
        }
        m_result.rows.push_back(std::move(result));
    }

    /// "`w`: 888 of 12,288 integers other than to nearest, by at most 2; 62 of 64 scales narrower, to 0.4"
    [[nodiscard]] std::string roundingText(std::span<const std::int16_t> integers,
                                           std::span<const float> weight, const AppliedScale& scale,
                                           std::span<const float> decided) const
    {
        std::vector<float> nearest(weight.size());
        fakeQuantize(weight, scale.scale, scale.axis, nearest);
        const std::vector<float> values = dequantized(integers, scale.scale, scale.axis);
        std::uint64_t others = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            others += values[i] == nearest[i] ? 0U : 1U;
        std::uint64_t narrower = 0;
        float least = 1.0F;
        for (std::size_t i = 0; i < decided.size(); ++i) {
            narrower += scale.scale.scales[i] == decided[i] ? 0U : 1U;
            least = std::min(least, scale.scale.scales[i] / decided[i]);
        }
        return "`" + m_subject.dump.tensors()[*m_subject.layer.weight.tensor].name +
               "`: " + numberText(others) + " of " +
               countText(values.size(), "integer", "integers") + " not the nearest" +
               (narrower == 0 ? std::string()
                              : "; " + numberText(narrower) + " of " +
                                    countText(decided.size(), "scale", "scales") +
                                    " narrower, by at most " + factorText(1.0F / least));
    }

    /// What a Mul costs next to its layer.
    [[nodiscard]] static std::string mulText(std::uint64_t ofMul, std::uint64_t ofLayer)
    {
        std::string text = countText(ofMul, "multiplication", "multiplications") + " for a sample";
        if (ofLayer > 0) {
            const double share = static_cast<double>(ofMul) / static_cast<double>(ofLayer);
            text += ", " + factorText(static_cast<float>(100.0 * share)) + " % of the layer's";
        }
        return text;
    }

    [[nodiscard]] static std::string factorText(float factor)
    {
        constexpr double digits = 100.0;
        return numberText(std::round(static_cast<double>(factor) * digits) / digits);
    }

    void moveBias()
    {
        if (m_reading.plan().isWeightPerSample)
            return addReason("bias", "its second operand is an activation");
        if (m_result.positions < leastBiasPositions)
            return addReason("bias", countText(m_result.positions, "position", "positions") +
                                         " in calibration, fewer than " +
                                         std::to_string(leastBiasPositions));
        const std::vector<double> shift = surelyMoved(m_units->meanShift(m_split));
        const UnitNoise after = m_units->noiseWith(shift);
        RemedyResult result = gainedRow("bias", "local", after, m_noise);
        const auto moved = std::ranges::count_if(shift, [](double by) { return by != 0.0; });
        if (moved > 0)
            result.changes = biasText(shift, static_cast<std::uint64_t>(moved));
        else
            result.notes.emplace_back("no channel's mean error is twice its standard error");
        if (moved > 0)
            chooseOrSay(result, Remedy::Bias);
        if (result.isChosen) {
            m_result.biasShift = shift;
            m_noise = after;
        }
        if (m_reading.hasRoughInput())
            result.notes.emplace_back("recorded in 16 bits");
        m_result.rows.push_back(std::move(result));
    }

    /// Chosen for its gain, or not, with the reason.
    void chooseOrSay(RemedyResult& result, Remedy remedy) const
    {
        const std::string why = isLeftOut(remedy) ? leftOut : whyNoGain(result);
        result.isChosen = why.empty();
        if (!why.empty())
            result.notes.push_back(why);
    }

    void addReason(const char* remedy, std::string why)
    {
        RemedyResult& result = m_result.rows.emplace_back();
        result.remedy = remedy;
        result.notes.push_back(std::move(why));
    }

    [[nodiscard]] std::string biasText(std::span<const double> shift, std::uint64_t moved) const
    {
        double most = 0.0;
        bool hasSteps = true;
        for (std::size_t channel = 0; channel < shift.size(); ++channel) {
            const auto step = stepOf(channel, m_input, m_weight);
            hasSteps = hasSteps && step;
            most = std::max(most, std::abs(shift[channel]) / step.value_or(1.0));
        }
        return "bias of `" + m_result.decided.layer +
               "`: " + countText(moved, "channel", "channels") + " moved by at most " +
               (hasSteps ? countText(static_cast<std::uint64_t>(std::ceil(most)), "step", "steps")
                         : numberText(most));
    }

    void addAll()
    {
        if (m_result.isFloat) {
            m_result.rows.push_back(
                {.remedy = "all", .setting = "float", .isChosen = m_result.isImproved()});
            return;
        }
        RemedyResult result = gainedRow("all", "", m_noise, m_start);
        result.isChosen = m_result.isImproved();
        m_result.rows.push_back(std::move(result));
    }

    const LayerSubject& m_subject;
    const LayerReading& m_reading;
    std::optional<TensorQuantization> m_input;
    std::optional<TensorQuantization> m_weight;
    const ImproveOptions& m_options;
    LayerImprovement& m_result;
    SampleSplit m_split;
    const UnitErrors* m_units = nullptr;
    std::optional<LayerPass> m_improved;  ///< with other operands, where that was chosen
    UnitNoise m_start;                    ///< as decided
    UnitNoise m_noise;                    ///< under what was chosen so far
};

LayerImprovement improved(const LayerDump& dump, const FoundLayer& layer,
                          std::span<const FoundLayer> all, const LayerDecisions& decisions,
                          const FewPositions& few, const ImproveOptions& options,
                          const Progress& progress)
{
    LayerImprovement result{.decided = decisions.begun(layer)};
    result.positions = calibratingPositions(layer, dump.tensors(), options.heldOut);
    result.multiplications = multiplicationsOf(layer, dump.tensors());
    const std::optional<std::string> problem = inputProblem([&] {
        if (!layer.whyNot.empty())
            throw Error(Fault::Input, layer.whyNot);
        if (!result.decided.input.isDecided() && !result.decided.weight.isDecided())
            throw Error(Fault::Input, "neither operand has a decision");
        const LayerSubject subject{.dump = dump,
                                   .layer = layer,
                                   .inputDecision = decisions.of(*layer.input.tensor),
                                   .weightDecision = decisions.of(*layer.weight.tensor),
                                   .others = othersWith(&FoundLayer::input, layer, all),
                                   .weightUsers = othersWith(&FoundLayer::weight, layer, all),
                                   .progress = progress};
        LayerOptions reads = options.layers;
        const LayerReading reading(dump, layer, reads, progress);
        const std::optional<TensorQuantization> weight = scaleOf(subject.weightDecision);
        if (reads.positions > 0 && options.remedies.contains(Remedy::Rounding) && weight &&
            isRoundedByGrams(*weight))
            reads.positions = std::max(reads.positions, 4 * reading.plan().depth());
        result.columns = reading.plan().depth();
        LayerRemedies(subject, reading, options, result).compute(few);
        for (const OperandDecision* decision : {&subject.inputDecision, &subject.weightDecision})
            std::ranges::copy(notesOf(*decision), std::back_inserter(result.decided.notes));
    });
    if (problem) {
        result.decided.whyNot = *problem;
        result.rows = {{.remedy = "decided", .setting = {}}};
        result.isFloat = false;
        result.biasShift.clear();
        result.division = {};
        result.rounding = {};
    }
    return result;
}

}  // namespace

const std::vector<std::string_view>& remedyWords()
{
    static const std::vector<std::string_view> words{"precision", "channels", "rounding", "bias"};
    return words;
}

std::vector<double> surelyMoved(const ChannelShift& shift)
{
    std::vector<double> sure = shift.shift;
    for (std::size_t channel = 0; channel < sure.size(); ++channel)
        if (!(std::abs(sure[channel]) >= 2.0 * shift.standardError[channel]))
            sure[channel] = 0.0;
    return sure;
}

ImprovementReport improvements(const LayerDump& dump, std::span<const DecidedTensor> decided,
                               const ImproveOptions& options, const Progress& progress)
{
    ImprovementReport report{.dump = dump.path(), .layers = {}};
    const std::vector<FoundLayer> found = wantedLayers(dump.tensors(), options.layers);
    const std::vector<FoundLayer> all = foundLayers(dump.tensors());
    const LayerDecisions decisions(dump, decided);
    const FewPositions few = fewPositionsIn(dump.tensors(), options.heldOut);
    std::vector<LayerImprovement> results(found.size());
    eachLayer(
        found, dump.tensors(), options.layers, progress,
        [&](std::size_t index, const Progress& steps) {
            results[index] = improved(dump, found[index], all, decisions, few, options, steps);
        },
        [&](std::size_t index) { report.layers.push_back(std::move(results[index])); });
    return report;
}

}  // namespace calibscope::layers
