// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layers/operand_search.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/collect/encode_tensor.h"
#include "core/formats/rate_points.h"
#include "core/layers/layer_reading.h"
#include "core/layers/output_sums.h"
#include "core/layers/products.h"
#include "core/layers/wanted_layers.h"
#include "core/layers/weight_inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace calibscope::layers {

namespace {

constexpr int stepsOfAlpha = 20;
constexpr int stepsOfShare = 20;

TensorInfo matrixInfo(std::uint64_t rows, std::uint64_t depth)
{
    TensorInfo info;
    info.path = "the weight";
    info.shape = {rows, depth};
    info.channelAxis = 0;
    return info;
}

struct DecodedMatrix
{
    std::vector<float> values;
    double effectiveBits = 0.0;
};

DecodedMatrix decodedMatrix(std::span<const float> matrix, std::uint64_t rows,
                            const BlockFormat& format, const InputProducts* inputs = nullptr)
{
    const TensorInfo info = matrixInfo(rows, matrix.size() / rows);
    DecodedMatrix result{.values = std::vector<float>(matrix.size())};
    result.effectiveBits = encodeTensor(
                               sourceOf(info, matrix), format, matrixShape(info, 1), {},
                               [&](const BlockPart& part) {
                                   for (std::size_t i = 0; i < part.decoded.size(); ++i)
                                       result.values[part.first + i * part.stride] =
                                           part.decoded[i];
                               },
                               inputs)
                               .effectiveBits;
    return result;
}

/// Columns that share a scale in a row.
std::uint64_t groupColumns(const BlockFormat& format, std::uint64_t depth)
{
    const bool hasGroups =
        format.granularity.isGroup() || format.granularity.kind == Granularity::Kind::Tile;
    return hasGroups ? std::min(format.granularity.columns, depth) : depth;
}

/// Divided by sqrt(max s min s); 1 where that gives no usable factor.
std::vector<float> centred(std::vector<float> factors)
{
    const auto [least, most] = std::ranges::minmax(factors);
    for (float& factor : factors) {
        factor /= std::sqrt(most * least);
        if (!std::isnormal(factor) || !std::isnormal(1.0F / factor))
            factor = 1.0F;
    }
    return factors;
}

void markBestTrial(std::vector<OperandTrial>& trials)
{
    if (trials.empty())
        return;
    std::ranges::max_element(trials, {}, [](const OperandTrial& trial) {
        return trial.outputSqnrDb.value_or(-std::numeric_limits<double>::infinity());
    })->isBest = true;
}

}  // namespace

std::vector<float> smoothFactors(std::span<const double> inputLargest,
                                 std::span<const double> weightLargest, double alpha)
{
    constexpr double floor = 1e-5;
    std::vector<float> factors;
    for (std::size_t channel = 0; channel < inputLargest.size(); ++channel) {
        const double factor = std::pow(inputLargest[channel], alpha) /
                              std::pow(std::max(weightLargest[channel], floor), 1.0 - alpha);
        const auto one = static_cast<float>(std::max(factor, floor));
        factors.push_back(inputLargest[channel] > 0.0 && std::isfinite(one) ? one : 1.0F);
    }
    return factors;
}

WeightTrials::WeightTrials(const LayerPlan& plan, const InputSums& sums,
                           std::span<const float> weight)
    : m_plan(plan), m_sums(sums)
{
    m_matrix.reserve(rows() * depth());
    for (std::uint64_t group = 0; group < plan.groups; ++group)
        for (const std::size_t index : plan.weightIndices(group))
            m_matrix.push_back(weight[index]);
}

float WeightTrials::factorAt(std::span<const float> factors, std::uint64_t row,
                             std::uint64_t column) const
{
    return factors.empty()
               ? 1.0F
               : factors[row / m_plan.channelsPerGroup * m_plan.outers + column / m_plan.inners];
}

/// Errors of a group's weights: [column][channel].
std::vector<double> WeightTrials::errorsOf(std::span<const float> decoded,
                                           std::span<const float> factors,
                                           std::uint64_t group) const
{
    const std::uint64_t channels = m_plan.channelsPerGroup;
    std::vector<double> errors(depth() * channels);
    for (std::uint64_t channel = 0; channel < channels; ++channel)
        for (std::uint64_t k = 0; k < depth(); ++k) {
            const std::uint64_t row = group * channels + channel;
            const std::uint64_t at = row * depth() + k;
            const float value = decoded[at] / factorAt(factors, row, k);
            errors[k * channels + channel] =
                m_plan.factor * (static_cast<double>(value) - static_cast<double>(m_matrix[at]));
        }
    return errors;
}

