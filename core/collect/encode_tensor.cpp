// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/encode_tensor.h"

#include "core/base/error.h"
#include "core/formats/scale_search.h"
#include "core/formats/weighted_scales.h"
#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace calibscope {

namespace {

using PartUse = std::function<void(const BlockPart&)>;

/// Counts blocks and adds errors.
class FormatTally
{
public:
    FormatTally(const BlockFormat& format, const PartUse& use) : m_format(format), m_use(use) {}

    FormatErrors errors;

    void addBlock(const BlockPeak& peak, const BlockScale& scale)
    {
        ++errors.blocks;
        errors.notFinite += peak.notFinite;
        errors.zeroBlocks += peak.finite > 0 && peak.largest() == 0.0F ? 1U : 0U;
        errors.poisonedBlocks += peak.notFinite > 0 ? 1U : 0U;
        errors.leastBlocks += scale.isLeast ? 1U : 0U;
        errors.largestBlocks += scale.isLargest ? 1U : 0U;
    }

    void addPart(std::uint64_t block, std::uint64_t first, std::uint64_t stride,
                 const BlockScale& scale, std::span<const float> values)
    {
        m_decoded.resize(values.size());
        m_patterns.resize(m_use ? values.size() : 0);
        encodeBlock(m_format, scale, values, m_decoded, m_patterns);
        const BlockEnds ends = blockEnds(m_format, scale);
        // Sums of a part first: neighbours are added to neighbours.
        FormatErrors part;
        for (std::size_t i = 0; i < values.size(); ++i)
            part.add(values[i], m_decoded[i], !ends.hold(values[i]));
        errors.sums += part.sums;
        errors.flushed += part.flushed;
        if (m_use)
            m_use({block, first, stride, scale, values, m_decoded, m_patterns});
    }

private:
    const BlockFormat& m_format;
    const PartUse& m_use;
    std::vector<float> m_decoded;
    std::vector<std::uint16_t> m_patterns;
};

/// Runs of values whose scales follow each other in the file: of a tensor, its channels, its rows;
/// nothing where they do not.
std::optional<ChannelAxis> scaleRuns(const TensorInfo& info, const BlockFormat& format,
                                     const MatrixShape& matrix)
{
    switch (format.granularity.kind) {
    case Granularity::Kind::Tensor: return ChannelAxis{};
    case Granularity::Kind::Channel:
        return info.channelAxis ? axisWithin(info.shape, *info.channelAxis) : ChannelAxis{};
    case Granularity::Kind::Row:
        // A search goes through the values of each row.
        if (matrix.inner == 1 && format.search.kind != ScaleSearch::Kind::None)
            return std::nullopt;
        if (matrix.inner == 1)
            return ChannelAxis{.run = matrix.length, .channels = matrix.outer};
        if (matrix.outer == 1)
            return ChannelAxis{.run = 1, .channels = matrix.inner};
        return std::nullopt;
    case Granularity::Kind::Group:
    case Granularity::Kind::Tile: return std::nullopt;
    }
    return std::nullopt;
}

/// Calls visit(scale, first, values) for the values of each scale, run by run.
template <typename Visit>
void visitRuns(const ValueSource& source, const ChannelAxis& axis, const Progress& progress,
               const Visit& visit)
{
    source.visit(
        [&](const Block& block) {
            forEachRun(axis, block.firstIndex, block.values.size(),
                       [&](std::uint64_t scale, std::uint64_t first, std::uint64_t count) {
                           visit(scale, first,
                                 block.values.subspan(first - block.firstIndex, count));
                       });
        },
        progress);
}

float largestOf(const ValueSource& source, const Progress& progress)
{
    BlockPeak peak;
    source.visit([&](const Block& block) { peak.add(block.values); }, progress);
    return peak.largest();
}

/// Values of the file in pieces of equal length but for the last of each `period`.
class Strips
{
public:
    Strips(std::uint64_t length, std::uint64_t period) : m_length(length), m_period(period) {}

