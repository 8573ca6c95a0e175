// What the actions of MainWindow do.
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/channels/channels_page.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/queries/dump_requests.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

#include <QApplication>

namespace calibscope {

void MainWindow::connectViewActions()
{
    const std::initializer_list<std::pair<ActionId, Workspace>> workspaces = {
        {ActionId::Summary, Workspace::Summary},
        {ActionId::Browse, Workspace::Browse},
        {ActionId::Calibrators, Workspace::Calibrators},
        {ActionId::Channels, Workspace::Channels},
        {ActionId::Compare, Workspace::Compare}};
    for (const auto& [id, workspace] : workspaces) {
        m_actions[id].setVisible(m_workspaces->has(workspace));
        connect(&m_actions[id], &QAction::triggered, this,
                [this, wanted = workspace] { showWorkspace(wanted); });
    }
    const std::initializer_list<std::pair<ActionId, Theme>> themes = {
        {ActionId::ThemeSystem, Theme::System},
        {ActionId::ThemeLight, Theme::Light},
        {ActionId::ThemeDark, Theme::Dark}};
    for (const auto& [id, theme] : themes) {
        m_actions[id].setChecked(theme == m_theme);
        connect(&m_actions[id], &QAction::triggered, this,
                [this, chosen = theme] { chooseTheme(chosen); });
    }
}

void MainWindow::connectTensorActions()
{
    const auto step = [this](int places) { stepTensor(places); };
    connect(&m_actions[ActionId::FirstTensor], &QAction::triggered, this,
            [this] { goTo(firstToShow(m_session.tensors())); });
    connect(&m_actions[ActionId::NextGuess], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextGuess(m_session.selected())); });
    connect(&m_actions[ActionId::PreviousTensor], &QAction::triggered, this, [step] { step(-1); });
    connect(&m_actions[ActionId::NextTensor], &QAction::triggered, this, [step] { step(1); });
    connect(&m_actions[ActionId::NextWorst], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextWorst(m_session.selected())); });
    connect(&m_actions[ActionId::NextFlagged], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextFlagged(m_session.selected())); });
    connect(&m_actions[ActionId::EditLayoutOverride], &QAction::triggered, this, [this] {
        showWorkspace(Workspace::Browse);
        m_browsePage->editLayoutOverride();
    });
    connect(&m_actions[ActionId::CompareOutliers], &QAction::triggered, this, [this] {
        showWorkspace(Workspace::Channels);
        m_channelsPage->chooseOutliers();
    });
    connect(&m_actions[ActionId::StopReading], &QAction::triggered, &m_session.questions(),
            &Questions::stopReading);
}

void MainWindow::connectSession()
{
    connect(&m_session, &Document::dumpChanged, this, &MainWindow::showDumpState);
    connect(&m_session, &Document::selectionChanged, this, &MainWindow::showSelection);
    connect(&m_session, &Document::tensorsChanged, this,
            [this](const std::vector<int>& tensors, bool sameValues) {
                m_tensors.changeTensors(tensors, m_session.tensors(),
                                        m_session.understood().edited(), sameValues);
                m_tensorPanel->setSelected(m_session.selected());
            });
    connect(&m_session.questions(), &Questions::viewChanged, this, &MainWindow::showReaderState);
    connect(&m_session.previews(), &Previews::taken, &m_tensors, &TensorModel::setPreview);
    connect(&m_session.previews(), &Previews::failed, &m_tensors, &TensorModel::setProblem);
    connect(&m_session, &Document::recipeChanged, &m_tensors, &TensorModel::clearSqnr);
    connect(&m_session.questions(), &Questions::engineDied, this, &MainWindow::showEngineDeath);
    connect(&m_session.questions(), &Questions::engineStalled, this,
            [this](const QString& sentence) {
                m_isAboutEngine = true;
                m_messageBar->say(sentence, {{tr("Start a new engine"),
                                              [this] { m_session.questions().restartEngine(); }},
                                             {tr("Wait"), [] {}}});
            });
}

void MainWindow::chooseTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
    m_preferences.setTheme(theme);
}

}  // namespace calibscope
