// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/encode_tensor.h"

#include "core/base/error.h"
#include "core/collect/at_once.h"
#include "core/formats/scale_search.h"
#include "core/formats/weighted_scales.h"
#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

namespace calibscope {

namespace {

/// Counts blocks and adds errors.
class FormatTally
{
public:
    FormatTally(const BlockFormat& format, const PartUse& use) : m_format(format), m_use(use) {}

    void setTensorScale(float scale) { m_errors.tensorScale = scale; }

    void addBlock(const BlockPeak& peak, const BlockScale& scale)
    {
        ++m_errors.blocks;
        m_errors.zeroBlocks += peak.finite > 0 && peak.largest() == 0.0F ? 1U : 0U;
        m_errors.poisonedBlocks += peak.notFinite > 0 ? 1U : 0U;
        m_errors.leastBlocks += scale.isLeast ? 1U : 0U;
        m_errors.largestBlocks += scale.isLargest ? 1U : 0U;
    }

    void addPart(std::uint64_t block, std::uint64_t first, std::uint64_t stride,
                 const BlockScale& scale, std::span<const float> values)
    {
        m_decoded.resize(values.size());
        m_patterns.resize(m_use ? values.size() : 0);
        encodeBlock(m_format, scale, values, m_decoded, m_patterns);
        blockEnds(m_format, scale).addErrors(values, m_decoded, m_neighbours);
        if (m_neighbours.finite + m_neighbours.notFinite >= together)
            addNeighbours();
        if (m_use)
            m_use({block, first, stride, scale, values, m_decoded, m_patterns});
    }

    /// Adds errors that another tally has summed.
    void add(const FormatErrors& others)
    {
        addNeighbours();
        m_errors += others;
    }

    /// Errors of all blocks since the last call.
    [[nodiscard]] FormatErrors take()
    {
        addNeighbours();
        return std::exchange(m_errors, {.tensorScale = m_errors.tensorScale});
    }

private:
    static constexpr std::uint64_t together = 4096;  ///< values: sums are of neighbours first

    void addNeighbours()
    {
        m_errors.add(m_neighbours);
        m_neighbours = {};
    }

    const BlockFormat& m_format;
    const PartUse& m_use;
    FormatErrors m_errors;
    kernels::CodeErrors m_neighbours;
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
void visitRuns(const ChannelAxis& axis, const Block& block, const Visit& visit)
{
    forEachRun(axis, block.firstIndex, block.values.size(),
               [&](std::uint64_t scale, std::uint64_t first, std::uint64_t count) {
                   visit(scale, first, block.values.subspan(first - block.firstIndex, count));
               });
}

/// Values of the file in pieces of equal length but for the last of each `period`.
class Strips
{
public:
    Strips(std::uint64_t length, std::uint64_t period) : m_length(length), m_period(period) {}

    /// Calls use(first, values, counts) for each strip that values from that index on complete; values
    /// that were passed over do not count, and strips of none that do are left out. `counts` has a
    /// flag for each value; empty: all count.
    template <typename Use>
    void add(std::uint64_t index, std::span<const float> values, const Use& use)
    {
        for (std::uint64_t next = m_first + m_held.size(); next < index;
             next = m_first + m_held.size())
            passOver(index - next, use);
        while (!values.empty()) {
            const std::uint64_t wanted = std::min(m_length, m_period - m_first % m_period);
            const std::uint64_t taken =
                std::min<std::uint64_t>(wanted - m_held.size(), values.size());
            if (m_held.empty() && taken == wanted) {
                use(m_first, values.first(taken), std::span<const std::uint8_t>());
            } else {
                m_held.insert(m_held.end(), values.begin(),
                              values.begin() + static_cast<std::ptrdiff_t>(taken));
                if (!m_counts.empty())
                    m_counts.resize(m_held.size(), 1);
                if (m_held.size() < wanted)
                    return;
                use(m_first, std::span<const float>(m_held),
                    std::span<const std::uint8_t>(m_counts));
                m_held.clear();
                m_counts.clear();
            }
            m_first += wanted;
            values = values.subspan(taken);
        }
    }

private:
    /// As many values as there are, or as the strip lacks.
    template <typename Use>
    void passOver(std::uint64_t values, const Use& use)
    {
        const std::uint64_t wanted = std::min(m_length, m_period - m_first % m_period);
        m_counts.resize(m_held.size(), 1);
        m_held.resize(std::min(wanted, m_held.size() + values));
        m_counts.resize(m_held.size(), 0);
        if (m_held.size() < wanted)
            return;
        if (std::ranges::count(m_counts, 1) > 0)
            use(m_first, std::span<const float>(m_held), std::span<const std::uint8_t>(m_counts));
        m_first += wanted;
        m_held.clear();
        m_counts.clear();
    }