    /// Calls use(first, values) for each strip that the values complete.
    template <typename Use>
    void add(std::span<const float> values, const Use& use)
    {
        while (!values.empty()) {
            const std::uint64_t wanted = std::min(m_length, m_period - m_first % m_period);
            const std::uint64_t taken =
                std::min<std::uint64_t>(wanted - m_held.size(), values.size());
            if (m_held.empty() && taken == wanted) {
                use(m_first, values.first(taken));
            } else {
                m_held.insert(m_held.end(), values.begin(),
                              values.begin() + static_cast<std::ptrdiff_t>(taken));
                if (m_held.size() < wanted)
                    return;
                use(m_first, std::span<const float>(m_held));
                m_held.clear();
            }
            m_first += wanted;
            values = values.subspan(taken);
        }
    }

private:
    std::uint64_t m_length;
    std::uint64_t m_period;
    std::uint64_t m_first = 0;  ///< index of the strip that is being filled
    std::vector<float> m_held;
};

/// Blocks of a strip: neighbours in one or several rows.
class StripBlocks
{
public:
    /// Each block with its values.
    using Use = std::function<void(const BlockPeak&, std::span<const float>)>;

    StripBlocks(const BlockFormat& format, const MatrixShape& matrix, const BlockSearch& search,
                FormatTally& tally)
        : m_format(format), m_matrix(matrix), m_search(search), m_tally(tally)
    {
        const bool isTile = format.granularity.kind == Granularity::Kind::Tile;
        m_rows = isTile ? format.granularity.rows : 1;
        m_columns = format.granularity.kind == Granularity::Kind::Row ? matrix.length
                                                                      : format.granularity.columns;
        m_columns = std::min(m_columns, matrix.length);
        m_width = format.superBlock ? m_columns : 0;
        if (m_width > 0)
            m_columns = searchedColumns(format, false, matrix.length);
        m_across = (matrix.length + m_columns - 1) / m_columns;
    }

    [[nodiscard]] Strips strips() const
    {
        if (m_matrix.inner == 1 && m_rows > 1)
            return {m_rows * m_matrix.length, m_matrix.values()};
        return {m_columns * m_matrix.inner, m_matrix.length * m_matrix.inner};
    }

    /// Blocks are not encoded, but measured.
    void measureWith(Use use) { m_measure = std::move(use); }

    /// The values of a strip that begins there.
    void add(std::uint64_t first, std::span<const float> values)
    {
        const std::uint64_t row = first / (m_matrix.length * m_matrix.inner) * m_matrix.inner;
        const std::uint64_t column = first / m_matrix.inner % m_matrix.length;
        const std::uint64_t rows =
            m_matrix.inner > 1 ? m_matrix.inner
                               : std::max<std::uint64_t>(values.size() / m_matrix.length, 1);
        const std::uint64_t lastColumn =
            m_matrix.inner > 1 || rows == 1
                ? column + values.size() / (m_matrix.inner > 1 ? m_matrix.inner : 1)
                : m_matrix.length;
        const std::uint64_t origin = m_matrix.indexOf(row, column);
        for (std::uint64_t r = row; r < row + rows; r += m_rows)
            for (std::uint64_t c = column; c < lastColumn; c += m_columns)
                addBlock(
                    {r, std::min(r + m_rows, row + rows), c, std::min(c + m_columns, lastColumn)},
                    origin, values);
    }

private:
    struct Corners
    {
        std::uint64_t row, lastRow, column, lastColumn;  // the last ones excluded
    };