void WeightTrials::setError(OperandTrial& trial, std::span<const float> decoded,
                            std::span<const float> factors) const
{
    double noise = 0.0;
    for (std::uint64_t group = 0; group < m_plan.groups; ++group)
        for (const double one :
             quadraticForms(m_sums.grams.of(group), depth(), errorsOf(decoded, factors, group)))
            noise += std::max(one, 0.0);
    trial.outputMse = noise / static_cast<double>(m_sums.grams.rows * rows());
    trial.outputSqnrDb = decibels(m_sums.signal, noise);
}

/// By which the format's importance counts errors: those of x / s under factors.
InputProducts WeightTrials::productsFor(const BlockFormat& format,
                                        std::span<const float> factors) const
{
    using Importance = ScaleSearch::Importance;
    if (format.search.importance == Importance::None)
        return {};
    const bool together = format.search.importance == Importance::Hessian;
    InputProducts inputs = inputProducts(m_plan, m_sums.grams, together);
    const auto factor = [&](std::uint64_t group, std::uint64_t column) {
        return factorAt(factors, group * m_plan.channelsPerGroup, column);
    };
    for (std::uint64_t group = 0; group < m_plan.groups; ++group)
        for (std::uint64_t column = 0; column < depth(); ++column) {
            const float own = factor(group, column);
            inputs.squares[group * depth() + column] /= own * own;
            for (std::uint64_t other = 0; together && other < depth(); ++other)
                inputs.products[(group * depth() + column) * depth() + other] /=
                    static_cast<double>(own) * static_cast<double>(factor(group, other));
        }
    return inputs;
}

OperandTrial WeightTrials::under(const BlockFormat& format, std::span<const float> factors) const
{
    std::vector<float> scaled;
    if (!factors.empty()) {
        scaled = m_matrix;
        for (std::uint64_t at = 0; at < scaled.size(); ++at)
            scaled[at] *= factorAt(factors, at / depth(), at % depth());
    }
    const InputProducts inputs = productsFor(format, factors);
    const DecodedMatrix decoded =
        decodedMatrix(factors.empty() ? m_matrix : scaled, rows(), format, &inputs);
    OperandTrial trial{.format = format.id,
                       .effectiveBits = decoded.effectiveBits,
                       .factors = {factors.begin(), factors.end()}};
    setError(trial, decoded.values, factors);
    return trial;
}

/// By channel of the input: the mean over outputs of |w| / the largest of its group.
std::vector<double> WeightTrials::meanShares(const BlockFormat& format) const
{
    const std::uint64_t columns = groupColumns(format, depth());
    std::vector<double> shares(m_plan.inputChannels(), 0.0);
    for (std::uint64_t row = 0; row < rows(); ++row)
        for (std::uint64_t first = 0; first < depth(); first += columns) {
            const std::span<const float> group(m_matrix.data() + row * depth() + first,
                                               std::min(columns, depth() - first));
            float most = 0.0F;
            for (const float value : group)
                most = std::max(most, std::abs(value));
            for (std::size_t i = 0; i < group.size() && most > 0.0F; ++i)
                shares[row / m_plan.channelsPerGroup * m_plan.outers +
                       (first + i) / m_plan.inners] +=
                    static_cast<double>(std::abs(group[i]) / most) /
                    static_cast<double>(m_plan.channelsPerGroup * m_plan.inners);
        }
    return shares;
}

std::vector<OperandTrial> WeightTrials::awq(const BlockFormat& format, const AwqRule& rule) const
{
    constexpr float least = 1e-4F;
    constexpr float most = 1e4F;
    const std::vector<double> shares = rule.hasWeight ? meanShares(format) : std::vector<double>();
    const std::vector<double>& means = m_sums.magnitudes.mean;
    std::vector<OperandTrial> trials;
    for (int step = 0; step < rule.steps + (rule.hasOne ? 1 : 0); ++step) {
        const double alpha = static_cast<double>(step) / rule.steps;
        const auto exponent = static_cast<float>(alpha);
        std::vector<float> factors;
        for (std::size_t channel = 0; channel < means.size(); ++channel) {
            const float by = rule.hasWeight ? std::pow(static_cast<float>(shares[channel]),
                                                       static_cast<float>(1.0 - alpha)) +
                                                  rule.addend
                                            : 1.0F;
            const float factor = std::pow(static_cast<float>(means[channel]), exponent) / by;
            factors.push_back(std::clamp(std::isnan(factor) ? 1.0F : factor, least, most));
        }
        OperandTrial trial = under(format, centred(factors));
        trial.method = rule.method;
        trial.setting = alpha;
        trials.push_back(std::move(trial));
    }
    return trials;
}