    std::uint64_t m_length;
    std::uint64_t m_period;
    std::uint64_t m_first = 0;  ///< index of the strip that is being filled
    std::vector<float> m_held;
    std::vector<std::uint8_t> m_counts;  ///< of these; empty: all count
};

/// Blocks of a strip: neighbours in one or several rows.
class StripBlocks
{
public:
    /// Each block with its values.
    using Use = std::function<void(const BlockPeak&, std::span<const float>, const ErrorWeights&)>;

    StripBlocks(const BlockFormat& format, const MatrixShape& matrix, const BlockSearch& search,
                FormatTally& tally, const InputProducts* inputs)
        : m_format(format), m_matrix(matrix), m_search(search), m_tally(tally), m_inputs(inputs)
    {
        const bool isTile = format.granularity.kind == Granularity::Kind::Tile;
        m_rows = isTile ? format.granularity.rows : 1;
        m_columns = format.granularity.kind == Granularity::Kind::Row ? matrix.length
                                                                      : format.granularity.columns;
        m_columns = std::min(m_columns, matrix.length);
        if (const std::uint64_t together = searchedColumns(format, matrix.length);
            together > format.granularity.columns) {
            m_width = m_columns;
            m_columns = together;
        }
        m_across = (matrix.length + m_columns - 1) / m_columns;
    }

    [[nodiscard]] Strips strips() const
    {
        if (m_matrix.inner == 1 && m_rows > 1)
            return {m_rows * m_matrix.length, m_matrix.values()};
        // Several rows or blocks at once where they follow each other.
        if (m_matrix.inner == 1 && m_matrix.length <= stripValues)
            return {std::max<std::uint64_t>(stripValues / m_matrix.length, 1) * m_matrix.length,
                    m_matrix.values()};
        const std::uint64_t blocks =
            m_matrix.inner > 1 ? 1 : std::max<std::uint64_t>(stripValues / m_columns, 1);
        return {blocks * m_columns * m_matrix.inner, m_matrix.length * m_matrix.inner};
    }

    /// Blocks are not encoded, but measured.
    void measureWith(Use use) { m_measure = std::move(use); }

