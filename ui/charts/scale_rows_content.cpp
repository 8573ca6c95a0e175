#include "ui/charts/scale_rows_content.h"

#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace calibscope {

namespace {

bool canBeDrawn(double scale)
{
    return std::isfinite(scale) && scale > 0.0;
}

/// Ends of the axis where nothing can be drawn.
constexpr Range anyScales{0.5, 2.0};

}  // namespace

Range channelAxisRange(std::size_t channels)
{
    const auto count = static_cast<double>(std::max<std::size_t>(channels, 1));
    const double margin = 0.5 + 0.01 * count;
    return {-margin, count - 1.0 + margin};
}

ScaleRowsMark inIndexOrder(std::vector<ScaleRowMark> rows, const QString& xTitle)
{
    ScaleRowsMark mark{.rows = std::move(rows), .order = {}, .xTitle = xTitle};
    for (const ScaleRowMark& row : mark.rows)
        mark.order.resize(std::max(mark.order.size(), row.scales.size()));
    std::iota(mark.order.begin(), mark.order.end(), std::size_t{0});
    return mark;
}

void ScaleRowsContent::setRows(ScaleRowsMark mark)
{
    m_mark = std::move(mark);
    m_chosen.clear();
    m_placeOf.resize(m_mark.order.size());
    for (std::size_t place = 0; place < m_mark.order.size(); ++place)
        m_placeOf[m_mark.order[place]] = place;
    m_isEmpty = std::ranges::none_of(m_mark.rows, [](const ScaleRowMark& row) {
        return std::ranges::any_of(row.scales, canBeDrawn);
    });
    m_reason = tr("No channel has a scale of its own: all values are zero or not finite.");
}

void ScaleRowsContent::setEmpty(const QString& reason)
{
    m_mark = {};
    m_chosen.clear();
    m_placeOf.clear();
    m_reason = reason;
    m_isEmpty = true;
}

std::optional<std::size_t> ScaleRowsContent::channelAt(double x) const
{
    const double place = std::round(x);
    if (!(place >= 0.0) || place >= static_cast<double>(m_mark.order.size()))
        return std::nullopt;
    return m_mark.order[static_cast<std::size_t>(place)];
}

Range ScaleRowsContent::fullRange() const
{
    return channelAxisRange(m_mark.order.size());
}

QString ScaleRowsContent::linearOnlyText() const
{
    return tr("Channels stand side by side: their axis is linear.");
}

Range ScaleRowsContent::extent() const
{
    constexpr double inf = std::numeric_limits<double>::infinity();
    Range range{inf, -inf};
    const auto widen = [&range](double scale) {
        if (canBeDrawn(scale))
            range = {std::min(range.low, scale), std::max(range.high, scale)};
    };
    for (const ScaleRowMark& row : m_mark.rows) {
        std::ranges::for_each(row.scales, widen);
        widen(row.tensorScale.value_or(0.0));
    }
    widen(m_mark.median * m_mark.outlierFactor);
    widen(m_mark.median / m_mark.outlierFactor);
    return range.low <= range.high ? range : anyScales;
}

std::vector<AxisWish> ScaleRowsContent::yAxes(const AxisScale&, const QSizeF&,
                                              const QFontMetricsF&) const
{
    const Range range = extent();
    const double factor = std::max(std::pow(range.high / range.low, 0.05), 1.1);
    AxisWish request;
    request.values = {range.low / factor, range.high * factor};
    request.kind = ScaleKind::Log;
    request.title = tr("scale");
    return {request};
}

std::vector<LegendEntry> ScaleRowsContent::legend() const
{
    std::vector<LegendEntry> entries;
    for (const ScaleRowMark& row : m_mark.rows) {
        entries.push_back({tr("%1 per channel").arg(row.label), row.color, Qt::SolidLine,
                           row.isHollow ? LegendEntry::Sign::Ring : LegendEntry::Sign::Dot});
        if (row.tensorScale)
            entries.push_back({tr("for the tensor  %1").arg(valueLabel(*row.tensorScale)),
                               row.color, row.isHollow ? Qt::DotLine : Qt::DashLine});
    }
    return entries;
}

double ScaleRowsContent::scaleAt(const ScaleRowMark& row, std::size_t place) const
{
    const std::size_t channel = m_mark.order[place];
    return channel < row.scales.size() ? row.scales[channel]
                                       : std::numeric_limits<double>::quiet_NaN();
}

ScaleRowsContent::Places ScaleRowsContent::placesIn(const Range& shown) const
{
    const auto count = static_cast<double>(m_mark.order.size());
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(shown.low), 0.0, count));
    const auto end = static_cast<std::size_t>(std::clamp(std::ceil(shown.high) + 1.0, 0.0, count));
    return {first, std::max(first, end)};
}

QString ScaleRowsContent::readout(double x, const PlotFrame&) const
{
    const std::optional<std::size_t> channel = channelAt(x);
    if (!channel)
        return {};
    QString text = tr("channel %1").arg(*channel);
    for (const ScaleRowMark& row : m_mark.rows) {
        const double scale = scaleAt(row, m_placeOf[*channel]);
        text += canBeDrawn(scale) ? tr("   %1 %2").arg(row.label, valueLabel(scale, 5))
                                  : tr("   %1 has no scale").arg(row.label);
    }
    const double first =
        m_mark.rows.empty() ? 0.0 : scaleAt(m_mark.rows.front(), m_placeOf[*channel]);
    if (m_mark.median > 0.0 && canBeDrawn(first))
        text += tr("   %1 of the median")
                    .arg(QStringLiteral("×") + valueLabel(first / m_mark.median, 3));
    return text;
}

QString ScaleRowsContent::summary() const
{
    if (m_isEmpty)
        return m_reason;
    QStringList sentences;
    for (const ScaleRowMark& row : m_mark.rows) {
        std::vector<double> drawn;
        std::ranges::copy_if(row.scales, std::back_inserter(drawn), canBeDrawn);
        if (drawn.empty())
            continue;
        const auto [least, most] = std::ranges::minmax(drawn);
        sentences += tr("Scales of %1 for %2 channels, from %3 to %4, a spread of %5 bits.")
                         .arg(row.label, countLabel(drawn.size()), valueLabel(least),
                              valueLabel(most), valueLabel(std::log2(most / least), 3));
    }
    return sentences.join(QLatin1Char(' '));
}

std::optional<PlotTable> ScaleRowsContent::table(const Range& shown) const
{
    const Places places = placesIn(shown);
    std::vector<std::uint64_t> channels;
    for (std::size_t place = places.first; place < places.end; ++place)
        channels.push_back(m_mark.order[place]);
    PlotTable table{.columns = {{tr("channel"), channels}}};
    for (const ScaleRowMark& row : m_mark.rows) {
        std::vector<double> scales;
        for (std::size_t place = places.first; place < places.end; ++place)
            scales.push_back(scaleAt(row, place));
        table.columns.push_back({tr("scale, %1").arg(row.label), scales});
    }
    return table;
}

}  // namespace calibscope