/// Each `size` channels of a group together, at each of their inner columns: its own inverse.
void WeightTrials::rotate(std::span<float> matrix, std::uint64_t size) const
{
    const double norm = 1.0 / std::sqrt(static_cast<double>(size));
    std::vector<double> values(size);
    for (std::uint64_t first = 0; first < matrix.size(); first += size * m_plan.inners)
        for (std::uint64_t inner = 0; inner < m_plan.inners; ++inner) {
            const auto at = [&](std::uint64_t i) -> float& {
                return matrix[first + i * m_plan.inners + inner];
            };
            for (std::uint64_t i = 0; i < size; ++i)
                values[i] = static_cast<double>(at(i));
            for (std::uint64_t half = 1; half < size; half *= 2)
                for (std::uint64_t i = 0; i < size; ++i)
                    if ((i & half) == 0) {
                        const double low = values[i];
                        values[i] = low + values[i + half];
                        values[i + half] = low - values[i + half];
                    }
            for (std::uint64_t i = 0; i < size; ++i)
                at(i) = static_cast<float>(values[i] * norm);
        }
}

std::vector<OperandTrial> WeightTrials::rotated(const BlockFormat& format) const
{
    if (format.search.importance != ScaleSearch::Importance::None)
        throw Error(Fault::Usage, "{}: rotated inputs have no importance here; leave it out",
                    format.id);
    constexpr std::uint64_t most = 256;
    std::vector<OperandTrial> trials;
    for (std::uint64_t size = 2; size <= most && m_plan.outers % size == 0; size *= 2) {
        std::vector<float> turned = m_matrix;
        rotate(turned, size);
        DecodedMatrix decoded = decodedMatrix(turned, rows(), format);
        rotate(decoded.values, size);
        trials.push_back({.method = "rotate",
                          .format = format.id,
                          .setting = static_cast<double>(size),
                          .effectiveBits = decoded.effectiveBits});
        setError(trials.back(), decoded.values, {});
    }
    return trials;
}

/// A weight with the ends of its blocks at each share, and at the best one of each.
struct WeightTrials::Clips
{
    std::vector<OperandTrial> trials;
    std::vector<float> chosen;  ///< the weight with each block at its best share
    std::vector<std::size_t> best;
};

namespace {

/// The block with its ends at a share of its largest magnitude.
BlockPeak clippedPeak(BlockPeak peak, float share)
{
    const float end = peak.largest() * share;
    peak.low = std::clamp(peak.low, -end, end);
    peak.high = std::clamp(peak.high, -end, end);
    peak.extreme = std::clamp(peak.extreme, -end, end);
    return peak;
}

double shareOf(std::size_t step)
{
    return 1.0 - static_cast<double>(step) / stepsOfShare;
}

}  // namespace

/// Sets `decoded` to the weight with the ends of its blocks at that share.
void WeightTrials::clip(const BlockFormat& format, float share, std::span<float> decoded) const
{
    const std::uint64_t columns = groupColumns(format, depth());
    float largest = 0.0F;
    for (const float value : m_matrix)
        largest = std::max(largest, std::abs(value));
    const float ofTensor = tensorScale(format, largest);
    std::vector<float> clipped;
    for (std::uint64_t row = 0; row < rows(); ++row)
        for (std::uint64_t first = 0; first < depth(); first += columns) {
            const std::uint64_t size = std::min(columns, depth() - first);
            const std::uint64_t at = row * depth() + first;
            const std::span<const float> values(m_matrix.data() + at, size);
            BlockPeak peak;
            peak.add(values);
            peak = clippedPeak(peak, share);
            clipped.assign(values.begin(), values.end());
            for (std::size_t i = 0; format.rule == ScaleRule::Affine && i < size; ++i)
                clipped[i] = std::clamp(values[i], peak.low, peak.high);
            encodeBlock(format, blockScale(format, peak, ofTensor), clipped,
                        decoded.subspan(at, size), {});
        }
}

