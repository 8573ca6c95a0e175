// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/collect_strip.h"

#include "core/tensor/channel_runs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace calibscope {

namespace {

/// Counts values into the columns of a row, as a histogram of that range would.
class ColumnCounter
{
public:
    ColumnCounter(Domain domain, const Range& range, std::uint64_t columns)
        : m_isMagnitude(domain == Domain::Magnitude),
          m_range(range),
          m_columnWidth(range.width() / static_cast<double>(columns))
    {}

    void count(std::span<const float> values, std::span<std::uint64_t> row) const
    {
        const auto columns = static_cast<double>(row.size());
        for (const float value : values) {
            const auto x = static_cast<double>(m_isMagnitude ? std::abs(value) : value);
            if (!(x >= m_range.low && x <= m_range.high))  // NaN is in no range
                continue;
            const double place = m_columnWidth > 0.0 ? (x - m_range.low) / m_columnWidth : 0.0;
            ++row[place < columns ? static_cast<std::size_t>(place) : row.size() - 1];
        }
    }

private:
    bool m_isMagnitude;
    Range m_range;
    double m_columnWidth;
};

}  // namespace

Strip collectStrip(const ValueSource& source, StripRows rows, Domain domain, std::uint64_t columns,
                   const Range& range, const Progress& progress)
{
    const bool byChannel = rows == StripRows::Channel;
    if (columns == 0)
        throw std::invalid_argument("a strip needs a column");
    if (byChannel && !source.info.channelAxis)
        throw std::invalid_argument("a strip of channels needs a channel axis");
    Strip strip{.range = range,
                .rows = byChannel ? source.info.channelCount() : source.info.batchCount(),
                .columns = columns};
    strip.counts.resize(strip.rows * columns);
    const ColumnCounter counter(domain, range, columns);
    const auto count = [&](std::uint64_t row, std::span<const float> values) {
        counter.count(values, std::span(strip.counts).subspan(row * columns, columns));
    };
    source.visit(
        [&](const Block& block) {
            if (byChannel)
                forEachChannelRun(source.info, block, count);
            else
                count(block.batch, block.values);
        },
        progress);
    return strip;
}

}  // namespace calibscope
