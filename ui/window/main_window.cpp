#include "ui/window/main_window.h"

#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/channels/channels_page.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/panels/dump_choice.h"
#include "ui/panels/inspector.h"
#include "ui/panels/recipe_choice.h"
#include "ui/panels/status_line.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/sample_dump.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QPointer>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace calibscope {

MainWindow::MainWindow(const MainWindowOptions& options)
    : m_preferences(options.keeping),
      m_cacheFolder(options.cacheFolder),
      m_session(m_waited, m_background),
      m_comparison(m_session, m_waited, m_background),
      m_dumps(m_session),
      m_keeper(
          m_session, m_dumps, [this] { return layoutNow(); },
          m_preferences.isRemembered() ? Autosave::standardFolder() : QString()),
      m_actions(*this),
      m_theme(options.theme.value_or(m_preferences.theme()))
{
    applyCache();
    applyTheme(*qApp, m_theme);
    setWindowIcon(QIcon(QStringLiteral(":/icons/calibscope.svg")));
    setAcceptDrops(true);
    resize(1280, 800);
    edits::chooseRecipe(m_session, m_preferences.recipe());
    m_tensorWorkspace = parseWorkspace(m_preferences.workspace()).value_or(Workspace::Browse);

    m_actions.addMenus();
    makePages();
    makeDocks();
    makeToolBar();
    connectFileActions();
    connectViewActions();
    connectPlotActions();
    connectDisplayActions();
    connectHistoryActions();
    connectTensorActions();
    connectListActions();
    connectReportActions();
    connectCalibratorActions();
    connectPanelActions();
    connectCompareActions();
    connectEditActions();
    connectLog();
    connectFileWatch();
    connectSession();
    connectSessionFile();
    connectDecisions();

    m_firstLayout = saveState(layoutVersion);
    m_layout = m_preferences.windowState();
    restoreGeometry(m_preferences.windowGeometry());
    m_tensorPanel->restoreColumns(m_preferences.listColumns());
    showRecentFiles();
    showDumpState();
}

/// Pages and panels take their questions back when they go, so they go while the session, a member,
/// is still there: left to QWidget's destructor they would outlive it.
MainWindow::~MainWindow()
{
    hide();
    const auto parts = findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    for (const QPointer<QWidget>& part : QList<QPointer<QWidget>>(parts.begin(), parts.end()))
        delete part.data();  // one may have taken another with it
}

const QWidget& MainWindow::shownPage() const
{
    const QWidget* page = m_pages->currentWidget();
    return page == m_workspaces ? *m_workspaces->currentPage() : *page;
}

