// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/weighted_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace calibscope {

namespace {

/// The nearest whole number, half to even, of magnitudes below 2^22.
float wholeNumber(float value)
{
    constexpr float shift = 0x1.8p23F;
    return (value + shift) - shift;
}

float withinFloat(float value)
{
    constexpr float most = std::numeric_limits<float>::max();
    return std::clamp(value, -most, most);
}

/// Values of a block with the weight of each.
struct WeightedBlock
{
    std::vector<float> values;
    std::vector<float> weights;
};

struct WeightedFit
{
    float scale = 0.0F;
    float quotient = 0.0F;  ///< values times it are the levels that were fitted
    float minimum = 0.0F;   ///< never above 0
};

/// The first value of the largest magnitude; 0 where its inverse would be beyond float32.
float extremeOf(const std::vector<float>& values)
{
    float extreme = 0.0F;
    for (const float value : values)
        if (std::abs(value) > std::max(std::abs(extreme), 1e-30F))
            extreme = value;
    return extreme;
}

/// Scales near that of the extreme value, each refitted; the one with the largest
/// (sum w x q)^2 / sum w q^2. make_qx_quants, and quantize_row_iq4_nl_impl of a table.
class SymmetricSearch
{
public:
    SymmetricSearch(const ElementFormat& element, const WeightedBlock& block)
        : m_element(element),
          m_block(block),
          m_isTable(!element.numbers().isInteger()),
          m_lowest(static_cast<float>(element.numbers().least()))
    {}

    WeightedFit best()
    {
        const float extreme = extremeOf(m_block.values);
        if (extreme == 0.0F)
            return {};
        fit((m_isTable ? -m_lowest : m_lowest) / extreme, true);
        const int trials = m_isTable ? 7 : 9;
        for (int i = -trials; i <= trials; ++i)
            if (m_isTable)
                fit((static_cast<float>(i) + m_lowest) / extreme, false);
            else if (i != 0)
                fit(-(-m_lowest + 0.1F * static_cast<float>(i)) / extreme, false);
        return m_best;
    }

private:
    void fit(float quotient, bool isFirst)
    {
        float products = 0.0F;
        float squares = 0.0F;
        for (std::size_t i = 0; i < m_block.values.size(); ++i) {
            const float value = m_block.values[i];
            const float weight = m_block.weights[i];
            if (m_isTable) {
                const float level = m_element.nearest(quotient * value);
                products += weight * level * value;
                squares += weight * level * level;
            } else {
                const float level =
                    std::clamp(wholeNumber(quotient * value), m_lowest, -m_lowest - 1.0F);
                products += weight * value * level;
                squares += weight * level * level;
            }
        }
        if (!isFirst && !(squares > 0.0F && products * products > m_measure * squares))
            return;
        m_best.scale = squares != 0.0F ? products / squares : 0.0F;
        m_best.quotient = quotient;
        m_measure = m_best.scale * products;
    }

    const ElementFormat& m_element;
    const WeightedBlock& m_block;
    bool m_isTable;
    float m_lowest;
    WeightedFit m_best;
    float m_measure = 0.0F;
};

/// Levels that are moved one by one while (sum w x q)^2 / sum w q^2 grows; w = x^2. make_q3_quants.
WeightedFit fittedByLevel(const ElementFormat& element, const std::vector<float>& values)
{
    const auto lowest = static_cast<float>(element.numbers().least());
    const auto levelOf = [&](float quotient) {
        return wholeNumber(std::clamp(quotient, lowest, -lowest - 1.0F));
    };
    const float extreme = extremeOf(values);
    if (extreme == 0.0F)
        return {};
    float products = 0.0F;
    float squares = 0.0F;
    std::vector<float> levels;
    for (const float value : values) {
        const float level = levelOf(lowest / extreme * value);
        const float weight = value * value;
        products += weight * value * level;
        squares += weight * level * level;
        levels.push_back(level);
    }
    bool hasMoved = true;
    for (int round = 0; round < 5 && hasMoved; ++round) {
        hasMoved = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float value = values[i];
            const float weight = value * value;
            float others = products - weight * value * levels[i];
            if (!(others > 0.0F))
                continue;
            float otherSquares = squares - weight * levels[i] * levels[i];
            const float level = levelOf(value * otherSquares / others);
            if (level == levels[i])
                continue;
            others += weight * value * level;
            otherSquares += weight * level * level;
            if (otherSquares > 0.0F &&
                others * others * squares > products * products * otherSquares) {
                levels[i] = level;
                products = others;
                squares = otherSquares;
                hasMoved = true;
            }
        }
    }
    return {.scale = squares > 0.0F ? products / squares : 0.0F};
}