    void addBlock(const Corners& corners, std::uint64_t origin, std::span<const float> values)
    {
        const std::uint64_t width = corners.lastColumn - corners.column;
        const bool isSearchedTile = m_rows > 1 && m_format.search.kind != ScaleSearch::Kind::None;
        m_gathered.clear();
        BlockPeak peak;
        for (std::uint64_t row = corners.row; row < corners.lastRow; ++row) {
            const std::uint64_t from = m_matrix.indexOf(row, corners.column) - origin;
            if (m_matrix.inner == 1) {
                peak.add(values.subspan(from, width));
                if (isSearchedTile)
                    std::ranges::copy(values.subspan(from, width), std::back_inserter(m_gathered));
                continue;
            }
            for (std::uint64_t i = 0; i < width; ++i)
                m_gathered.push_back(values[from + i * m_matrix.inner]);
        }
        if (m_matrix.inner != 1)
            peak.add(m_gathered);
        const std::span<const float> all =
            m_matrix.inner == 1 && !isSearchedTile
                ? values.subspan(m_matrix.indexOf(corners.row, corners.column) - origin, width)
                : std::span<const float>(m_gathered);
        if (m_measure) {
            m_measure(peak, all);
            return;
        }
        const std::uint64_t block = corners.row / m_rows * m_across + corners.column / m_columns;
        if (m_width > 0)
            return addNeighbours(block * (m_columns / m_width),
                                 m_matrix.indexOf(corners.row, corners.column), all);
        const BlockScale scale = m_search.scale(peak, all);
        m_tally.addBlock(peak, scale);
        for (std::uint64_t row = corners.row; row < corners.lastRow; ++row) {
            const std::uint64_t first = m_matrix.indexOf(row, corners.column);
            const std::span<const float> part =
                m_matrix.inner == 1 ? values.subspan(first - origin, width)
                                    : std::span<const float>(m_gathered)
                                          .subspan((row - corners.row) * width, width);
            m_tally.addPart(block, first, m_matrix.inner, scale, part);
        }
    }

    /// Blocks whose scales are found together.
    void addNeighbours(std::uint64_t block, std::uint64_t first, std::span<const float> values)
    {
        for (const BlockScale& scale : weightedScales(m_format, values)) {
            const std::span<const float> own = values.first(std::min(m_width, values.size()));
            BlockPeak peak;
            peak.add(own);
            m_tally.addBlock(peak, scale);
            m_tally.addPart(block++, first, m_matrix.inner, scale, own);
            first += own.size() * m_matrix.inner;
            values = values.subspan(own.size());
        }
    }

