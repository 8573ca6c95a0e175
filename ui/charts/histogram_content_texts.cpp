// What a histogram says in words and numbers.
#include "ui/charts/bin_table.h"
#include "ui/charts/cumulative_layer.h"
#include "ui/charts/histogram_content.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

std::optional<BinFacts> HistogramContent::factsAt(double x) const
{
    return isEmpty() ? std::nullopt : binFacts(m_histogram, m_countBefore, x, m_thresholds);
}

QString HistogramContent::readout(double x, const PlotFrame&) const
{
    const auto facts = factsAt(x);
    if (!facts)
        return xTitle() + u' ' + valueLabel(x) + tr("   no value here");
    if (m_quantity == Quantity::Cumulative)
        return percentileText(m_histogram, m_countBefore, x, xTitle());
    return tr("%1 from %2 to %3   count %4 (%5)   left %6   right %7")
        .arg(xTitle(), valueLabel(facts->bin.low, 5), valueLabel(facts->bin.high, 5),
             countLabel(facts->count), shareText(facts->count, facts->total),
             shareText(facts->left, facts->total), shareText(facts->right, facts->total));
}

QString HistogramContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    const auto facts = factsAt(frame.x.scale.toValue(point.x()));
    if (!facts)
        return {};
    return factLines(*facts, xTitle()).join(u'\n').replace(u'\t', QStringLiteral("  "));
}

QString HistogramContent::summary() const
{
    if (isEmpty())
        return emptyText();
    const auto highest = std::ranges::max_element(m_histogram.counts);
    const auto bin = static_cast<std::size_t>(highest - m_histogram.counts.begin());
    QString text =
        tr("Histogram of %1: %2 values in %3 bins from %4 to %5, the fullest bin (%6) at %7.")
            .arg(xTitle(), countLabel(m_countBefore.back()), countLabel(m_histogram.counts.size()),
                 valueLabel(m_histogram.low), valueLabel(m_histogram.high), countLabel(*highest),
                 valueLabel(m_histogram.centre(bin)));
    QStringList marks;
    for (const LegendEntry& entry : legend())
        marks += entry.text.simplified();
    if (!marks.isEmpty())
        text += tr(" Thresholds: %1.").arg(marks.join(QStringLiteral(", ")));
    return text;
}

std::optional<PlotTable> HistogramContent::table(const Range& shown) const
{
    std::vector<double> upTo = cumulativeShares(m_countBefore, CumulativeAxis::UpTo);
    if (!upTo.empty())
        upTo.erase(upTo.begin());  // what lies before the first bin
    upTo.resize(m_histogram.counts.size());
    return binTable([this](std::size_t bin) { return m_histogram.edge(bin); }, shown,
                    {{tr("count"), m_histogram.counts}, {tr("share up to there"), upTo}});
}

}  // namespace calibscope
