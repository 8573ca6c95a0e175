#include "ui/panels/workspace_tabs.h"

#include "ui/widgets/underlined_tab_bar.h"

#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

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
}

void WorkspaceTabs::addPage(Workspace workspace, QWidget* page, std::function<PlotView*()> plot)
{
    const QSignalBlocker silence(m_tabs);  // the first tab becomes the current one
    m_pages.push_back({workspace, std::move(plot)});
    m_stack->addWidget(page);
    m_tabs->addTab(workspaceTitle(workspace));
}

bool WorkspaceTabs::has(Workspace workspace) const
{
    return placeOf(workspace) >= 0;
}

void WorkspaceTabs::show(Workspace workspace)
{
    const int place = placeOf(workspace);
    if (place < 0)
        return;
    const QSignalBlocker silence(m_tabs);
    m_tabs->setCurrentIndex(place);
    m_stack->setCurrentIndex(place);
}

Workspace WorkspaceTabs::current() const
{
    return m_pages.at(static_cast<std::size_t>(m_stack->currentIndex())).workspace;
}

QWidget* WorkspaceTabs::currentPage() const
{
    return m_stack->currentWidget();
}

PlotView* WorkspaceTabs::currentPlot() const
{
    const Page& page = m_pages.at(static_cast<std::size_t>(m_stack->currentIndex()));
    return page.plot ? page.plot() : nullptr;
}

int WorkspaceTabs::placeOf(Workspace workspace) const
{
    const auto found = std::ranges::find(m_pages, workspace, &Page::workspace);
    return found == m_pages.end() ? -1 : static_cast<int>(found - m_pages.begin());
}

/// Whether it comes to be shown is the window's decision: there may be nothing to show in it.
void WorkspaceTabs::choose(int place)
{
    const Workspace wanted = m_pages.at(static_cast<std::size_t>(place)).workspace;
    show(current());
    Q_EMIT chosen(wanted);
}

}  // namespace calibscope
