// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/sqnr_strip.h"

#include "ui/charts/side_by_side_content.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/sqnr_limits.h"

#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

constexpr double leastColumnPixels = 3.0;
constexpr double mostBarPixels = 18.0;
constexpr double leastTopDb = 40.0;
constexpr double mostTopDb = 60.0;  // more is as good as any
constexpr double stepDb = 20.0;

double capped(double sqnrDb)
{
    return std::isnan(sqnrDb) ? 0.0 : std::clamp(sqnrDb, 0.0, mostTopDb);
}

/// A chart as the plots are: its summary, and the bar that is shown as its value.
class AccessibleStrip : public QAccessibleWidget
{
public:
    explicit AccessibleStrip(SqnrStrip& strip)
        : QAccessibleWidget(&strip, QAccessible::Chart), m_strip(strip)
    {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_strip.currentText() : QAccessibleWidget::text(kind);
    }

private:
    SqnrStrip& m_strip;
};

QAccessibleInterface* accessibleStrip(const QString& className, QObject* object)
{
    auto* strip = className == QLatin1String(SqnrStrip::staticMetaObject.className())
                      ? qobject_cast<SqnrStrip*>(object)
                      : nullptr;
    return strip ? new AccessibleStrip(*strip) : nullptr;
}

}  // namespace

SqnrStrip::SqnrStrip(Told told, QWidget* parent) : QWidget(parent), m_told(std::move(told))
{
    setObjectName(QStringLiteral("sqnrStrip"));
    setAccessibleName(tr("SQNR of all tensors"));
    QAccessible::installFactory(accessibleStrip);  // which takes one in once
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SqnrStrip::setBars(std::vector<StripBar> bars, double limitDb)
{
    if (bars == m_bars && limitDb == m_limitDb)
        return;
    m_bars = std::move(bars);
    m_limitDb = limitDb;
    double top = std::max(leastTopDb, limitDb);
    for (const StripBar& bar : m_bars)
        for (const std::optional<double>& db : {bar.sqnrDb, bar.recipeDb, bar.bestDb})
            top = std::max(top, capped(db.value_or(0.0)));
    m_topDb = stepDb * std::ceil(top / stepDb);
    m_current = std::min(m_current, static_cast<int>(m_bars.size()) - 1);
    const auto low = std::ranges::count_if(
        m_bars, [limitDb](const StripBar& bar) { return bar.sqnrDb && !(*bar.sqnrDb >= limitDb); });
    setAccessibleDescription(tr("%1 tensors, %2 of them below %3 dB.")
                                 .arg(countLabel(m_bars.size()),
                                      countLabel(static_cast<std::uint64_t>(low)),
                                      valueLabel(limitDb, 3)));
    update();
}

QRectF SqnrStrip::plot() const
{
    const int text = fontMetrics().height();
    const int left = fontMetrics().horizontalAdvance(QStringLiteral("100 dB")) + 6;
    return QRectF(rect()).adjusted(left, 1.5 * text + 3.0, -2.0, -text - 6.0);
}

int SqnrStrip::columnCount() const
{
    const int most = std::max(1, static_cast<int>(plot().width() / leastColumnPixels));
    return std::min(static_cast<int>(m_bars.size()), most);
}

SqnrStrip::Column SqnrStrip::column(int index) const
{
    const auto bars = static_cast<qint64>(m_bars.size());
    const auto columns = static_cast<qint64>(columnCount());
    Column column{.first = static_cast<int>(index * bars / columns),
                  .last = static_cast<int>((index + 1) * bars / columns)};
    double least = 0.0;
    for (int bar = column.first; bar < column.last; ++bar) {
        const StripBar& of = m_bars[static_cast<std::size_t>(bar)];
        if (!of.sqnrDb)
            continue;
        const double rank = of.isDoubted ? std::min(*of.sqnrDb, m_limitDb) : *of.sqnrDb;
        if (column.worst >= 0 && !(rank < least))
            continue;
        least = rank;
        column.worst = bar;
    }
    return column;
}

int SqnrStrip::barAt(const QPointF& at) const
{
    const QRectF area = plot();
    const int columns = columnCount();
    if (columns == 0 || at.x() < area.left() || at.x() >= area.right())
        return -1;
    const int index =
        std::min(columns - 1, static_cast<int>((at.x() - area.left()) / area.width() * columns));
    const Column found = column(index);
    return found.worst >= 0 ? found.worst : found.first;
}

QPointF SqnrStrip::placeOf(int bar) const
{
    const QRectF area = plot();
    const int columns = columnCount();
    for (int index = 0; index < columns; ++index)
        if (bar < column(index).last)
            return {area.left() + (index + 0.5) * area.width() / columns, area.bottom() - 1.0};
    return area.bottomLeft();
}

double SqnrStrip::heightOf(double sqnrDb) const
{
    return capped(sqnrDb) / m_topDb * plot().height();
}

void SqnrStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_bars.empty())
        return;
    paintGround(painter);
    paintBars(painter);
    paintGroups(painter);
    paintTold(painter);
}

void SqnrStrip::paintGround(QPainter& painter) const
{
    const ChartColors& colors = chartColors(palette());
    const QRectF area = plot();
    const auto line = [&](double db, const QPen& pen, const QColor& text) {
        const double y = std::round(area.bottom() - heightOf(db)) + 0.5;
        painter.setPen(pen);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(text);
        const double height = fontMetrics().height();
        painter.drawText(QRectF(0.0, y - height / 2.0, area.left() - 6.0, height),
                         Qt::AlignRight | Qt::AlignVCenter, tr("%1 dB").arg(valueLabel(db, 3)));
    };
    const double clear = fontMetrics().height() * m_topDb / area.height();
    for (double db = 0.0; db <= m_topDb; db += stepDb)
        if (std::abs(db - m_limitDb) >= clear)
            line(db, QPen(colors.grid, 1.0), colors.faintText);
    line(m_limitDb, QPen(sqnrColor(SqnrGrade::Fair, colors), 1.0, Qt::DashLine), colors.text);
}

