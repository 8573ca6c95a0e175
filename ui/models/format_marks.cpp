// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/format_marks.h"

#include "ui/charts/histogram_content.h"
#include "ui/models/format_model.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace calibscope {

namespace {

constexpr double windowRatio = 28672.0;  // 448 / 2^-6: normal numbers of E4M3
constexpr double overMaximum = 2688.0;   // 6 * 448: the tensor's maximum over its scale

/// From the first bin that is not empty to the last.
Range filledBins(const Histogram& bins)
{
    const auto isFilled = [](std::uint64_t count) { return count > 0; };
    const auto first = std::ranges::find_if(bins.counts, isFilled);
    if (first == bins.counts.end())
        return bins.range();
    const auto end = std::find_if(bins.counts.rbegin(), bins.counts.rend(), isFilled).base();
    return {bins.edge(static_cast<std::size_t>(first - bins.counts.begin())),
            bins.edge(static_cast<std::size_t>(end - bins.counts.begin()))};
}

/// So many bins as one, the first one's lower end a multiple of their width.
Histogram coarser(const Histogram& bins, std::size_t times)
{
    const double width = bins.width() * static_cast<double>(times);
    const double low = std::floor(bins.low / width) * width;
    const auto skipped = static_cast<std::size_t>(std::lround((bins.low - low) / bins.width()));
    Histogram coarse = bins;
    coarse.counts.assign((skipped + bins.counts.size() + times - 1) / times, 0);
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin)
        coarse.counts[(skipped + bin) / times] += bins.counts[bin];
    coarse.spec.bins = static_cast<int>(coarse.counts.size());
    coarse.low = low;
    coarse.high = low + width * static_cast<double>(coarse.counts.size());
    return coarse;
}

/// Of a bin of logarithms: "0.0263 to 0.0286".
QString powersText(const Range& bin)
{
    return tr("%1 to %2").arg(valueLabel(std::exp2(bin.low)), valueLabel(std::exp2(bin.high)));
}

QString storedText(const ElementFormat& scales, unsigned pattern)
{
    return tr("%1 (%2)").arg(valueLabel(static_cast<double>(scales.decode(pattern))),
                             hexText(pattern, scales.bits()));
}

/// "least 0x01: 12 blocks clamped".
LimitMark limitOf(const ElementFormat& scales, unsigned pattern, const QString& name,
                  std::uint64_t clamped)
{
    QString text = tr("%1 %2").arg(name, hexText(pattern, scales.bits()));
    if (clamped > 0)
        text += tr(": %1 clamped").arg(countText(clamped, tr("1 block"), tr("%1 blocks")));
    return {static_cast<double>(pattern), text};
}

BinsMark storedScales(const BlockFormat& format, const FormatMap& map)
{
    const ElementFormat& scales = *format.scales;
    const bool isPower = format.isPowerOfTwo();
    const unsigned least =
        isPower ? 0 : std::max(1U, scales.encode(static_cast<float>(format.leastScale)));
    const unsigned largest = scales.encode(static_cast<float>(scales.largest()));
    constexpr double margin = 8.0;
    const Range filled = filledBins(map.scales);
    const Range ends{least - 1.0, largest + 1.0};
    BinsMark mark{
        .bins = map.scales,
        .all = {std::max(ends.low, filled.low - margin), std::min(ends.high, filled.high + margin)},
        .title = isPower ? tr("byte of the scale 2^(byte − 127)") : tr("scale of a block in E4M3"),
        .counted = tr("blocks"),
        .at = [&scales](const Range& bin) {
            const auto pattern = static_cast<unsigned>((bin.low + bin.high) / 2.0 + 0.5);
            return storedText(scales, pattern);
        }};
    if (!isPower) {
        mark.all = ends;
        for (unsigned pattern = 8; pattern < largest; pattern += 24)  // three powers of two
            mark.names.push_back(
                {.at = static_cast<double>(pattern),
                 .text = valueLabel(static_cast<double>(scales.decode(pattern)), 3)});
    }
    for (const LimitMark& limit :
         {limitOf(scales, least, tr("least"), map.errors.leastBlocks),
          limitOf(scales, largest, tr("largest"), map.errors.largestBlocks)})
        if (mark.all.contains(limit.x))
            mark.limits.push_back(limit);
    // Bins at the ends hold clamped blocks.
    mark.inside = Range{least + (map.errors.leastBlocks > 0 ? 0.5 : -0.5),
                        largest - (map.errors.largestBlocks > 0 ? 0.5 : -0.5)};
    return mark;
}