/// Trials of a scale with a minimum: (first + step i + most) / (high - low), i = 0 .. last.
struct MinimumTrials
{
    float first;
    float step;
    int last;
    bool isAbsolute = false;  ///< errors count by magnitude, not by square
};

MinimumTrials minimumTrials(int bits, bool hasImportance)
{
    if (hasImportance)
        return {-0.9F, 0.05F, 36};
    return bits == 2   ? MinimumTrials{-0.5F, 0.1F, 15, true}
           : bits == 4 ? MinimumTrials{-1.0F, 0.1F, 20}
                       : MinimumTrials{-0.5F, 0.1F, 15};
}

/// Scale and minimum by least squares for both; make_qkx2_quants, make_qkx3_quants.
class MinimumSearch
{
public:
    MinimumSearch(const ElementFormat& element, const WeightedBlock& block,
                  const MinimumTrials& trials)
        : m_block(block),
          m_trials(trials),
          m_most(static_cast<float>(element.largest())),
          m_levels(block.values.size())
    {}

    WeightedFit best()
    {
        if (m_block.values.empty())
            return {};
        const auto [low, high] = std::ranges::minmax(m_block.values);
        WeightedFit found{.minimum = std::min(low, 0.0F)};
        for (std::size_t i = 0; i < m_block.values.size(); ++i) {
            m_weights += m_block.weights[i];
            m_sum += m_block.weights[i] * m_block.values[i];
        }
        if (high == found.minimum)
            return found;
        const float quotient = m_most / (high - found.minimum);
        setLevels(quotient, found.minimum);
        found.scale = 1.0F / quotient;
        float least = errorOf(found);
        for (int i = 0; i <= m_trials.last; ++i) {
            // From the best minimum so far.
            setLevels((m_trials.first + m_trials.step * static_cast<float>(i) + m_most) /
                          (high - found.minimum),
                      found.minimum);
            const std::optional<WeightedFit> tried = refitted();
            if (const float error = tried ? errorOf(*tried) : least; error < least) {
                least = error;
                found = *tried;
            }
        }
        return found;
    }

private:
    void setLevels(float quotient, float low)
    {
        for (std::size_t i = 0; i < m_levels.size(); ++i)
            m_levels[i] =
                std::clamp(wholeNumber(quotient * (m_block.values[i] - low)), 0.0F, m_most);
    }

    /// Nothing where the levels are all alike.
    [[nodiscard]] std::optional<WeightedFit> refitted() const
    {
        float levels = 0.0F;
        float squares = 0.0F;
        float products = 0.0F;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const float weighted = m_block.weights[i] * m_levels[i];
            levels += weighted;
            squares += weighted * m_levels[i];
            products += weighted * m_block.values[i];
        }
        const float determinant = m_weights * squares - levels * levels;
        if (!(determinant > 0.0F))
            return std::nullopt;
        const WeightedFit fit{.scale = (m_weights * products - m_sum * levels) / determinant,
                              .minimum = (squares * m_sum - levels * products) / determinant};
        return fit.minimum > 0.0F ? WeightedFit{.scale = products / squares} : fit;
    }

    [[nodiscard]] float errorOf(const WeightedFit& fit) const
    {
        float sum = 0.0F;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const float rest = fit.scale * m_levels[i] + fit.minimum - m_block.values[i];
            sum += m_block.weights[i] * (m_trials.isAbsolute ? std::abs(rest) : rest * rest);
        }
        return sum;
    }

    const WeightedBlock& m_block;
    MinimumTrials m_trials;
    float m_most;
    float m_weights = 0.0F;
    float m_sum = 0.0F;
    std::vector<float> m_levels;
};

/// Numbers of blocks as whole numbers times one scale of them all.
struct SharedScale
{
    float scale = 0.0F;
    std::vector<float> levels;
};

/// The largest one becomes the end.
SharedScale sharedByLargest(const std::vector<float>& numbers, float most)
{
    const float largest = std::ranges::max(numbers);
    SharedScale shared{.scale = largest / most, .levels = {}};
    const float quotient = largest > 0.0F ? most / largest : 0.0F;
    for (const float number : numbers)
        shared.levels.push_back(std::min(wholeNumber(quotient * number), most));
    return shared;
}

/// The one of largest magnitude, the first, becomes the lowest whole number.
SharedScale sharedByExtreme(const std::vector<float>& numbers, float lowest)
{
    const float extreme = extremeOf(numbers);
    if (extreme == 0.0F)
        return {.levels = std::vector<float>(numbers.size(), 0.0F)};
    const float quotient = lowest / extreme;
    SharedScale shared{.scale = 1.0F / quotient, .levels = {}};
    for (const float number : numbers)
        shared.levels.push_back(std::clamp(wholeNumber(quotient * number), lowest, -lowest - 1.0F));
    return shared;
}