/// Error of each block by itself, in the order of rows, then blocks of a row.
std::vector<double> WeightTrials::blockErrors(std::span<const float> decoded,
                                              std::uint64_t columns) const
{
    const std::uint64_t channels = m_plan.channelsPerGroup;
    const std::uint64_t blocksOfRow = (depth() + columns - 1) / columns;
    std::vector<double> all(rows() * blocksOfRow);
    for (std::uint64_t group = 0; group < m_plan.groups; ++group) {
        const std::vector<double> errors = errorsOf(decoded, {}, group);
        for (std::uint64_t first = 0; first < depth(); first += columns) {
            const std::uint64_t size = std::min(columns, depth() - first);
            std::vector<double> gram(size * size);
            for (std::uint64_t i = 0; i < size; ++i)
                std::copy_n(m_sums.grams.of(group).data() + (first + i) * depth() + first, size,
                            gram.data() + i * size);
            const std::vector<double> sums = quadraticForms(
                gram, size, std::span(errors).subspan(first * channels, size * channels));
            for (std::uint64_t channel = 0; channel < channels; ++channel)
                all[(group * channels + channel) * blocksOfRow + first / columns] = sums[channel];
        }
    }
    return all;
}

WeightTrials::Clips WeightTrials::clips(const BlockFormat& format, std::size_t shares) const
{
    const bool hasBlocks =
        format.granularity.kind == Granularity::Kind::Row || format.granularity.isGroup();
    if (!hasBlocks || format.superBlock)
        throw Error(Fault::Usage, "{}: awq-clip needs scales of rows or groups, as int4-g128",
                    format.id);
    const std::uint64_t columns = groupColumns(format, depth());
    const std::uint64_t blocksOfRow = (depth() + columns - 1) / columns;
    const std::uint64_t blocks = rows() * blocksOfRow;
    Clips result{.trials = {},
                 .chosen = std::vector<float>(m_matrix.size()),
                 .best = std::vector<std::size_t>(blocks, 0)};
    std::vector<double> least(blocks, std::numeric_limits<double>::infinity());
    std::vector<float> decoded(m_matrix.size());
    const auto add = [&](std::span<const float> values) -> OperandTrial& {
        result.trials.push_back({.method = "clip",
                                 .format = format.id,
                                 .effectiveBits = format.effectiveBits(m_matrix.size(), blocks)});
        setError(result.trials.back(), values, {});
        return result.trials.back();
    };
    for (std::size_t share = 0; share < shares; ++share) {
        clip(format, static_cast<float>(shareOf(share)), decoded);
        add(decoded).setting = shareOf(share);
        const std::vector<double> errors = blockErrors(decoded, columns);
        for (std::uint64_t block = 0; block < blocks; ++block)
            if (errors[block] < least[block]) {
                least[block] = errors[block];
                result.best[block] = share;
                const std::uint64_t first = block % blocksOfRow * columns;
                const std::uint64_t at = block / blocksOfRow * depth() + first;
                std::copy_n(decoded.begin() + static_cast<std::ptrdiff_t>(at),
                            std::min(columns, depth() - first),
                            result.chosen.begin() + static_cast<std::ptrdiff_t>(at));
            }
    }
    for (std::size_t share = 0; share < shares; ++share)
        result.trials[share].blocks =
            static_cast<std::uint64_t>(std::ranges::count(result.best, share));
    add(result.chosen);
    return result;
}

std::vector<OperandTrial> WeightTrials::clipped(const BlockFormat& format) const
{
    return clips(format, mostClipShares).trials;
}

std::vector<double> WeightTrials::clipShares(const BlockFormat& format, std::size_t count) const
{
    std::vector<double> shares;
    for (const std::size_t share : clips(format, count).best)
        shares.push_back(shareOf(share));
    return shares;
}

std::vector<double> WeightTrials::errorShares(const BlockFormat& format) const
{
    const InputProducts inputs = productsFor(format, {});
    const DecodedMatrix decoded = decodedMatrix(m_matrix, rows(), format, &inputs);
    const std::uint64_t channels = m_plan.channelsPerGroup;
    std::vector<double> shares(m_plan.inputChannels(), 0.0);
    double sum = 0.0;
    for (std::uint64_t group = 0; group < m_plan.groups; ++group) {
        const std::vector<double> errors = errorsOf(decoded.values, {}, group);
        std::vector<double> products(errors.size());
        multiply(m_sums.grams.of(group).data(), errors.data(),
                 {.rows = depth(),
                  .columns = channels,
                  .depth = depth(),
                  .leftStride = depth(),
                  .resultStride = depth()},
                 products.data());
        for (std::uint64_t channel = 0; channel < channels; ++channel)
            for (std::uint64_t k = 0; k < depth(); ++k) {
                const double part =
                    products[channel * depth() + k] * errors[k * channels + channel];
                shares[group * m_plan.outers + k / m_plan.inners] += part;
                sum += part;
            }
    }
    for (double& share : shares)
        share = sum > 0.0 ? share / sum : 0.0;
    return shares;
}

