// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/budget_content.h"

#include "ui/charts/side_by_side_content.h"
#include "ui/plot/number_label.h"
#include "ui/plot/plot_painter.h"
#include "ui/theme/translate.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace calibscope {

namespace {

const QString budgetHandle = QStringLiteral("budget");

QColor budgetColor(const ChartColors& colors)
{
    return seriesStyle(0, colors).color;
}

}  // namespace

void BudgetContent::setPoints(std::vector<BudgetMark> points)
{
    m_points = std::move(points);
    m_chosen = 0;
}

std::size_t BudgetContent::nearest(double extraPercent) const
{
    const double floor = xAxis().all.low;
    const auto logOf = [floor](double extra) { return std::log10(std::max(extra, floor)); };
    const auto found = std::ranges::min_element(m_points, {}, [&](const BudgetMark& point) {
        return std::abs(logOf(point.extraPercent) - logOf(extraPercent));
    });
    return static_cast<std::size_t>(found - m_points.begin());
}

XAxis BudgetContent::xAxis() const
{
    XAxis axis{.all = {0.0, 1.0}, .title = tr("cost beyond what is decided, %")};
    if (m_points.empty())
        return axis;
    const auto first = std::ranges::find_if(
        m_points, [](const BudgetMark& point) { return point.extraPercent > 0.0; });
    const double least = first == m_points.end() ? 1.0 : first->extraPercent;
    axis.all = {least / 2.0, std::max(m_points.back().extraPercent, 2.0 * least) * 1.1};
    axis.log = LogX{.floor = least / 2.0, .least = least};
    return axis;
}

std::vector<YAxis> BudgetContent::yAxes(const PlotRoom&) const
{
    std::optional<Range> range;
    for (const BudgetMark& point : m_points)
        for (const std::optional<double>& db : {std::optional(point.db), point.lowDb, point.highDb})
            if (db && std::isfinite(*db))
                range = range ? Range{std::min(range->low, *db), std::max(range->high, *db)}
                              : Range{*db, *db};
    constexpr double margin = 2.0;
    const Range values = range.value_or(Range{0.0, 40.0});
    return {{.values = {values.low - margin, values.high + margin},
             .title = tr("SQNR at the end, dB"),
             .shorterTitles = {tr("SQNR, dB"), tr("dB")}}};
}

std::vector<LegendEntry> BudgetContent::legend() const
{
    const ChartColors& light = lightChartColors();
    const ChartColors& dark = darkChartColors();
    return {
        {.text = tr("predicted"), .color = budgetColor(light), .colorOnDark = budgetColor(dark)},
        {.text = tr("its interval"), .color = light.faintText, .colorOnDark = dark.faintText}};
}

void BudgetContent::paint(QPainter& painter, const PlotFrame& frame) const
{
    const auto pixelOf = [&frame](const BudgetMark& point, double db) {
        return QPointF(frame.x.scale.toPixel(point.extraPercent),
                       frame.y.front().scale.toPixel(db));
    };
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(frame.colors.faintText, 1.0));
    QPolygonF line;
    for (const BudgetMark& point : m_points) {
        if (!std::isfinite(point.db))
            continue;
        if (point.lowDb && point.highDb)
            painter.drawLine(pixelOf(point, *point.lowDb), pixelOf(point, *point.highDb));
        line << pixelOf(point, point.db);
    }
    painter.setPen(
        QPen(budgetColor(frame.colors), 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    painter.setPen(QPen(frame.colors.background, 1.0));
    painter.setBrush(budgetColor(frame.colors));
    for (const QPointF& dot : line)
        painter.drawEllipse(dot, 3.5, 3.5);
    if (m_chosen >= m_points.size())
        return;
    const BudgetMark& chosen = m_points[m_chosen];
    painter.setPen(QPen(frame.colors.text, 2.0));
    painter.setBrush(Qt::NoBrush);
    if (std::isfinite(chosen.db))
        painter.drawEllipse(pixelOf(chosen, chosen.db), 6.5, 6.5);
}

QStringList BudgetContent::factsOf(const BudgetMark& point) const
{
    QStringList facts{tr("+%1 %").arg(valueLabel(point.extraPercent, 3)),
                      std::isfinite(point.db) ? tr("%1 dB").arg(dbLabel(point.db))
                      : std::isnan(point.db)  ? tr("not known")
                                              : tr("no noise")};
    if (point.lowDb && point.highDb && std::isfinite(point.db))
        facts += tr("%1 to %2").arg(dbLabel(point.lowDb), dbLabel(point.highDb));
    facts += point.changes;
    return facts;
}

QString BudgetContent::readout(double x, const PlotFrame&) const
{
    return factsOf(m_points[nearest(x)]).join(QStringLiteral("   "));
}

QString BudgetContent::hoverText(const QPointF& point, const PlotFrame& frame) const
{
    return factsOf(m_points[nearest(frame.x.scale.toValue(point.x()))]).join(u'\n');
}

QString BudgetContent::sentences() const
{
    const BudgetMark& chosen = m_points[std::min(m_chosen, m_points.size() - 1)];
    return tr("SQNR at the network's end by cost, %1 points, from %2 dB as accepted. Chosen: %3.")
        .arg(countLabel(m_points.size()), dbLabel(m_points.front().db),
             factsOf(chosen).join(QStringLiteral(", ")));
}

std::optional<PlotTable> BudgetContent::table(const Range& shown) const
{
    PlotTable table{.columns = {{tr("cost beyond what is decided, %")},
                                {tr("predicted dB")},
                                {tr("from dB")},
                                {tr("to dB")},
                                {tr("changes")}}};
    const double floor = xAxis().all.low;
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const BudgetMark& point : m_points)
        if (shown.contains(std::max(point.extraPercent, floor)))
            table.addRow(point.extraPercent, point.db, point.lowDb.value_or(none),
                         point.highDb.value_or(none), point.changes);
    return table;
}

std::vector<PlotHandle> BudgetContent::handles() const
{
    if (m_chosen >= m_points.size())
        return {};
    const double here = m_points[m_chosen].extraPercent;
    const double after = m_points[std::min(m_chosen + 1, m_points.size() - 1)].extraPercent;
    const double before = m_points[m_chosen == 0 ? 0 : m_chosen - 1].extraPercent;
    const Range all = xAxis().all;
    return {{.id = budgetHandle,
             .label = tr("budget"),
             .value = std::max(here, all.low),
             .allowed = {all.low, std::max(all.low, m_points.back().extraPercent)},
             .step = std::max({after - here, here - before, 1e-9}),
             .color = budgetColor(lightChartColors())}};
}

BudgetPlot::BudgetPlot(QWidget* parent) : ContentPlot(parent)
{
    setLogX(true);
    const auto choose = [this](double extraPercent) {
        if (!isEmpty())
            Q_EMIT pointChosen(shown().nearest(extraPercent));
    };
    connect(this, &PlotView::clicked, this,
            [choose](const QPointF& values) { choose(values.x()); });
    connect(this, &PlotView::handleMoved, this,
            [choose](const QString&, double value, bool) { choose(value); });
}

void BudgetPlot::keyPressEvent(QKeyEvent* event)
{
    const std::optional<std::size_t> point =
        neighbourByKey(*event, shown().chosen(), shown().points().size());
    if (!point)
        return PlotView::keyPressEvent(event);
    if (*point != shown().chosen())
        Q_EMIT pointChosen(*point);
}

void BudgetPlot::setPoints(std::vector<BudgetMark> points)
{
    shown().setPoints(std::move(points));
    update(true);
}

}  // namespace calibscope
