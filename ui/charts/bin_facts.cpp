#include "ui/charts/bin_facts.h"

#include "ui/charts/threshold_layer.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

std::optional<BinFacts::Nearest> nearestTo(double x, Domain domain,
                                           std::span<const ThresholdMark> thresholds)
{
    std::optional<BinFacts::Nearest> nearest;
    for (const ThresholdMark& mark : thresholds)
        for (const double place : markPlaces(mark, domain))
            if (!nearest || std::abs(place - x) < std::abs(nearest->place - x))
                nearest =
                    BinFacts::Nearest{.label = mark.label,
                                      .place = place,
                                      .steps = mark.step > 0.0 ? (place - x) / mark.step : 0.0,
                                      .hasSteps = mark.step > 0.0};
    return nearest;
}

}  // namespace

std::optional<BinFacts> binFacts(const Histogram& histogram,
                                 std::span<const std::uint64_t> countBefore, double x,
                                 std::span<const ThresholdMark> thresholds)
{
    if (histogram.counts.empty() || !(histogram.low < histogram.high) ||
        !histogram.range().contains(x))
        return std::nullopt;
    const double place = std::floor((x - histogram.low) / histogram.width());
    const auto bin = std::min(static_cast<std::size_t>(place), histogram.counts.size() - 1);
    return BinFacts{.bin = {histogram.edge(bin), histogram.edge(bin + 1)},
                    .count = histogram.counts[bin],
                    .left = countBefore[bin],
                    .right = countBefore.back() - countBefore[bin + 1],
                    .total = countBefore.back(),
                    .nearest = nearestTo(x, histogram.spec.domain, thresholds)};
}

QString shareText(std::uint64_t part, std::uint64_t whole)
{
    const double percent =
        whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
    int digits = percent > 99.0 ? 5 : 3;  // 99.978, not 100
    while (digits < 12 && part < whole && valueLabel(percent, digits) == QStringLiteral("100"))
        ++digits;
    return valueLabel(percent, digits) + QStringLiteral(" %");
}

QStringList factLines(const BinFacts& facts, const QString& xTitle)
{
    const auto line = [](const QString& name, const QString& value) {
        return name + u'\t' + value;
    };
    QStringList lines{
        line(xTitle,
             tr("%1 to %2").arg(valueLabel(facts.bin.low, 5), valueLabel(facts.bin.high, 5))),
        line(tr("count"),
             tr("%1 (%2)").arg(countLabel(facts.count), shareText(facts.count, facts.total))),
        line(tr("left"), shareText(facts.left, facts.total)),
        line(tr("right"), shareText(facts.right, facts.total))};
    if (facts.nearest) {
        const BinFacts::Nearest& nearest = *facts.nearest;
        QString text = tr("%1 %2").arg(nearest.label, valueLabel(nearest.place));
        if (nearest.hasSteps)
            text += nearest.steps < 0.0
                        ? tr(", %1 LSB to the left").arg(valueLabel(-nearest.steps, 3))
                        : tr(", %1 LSB to the right").arg(valueLabel(nearest.steps, 3));
        lines += line(tr("nearest"), text);
    }
    return lines;
}

}  // namespace calibscope
