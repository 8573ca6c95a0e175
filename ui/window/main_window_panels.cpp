// What the actions of MainWindow do to the panels and the calibrators.
#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/panels/recipe_choice.h"
#include "ui/window/about_dialog.h"
#include "ui/window/actions/shortcut_choice.h"
#include "ui/window/help_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/shortcuts_dialog.h"

#include <QDockWidget>
#include <QToolBar>
#include <QWhatsThis>

namespace calibscope {

namespace {

constexpr int tickCount = 9;

ActionId tickId(int place)
{
    return static_cast<ActionId>(static_cast<int>(ActionId::Tick1) + place);
}

}  // namespace

void MainWindow::connectCalibratorActions()
{
    connect(&m_actions[ActionId::ChooseRecipe], &QAction::triggered, this, [this] {
        m_toolBar->show();
        m_recipes->setFocus(Qt::ShortcutFocusReason);
        m_recipes->showPopup();
    });
    connect(&m_actions[ActionId::AllTensors], &QAction::triggered, this, [this] {
        showWorkspace(Workspace::Calibrators);
        m_calibratorsPage->showView(CalibratorsPage::View::AllTensors);
        m_session.questions().startMatrix(false);
    });
    const CardChoice& cards = cardsOf(m_session);
    connect(&m_actions[ActionId::Baseline], &QAction::triggered, this,
            [this, &cards](bool isBaseline) {
                edits::setBaseline(m_session, isBaseline ? cards.chosen() : std::string());
            });
    connect(&cards, &CardChoice::chosenChanged, this, &MainWindow::showBaseline);
    connect(&m_session, &Document::workbenchChanged, this, &MainWindow::showBaseline);
    for (int place = 0; place < tickCount; ++place)
        connect(&m_actions[tickId(place)], &QAction::triggered, this, [this, place](bool isTicked) {
            const std::vector<OutcomeRow>& rows = m_session.questions().rows();
            edits::setTicked(m_session, rows.at(static_cast<std::size_t>(place)).candidate.id,
                             isTicked);
        });
    for (const auto changed : {&Document::selectionChanged, &Document::ticksChanged})
        connect(&m_session, changed, this, &MainWindow::showTicks);
    showTicks();
}

/// The actions of the first calibrators are called as these are.
void MainWindow::showTicks()
{
    const std::vector<OutcomeRow>& rows = m_session.questions().rows();
    for (int place = 0; place < tickCount; ++place) {
        QAction& action = m_actions[tickId(place)];
        const bool exists = place < std::ssize(rows);
        action.setEnabled(exists);
        action.setText(QStringLiteral("&%1 %2").arg(
            QString::number(place + 1),
            exists ? QString::fromStdString(rows[static_cast<std::size_t>(place)].candidate.label)
                   : tr("no calibrator")));
        action.setChecked(exists && rows[static_cast<std::size_t>(place)].isTicked);
    }
}

/// Without an open card there is nothing to compare with.
void MainWindow::showBaseline()
{
    const std::string& open = cardsOf(m_session).chosen();
    QAction& action = m_actions[ActionId::Baseline];
    action.setEnabled(m_session.dumpState() == Document::DumpState::Open && !open.empty());
    action.setChecked(!open.empty() && open == m_session.workbench().baseline);
}

void MainWindow::connectPanelActions()
{
    const auto follow = [this](ActionId id, QWidget* panel, const QAction* visible) {
        connect(&m_actions[id], &QAction::triggered, panel, &QWidget::setVisible);
        connect(visible, &QAction::toggled, &m_actions[id], &QAction::setChecked);
    };
    follow(ActionId::TensorPanel, m_tensorDock, m_tensorDock->toggleViewAction());
    follow(ActionId::InspectorPanel, m_inspectorDock, m_inspectorDock->toggleViewAction());
    follow(ActionId::LogPanel, m_logDock, m_logDock->toggleViewAction());
    follow(ActionId::ToolBar, m_toolBar, m_toolBar->toggleViewAction());
    connect(&m_actions[ActionId::ResetLayout], &QAction::triggered, this, &MainWindow::resetLayout);
    connect(&m_actions[ActionId::FullScreen], &QAction::toggled, this, [this](bool isFull) {
        setWindowState(windowState().setFlag(Qt::WindowFullScreen, isFull));
    });
    connect(&m_actions[ActionId::HelpContents], &QAction::triggered, this,
            [this] { showHelp(*this); });
    connect(&m_actions[ActionId::Shortcuts], &QAction::triggered, this,
            [this] { showShortcuts(*this, ShortcutChoice(m_preferences.shortcuts())); });
    connect(&m_actions[ActionId::WhatIsThis], &QAction::triggered, this,
            [] { QWhatsThis::enterWhatsThisMode(); });
    connect(&m_actions[ActionId::About], &QAction::triggered, this, [this] { showAbout(*this); });
}

}  // namespace calibscope
