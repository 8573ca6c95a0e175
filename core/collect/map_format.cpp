// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/map_format.h"

#include "core/base/error.h"
#include "core/collect/encode_tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace calibscope {

namespace {

constexpr int scaleBits = 8;  // a bin for each pattern, up to here

Histogram histogramOf(double low, double high, std::vector<std::uint64_t> counts)
{
    Histogram histogram{.spec = {.bins = static_cast<int>(counts.size()), .domain = Domain::Signed},
                        .low = low,
                        .high = high};
    histogram.counts = std::move(counts);
    return histogram;
}

/// Counts by log2.
class OctaveCounts
{
public:
    explicit OctaveCounts(int bins)
        : m_bins(bins), m_counts(octaves * static_cast<std::size_t>(bins))
    {}

    /// Above 0.
    void add(double magnitude)
    {
        const double bin = (std::log2(magnitude) - lowest) * m_bins;
        const auto last = static_cast<double>(m_counts.size() - 1);
        ++m_counts[static_cast<std::size_t>(std::clamp(bin, 0.0, last))];
    }
    /// From the first bin that is not empty to the last; of none one bin.
    [[nodiscard]] Histogram histogram() const
    {
        const auto isFilled = [](std::uint64_t count) { return count > 0; };
        const auto first = std::ranges::find_if(m_counts, isFilled);
        if (first == m_counts.end())
            return histogramOf(0.0, 1.0, {0});
        const auto end = std::find_if(m_counts.rbegin(), m_counts.rend(), isFilled).base();
        const auto edge = [this](auto bin) {
            return lowest + static_cast<double>(bin - m_counts.begin()) / m_bins;
        };
        return histogramOf(edge(first), edge(end), {first, end});
    }

private:
    static constexpr double lowest = -320.0;  // of quotients of subnormal values by large scales
    static constexpr std::size_t octaves = 640;

    int m_bins;
    std::vector<std::uint64_t> m_counts;
};

/// A map that is being filled.
class Cells
{
public:
    Cells(const BlockGrid& grid, const MapSize& size, bool isLeast) : m_isLeast(isLeast)
    {
        Slice& cells = m_measure.cells;
        cells.rowCount = grid.rows;
        cells.columnCount = grid.columns;
        cells.rowStep = (grid.rows - 1) / size.rows + 1;
        cells.columnStep = (grid.columns - 1) / size.columns + 1;
        cells.rows = (grid.rows - 1) / cells.rowStep + 1;
        cells.columns = (grid.columns - 1) / cells.columnStep + 1;
        const std::size_t count = cells.rows * cells.columns;
        cells.low.assign(count, std::numeric_limits<float>::quiet_NaN());
        cells.marks.assign(count, Slice::IsUnread);
        cells.clipped.assign(count, 0);
        m_measure.blocks.assign(count, 0);
    }

    void add(std::uint64_t block, double value, bool isPoisoned)
    {
        Slice& cells = m_measure.cells;
        const std::uint64_t cell = cells.cell(block / cells.columnCount / cells.rowStep,
                                              block % cells.columnCount / cells.columnStep);
        float& shown = cells.low[cell];
        const auto number = static_cast<float>(value);
        ++cells.read;
        ++cells.finite;
        cells.nan += isPoisoned ? 1U : 0U;
        std::uint8_t& marks = cells.marks[cell];
        marks &= static_cast<std::uint8_t>(~Slice::IsUnread);
        if (isPoisoned)
            marks |= Slice::HasNan;
        if (!std::isnan(shown) && !(m_isLeast ? number < shown : number > shown))
            return;
        shown = number;
        m_measure.blocks[cell] = block;
    }

    [[nodiscard]] BlockMeasure take()
    {
        m_measure.cells.high = m_measure.cells.low;
        return std::move(m_measure);
    }

private:
    bool m_isLeast;
    BlockMeasure m_measure;
};

class FormatMapper
{
public:
    FormatMapper(const BlockFormat& format, const BlockGrid& grid, const MapSize& size)
        : m_format(format),
          m_hasPatterns(format.scales != nullptr && format.scales->bits() <= scaleBits),
          m_isInteger(format.element->numbers().isInteger()),
          m_isWhole(format.granularity.kind == Granularity::Kind::Group ||
                    format.granularity.kind == Granularity::Kind::Tile),
          m_scales(FormatMap::scaleOctave),
          m_maxima(FormatMap::maximaOctave),
          m_quotients(FormatMap::quotientOctave),
          m_scale(grid, size, false),
          m_sqnrDb(grid, size, true),
          m_saturated(grid, size, false),
          m_flushed(grid, size, false)
    {
        if (m_hasPatterns)
            m_patterns.resize(format.scales->values().size());
        if (format.element->bits() <= scaleBits)
            m_levels.resize(format.element->values().size());
        if (m_isInteger) {
            const NumberFormat& numbers = format.element->numbers();
            const double margin = std::max(1.0, 0.05 * (numbers.largest() - numbers.least()));
            m_linear = histogramOf(numbers.least() - margin, numbers.largest() + margin,
                                   std::vector<std::uint64_t>(linearBins));
        }
        m_sums.resize(m_isWhole ? 1 : grid.rows * grid.columns);
    }