/// Positions of the numbers, each with the patterns that stand there.
std::map<double, std::vector<unsigned>> levelPositions(const ElementFormat& element, bool isLog)
{
    std::map<double, std::vector<unsigned>> positions;
    for (unsigned pattern = 0; pattern < element.values().size(); ++pattern) {
        const auto number = static_cast<double>(element.decode(pattern));
        // Of what is never written, as the lowest of mxint8, there is nothing to say.
        const bool isWritten = std::isfinite(number) && number >= element.numbers().least() &&
                               number <= element.numbers().largest();
        if (isWritten && !(isLog && number == 0.0))
            positions[isLog ? std::log2(std::abs(number)) : number].push_back(pattern);
    }
    return positions;
}

QString levelText(const ElementFormat& element, const std::vector<unsigned>& patterns,
                  const FormatMap& map)
{
    QStringList numbers;
    QStringList bits;
    std::uint64_t count = 0;
    for (const unsigned pattern : patterns) {
        const QString number = valueLabel(static_cast<double>(element.decode(pattern)), 6);
        if (!numbers.contains(number))
            numbers += number;
        bits += hexText(pattern, element.bits());
        count += map.levels.empty() ? 0 : map.levels[pattern];
    }
    QString text = tr("number %1\npattern %2")
                       .arg(numbers.join(QStringLiteral(", ")), bits.join(QStringLiteral(", ")));
    if (!map.levels.empty())
        text += tr("\n%1, %2")
                    .arg(countText(count, tr("1 value"), tr("%1 values")),
                         shareText(count, map.errors.sums.count));
    return text;
}

}  // namespace

std::optional<double> tensorMaximum(const BlockFormat& format, const FormatMap& map)
{
    if (!format.hasTensorScale)
        return std::nullopt;
    return format.tensorMaximum.value_or(static_cast<double>(map.errors.tensorScale) * overMaximum);
}

double shareOutside(const FormatMap& map, double maximum)
{
    const Histogram& maxima = map.maxima;
    const double high = std::log2(maximum) + maxima.width() / 2.0;  // of the block that is A itself
    std::uint64_t outside = 0;
    for (std::size_t bin = 0; bin < maxima.counts.size(); ++bin)
        if (maxima.centre(bin) > high || maxima.centre(bin) < std::log2(maximum / windowRatio))
            outside += maxima.counts[bin];
    const std::uint64_t total = maxima.total();
    return total == 0 ? 0.0 : static_cast<double>(outside) / static_cast<double>(total);
}

BinsMark scalesMark(const BlockFormat& format, const FormatMap& map)
{
    const bool isStored = format.scales != nullptr && format.scales->bits() <= 8;
    BinsMark mark;
    if (isStored) {
        mark = storedScales(format, map);
    } else {
        const Range filled = filledBins(map.scales);
        mark = {.bins = map.scales,
                .all = {filled.low - 0.5, filled.high + 0.5},
                .title = tr("log2 of the scale of a block"),
                .counted = tr("blocks"),
                .at = powersText};
    }
    mark.sentence =
        tr("%1 by their scale.").arg(countText(map.scales.total(), tr("1 block"), tr("%1 blocks")));
    for (const LimitMark& limit : mark.limits)
        mark.sentence += QLatin1Char(' ') + limit.text + QLatin1Char('.');
    return mark;
}

BinsMark maximaMark(const FormatMap& map, std::optional<double> maximum)
{
    constexpr double margin = 4.0;  // octaves
    constexpr std::size_t drawn = FormatMap::maximaOctave / 8;
    const Histogram bins = coarser(map.maxima, drawn);
    const Range filled = filledBins(bins);
    BinsMark mark{.bins = bins,
                  .all = {filled.low - 0.5, filled.high + 0.5},
                  .title = tr("log2 of the largest magnitude of a block"),
                  .counted = tr("blocks"),
                  .at = powersText};
    mark.sentence = tr("%1 by their largest magnitude.")
                        .arg(countText(map.maxima.total(), tr("1 block"), tr("%1 blocks")));
    if (!maximum)
        return mark;
    const double high = std::log2(*maximum);
    const double low = high - std::log2(windowRatio);
    const double half = bins.width() / 2.0;
    mark.all = {std::min(filled.low, low) - 1.0, std::max(filled.high, high) + margin};
    mark.inside = Range{low, high + half};
    mark.isBand = true;
    mark.handle = PlotHandle{.id = QString::fromLatin1(maximumId),
                             .label = tr("maximum %1").arg(valueLabel(*maximum)),
                             .value = high,
                             .allowed = {filled.low - 1.0, std::max(filled.high, high) + margin},
                             .step = map.maxima.width(),
                             .color = {}};
    mark.sentence += tr(" The scale of the tensor is for magnitudes from %1 to %2.")
                         .arg(valueLabel(std::exp2(low)), valueLabel(*maximum));
    return mark;
}