/// Numbers of at least 0 under weights: nine scales, then levels that are moved one by one.
/// make_qp_quants.
class PositiveSearch
{
public:
    PositiveSearch(const WeightedBlock& numbers, float most) : m_numbers(numbers), m_most(most) {}

    SharedScale best()
    {
        const float largest = std::ranges::max(m_numbers.values);
        if (!(largest > 0.0F))
            return {.levels = std::vector<float>(m_numbers.values.size(), 0.0F)};
        float quotient = m_most / largest;
        float least = errorOf(quotient);
        for (int i = -4; i <= 4; ++i) {
            const float tried = (0.1F * static_cast<float>(i) + m_most) / largest;
            const float error = i == 0 ? least : errorOf(tried);
            if (error < least) {
                least = error;
                quotient = tried;
            }
        }
        for (std::size_t i = 0; i < m_numbers.values.size(); ++i) {
            m_levels.push_back(levelOf(quotient * m_numbers.values[i]));
            m_products += m_numbers.weights[i] * m_numbers.values[i] * m_levels[i];
            m_squares += m_numbers.weights[i] * m_levels[i] * m_levels[i];
        }
        for (int round = 0; round < 5 && moveLevels(); ++round) {
        }
        return {m_squares > 0.0F ? m_products / m_squares : 0.0F, m_levels};
    }

private:
    [[nodiscard]] float levelOf(float value) const { return wholeNumber(std::min(value, m_most)); }

    [[nodiscard]] float errorOf(float quotient) const
    {
        const float scale = 1.0F / quotient;
        float sum = 0.0F;
        for (std::size_t i = 0; i < m_numbers.values.size(); ++i) {
            const float rest =
                m_numbers.values[i] - scale * levelOf(quotient * m_numbers.values[i]);
            sum += m_numbers.weights[i] * rest * rest;
        }
        return sum;
    }

    bool moveLevels()
    {
        bool hasMoved = false;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const float value = m_numbers.values[i];
            const float weight = m_numbers.weights[i];
            float products = m_products - weight * value * m_levels[i];
            float squares = m_squares - weight * m_levels[i] * m_levels[i];
            if (!(products > 0.0F && squares > 0.0F))
                continue;
            const float level = levelOf(value * squares / products);
            if (level == m_levels[i])
                continue;
            products += weight * value * level;
            squares += weight * level * level;
            if (products * products * m_squares > m_products * m_products * squares) {
                m_levels[i] = level;
                m_products = products;
                m_squares = squares;
                hasMoved = true;
            }
        }
        return hasMoved;
    }

    const WeightedBlock& m_numbers;
    float m_most;
    float m_products = 0.0F;
    float m_squares = 0.0F;
    std::vector<float> m_levels;
};

/// Blocks of a row that are searched together.
class WeightedRun
{
public:
    WeightedRun(const BlockFormat& format, std::span<const float> values,
                std::span<const float> importance)
        : m_format(format),
          m_hasImportance(!importance.empty()),
          m_isTable(!format.element->numbers().isInteger())
    {
        BlockPeak peak;
        peak.add(values);
        m_exponent = peak.largest() == 0.0F ? 0 : std::ilogb(peak.largest());
        const std::size_t columns = format.granularity.columns;
        float squares = 0.0F;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i % columns == 0)
                m_blocks.emplace_back();
            if (!std::isfinite(values[i]))
                continue;
            const float value = std::ldexp(values[i], -m_exponent);
            m_blocks.back().values.push_back(value);
            m_blocks.back().weights.push_back(m_hasImportance ? importance[i] : 0.0F);
            squares += value * value;
        }
        const float factor = format.superBlock || m_isTable ? 2.0F : 1.0F;
        m_meanSquare = factor * squares / static_cast<float>(peak.finite);
        for (WeightedBlock& block : m_blocks)
            setWeights(block);
    }

    [[nodiscard]] std::vector<BlockScale> scales() const
    {
        std::vector<WeightedFit> fits;
        for (const WeightedBlock& block : m_blocks)
            fits.push_back(fitOf(block));
        if (m_format.superBlock)
            return sharedScales(fits);
        std::vector<BlockScale> scales;
        for (const WeightedFit& fit : fits)
            scales.push_back(ownScale(fit));
        return scales;
    }