void MainWindow::makePages()
{
    auto* middle = new QWidget(this);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_sessionBar = new MessageBar(middle);
    m_messageBar = new MessageBar(middle);
    m_reportBar = new MessageBar(middle);
    m_pages = new QStackedWidget(middle);
    m_startPage = new StartPage(m_pages);
    m_startPage->setSampleAvailable(!sampleDumpPath().isEmpty());
    m_failurePage = new StateNotice(m_pages);
    m_workspaces = new WorkspaceTabs(m_pages);
    for (QWidget* page : std::initializer_list<QWidget*>{m_startPage, m_workspaces, m_failurePage})
        m_pages->addWidget(page);
    m_summaryPage = new SummaryPage(m_session, m_workspaces);
    m_browsePage = new BrowsePage(m_session, m_workspaces);
    m_workspaces->addPage(Workspace::Summary, m_summaryPage);
    m_workspaces->add(Workspace::Browse, m_browsePage);
    m_calibratorsPage = new CalibratorsPage(m_session, m_workspaces);
    m_workspaces->add(Workspace::Calibrators, m_calibratorsPage);
    m_channelsPage = new ChannelsPage(m_session, m_workspaces);
    m_workspaces->add(Workspace::Channels, m_channelsPage);
    m_comparePage = new ComparePage(m_comparison, m_workspaces);
    m_workspaces->add(Workspace::Compare, m_comparePage);
    connect(m_workspaces, &WorkspaceTabs::chosen, this, &MainWindow::showWorkspace);
    layout->addWidget(m_sessionBar);
    layout->addWidget(m_messageBar);
    layout->addWidget(m_reportBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(middle);
}

void MainWindow::makeDocks()
{
    const auto addDock = [this](const QString& name, const QString& title, QWidget* content,
                                Qt::DockWidgetArea area) {
        auto* dock = new QDockWidget(title, this);
        dock->setObjectName(name);
        dock->setWidget(content);
        addDockWidget(area, dock);
        return dock;
    };
    m_lists = new QStackedWidget(this);
    m_tensorPanel = new TensorPanel(m_tensors, m_lists);
    m_matchPanel = new MatchPanel(m_comparison, m_lists);
    m_lists->addWidget(m_tensorPanel);
    m_lists->addWidget(m_matchPanel);
    m_dumpChoice = new DumpChoice(m_tensorPanel);
    m_tensorPanel->setHead(*m_dumpChoice);
    m_tensorDock =
        addDock(QStringLiteral("tensors"), tr("Tensors"), m_lists, Qt::LeftDockWidgetArea);
    m_inspectorDock = addDock(QStringLiteral("inspector"), tr("Calibrators"),
                              new Inspector(m_session, this), Qt::RightDockWidgetArea);
    m_logDock = addDock(QStringLiteral("messages"), tr("Messages"), new MessageList(m_log, this),
                        Qt::BottomDockWidgetArea);
    m_logDock->hide();
    statusBar()->addWidget(new StatusLine(m_session, *m_workspaces, this), 1);
}

void MainWindow::makeToolBar()
{
    m_toolBar = addToolBar(tr("Tool bar"));
    m_toolBar->setObjectName(QStringLiteral("toolBar"));
    m_toolBar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_actions.addTo(*m_toolBar);

    m_toolBar->addSeparator();
    auto* label = new QLabel(tr("&Recipe:"), m_toolBar);
    label->setContentsMargins(8, 0, 6, 0);
    m_recipes = new RecipeChoice(m_session.chosenRecipe(), m_toolBar);
    label->setBuddy(m_recipes);
    m_toolBar->addWidget(label);
    m_toolBar->addWidget(m_recipes);
    connect(&m_session, &Document::recipeChanged, m_recipes,
            [this] { m_recipes->setChosen(m_session.chosenRecipe()); });
    connect(m_recipes, &RecipeChoice::recipeChosen, this, [this](const QString& id) {
        edits::chooseRecipe(m_session, id);
        m_preferences.setRecipe(id);
    });
}

void MainWindow::showDumpState()
{
    const Document::DumpState state = m_session.dumpState();
    if (state == Document::DumpState::Opening)
        return;  // what was shown stays until there is something else
    const bool isOpen = state == Document::DumpState::Open;
    const QString name = QFileInfo(m_session.path()).fileName();
    m_titleNote.clear();
    showTitle();
    m_tensors.setTensors(isOpen ? m_session.tensors() : std::vector<TensorInfo>(),
                         isOpen ? m_session.understood().edited() : std::vector<int>());
    showMarks();
    m_actions.setDumpOpen(isOpen);
    showHistory();
    showBaseline();
    m_actions[ActionId::Reload].setEnabled(!name.isEmpty());
    m_actions[ActionId::Close].setEnabled(!name.isEmpty());
    m_lastTensor = -1;
    setWorkspaceShown(isOpen);
    if (state == Document::DumpState::Failed)
        m_failurePage->say(tr("%1 could not be opened").arg(name), m_session.dumpProblem(),
                           tr("Try again"), tr("Open another dump..."));
    if (isOpen)
        showSelection();
    else if (state == Document::DumpState::Failed)
        m_pages->setCurrentWidget(m_failurePage);
    else
        m_pages->setCurrentWidget(m_startPage);
    if (isOpen) {
        m_tensorPanel->focusList();  // its keys, and the letters of actions, work at once
        m_preferences.addRecentFile(m_session.path());
        showRecentFiles();
        m_messageBar->hide();
        m_isAboutEngine = false;
    }
}

void MainWindow::showSelection()
{
    const int selected = m_session.selected();
    m_tensorPanel->setSelected(selected);
    if (selected >= 0)
        m_lastTensor = selected;
    const Workspace wanted = selected >= 0 ? m_tensorWorkspace : Workspace::Summary;
    m_workspaces->show(m_workspaces->has(wanted) ? wanted : Workspace::Browse);
    m_pages->setCurrentWidget(m_workspaces);
    showComparison();
}

void MainWindow::showWorkspace(Workspace workspace)
{
    if (m_session.dumpState() != Document::DumpState::Open || !m_workspaces->has(workspace))
        return;
    if (workspace == Workspace::Summary)
        return m_session.select(-1);
    m_tensorWorkspace = workspace;
    if (workspace != Workspace::Compare)  // there is no second dump at the next start
        m_preferences.setWorkspace(workspaceId(workspace));
    if (m_session.selected() < 0)
        goTo(m_lastTensor >= 0 ? m_lastTensor : firstToShow(m_session.tensors()));
    else
        showSelection();
}

void MainWindow::showReaderState()
{
    if (m_session.questions().reader().state() != ViewReader::State::Ready)
        return;
    if (m_isAboutEngine)
        m_messageBar->hide();
    std::vector<int> neighbours;
    for (const int step : {1, -1})
        if (const int next = m_tensorPanel->neighbour(m_session.selected(), step); next >= 0)
            neighbours.push_back(next);
    m_session.questions().expect(neighbours);
}

void MainWindow::showEngineDeath(const QString& sentence)
{
    m_isAboutEngine = true;
    m_messageBar->say(sentence, {{tr("Try again"), [this] { m_session.questions().readAgain(); }}});
}

void MainWindow::goTo(int tensor)
{
    if (tensor >= 0)
        m_session.select(tensor);
}

}  // namespace calibscope