    /// The values of a strip that begins there; without flags all count.
    void add(std::uint64_t first, std::span<const float> values,
             std::span<const std::uint8_t> counts)
    {
        m_counts = counts;
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
    static constexpr std::uint64_t stripValues = 4096;

    struct Corners
    {
        std::uint64_t row, lastRow, column, lastColumn;  // the last ones excluded
    };

    void addBlock(const Corners& corners, std::uint64_t origin, std::span<const float> values)
    {
        if (!m_counts.empty())
            return addCounted(corners, origin, values);
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
        const bool together = m_format.search.importance == ScaleSearch::Importance::Hessian;
        const ErrorWeights weights =
            m_inputs ? m_inputs->at(corners.row, corners.column, width, together) : ErrorWeights{};
        if (m_measure) {
            m_measure(peak, all, weights);
            return;
        }
        const std::uint64_t block = corners.row / m_rows * m_across + corners.column / m_columns;
        if (m_width > 0)
            return addNeighbours(block * (m_columns / m_width),
                                 m_matrix.indexOf(corners.row, corners.column), all, weights);
        const BlockScale scale = m_search.scale(peak, all, weights);
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

    /// A block of which some values do not count: as if they were not there.
    void addCounted(const Corners& corners, std::uint64_t origin, std::span<const float> values)
    {
        m_gathered.clear();
        m_runs.clear();
        std::uint64_t before = 0;  // index of the last one that counts
        for (std::uint64_t row = corners.row; row < corners.lastRow; ++row)
            for (std::uint64_t column = corners.column; column < corners.lastColumn; ++column) {
                const std::uint64_t index = m_matrix.indexOf(row, column);
                if (m_counts[index - origin] == 0)
                    continue;
                const bool isNext =
                    column > corners.column && !m_runs.empty() && before + m_matrix.inner == index;
                if (isNext)
                    ++m_runs.back().count;
                else
                    m_runs.push_back({.first = index, .count = 1});
                before = index;
                m_gathered.push_back(values[index - origin]);
            }
        if (m_gathered.empty())
            return;
        const std::uint64_t whole =
            (corners.lastRow - corners.row) * (corners.lastColumn - corners.column);
        if (m_gathered.size() < whole && (m_width > 0 || m_format.superBlock))
            throw Error(Fault::Usage,
                        "{} chooses the scales of several blocks together, and a mask leaves out "
                        "parts of them; take another number format",
                        m_format.id);
        BlockPeak peak;
        peak.add(m_gathered);
        if (m_measure) {
            m_measure(peak, m_gathered, {});
            return;
        }
        const std::uint64_t block = corners.row / m_rows * m_across + corners.column / m_columns;
        if (m_width > 0)
            return addNeighbours(block * (m_columns / m_width), m_runs.front().first, m_gathered,
                                 {});
        const BlockScale scale = m_search.scale(peak, m_gathered, {});
        m_tally.addBlock(peak, scale);
        std::span<const float> rest(m_gathered);
        for (const Run& run : m_runs) {
            m_tally.addPart(block, run.first, m_matrix.inner, scale, rest.first(run.count));
            rest = rest.subspan(run.count);
        }
    }

    /// Blocks whose scales are found together.
    void addNeighbours(std::uint64_t block, std::uint64_t first, std::span<const float> values,
                       const ErrorWeights& weights)
    {
        for (const BlockScale& scale : weightedScales(m_format, values, weights.squares)) {
            const std::span<const float> own = values.first(std::min(m_width, values.size()));
            BlockPeak peak;
            peak.add(own);
            m_tally.addBlock(peak, scale);
            m_tally.addPart(block++, first, m_matrix.inner, scale, own);
            first += own.size() * m_matrix.inner;
            values = values.subspan(own.size());
        }
    }

    struct Run
    {
        std::uint64_t first = 0;
        std::uint64_t count = 0;
    };

    const BlockFormat& m_format;
    MatrixShape m_matrix;
    const BlockSearch& m_search;
    FormatTally& m_tally;
    const InputProducts* m_inputs;
    Use m_measure;
    std::uint64_t m_rows = 1;
    std::uint64_t m_columns = 1;
    std::uint64_t m_width = 0;   ///< of blocks whose scales are found together, else 0
    std::uint64_t m_across = 1;  ///< of m_columns along a row
    std::vector<float> m_gathered;
    std::span<const std::uint8_t> m_counts;  ///< of the strip
    std::vector<Run> m_runs;                 ///< of the gathered values in the tensor
};

/// A format on its way through a tensor, pass by pass.
class FormatEncoding
{
public:
    FormatEncoding(const TensorInfo& info, const BlockFormat& format, const MatrixShape& matrix,
                   const PartUse& use, const InputProducts* inputs)
        : m_info(info),
          m_format(format),
          m_matrix(matrix),
          m_use(use),
          m_inputs(inputs),
          m_runs(scaleRuns(info, format, matrix)),
          m_tally(format, use)
    {
        refuseMisfit();
        if (format.search.importance == ScaleSearch::Importance::None)
            m_inputs = nullptr;
        if (matrix.values() == 0)
            m_pass = passes;
    }

    /// Begins the next pass; false after the last one.
    bool next()
    {
        m_take = nullptr;
        while (!m_take && m_pass < passes) {
            ++m_pass;
            if (m_runs)
                beginRuns();
            else
                beginStrips();
        }
        return m_take != nullptr;
    }

    void take(const Block& block) { m_take(block); }
    /// All values that count were taken.
    void end()
    {
        if (m_info.mask && m_strips)
            m_take({.values = {}, .firstIndex = m_info.valueCount()});
    }

    [[nodiscard]] FormatErrors errors()
    {
        FormatErrors errors = m_tally.take();
        errors.effectiveBits = m_format.effectiveBits(
            m_info.mask ? m_info.mask->counted : m_matrix.values(), errors.blocks);
        return errors;
    }

private:
    struct Strip
    {
        std::uint64_t first = 0;
        std::span<const float> values;
        FormatErrors errors;
    };
    static constexpr int passes = 3;  ///< at most; those without anything to do are left out

    void refuseMisfit() const
    {
        const std::string& path = m_info.path;
        if (!m_format.granularity.fits(m_matrix))
            throw Error(Fault::Usage,
                        "{}: tiles lie along the first or the last axis of a tensor; give another "
                        "axis than that of {}, or another granularity",
                        path, m_format.id);
        if (!m_format.fits(m_matrix))
            throw Error(Fault::Usage,
                        "{}: {} needs rows of whole super-blocks of {} values, not of {}; give "
                        "another axis or number format",
                        path, m_format.id, m_format.superBlock->columns, m_matrix.length);
        if (m_runs && m_format.search.isIterative())
            throw Error(Fault::Usage,
                        "{}: {} is searched with the values of a scale at hand; give groups, "
                        "tiles, or rows along the last axis",
                        path, m_format.id);
        if (m_format.search.importance == ScaleSearch::Importance::None)
            return;
        if (m_runs || m_format.granularity.kind == Granularity::Kind::Tile)
            throw Error(Fault::Usage,
                        "{}: {} counts errors by the inputs of their columns; give groups, or rows "
                        "along the last axis",
                        path, m_format.id);
        if (!m_inputs || m_inputs->columns != m_matrix.length ||
            (m_format.search.importance == ScaleSearch::Importance::Hessian &&
             m_inputs->products.empty()))
            throw Error(Fault::Usage, "{}: {} needs the inputs that a layer multiplies with it",
                        path, m_format.id);
    }

    void beginRuns()
    {
        const bool isSearched = m_format.search.kind != ScaleSearch::Kind::None;
        if (m_pass == 1) {
            m_peaks.resize(m_runs->channels);
            return takeRuns([this](std::uint64_t scale, std::uint64_t,
                                   std::span<const float> values) { m_peaks[scale].add(values); });
        }
        if (m_pass == 2) {
            for (const BlockPeak& peak : m_peaks) {
                m_trials.push_back(trialScales(m_format, peak, 1.0F));
                m_trialErrors.emplace_back(m_trials.back().size());
            }
            if (isSearched)
                takeRuns([this](std::uint64_t scale, std::uint64_t, std::span<const float> values) {
                    for (std::size_t i = 0; i < m_trials[scale].size(); ++i)
                        m_trialErrors[scale][i] +=
                            searchError(m_format, m_trials[scale][i].tried, values);
                });
            return;
        }
        chooseScales();
        takeRuns([this](std::uint64_t scale, std::uint64_t first, std::span<const float> values) {
            m_tally.addPart(scale, first, 1, m_scales[scale], values);
        });
    }

    /// The scale of each run, by the errors of all trials over its parts.
    void chooseScales()
    {
        BlockSearch search(m_format, 1.0F);
        if (search.isShared())
            std::ranges::for_each(m_trialErrors,
                                  [&](const auto& ofScale) { search.watch(ofScale); });
        for (std::size_t scale = 0; scale < m_trials.size(); ++scale) {
            m_scales.push_back(m_trials[scale][search.best(m_trialErrors[scale])].stored);
            const bool hasValues = m_peaks[scale].finite + m_peaks[scale].notFinite > 0;
            if (hasValues || !m_info.mask)  // of those that don't count nothing is stored
                m_tally.addBlock(m_peaks[scale], m_scales[scale]);
        }
    }

    void beginStrips()
    {
        if (m_pass == 1) {
            if (!m_format.hasTensorScale || m_format.tensorMaximum)
                return;
            if (!m_format.headroom) {
                m_take = [this](const Block& block) { m_largest.add(block.values); };
                return;
            }
            m_search.emplace(m_format, 1.0F);
            return takeStrips(
                [this](const BlockPeak& peak, auto&&...) { m_maxima.add(peak.largest()); });
        }
        if (m_pass == 2) {
            const float maximum = m_format.headroom
                                      ? static_cast<float>(m_maxima.maximum(*m_format.headroom))
                                      : m_largest.largest();
            const float ofTensor = tensorScale(m_format, maximum);
            m_tally.setTensorScale(ofTensor);
            m_search.emplace(m_format, ofTensor);
            if (m_search->isShared())
                takeStrips([this](const BlockPeak& peak, std::span<const float> values,
                                  const ErrorWeights& weights) {
                    m_search->watch(peak, values, weights);
                });
            return;
        }
        takeStrips({});
    }

    template <typename Visit>
    void takeRuns(Visit visit)
    {
        m_take = [this, visit](const Block& block) { visitRuns(*m_runs, block, visit); };
    }

    void takeStrips(StripBlocks::Use measure)
    {
        const bool isEncoded = !measure;
        m_blocks.emplace(m_format, m_matrix, *m_search, m_tally, m_inputs);
        m_blocks->measureWith(std::move(measure));
        m_strips.emplace(m_blocks->strips());
        if (isEncoded && !m_use)
            m_take = [this](const Block& block) { encodeStrips(block); };
        else
            m_take = [this](const Block& block) {
                m_strips->add(block.firstIndex, block.values,
                              [this](std::uint64_t first, std::span<const float> values,
                                     std::span<const std::uint8_t> counts) {
                                  m_blocks->add(first, values, counts);
                              });
            };
    }

    /// Strips of a block, several at once: their errors are added in order. Those that began before
    /// the block, or lack values that do not count, come first.
    void encodeStrips(const Block& block)
    {
        std::vector<Strip> whole;
        m_strips->add(block.firstIndex, block.values,
                      [&](std::uint64_t first, std::span<const float> values,
                          std::span<const std::uint8_t> counts) {
                          const bool isOwn =
                              values.data() >= block.values.data() &&
                              values.data() < block.values.data() + block.values.size();
                          if (isOwn)
                              return whole.push_back({first, values, {}});
                          m_blocks->add(first, values, counts);
                          m_tally.add(FormatErrors{});
                      });
        if (whole.empty())
            return;
        constexpr std::size_t together = 65536;  // values
        const std::size_t each = std::max<std::size_t>(together / whole.front().values.size(), 1);
        atOnce((whole.size() + each - 1) / each, together, [&](std::size_t group) {
            const PartUse none;
            FormatTally tally(m_format, none);
            StripBlocks blocks(m_format, m_matrix, *m_search, tally, m_inputs);
            for (std::size_t i = group * each; i < std::min(whole.size(), (group + 1) * each);
                 ++i) {
                blocks.add(whole[i].first, whole[i].values, {});
                whole[i].errors = tally.take();
            }
        });
        for (const Strip& strip : whole)
            m_tally.add(strip.errors);
    }

    const TensorInfo& m_info;
    const BlockFormat& m_format;
    const MatrixShape& m_matrix;
    const PartUse& m_use;
    const InputProducts* m_inputs;
    std::optional<ChannelAxis> m_runs;
    FormatTally m_tally;
    int m_pass = 0;
    std::function<void(const Block&)> m_take;
    // Values in runs.
    std::vector<BlockPeak> m_peaks;
    std::vector<std::vector<ScaleTrial>> m_trials;
    std::vector<std::vector<double>> m_trialErrors;
    std::vector<BlockScale> m_scales;
    // Values in strips.
    BlockPeak m_largest;
    BlockMaxima m_maxima;
    std::optional<BlockSearch> m_search;
    std::optional<StripBlocks> m_blocks;
    std::optional<Strips> m_strips;
};

}  // namespace

FormatErrors encodeTensor(const ValueSource& source, const BlockFormat& format,
                          const MatrixShape& matrix, const Progress& progress, const PartUse& use,
                          const InputProducts* inputs)
{
    FormatEncoding encoding(source.info, format, matrix, use, inputs);
    while (encoding.next()) {
        source.visit([&](const Block& block) { encoding.take(block); }, progress);
        encoding.end();
    }
    return encoding.errors();
}

std::vector<FormatErrors> encodeTensors(const ValueSource& source,
                                        std::span<const BlockFormat> formats,
                                        const MatrixShape& matrix, const Progress& progress,
                                        const InputProducts* inputs)
{
    const PartUse none;
    std::deque<FormatEncoding> encodings;  // their steps point into them
    for (const BlockFormat& format : formats)
        encodings.emplace_back(source.info, format, matrix, none, inputs);
    std::vector<FormatEncoding*> active;
    const auto begin = [&] {
        active.clear();
        for (FormatEncoding& encoding : encodings)
            if (encoding.next())
                active.push_back(&encoding);
        return !active.empty();
    };
    while (begin()) {
        source.visit(
            [&](const Block& block) {
                atOnce(active.size(), block.values.size(),
                       [&](std::size_t i) { active[i]->take(block); });
            },
            progress);
        std::ranges::for_each(active, &FormatEncoding::end);
    }
    std::vector<FormatErrors> errors;
    for (FormatEncoding& encoding : encodings)
        errors.push_back(encoding.errors());
    return errors;
}

}  // namespace calibscope
