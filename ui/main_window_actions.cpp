// What the actions of MainWindow do.
#include "ui/about_dialog.h"
#include "ui/dump_requests.h"
#include "ui/main_window.h"
#include "ui/pages/browse_page.h"
#include "ui/pages/start_page.h"
#include "ui/pages/summary_page.h"
#include "ui/sample_dump.h"
#include "ui/shortcuts_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"
#include "ui/widgets/tensor_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace calibscope {

void MainWindow::connectFileActions()
{
    const auto openSample = [this] { open(sampleDumpPath()); };
    const auto close = [this] { m_session.close(); };
    connect(&m_actions[ActionId::Open], &QAction::triggered, this, &MainWindow::askForFile);
    connect(&m_actions[ActionId::OpenSample], &QAction::triggered, this, openSample);
    connect(&m_actions[ActionId::Reload], &QAction::triggered, &m_session, &Session::reload);
    connect(&m_actions[ActionId::Close], &QAction::triggered, this, close);
    connect(&m_actions[ActionId::Quit], &QAction::triggered, this, &QWidget::close);
    m_actions[ActionId::OpenSample].setEnabled(!sampleDumpPath().isEmpty());

    m_recentMenu = new QMenu(tr("Open r&ecent"), this);
    m_actions.menu(Menu::File).insertMenu(&m_actions[ActionId::Reload], m_recentMenu);

    connect(m_startPage, &StartPage::openRequested, this, &MainWindow::askForFile);
    connect(m_startPage, &StartPage::sampleRequested, this, openSample);
    connect(m_startPage, &StartPage::fileRequested, this,
            [this](const QString& path) { open(path); });
    connect(m_failurePage, &StateNotice::buttonClicked, &m_session, &Session::readAgain);
    connect(m_failurePage, &StateNotice::secondButtonClicked, this, &MainWindow::askForFile);
}

void MainWindow::connectViewActions()
{
    m_actions[ActionId::LogCount].setChecked(m_session.display().isLogCount);
    m_actions[ActionId::Magnitude].setChecked(m_session.display().domain == Domain::Magnitude);
    for (const ActionId id : {ActionId::LogCount, ActionId::Magnitude})
        connect(&m_actions[id], &QAction::triggered, this, &MainWindow::applyDisplay);
    connect(&m_session, &Session::displayChanged, this, [this] {
        m_actions[ActionId::LogCount].setChecked(m_session.display().isLogCount);
        m_actions[ActionId::Magnitude].setChecked(m_session.display().domain == Domain::Magnitude);
    });
    connect(&m_actions[ActionId::Fit], &QAction::triggered, m_browsePage, &BrowsePage::fit);
    connect(&m_actions[ActionId::CopyPicture], &QAction::triggered, this,
            [this] { QApplication::clipboard()->setPixmap(m_browsePage->grab()); });

    const std::initializer_list<std::pair<ActionId, Theme>> themes = {
        {ActionId::ThemeSystem, Theme::System},
        {ActionId::ThemeLight, Theme::Light},
        {ActionId::ThemeDark, Theme::Dark}};
    for (const auto& [id, theme] : themes) {
        m_actions[id].setChecked(theme == m_theme);
        connect(&m_actions[id], &QAction::triggered, this,
                [this, chosen = theme] { chooseTheme(chosen); });
    }
    connect(&m_actions[ActionId::ResetLayout], &QAction::triggered, this, &MainWindow::resetLayout);
    connect(&m_actions[ActionId::FullScreen], &QAction::toggled, this, [this](bool isFull) {
        setWindowState(windowState().setFlag(Qt::WindowFullScreen, isFull));
    });
    connect(&m_actions[ActionId::Shortcuts], &QAction::triggered, this,
            [this] { showShortcuts(*this); });
    connect(&m_actions[ActionId::About], &QAction::triggered, this, [this] { showAbout(*this); });
}

void MainWindow::connectTensorActions()
{
    const auto step = [this](int places) {
        goTo(m_tensorPanel->neighbour(m_session.selected(), places));
    };
    connect(&m_actions[ActionId::Summary], &QAction::triggered, this,
            [this] { m_session.select(-1); });
    connect(&m_actions[ActionId::FirstTensor], &QAction::triggered, this,
            [this] { goTo(firstToShow(m_session.tensors())); });
    connect(&m_actions[ActionId::NextGuess], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextGuess(m_session.selected())); });
    connect(m_summaryPage, &SummaryPage::filterRequested, m_tensorPanel, &TensorPanel::setQuery);
    connect(&m_actions[ActionId::PreviousTensor], &QAction::triggered, this, [step] { step(-1); });
    connect(&m_actions[ActionId::NextTensor], &QAction::triggered, this, [step] { step(1); });
    connect(&m_actions[ActionId::NextWorst], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextWorst(m_session.selected())); });
    connect(&m_actions[ActionId::NextFlagged], &QAction::triggered, this,
            [this] { goTo(m_tensorPanel->nextFlagged(m_session.selected())); });
    connect(&m_actions[ActionId::EditUnderstanding], &QAction::triggered, m_browsePage,
            &BrowsePage::editUnderstanding);
    m_tensorPanel->addToMenu(m_actions[ActionId::EditUnderstanding]);
    connect(&m_actions[ActionId::Find], &QAction::triggered, m_tensorPanel,
            &TensorPanel::focusFilter);
    connect(&m_actions[ActionId::StopReading], &QAction::triggered, &m_session,
            &Session::stopReading);
    connect(m_tensorPanel, &TensorPanel::selectionRequested, &m_session, &Session::select);
    connect(m_tensorPanel, &TensorPanel::shownTensorsChanged, &m_session, &Session::lookAt);
}

void MainWindow::connectSession()
{
    connect(&m_session, &Session::dumpChanged, this, &MainWindow::showDumpState);
    connect(&m_session, &Session::selectionChanged, this, &MainWindow::showSelection);
    connect(&m_session, &Session::tensorsChanged, this,
            [this](const std::vector<int>& tensors, bool sameValues) {
                m_tensors.changeTensors(tensors, m_session.tensors(),
                                        m_session.understood().edited(), sameValues);
                m_tensorPanel->setSelected(m_session.selected());
            });
    connect(&m_session, &Session::viewChanged, this, &MainWindow::showReaderState);
    connect(&m_session, &Session::glanceTaken, &m_tensors, &TensorModel::setGlance);
    connect(&m_session, &Session::glanceFailed, &m_tensors, &TensorModel::setProblem);
    connect(&m_session, &Session::recipeChanged, &m_tensors, &TensorModel::clearSqnr);
    connect(&m_session, &Session::engineDied, this, &MainWindow::showEngineDeath);
    connect(&m_session, &Session::engineStalled, this, [this](const QString& sentence) {
        m_isAboutEngine = true;
        m_messageBar->say(sentence,
                          {{tr("Start a new engine"), [this] { m_session.restartEngine(); }},
                           {tr("Wait"), [] {}}});
    });
}

void MainWindow::applyDisplay()
{
    Session::Display display = m_session.display();
    display.isLogCount = m_actions[ActionId::LogCount].isChecked();
    display.domain =
        m_actions[ActionId::Magnitude].isChecked() ? Domain::Magnitude : Domain::Signed;
    m_session.setDisplay(display);
}

void MainWindow::chooseTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
    m_preferences.setTheme(theme);
}

}  // namespace calibscope