    void add(const BlockPart& part)
    {
        if (m_isWhole && part.block != m_sums.front().block)
            finish(m_sums.front());
        Sums& sums = m_sums[m_isWhole ? 0 : part.block];
        sums.block = part.block;
        sums.scale = part.scale;
        sums.errors.add(part.values, part.decoded, blockEnds(m_format, part.scale));
        for (std::size_t i = 0; i < part.values.size(); ++i) {
            const float value = part.values[i];
            if (!std::isfinite(value))
                continue;
            sums.largest = std::max(sums.largest, std::abs(value));
            addQuotient(part.scale, value);
            if (!m_levels.empty())
                ++m_levels[part.patterns[i]];
        }
    }

    [[nodiscard]] FormatMap take(const FormatErrors& errors)
    {
        for (Sums& sums : m_sums)
            finish(sums);
        const auto patterns = static_cast<double>(m_patterns.size());
        return {.errors = errors,
                .scales = m_hasPatterns ? histogramOf(-0.5, patterns - 0.5, std::move(m_patterns))
                                        : m_scales.histogram(),
                .maxima = m_maxima.histogram(),
                .quotients = m_isInteger ? std::move(m_linear) : m_quotients.histogram(),
                .levels = std::move(m_levels),
                .scale = m_scale.take(),
                .sqnrDb = m_sqnrDb.take(),
                .saturated = m_saturated.take(),
                .flushed = m_flushed.take()};
    }

private:
    static constexpr std::size_t linearBins = 2048;

    struct Sums
    {
        std::uint64_t block = 0;
        BlockScale scale = {};
        FormatErrors errors = {};
        float largest = 0.0F;
    };

    void addQuotient(const BlockScale& scale, float value)
    {
        const double quotient = (static_cast<double>(value) - static_cast<double>(scale.minimum)) /
                                    static_cast<double>(scale.scale) +
                                static_cast<double>(scale.zeroPoint);
        if (m_isInteger)
            ++m_linear.counts[m_linear.binOf(quotient)];
        else if (quotient != 0.0)
            m_quotients.add(std::abs(quotient));
    }

    /// The sums of a block are complete; from now on they are of none.
    void finish(Sums& sums)
    {
        const FormatErrors& errors = sums.errors;
        if (sums.largest > 0.0F) {
            const double scale = std::abs(static_cast<double>(sums.scale.scale));
            if (m_hasPatterns)
                ++m_patterns[sums.scale.pattern];
            else
                m_scales.add(scale);
            m_maxima.add(static_cast<double>(sums.largest));
            const bool isPoisoned = errors.notFinite > 0;
            m_scale.add(sums.block, std::log2(scale), isPoisoned);
            m_sqnrDb.add(sums.block, errors.sqnrDb().value_or(0.0), isPoisoned);
            m_saturated.add(sums.block, errors.saturatedShare(), isPoisoned);
            m_flushed.add(sums.block, errors.flushedShare(), isPoisoned);
        }
        sums = {};
    }

    const BlockFormat& m_format;
    bool m_hasPatterns;
    bool m_isInteger;
    bool m_isWhole;                         ///< the parts of a block follow each other
    std::vector<std::uint64_t> m_patterns;  ///< of scales
    OctaveCounts m_scales;
    OctaveCounts m_maxima;
    OctaveCounts m_quotients;
    Histogram m_linear;
    std::vector<std::uint64_t> m_levels;
    std::vector<Sums> m_sums;  ///< of the block that is being visited, or of each
    Cells m_scale;
    Cells m_sqnrDb;
    Cells m_saturated;
    Cells m_flushed;
};

}  // namespace

FormatMap mapFormat(const ValueSource& source, const BlockFormat& format, const MatrixShape& matrix,
                    const MapSize& size, const Progress& progress)
{
    if (matrix.values() == 0)
        throw Error(Fault::Usage, "{}: there are no values to map", source.info.path);
    FormatMapper mapper(format, format.granularity.grid(matrix, source.info.channelCount()), size);
    const FormatErrors errors = encodeTensor(source, format, matrix, progress,
                                             [&](const BlockPart& part) { mapper.add(part); });
    return mapper.take(errors);
}

}  // namespace calibscope
