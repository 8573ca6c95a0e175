// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/slice/slice_facts.h"

#include "ui/plot/number_label.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("SlicePage", text);
}

QString percentOf(std::uint64_t part, std::uint64_t all)
{
    const double percent =
        all == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
    return part > 0 && percent < 0.01 ? words("less than 0.01 %")
                                      : words("%1 %").arg(valueLabel(percent, 3));
}

/// "one of 16 rows", "one of 4 rows of chunks and one of 2 columns of chunks".
QString sampledWords(const Slice& slice)
{
    QStringList parts;
    if (slice.rowEvery > 1)
        parts += (slice.isByChunks ? words("one of %1 rows of chunks") : words("one of %1 rows"))
                     .arg(countLabel(slice.rowEvery));
    if (slice.columnEvery > 1)
        parts +=
            (slice.isByChunks ? words("one of %1 columns of chunks") : words("one of %1 columns"))
                .arg(countLabel(slice.columnEvery));
    return parts.join(words(" and "));
}

/// Whether the outcome has a row for each of the tensor's channels.
bool isByChannel(const TensorInfo& tensor, const Outcome& outcome)
{
    return tensor.channelAxis && outcome.channels.size() == tensor.channelCount() &&
           outcome.channels.size() > 1;
}

}  // namespace

std::vector<Range> clipsOf(const TensorInfo& tensor, const OutcomeRow* row)
{
    std::vector<Range> clips;
    if (!row || !row->hasResult())
        return clips;
    if (!isByChannel(tensor, *row->outcome))
        clips.push_back(row->outcome->whole.quantizer.clip);
    else
        for (const ScaleRow& channel : row->outcome->channels)
            clips.push_back(channel.quantizer.clip);
    const bool areRanges =
        std::ranges::all_of(clips, [](const Range& clip) { return clip.low <= clip.high; });
    return areRanges ? clips : std::vector<Range>();
}

const Quantizer* quantizerOf(const TensorInfo& tensor, const OutcomeRow* row,
                             const std::vector<std::uint64_t>& index)
{
    if (!row || !row->hasResult())
        return nullptr;
    if (!isByChannel(tensor, *row->outcome))
        return &row->outcome->whole.quantizer;
    const std::uint64_t channel = index[static_cast<std::size_t>(*tensor.channelAxis)];
    return &row->outcome->channels[channel].quantizer;
}

QString factsOfValue(double value, const Quantizer* quantizer)
{
    QStringList lines{words("value %1").arg(valueLabel(value, 7))};
    if (!quantizer || !std::isfinite(value))
        return lines.front();
    const int level = quantizer->level(value);
    const double quantized = quantizer->value(level);
    lines += words("quantized %1 (level %2)")
                 .arg(valueLabel(quantized, 7), valueLabel(static_cast<double>(level)));
    if (quantizer->scale > 0.0)
        lines += words("error %1 LSB").arg(valueLabel((quantized - value) / quantizer->scale, 4));
    if (quantizer->clips(value))
        lines += words("clipped: outside of %1 to %2")
                     .arg(valueLabel(quantizer->clip.low), valueLabel(quantizer->clip.high));
    return lines.join(u'\n');
}

Range colorRange(const std::vector<Range>& clips, const std::optional<Range>& extents,
                 const Slice& slice)
{
    if (!clips.empty()) {
        Range range = clips.front();
        for (const Range& clip : clips)
            range = {std::min(range.low, clip.low), std::max(range.high, clip.high)};
        if (extents)
            range = {std::max(range.low, extents->low), std::min(range.high, extents->high)};
        if (range.low < range.high)
            return range;
    }
    std::optional<Range> range;
    for (std::size_t cell = 0; cell < slice.low.size(); ++cell) {
        if (std::isnan(slice.low[cell]) || (slice.marks[cell] & Slice::IsUnread) != 0)
            continue;
        const Range own{static_cast<double>(slice.low[cell]),
                        static_cast<double>(slice.high[cell])};
        range = range ? Range{std::min(range->low, own.low), std::max(range->high, own.high)} : own;
    }
    return range.value_or(Range{});
}

QString sliceSentence(const Slice& slice, const QString& candidate, const QString& marked)
{
    QStringList parts;
    const std::uint64_t clipped = slice.clippedCount();
    if (!marked.isEmpty())
        parts += words("%1 of the values shown lie in %2")
                     .arg(percentOf(slice.marked, slice.read), marked);
    else if (!candidate.isEmpty())
        parts += clipped == 0 ? words("No value shown is clipped by %1").arg(candidate)
                              : words("%1 of the values shown are clipped by %2")
                                    .arg(percentOf(clipped, slice.finite), candidate);
    if (slice.nan > 0)
        parts += countText(slice.nan, words("1 is NaN"), words("%1 are NaN"));
    if (slice.infinite > 0)
        parts += countText(slice.infinite, words("1 is infinite"), words("%1 are infinite"));
    QString sentence = parts.join(QStringLiteral(", "));
    if (!sentence.isEmpty())
        sentence[0] = sentence[0].toUpper();
    if (!slice.isWhole()) {
        const QString sampled = sampledWords(slice);
        const QString first =
            sampled.isEmpty() ? QString() : words("First look at %1, ").arg(sampled);
        sentence = words("%1reading all of it: %2 so far. ")
                       .arg(first, percentOf(slice.read, slice.values())) +
                   sentence;
    } else {
        sentence = words("%1 values shown. ").arg(countLabel(slice.values())) + sentence;
    }
    return sentence + (parts.isEmpty() ? QString() : QStringLiteral("."));
}

}  // namespace calibscope