OperandAnalysis operandAnalysis(std::string_view word)
{
    const auto found = std::ranges::find(operandAnalysisWords, word);
    if (found == operandAnalysisWords.end())
        throw Error(Fault::Usage, "analysis {}: it is one of {}", word,
                    joinedText(operandAnalysisWords, ", "));
    return static_cast<OperandAnalysis>(found - operandAnalysisWords.begin());
}

namespace {

/// Trials on one layer.
class OperandSearch
{
public:
    OperandSearch(const LayerDump& dump, const FoundLayer& layer, const OperandOptions& options,
                  const Progress& progress)
        : m_options(options), m_reading(dump, layer, options.layers, progress)
    {
        const LayerPlan& plan = m_reading.plan();
        if (plan.isWeightPerSample)
            throw Error(Fault::Input, "its weight is a second activation");
        if (plan.matrices != 1)
            throw Error(Fault::Input, "its weight is a stack of matrices");
    }

    void run(OperandTrials& result)
    {
        const LayerPlan& plan = m_reading.plan();
        const bool isSmooth = m_options.analysis == OperandAnalysis::Smooth;
        if (!isSmooth)
            requireRoomOfGrams();
        const LayerPass pass =
            m_reading.passed({.input = {std::nullopt}, .weight = {std::nullopt}}, {},
                             {.gramsOf = isSmooth ? std::function<bool(std::uint64_t)>()
                                                  : [](std::uint64_t) { return true; }});
        LayerResult counted;
        pass.report(counted, false);
        result.positions = counted.positions;
        result.of = counted.of;
        result.notes = m_reading.maskNotes();
        m_sums = {.grams = pass.grams(), .magnitudes = pass.magnitudes(), .signal = pass.signal()};
        result.inputLargest = m_sums.magnitudes.largest;
        result.weightLargest = m_reading.weightRanges(true);
        if (isSmooth) {
            smooth(result);
        } else {
            const WeightTrials weight(plan, m_sums, m_reading.weight());
            addWeightTrials(weight, result);
            result.errorShares = weight.errorShares(formats().front());
        }
        markBestTrial(result.trials);
    }

private:
    [[nodiscard]] std::vector<BlockFormat> formats() const
    {
        if (!m_options.formats.empty())
            return m_options.formats;
        if (m_options.analysis == OperandAnalysis::Smooth)
            return {parseBlockFormat("int8-row")};
        if (m_options.analysis == OperandAnalysis::Rotate)
            return {parseBlockFormat("int4-row")};
        if (m_options.analysis != OperandAnalysis::Formats)
            return {parseBlockFormat("uint4-g128:zero-in-range=no")};
        return {parseBlockFormat("int8-row")};  // whose error has shares
    }

    static void addFamilies(const WeightTrials& weight, OperandTrials& result)
    {
        for (const std::string& family : usualFamilies())
            for (const RatePoint& point : ratePoints(family))
                if (isOwnPoint(point, weight.matrix())) {
                    result.trials.push_back(weight.under(point.format));
                    result.trials.back().method = family;
                }
    }

    void requireRoomOfGrams() const
    {
        const LayerPlan& plan = m_reading.plan();
        const std::uint64_t bytes = sizeof(double) * 2 * plan.groups * plan.depth() * plan.depth();
        if (bytes > m_options.layers.memoryBytes)
            throw Error(Fault::Input,
                        "products of its {} inputs take {} MiB, more than the {} MiB that a layer "
                        "may take",
                        plan.depth(), (bytes >> 20U) + 1, m_options.layers.memoryBytes >> 20U);
    }