private:
    void setWeights(WeightedBlock& block) const
    {
        const ElementFormat& element = *m_format.element;
        float squares = 0.0F;
        for (const float value : block.values)
            squares += value * value;
        const float rms = std::sqrt(squares / static_cast<float>(block.values.size()));
        for (std::size_t i = 0; i < block.values.size(); ++i) {
            const float value = block.values[i];
            float& weight = block.weights[i];
            if (m_hasImportance) {
                if (!m_format.superBlock || m_format.rule == ScaleRule::Minimum)  // not of q6_k
                    weight *= std::sqrt(m_meanSquare + value * value);
            } else if (m_format.rule == ScaleRule::Signed)
                weight = value * value;
            else
                weight = (element.bits() == 2 ? 0.0F : rms) + std::abs(value);
        }
    }

    [[nodiscard]] WeightedFit fitOf(const WeightedBlock& block) const
    {
        const ElementFormat& element = *m_format.element;
        if (m_format.rule == ScaleRule::Minimum)
            return MinimumSearch(element, block, minimumTrials(element.bits(), m_hasImportance))
                .best();
        if (m_format.superBlock && element.bits() == 3)
            return fittedByLevel(element, block.values);
        return SymmetricSearch(element, block).best();
    }

    [[nodiscard]] BlockScale ownScale(const WeightedFit& fit) const
    {
        BlockScale scale = storedScale(m_format, withinFloat(std::ldexp(fit.scale, m_exponent)));
        // Integers are those that were fitted; numbers of a table are found anew.
        const float quotient = !m_isTable          ? fit.quotient
                               : fit.scale != 0.0F ? 1.0F / fit.scale
                                                   : 0.0F;
        scale.quotient = withinFloat(std::ldexp(quotient, -m_exponent));
        return scale;
    }

    /// Of numbers of the blocks, each with the weights of its values.
    [[nodiscard]] SharedScale sharedBy(std::vector<float> numbers) const
    {
        const auto most = static_cast<float>((1 << m_format.superBlock->scaleBits) - 1);
        if (!m_hasImportance)
            return sharedByLargest(numbers, most);
        WeightedBlock weighted{.values = std::move(numbers), .weights = {}};
        for (const WeightedBlock& block : m_blocks) {
            float sum = 0.0F;
            for (const float weight : block.weights)
                sum += weight;
            weighted.weights.push_back(sum);
        }
        return PositiveSearch(weighted, most).best();
    }

    [[nodiscard]] std::vector<BlockScale> sharedScales(const std::vector<WeightedFit>& fits) const
    {
        const int bits = m_format.superBlock->scaleBits;
        const unsigned mask = (1U << static_cast<unsigned>(bits)) - 1U;
        const bool hasMinimum = m_format.rule == ScaleRule::Minimum;
        std::vector<float> ofScales;
        std::vector<float> ofMinima;
        for (const WeightedFit& fit : fits) {
            ofScales.push_back(fit.scale);
            ofMinima.push_back(-fit.minimum);
        }
        const SharedScale shared =
            hasMinimum ? sharedBy(ofScales)
                       : sharedByExtreme(ofScales, -static_cast<float>(1 << (bits - 1)));
        const SharedScale minima = hasMinimum ? sharedBy(ofMinima) : SharedScale{};
        const BlockScale own = storedScale(m_format, std::ldexp(shared.scale, m_exponent));
        const BlockScale ownMinimum = storedScale(m_format, std::ldexp(minima.scale, m_exponent));
        std::vector<BlockScale> scales;
        for (std::size_t i = 0; i < fits.size(); ++i) {
            const float level = shared.levels[i];
            BlockScale scale{.scale = own.scale * level,
                             .pattern = static_cast<unsigned>(static_cast<int>(level)) & mask,
                             .isLargest = own.isLargest || ownMinimum.isLargest};
            scale.isLeast = scale.scale == 0.0F && fits[i].scale != 0.0F;
            scale.quotient = scale.scale;
            if (hasMinimum) {
                scale.minimum = -(ownMinimum.scale * minima.levels[i]);
                scale.pattern |= static_cast<unsigned>(minima.levels[i])
                                 << static_cast<unsigned>(bits);
            }
            scales.push_back(scale);
        }
        return scales;
    }

    const BlockFormat& m_format;
    bool m_hasImportance;
    bool m_isTable;
    int m_exponent = 0;
    float m_meanSquare = 0.0F;
    std::vector<WeightedBlock> m_blocks;
};

}  // namespace

std::uint64_t searchedColumns(const BlockFormat& format, std::uint64_t rowLength)
{
    const std::uint64_t own = format.granularity.columns;
    if (format.superBlock)
        return format.superBlock->columns;
    // iq4_nl takes the mean square of each block.
    const bool isOfRow = format.search.importance != ScaleSearch::Importance::None &&
                         format.search.kind == ScaleSearch::Kind::Weighted &&
                         format.element->numbers().isInteger();
    return isOfRow ? (rowLength + own - 1) / own * own : own;
}

std::vector<BlockScale> weightedScales(const BlockFormat& format, std::span<const float> values,
                                       std::span<const float> importance)
{
    return WeightedRun(format, values, importance).scales();
}

}  // namespace calibscope