    const BlockFormat& m_format;
    MatrixShape m_matrix;
    const BlockSearch& m_search;
    FormatTally& m_tally;
    Use m_measure;
    std::uint64_t m_rows = 1;
    std::uint64_t m_columns = 1;
    std::uint64_t m_width = 0;   ///< of blocks whose scales are found together, else 0
    std::uint64_t m_across = 1;  ///< of m_columns along a row
    std::vector<float> m_gathered;
};

/// The scale of each run, by the errors of all trials over its parts.
std::vector<BlockScale> runScales(const ValueSource& source, const BlockFormat& format,
                                  const ChannelAxis& axis, const std::vector<BlockPeak>& peaks,
                                  const Progress& progress)
{
    if (format.search.isIterative())
        throw Error(Fault::Usage,
                    "{}: {} is searched with the values of a scale at hand; give groups, tiles, or "
                    "rows along the last axis",
                    source.info.path, format.id);
    std::vector<std::vector<ScaleTrial>> trials;
    std::vector<std::vector<double>> errors;
    for (const BlockPeak& peak : peaks) {
        trials.push_back(trialScales(format, peak, 1.0F));
        errors.emplace_back(trials.back().size());
    }
    if (format.search.kind != ScaleSearch::Kind::None)
        visitRuns(source, axis, progress,
                  [&](std::uint64_t scale, std::uint64_t, std::span<const float> values) {
                      for (std::size_t i = 0; i < errors[scale].size(); ++i)
                          errors[scale][i] += searchError(format, trials[scale][i].tried, values);
                  });
    BlockSearch search(format, 1.0F);
    if (search.isShared())
        std::ranges::for_each(errors, [&](const auto& ofScale) { search.watch(ofScale); });
    std::vector<BlockScale> scales;
    for (std::size_t scale = 0; scale < trials.size(); ++scale)
        scales.push_back(trials[scale][search.best(errors[scale])].stored);
    return scales;
}

void addRuns(const ValueSource& source, const BlockFormat& format, const ChannelAxis& axis,
             FormatTally& tally, const Progress& progress)
{
    std::vector<BlockPeak> peaks(axis.channels);
    visitRuns(source, axis, progress,
              [&](std::uint64_t scale, std::uint64_t, std::span<const float> values) {
                  peaks[scale].add(values);
              });
    const std::vector<BlockScale> scales = runScales(source, format, axis, peaks, progress);
    for (std::size_t scale = 0; scale < scales.size(); ++scale)
        tally.addBlock(peaks[scale], scales[scale]);
    visitRuns(source, axis, progress,
              [&](std::uint64_t scale, std::uint64_t first, std::span<const float> values) {
                  tally.addPart(scale, first, 1, scales[scale], values);
              });
}

void visitStrips(const ValueSource& source, StripBlocks& blocks, const Progress& progress)
{
    Strips strips = blocks.strips();
    source.visit(
        [&](const Block& block) {
            strips.add(block.values, [&](std::uint64_t first, std::span<const float> values) {
                blocks.add(first, values);
            });
        },
        progress);
}

/// Maximum that the tensor's scale follows from; 0 without one.
float maximumOf(const ValueSource& source, const BlockFormat& format, const MatrixShape& matrix,
                FormatTally& tally, const Progress& progress)
{
    if (!format.hasTensorScale || format.tensorMaximum)
        return 0.0F;
    if (!format.headroom)
        return largestOf(source, progress);
    BlockMaxima maxima;
    const BlockSearch none(format, 1.0F);
    StripBlocks blocks(format, matrix, none, tally);
    blocks.measureWith(
        [&](const BlockPeak& peak, std::span<const float>) { maxima.add(peak.largest()); });
    visitStrips(source, blocks, progress);
    return static_cast<float>(maxima.maximum(*format.headroom));
}

void addStrips(const ValueSource& source, const BlockFormat& format, const MatrixShape& matrix,
               FormatTally& tally, const Progress& progress)
{
    tally.errors.tensorScale =
        tensorScale(format, maximumOf(source, format, matrix, tally, progress));
    BlockSearch search(format, tally.errors.tensorScale);
    StripBlocks blocks(format, matrix, search, tally);
    if (search.isShared()) {
        StripBlocks watched(format, matrix, search, tally);
        watched.measureWith([&](const BlockPeak& peak, std::span<const float> values) {
            search.watch(peak, values);
        });
        visitStrips(source, watched, progress);
    }
    visitStrips(source, blocks, progress);
}

}  // namespace

FormatErrors encodeTensor(const ValueSource& source, const BlockFormat& format,
                          const MatrixShape& matrix, const Progress& progress, const PartUse& use)
{
    if (!format.granularity.fits(matrix))
        throw Error(Fault::Usage,
                    "{}: tiles lie along the first or the last axis of a tensor; give another axis "
                    "than that of {}, or another granularity",
                    source.info.path, format.id);
    if (!format.fits(matrix))
        throw Error(Fault::Usage,
                    "{}: {} needs rows of whole super-blocks of {} values, not of {}; give another "
                    "axis or number format",
                    source.info.path, format.id, format.superBlock->columns, matrix.length);
    FormatTally tally(format, use);
    if (matrix.values() > 0) {
        if (const std::optional<ChannelAxis> runs = scaleRuns(source.info, format, matrix))
            addRuns(source, format, *runs, tally, progress);
        else
            addStrips(source, format, matrix, tally, progress);
    }
    tally.errors.effectiveBits = format.effectiveBits(matrix.values(), tally.errors.blocks);
    return tally.errors;
}

}  // namespace calibscope