void SqnrStrip::paintBars(QPainter& painter) const
{
    const ChartColors& colors = chartColors(palette());
    const QRectF area = plot();
    const int columns = columnCount();
    const double step = area.width() / columns;
    const double width = std::clamp(step - 2.0, 1.0, mostBarPixels);
    for (int index = 0; index < columns; ++index) {
        const Column shown = column(index);
        const double middle = area.left() + (index + 0.5) * step;
        if (m_current >= shown.first && m_current < shown.last)
            painter.fillRect(QRectF(area.left() + index * step, area.top(), step, area.height()),
                             colors.grid);
        if (shown.worst < 0) {  // unknown: a short stroke
            painter.fillRect(QRectF(middle - width / 2.0, area.bottom() - 2.0, width, 2.0),
                             colors.grid);
            continue;
        }
        paintBar(painter, m_bars[static_cast<std::size_t>(shown.worst)], middle, width);
    }
}

void SqnrStrip::paintBar(QPainter& painter, const StripBar& bar, double middle, double width) const
{
    const ChartColors& colors = chartColors(palette());
    const double ground = plot().bottom();
    const auto boxOf = [&](double db, double wide) {
        const double height = std::max(2.0, heightOf(db));
        return QRectF(middle - wide / 2.0, ground - height, wide, height);
    };
    const double db = *bar.sqnrDb;
    const SqnrGrade grade = sqnrGrade(db);
    const QColor color =
        sqnrColor(grade == SqnrGrade::Good && bar.isDoubted ? SqnrGrade::Fair : grade, colors);
    constexpr double before = 0.5;  // of the width of the recipe's
    if (bar.recipeDb)
        painter.fillRect(boxOf(*bar.recipeDb, width), colors.clipped);
    painter.fillRect(boxOf(db, bar.recipeDb ? std::max(1.0, before * width) : width), color);
    if (!bar.bestDb || !(*bar.bestDb > db))
        return;
    painter.setPen(QPen(colors.text, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(boxOf(*bar.bestDb, std::max(1.0, width - 1.0)));
}

void SqnrStrip::paintGroups(QPainter& painter) const
{
    const ChartColors& colors = chartColors(palette());
    const QRectF area = plot();
    const int columns = columnCount();
    const double step = area.width() / columns;
    double free = area.left();  // behind the title before
    for (int index = 0; index < columns;) {
        const QString& title = m_bars[static_cast<std::size_t>(column(index).first)].group;
        int end = index + 1;
        while (end < columns && m_bars[static_cast<std::size_t>(column(end).first)].group == title)
            ++end;
        const double left = area.left() + index * step;
        const double right = area.left() + end * step;
        painter.setPen(QPen(colors.axis, 1.0));
        painter.drawLine(QPointF(left + 1.0, area.bottom() + 2.5),
                         QPointF(right - 3.0, area.bottom() + 2.5));
        painter.setPen(colors.faintText);
        // That of a few bars at the end begins before them, where there is room.
        const double wanted = fontMetrics().horizontalAdvance(title) + 1.0;
        const double begin = std::clamp(area.right() - wanted, std::min(free, left), left);
        painter.drawText(
            QRectF(begin, area.bottom() + 4.0, right - begin, fontMetrics().height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(right - begin)));
        free = begin + std::min(wanted, right - begin) + 8.0;
        index = end;
    }
}

/// Above the bars, so that it hides none.
void SqnrStrip::paintTold(QPainter& painter) const
{
    if (m_current < 0)
        return;
    painter.setPen(chartColors(palette()).text);
    painter.drawText(QRect(0, 0, width(), fontMetrics().height()), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(currentText(), Qt::ElideRight, width()));
}

QString SqnrStrip::currentText() const
{
    return m_current >= 0 ? m_told(m_bars[static_cast<std::size_t>(m_current)].tensor) : QString();
}

void SqnrStrip::showCurrent(int bar)
{
    if (bar == m_current)
        return;
    m_current = bar;
    setCursor(bar >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, currentText());
        QAccessible::updateAccessibility(&event);
    }
    update();
}

void SqnrStrip::mouseMoveEvent(QMouseEvent* event)
{
    showCurrent(barAt(event->position()));
}

void SqnrStrip::mouseReleaseEvent(QMouseEvent* event)
{
    const int bar = barAt(event->position());
    if (event->button() == Qt::LeftButton && bar >= 0)
        Q_EMIT tensorChosen(m_bars[static_cast<std::size_t>(bar)].tensor);
}

void SqnrStrip::leaveEvent(QEvent*)
{
    if (!hasFocus())
        showCurrent(-1);
}

void SqnrStrip::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void SqnrStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_bars.size()) - 1;
    const auto current =
        m_current >= 0 ? std::optional(static_cast<std::size_t>(m_current)) : std::nullopt;
    if (const std::optional<std::size_t> next = neighbourByKey(*event, current, m_bars.size()))
        return showCurrent(static_cast<int>(*next));
    int bar = m_current;
    switch (event->key()) {
    case Qt::Key_Home: bar = 0; break;
    case Qt::Key_End: bar = last; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (bar >= 0)
            Q_EMIT tensorChosen(m_bars[static_cast<std::size_t>(bar)].tensor);
        return;
    default: return QWidget::keyPressEvent(event);
    }
    if (last >= 0)
        showCurrent(bar);
}

}  // namespace calibscope
