// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_accessible.h"

#include "ui/plot/plot_view.h"
#include "ui/theme/translate.h"

#include <QAccessibleWidget>
#include <QStringList>

namespace calibscope {

namespace {

class AccessiblePlot : public QAccessibleWidget
{
public:
    explicit AccessiblePlot(PlotView& plot)
        : QAccessibleWidget(&plot, QAccessible::Chart), m_plot(plot)
    {}

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        const QString own = QAccessibleWidget::text(kind);
        const QStringList axes = m_plot.axisTitles();
        switch (kind) {
        case QAccessible::Name:
            return !own.isEmpty() || axes.isEmpty() ? own : axes.join(tr(" over "));
        case QAccessible::Description:
            return axes.isEmpty() ? own : own + u' ' + tr("Axes: %1.").arg(axes.join(u", "));
        case QAccessible::Value: return m_plot.pointedText();
        default: return own;
        }
    }

    // The view that it is drawn on is no part of the description.
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }

private:
    PlotView& m_plot;
};

QAccessibleInterface* accessiblePlot(const QString& className, QObject* object)
{
    auto* plot = className == QLatin1String(PlotView::staticMetaObject.className())
                     ? qobject_cast<PlotView*>(object)
                     : nullptr;
    return plot ? new AccessiblePlot(*plot) : nullptr;
}

}  // namespace

void makePlotsAccessible()
{
    QAccessible::installFactory(accessiblePlot);  // which takes one in once
}

}  // namespace calibscope