BinsMark levelsMark(const BlockFormat& format, const FormatMap& map)
{
    const ElementFormat& element = *format.element;
    const bool isLog = !element.numbers().isInteger();
    BinsMark mark{.bins = map.quotients,
                  .title = isLog ? tr("log2 of |value / scale|") : tr("value / scale"),
                  .counted = tr("values"),
                  .at = isLog ? powersText : std::function<QString(const Range&)>()};
    if (format.rule == ScaleRule::Affine)
        mark.title = tr("value / scale + zero point");
    if (format.rule == ScaleRule::Minimum)
        mark.title = tr("(value − minimum) / scale");
    const auto positions = levelPositions(element, isLog);
    for (const auto& [position, patterns] : positions)
        mark.levels.push_back({position, levelText(element, patterns, map)});
    const Range levels{positions.begin()->first, positions.rbegin()->first};
    const Range filled = filledBins(map.quotients);
    constexpr double mostBelow = 5.0;  // octaves of values that become 0
    if (isLog) {
        mark.all = {std::max(std::min(filled.low, levels.low - 1.5), levels.low - mostBelow),
                    std::max(filled.high, levels.high) + 0.5};
        mark.inside = Range{levels.low - 1.0, levels.high};
    } else {
        mark.all = map.quotients.range();
        mark.inside = Range{levels.low - 0.5, levels.high + 0.5};
    }
    mark.sentence =
        tr("Values over the scale of their block: %1 % lie beyond the largest number and "
           "saturate, %2 % become 0.")
            .arg(valueLabel(100.0 * map.errors.saturatedShare(), 3),
                 valueLabel(100.0 * map.errors.flushedShare(), 3));
    return mark;
}

const BlockMeasure& measureOf(const FormatMap& map, MapMeasure measure)
{
    switch (measure) {
    case MapMeasure::Scale: return map.scale;
    case MapMeasure::Sqnr: return map.sqnrDb;
    case MapMeasure::Saturated: return map.saturated;
    case MapMeasure::Flushed: return map.flushed;
    }
    return map.scale;
}

QString measureName(MapMeasure measure)
{
    switch (measure) {
    case MapMeasure::Scale: return tr("log2 of the scale");
    case MapMeasure::Sqnr: return tr("SQNR, dB");
    case MapMeasure::Saturated: return tr("clipped, share");
    case MapMeasure::Flushed: return tr("to 0, share");
    }
    return {};
}

QString mapCellText(const FormatMap& map, MapMeasure shown, std::uint64_t row, std::uint64_t column)
{
    const Slice& cells = map.scale.cells;
    const std::uint64_t cell = cells.cell(row / cells.rowStep, column / cells.columnStep);
    const bool isOne = cells.rowStep == 1 && cells.columnStep == 1;
    QStringList lines{
        isOne ? tr("block %1").arg(countLabel(row * cells.columnCount + column))
              : tr("%1 × %2 blocks").arg(countLabel(cells.rowStep), countLabel(cells.columnStep))};
    if ((cells.marks[cell] & Slice::IsUnread) != 0)
        return lines.front() + tr("\nzeros, or no finite value");
    std::array measures{MapMeasure::Scale, MapMeasure::Sqnr, MapMeasure::Saturated,
                        MapMeasure::Flushed};
    std::ranges::stable_partition(measures,
                                  [shown](MapMeasure measure) { return measure == shown; });
    for (const MapMeasure measure : measures) {
        const BlockMeasure& of = measureOf(map, measure);
        const QString number = valueLabel(static_cast<double>(of.cells.low[cell]), 3);
        const QString line = tr("%1: %2").arg(measureName(measure), number);
        lines += isOne ? line : tr("%1 (block %2)").arg(line, countLabel(of.blocks[cell]));
    }
    if ((cells.marks[cell] & Slice::HasNan) != 0)
        lines += tr("with NaN or infinities");
    return lines.join(u'\n');
}

}  // namespace calibscope
