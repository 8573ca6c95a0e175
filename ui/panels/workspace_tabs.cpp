// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace_tabs.h"

#include "ui/plot/plot_view.h"
#include "ui/widgets/workspace_page.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int leastPadding = 3;
constexpr int mostPadding = 14;
constexpr int lineHeight = 2;

QFont boldOf(QFont font)
{
    font.setBold(true);
    return font;
}

/// Letters go into it: into a combo box they choose an entry.
bool isTextField(const QWidget& widget)
{
    return qobject_cast<const QLineEdit*>(&widget) ||
           qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget);
}

}  // namespace

UnderlinedTabBar::UnderlinedTabBar(QWidget* parent) : QTabBar(parent)
{
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::TabFocus);
}

int UnderlinedTabBar::padding() const
{
    int texts = 0;
    for (int index = 0; index < count(); ++index)
        texts += textWidth(index);
    return std::clamp((width() - texts) / (2 * std::max(count(), 1)), leastPadding, mostPadding);
}

/// Wide enough for the bold text, so that tabs keep their places.
QSize UnderlinedTabBar::tabSizeHint(int index) const
{
    return {textWidth(index) + 2 * padding(), QFontMetrics(boldOf(font())).height() + 14};
}

int UnderlinedTabBar::textWidth(int index) const
{
    if (m_measured != font())
        m_widths.clear();
    m_measured = font();
    const QString text = tabText(index);
    auto known = m_widths.constFind(text);
    if (known == m_widths.cend())
        known = m_widths.insert(text, QFontMetrics(boldOf(font())).horizontalAdvance(text));
    return *known;
}

void UnderlinedTabBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    for (int index = 0; index < count(); ++index)
        paintTab(painter, index);
}

void UnderlinedTabBar::paintTab(QPainter& painter, int index) const
{
    const bool isCurrent = index == currentIndex();
    const QRect box = tabRect(index);
    painter.setFont(isCurrent ? boldOf(font()) : font());
    painter.setPen(palette().color(isCurrent ? QPalette::WindowText : QPalette::PlaceholderText));
    painter.drawText(box, Qt::AlignCenter, tabText(index));
    if (isCurrent)
        painter.fillRect(QRect(box.left() + padding(), box.bottom() + 1 - lineHeight,
                               box.width() - 2 * padding(), lineHeight),
                         palette().color(QPalette::Link));
    if (isCurrent && hasFocus()) {
        painter.setPen(palette().color(QPalette::Link));
        painter.drawRect(box.adjusted(4, 3, -5, -4));
    }
}

WorkspaceTabs::WorkspaceTabs(QWidget* parent)
    : QWidget(parent), m_tabs(new UnderlinedTabBar(this)), m_stack(new QStackedWidget(this))
{
    m_tabs->setObjectName(QStringLiteral("workspaceTabs"));
    m_tabs->setAccessibleName(tr("Workspaces"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_tabs);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &WorkspaceTabs::choose);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget* old, const QWidget* now) {
                const bool isLost = old && m_stack->isAncestorOf(old) && !old->isVisible();
                if (isLost && now && isTextField(*now))
                    QMetaObject::invokeMethod(
                        this, [this] { takeFocus(); }, Qt::QueuedConnection);
            });
}

void WorkspaceTabs::add(Workspace workspace, WorkspacePage* page)
{
    addPage(workspace, page);
    connect(page, &WorkspacePage::readoutChanged, this, &WorkspaceTabs::readoutChanged);
    connect(page, &WorkspacePage::tensorChosen, this, &WorkspaceTabs::tensorChosen);
}

void WorkspaceTabs::addPage(Workspace workspace, QWidget* page)
{
    const QSignalBlocker silence(m_tabs);  // the first tab becomes the current one
    const auto next = std::ranges::upper_bound(m_pages, workspace);
    const int index = static_cast<int>(next - m_pages.begin());
    m_pages.insert(next, workspace);
    m_stack->insertWidget(index, page);
    m_tabs->insertTab(index, workspaceTitle(workspace));
}

void WorkspaceTabs::show(Workspace workspace)
{
    const int place = placeOf(workspace);
    if (place < 0)
        return;
    const QSignalBlocker silence(m_tabs);
    const QWidget* focused = window()->focusWidget();
    const bool hadFocus = focused && m_stack->isAncestorOf(focused);
    const bool isOther = place != m_stack->currentIndex();
    m_tabs->setCurrentIndex(place);
    m_stack->setCurrentIndex(place);
    if (isOther && hadFocus)
        takeFocus();
}

/// A control that goes with its page, or on it, leaves the focus to whatever comes next, be it a
/// text field, in which the letters of actions would end.
void WorkspaceTabs::takeFocus(Qt::FocusReason reason)
{
    PlotView* plot = currentPlot();
    if (plot && plot->isVisible())
        return plot->setFocus(reason);
    QWidget* page = currentPage();
    page->setFocus(reason);
    const auto* of = qobject_cast<const WorkspacePage*>(page);
    const bool isNotice = of && of->showsNotice();  // has nothing but its buttons
    if (reason != Qt::TabFocusReason && !isNotice)
        return;
    for (QWidget* next = page->nextInFocusChain(); page->isAncestorOf(next);
         next = next->nextInFocusChain())
        if (next->isVisible() && next->isEnabled() && (next->focusPolicy() & Qt::TabFocus) != 0 &&
            !isTextField(*next))
            return next->setFocus(Qt::TabFocusReason);
}

std::vector<WorkspaceTabs::PageView> WorkspaceTabs::pageViews() const
{
    std::vector<PageView> views;
    for (std::size_t index = 0; index < m_pages.size(); ++index) {
        const QWidget& page = *m_stack->widget(static_cast<int>(index));
        for (QAbstractButton* button : page.findChildren<QAbstractButton*>())
            if (button->property("segment").toBool())
                views.push_back({button->text(), m_pages[index], [button] { button->click(); }});
        for (QTabBar* tabs : page.findChildren<QTabBar*>())
            for (int tab = 0; tab < tabs->count(); ++tab)
                views.push_back({tabs->tabText(tab), m_pages[index],
                                 [tabs, tab] { tabs->setCurrentIndex(tab); }});
    }
    return views;
}

Workspace WorkspaceTabs::current() const
{
    return m_pages.at(static_cast<std::size_t>(m_stack->currentIndex()));
}

QWidget* WorkspaceTabs::currentPage() const
{
    return m_stack->currentWidget();
}

PlotView* WorkspaceTabs::currentPlot() const
{
    const auto* page = qobject_cast<const WorkspacePage*>(currentPage());
    return page ? page->currentPlot() : nullptr;
}

int WorkspaceTabs::placeOf(Workspace workspace) const
{
    const auto found = std::ranges::find(m_pages, workspace);
    return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
}

/// Whether it comes to be shown is the window's decision: there may be nothing to show in it.
void WorkspaceTabs::choose(int place)
{
    const Workspace wanted = m_pages.at(static_cast<std::size_t>(place));
    show(current());
    Q_EMIT chosen(wanted);
}

}  // namespace calibscope
