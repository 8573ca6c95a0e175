// What the actions of MainWindow do to the plots, and how it is undone.
#include "ui/document/edits.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/plot_view.h"
#include "ui/window/main_window.h"

#include <QActionGroup>

#include <array>
#include <utility>

namespace calibscope {

namespace {

constexpr std::array quantities = {std::pair(ActionId::QuantityCount, Quantity::Count),
                                   std::pair(ActionId::QuantityDensity, Quantity::Density),
                                   std::pair(ActionId::QuantityCumulative, Quantity::Cumulative)};
constexpr std::array lowerActions = {std::pair(ActionId::LowerCurve, Secondary::Curve),
                                     std::pair(ActionId::LowerError, Secondary::ErrorPerBin),
                                     std::pair(ActionId::LowerBatches, Secondary::Batches)};

Quantity after(Quantity quantity)
{
    switch (quantity) {
    case Quantity::Count: return Quantity::Density;
    case Quantity::Density: return Quantity::Cumulative;
    case Quantity::Cumulative: break;
    }
    return Quantity::Count;
}

}  // namespace

void MainWindow::connectPlotActions()
{
    const std::initializer_list<std::pair<ActionId, std::function<void(PlotView&)>>> effects = {
        {ActionId::Fit, &PlotView::fit},
        {ActionId::ZoomIn, &PlotView::zoomIn},
        {ActionId::ZoomOut, &PlotView::zoomOut},
        {ActionId::ZoomBack, &PlotView::zoomBack},
        {ActionId::ZoomForward, &PlotView::zoomForward},
        {ActionId::PlotTable, &PlotView::showTable},
        {ActionId::CopyPicture, &PlotView::copyPicture},
        {ActionId::ExportPlot, &PlotView::exportPicture}};
    for (const auto& [id, effect] : effects)
        connect(&m_actions[id], &QAction::triggered, this, [this, act = effect] {
            if (PlotView* plot = m_workspaces->currentPlot())
                act(*plot);
        });
    connectBrowseActions();
}

void MainWindow::connectBrowseActions()
{
    connect(&m_actions[ActionId::CopyData], &QAction::triggered, this, [this] {
        if (m_workspaces->current() == Workspace::Browse)
            m_browsePage->copyFacts();
        else if (const PlotView* plot = m_workspaces->currentPlot())
            plot->copyData();
    });
    const std::initializer_list<std::pair<ActionId, void (BrowsePage::*)()>> fields = {
        {ActionId::SetThreshold, &BrowsePage::focusThreshold},
        {ActionId::FocusBatches, &BrowsePage::focusBatches},
        {ActionId::ChooseChannel, &BrowsePage::focusChannel}};
    for (const auto& [id, focus] : fields)
        connect(&m_actions[id], &QAction::triggered, this, [this, go = focus] {
            showWorkspace(Workspace::Browse);
            (m_browsePage->*go)();
        });
}

void MainWindow::connectDisplayActions()
{
    connect(&m_actions[ActionId::LogCount], &QAction::triggered, this, [this](bool isLog) {
        setDisplay([isLog](PlotDisplay& display) { display.isLogCount = isLog; });
    });
    connect(&m_actions[ActionId::LogX], &QAction::triggered, this, [this](bool isLog) {
        setDisplay([isLog](PlotDisplay& display) { display.isLogX = isLog; });
    });
    connect(&m_actions[ActionId::Magnitude], &QAction::triggered, this, [this](bool isMagnitude) {
        setDisplay([isMagnitude](PlotDisplay& display) {
            display.domain = isMagnitude ? Domain::Magnitude : Domain::Signed;
        });
    });
    auto* quantityGroup = new QActionGroup(this);
    for (const auto& [id, quantity] : quantities) {
        quantityGroup->addAction(&m_actions[id]);
        connect(&m_actions[id], &QAction::triggered, this, [this, chosen = quantity] {
            setDisplay([chosen](PlotDisplay& display) { display.quantity = chosen; });
        });
    }
    connect(&m_actions[ActionId::NextQuantity], &QAction::triggered, this, [this] {
        setDisplay([](PlotDisplay& display) { display.quantity = after(display.quantity); });
    });
    connect(&m_actions[ActionId::Quantized], &QAction::triggered, &m_session,
            [this](bool isShown) { edits::setQuantizedShown(m_session, isShown); });
    connect(&m_actions[ActionId::LinkAxes], &QAction::triggered, this, [this](bool areLinked) {
        setDisplay([areLinked](PlotDisplay& display) { display.areAxesLinked = areLinked; });
    });
    connect(&m_actions[ActionId::TableBelow], &QAction::triggered, this, [this](bool isShown) {
        setDisplay([isShown](PlotDisplay& display) { display.isTableShown = isShown; });
    });
    auto* lowerGroup = new QActionGroup(this);
    for (const auto& [id, lower] : lowerActions) {
        lowerGroup->addAction(&m_actions[id]);
        connect(&m_actions[id], &QAction::triggered, this,
                [this, chosen = lower] { edits::setSecondary(m_session, chosen); });
    }
    connect(&m_session, &Document::workbenchChanged, this, &MainWindow::showDisplay);
    showDisplay();
}

void MainWindow::setDisplay(const std::function<void(PlotDisplay&)>& edit)
{
    PlotDisplay display = m_session.workbench().display;
    edit(display);
    edits::setDisplay(m_session, display);
}

/// Whoever changed it: the menu shows how things are.
void MainWindow::showDisplay()
{
    const PlotDisplay& display = m_session.workbench().display;
    m_actions[ActionId::LogCount].setChecked(display.isLogCount);
    m_actions[ActionId::LogX].setChecked(display.isLogX);
    m_actions[ActionId::Magnitude].setChecked(display.domain == Domain::Magnitude);
    m_actions[ActionId::Quantized].setChecked(display.isQuantizedShown);
    m_actions[ActionId::LinkAxes].setChecked(display.areAxesLinked);
    m_actions[ActionId::TableBelow].setChecked(display.isTableShown);
    for (const auto& [id, quantity] : quantities)
        m_actions[id].setChecked(display.quantity == quantity);
    for (const auto& [id, lower] : lowerActions)
        m_actions[id].setChecked(m_session.workbench().secondary == lower);
}

void MainWindow::connectHistoryActions()
{
    connect(&m_actions[ActionId::Undo], &QAction::triggered, &m_session, &Document::undo);
    connect(&m_actions[ActionId::Redo], &QAction::triggered, &m_session, &Document::redo);
    connect(&m_session, &Document::historyChanged, this, &MainWindow::showHistory);
    connect(&m_actions[ActionId::Back], &QAction::triggered, &m_session, &Document::goBack);
    connect(&m_actions[ActionId::Forward], &QAction::triggered, &m_session, &Document::goForward);
    connect(&m_session, &Document::selectionChanged, this, &MainWindow::showHistory);
    showHistory();
}

void MainWindow::showHistory()
{
    const auto show = [this](ActionId id, bool can, const QString& word, const QString& what) {
        m_actions[id].setEnabled(can);
        m_actions[id].setText(what.isEmpty() ? word : QStringLiteral("%1: %2").arg(word, what));
    };
    show(ActionId::Undo, m_session.history().canUndo(), tr("&Undo"),
         m_session.history().undoText());
    show(ActionId::Redo, m_session.history().canRedo(), tr("&Redo"),
         m_session.history().redoText());
    m_actions[ActionId::Back].setEnabled(m_session.navigation().canGoBack());
    m_actions[ActionId::Forward].setEnabled(m_session.navigation().canGoForward());
}

}  // namespace calibscope