    void addWeightTrials(const WeightTrials& weight, OperandTrials& result) const
    {
        const std::vector<BlockFormat> tried = formats();
        const BlockFormat& format = tried.front();
        if (m_options.analysis == OperandAnalysis::Formats) {
            for (const BlockFormat& each : m_options.formats)
                result.trials.push_back(weight.under(each));
            if (m_options.formats.empty())
                addFamilies(weight, result);
        } else if (m_options.analysis == OperandAnalysis::AwqClip) {
            result.trials = weight.clipped(format);
        } else if (m_options.analysis == OperandAnalysis::Rotate) {
            result.trials.push_back(weight.under(format));
            std::ranges::move(weight.rotated(format), std::back_inserter(result.trials));
        } else {
            result.trials.push_back(weight.under(format));
            for (const AwqRule& rule : {AwqRule::Input, AwqRule::Duo, AwqRule::ModelOpt})
                std::ranges::move(weight.awq(format, rule), std::back_inserter(result.trials));
        }
    }

    void smooth(OperandTrials& result) const
    {
        result.trials.push_back(smoothed({}));
        for (int step = 0; step <= stepsOfAlpha; ++step) {
            const double alpha = static_cast<double>(step) / stepsOfAlpha;
            OperandTrial trial =
                smoothed(smoothFactors(result.inputLargest, result.weightLargest, alpha));
            trial.method = "smooth";
            trial.setting = alpha;
            result.trials.push_back(std::move(trial));
        }
    }

    [[nodiscard]] OperandTrial smoothed(const std::vector<float>& factors) const
    {
        const LayerPlan& plan = m_reading.plan();
        OperandFactors operands{
            .input = {}, .weightInput = factors, .weightOutput = {}, .output = {}};
        float most = 0.0F;
        for (std::size_t channel = 0; channel < m_sums.magnitudes.largest.size(); ++channel) {
            if (!factors.empty())
                operands.input.push_back(1.0F / factors[channel]);
            most = std::max(most, static_cast<float>(m_sums.magnitudes.largest[channel]) *
                                      (factors.empty() ? 1.0F : operands.input.back()));
        }
        std::vector<float> weight = m_reading.weightTimes(operands);
        const BlockFormat format = formats().front();
        std::vector<float> matrix;
        std::vector<std::size_t> indices;
        for (std::uint64_t group = 0; group < plan.groups; ++group)
            std::ranges::copy(plan.weightIndices(group), std::back_inserter(indices));
        for (const std::size_t index : indices)
            matrix.push_back(weight[index]);
        const DecodedMatrix decoded = decodedMatrix(matrix, plan.channels(), format);
        for (std::size_t i = 0; i < indices.size(); ++i)
            weight[indices[i]] = decoded.values[i];
        const float scale =
            most > 0.0F ? most / static_cast<float>(m_options.input.largest()) : 1.0F;
        const LayerPass pass = m_reading.passed(
            {.input = {AppliedScale{
                 .scale = {.scales = {scale}, .zeroPoints = {0.0}, .format = m_options.input}}},
             .weight = {AppliedScale{.scale = {.scales = {1.0F}, .zeroPoints = {0.0}}}}},
            operands, {.rounded = weight});
        LayerResult sums;
        pass.report(sums, true);
        OperandTrial trial{.format = format.id,
                           .effectiveBits = decoded.effectiveBits,
                           .outputSqnrDb = sums.outputSqnrDb,
                           .factors = factors};
        for (const double noise : sums.channels.noise)
            trial.outputMse += noise / static_cast<double>(sums.channels.size());
        return trial;
    }

    const OperandOptions& m_options;
    LayerReading m_reading;
    InputSums m_sums;
};

}  // namespace

std::vector<OperandTrials> operandTrials(const LayerDump& dump, const OperandOptions& options,
                                         const Progress& progress)
{
    const std::vector<FoundLayer> layers = wantedLayers(dump.tensors(), options.layers);
    std::vector<OperandTrials> all(layers.size());
    eachLayer(
        layers, dump.tensors(), options.layers, progress,
        [&](std::size_t index, const Progress& steps) {
            const FoundLayer& layer = layers[index];
            OperandTrials& result = all[index];
            result = {.layer = layer.name, .input = layer.input.name, .weight = layer.weight.name};
            const std::optional<std::string> problem = inputProblem([&] {
                if (!layer.whyNot.empty())
                    throw Error(Fault::Input, layer.whyNot);
                OperandSearch(dump, layer, options, steps).run(result);
            });
            result.whyNot = problem.value_or("");
        },
        [](std::size_t) {});
    return all;
}

}  // namespace calibscope::layers
