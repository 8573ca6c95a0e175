// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_text.h"
#include "ui/models/outcome_text.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/calibrators/matrix_view.h"
#include "ui/pages/channels/channels_page.h"
#include "ui/pages/deploy/deploy_form.h"
#include "ui/pages/deploy/deploy_page.h"
#include "ui/pages/deploy/run_form.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/pages/improve/budget_view.h"
#include "ui/pages/improve/improve_page.h"
#include "ui/pages/layers/layers_page.h"
#include "ui/pages/slice/slice_page.h"
#include "ui/pages/start/start_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/panels/inspector.h"
#include "ui/panels/status_line.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/queries/dump_requests.h"
#include "ui/report/report_pictures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/go_to_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"
#include "ui/window/calibrator_controller.h"
#include "ui/window/compare_controller.h"
#include "ui/window/decision_controller.h"
#include "ui/window/deploy_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/import_controller.h"
#include "ui/window/internal_error.h"
#include "ui/window/layout_controller.h"
#include "ui/window/message_controller.h"
#include "ui/window/preferences_controller.h"
#include "ui/window/remote_dialog.h"
#include "ui/window/report_controller.h"
#include "ui/window/scale_export.h"
#include "ui/window/session_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QPointer>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

/// Whether a dump states which tensors an operator reads.
bool hasGraph(const std::vector<TensorInfo>& tensors)
{
    return std::ranges::any_of(tensors,
                               [](const TensorInfo& tensor) { return !tensor.inputs.empty(); });
}

/// Menus that exist when the style comes are all laid out anew.
MainWindow& styled(MainWindow& window)
{
    installStyle();
    return window;
}

}  // namespace

QSize firstWindowSize(const QSize& available)
{
    constexpr double share = 0.85;
    return (available * share).expandedTo({1280, 800}).boundedTo({2240, 1400});
}

MainWindow::MainWindow(const MainWindowOptions& options)
    : m_waited(m_machines),
      m_background(m_machines),
      m_pictures(m_machines),
      m_document(m_waited, m_background, m_pictures),
      m_comparison(m_document, m_waited, m_background),
      m_dumps(m_document),
      m_actions(styled(*this))
{
    m_machines.setMostSilentSeconds(options.mostSilentSeconds);
    m_pictures.shareFarEngines(m_waited);
    makeServices(options);
    setWindowIcon(QIcon(QStringLiteral(":/icons/calibscope.svg")));
    setAcceptDrops(true);
    resize(firstWindowSize(screen()->availableSize()));
    Preferences& preferences = m_preferences->stored();
    edits::chooseRecipe(m_document, preferences.recipeAtStart());
    m_tensorWorkspace = parseWorkspace(preferences.workspace()).value_or(Workspace::Browse);

    makePages();
    makePanels();
    followDocument();

    m_panels->begin(preferences.windowState());
    restoreGeometry(preferences.windowGeometry());
    m_tensorList->panel().restoreColumns(preferences.listColumns());
    m_tensorList->panel().setTree(preferences.isListTree());
    showDumpState();
}

/// Pages and panels take their questions back when they go, so they go while the document, a
/// member, is still there: left to QWidget's destructor they would outlive it.
MainWindow::~MainWindow()
{
    m_actions.stop();
    hide();
    const auto parts = findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    for (const QPointer<QWidget>& part : QList<QPointer<QWidget>>(parts.begin(), parts.end()))
        delete part.data();  // one may have taken another with it
}

/// What pages and panels are made with.
void MainWindow::makeServices(const MainWindowOptions& options)
{
    m_preferences = std::make_unique<PreferencesController>(
        options, m_document, std::vector{&m_waited, &m_background, &m_pictures}, m_actions, *this);
    Preferences& preferences = m_preferences->stored();
    m_messages = std::make_unique<MessageController>(m_document, *this);
    if (!m_preferences->cacheProblem().isEmpty())
        m_messages->log().add(MessageLog::Kind::Warning, m_preferences->cacheProblem());
    m_sessions = std::make_unique<SessionController>(
        m_document, m_dumps, m_messages->log(), m_actions, [this] { return layoutNow(); },
        preferences.isRemembered() ? Autosave::standardFolder() : QString(), *this);
    m_farAway =
        std::make_unique<RemoteController>(m_machines, std::vector{&m_waited, &m_background},
                                           preferences, m_dumps, m_messages->log(), *this);
    m_reports = std::make_unique<ReportController>(m_document, preferences, m_machines,
                                                   m_messages->log(), *this);
}

void MainWindow::makePages()
{
    auto* middle = new QWidget(this);
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    m_pages = new QStackedWidget(middle);
    m_startPage = new StartPage(m_pages);
    m_failurePage = new StateNotice(m_pages);
    m_workspaces = new WorkspaceTabs(m_pages);
    for (QWidget* page : std::initializer_list<QWidget*>{m_startPage, m_workspaces, m_failurePage})
        m_pages->addWidget(page);
    auto* summary = new SummaryPage(m_document, m_workspaces);
    m_workspaces->addPage(Workspace::Summary, summary);
    m_browsePage = new BrowsePage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Browse, m_browsePage);
    m_calibratorsPage = new CalibratorsPage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Calibrators, m_calibratorsPage);
    m_channelsPage = new ChannelsPage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Channels, m_channelsPage);
    m_comparing = std::make_unique<CompareController>(m_comparison, m_dumps, *m_workspaces);
    m_deploying =
        std::make_unique<DeployController>(m_document, m_sessions->keeper(), *m_workspaces);
    DeployOptions options;
    options.runner = m_preferences->stored().runner();
    m_deploying->deployment().setOptions(options);
    summary->addEnd(m_deploying->deployment());
    m_layersPage = new LayersPage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Layers, m_layersPage);
    m_deploying->addImprovePage();
    m_slicePage = new SlicePage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Slice, m_slicePage);
    m_graphPage = new GraphPage(m_document, m_workspaces);
    m_workspaces->add(Workspace::Graph, m_graphPage);
    connect(summary, &SummaryPage::filterRequested, this,
            [this](const QString& query) { m_tensorList->panel().setQuery(query); });
    connect(summary, &SummaryPage::guessRequested, this, &MainWindow::showGuess);
    connect(summary, &SummaryPage::tensorRequested, this, [this](int tensor) {
        if (isOfNetwork(m_tensorWorkspace))
            m_tensorWorkspace = Workspace::Browse;
        m_document.select(tensor);
    });
    connect(
        summary, &SummaryPage::bestRequested, this,
        [this](const BestGains& best, double leastDb) { m_decisions->acceptBest(best, leastDb); });
    const std::pair<QString, const char*> steps[] = {
        {tr("The worst tensor"), "tensor.next-worst"},
        {tr("The worst layers"), "view.layers"},
        {tr("Accept the recipe..."), "calibrator.settle-recipe"},
        {tr("A quantized model"), "view.deploy"},
        {tr("Export scales..."), "file.export-scales"},
        {tr("Import scales..."), "file.import-scales"},
        {tr("A report..."), "file.report"},
        {tr("What do the words mean?"), "help.glossary"}};
    for (const auto& [text, action] : steps)
        summary->addStep(text, m_actions[action]);
    for (MessageBar* bar : {&m_sessions->bar(), &m_messages->bar(), &m_reports->bar()})
        layout->addWidget(bar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(middle);
}

void MainWindow::makePanels()
{
    auto* lists = new QStackedWidget(this);
    m_tensorList = std::make_unique<TensorListController>(m_document, *lists);
    TensorPanel& tensors = m_tensorList->panel();
    lists->addWidget(&tensors);
    m_comparing->addPairs(*lists);
    m_sessions->addChoiceTo(tensors);
    for (const char* id : {"tensor.pin", "tensor.exclude", "tensor.understanding", "edit.copy-path",
                           "edit.copy-python", "calibrator.settle", "calibrator.unsettle"})
        tensors.addToMenu(m_actions[id]);

    m_inspector = new Inspector(m_document, this);
    m_panels = std::make_unique<LayoutController>(
        *this, LayoutController::Contents{.tensors = lists,
                                          .inspector = m_inspector,
                                          .log = new MessageList(m_messages->log(), this)});
    statusBar()->addWidget(new StatusLine(m_document, *m_workspaces, this), 1);
    auto* messages = new MessageCount(m_messages->log(), this);
    connect(messages, &QToolButton::clicked, this, [this] { m_panels->show(Panel::Log, true); });
    statusBar()->addPermanentWidget(messages);
    m_actions.addTo(m_panels->toolBar());
    Preferences& preferences = m_preferences->stored();
    m_calibrators =
        std::make_unique<CalibratorController>(m_document, preferences, m_panels->toolBar());
    m_decisions = std::make_unique<DecisionController>(
        m_document, m_background, m_sessions->keeper(), *m_messages, *m_tensorList, *this);
    m_files =
        std::make_unique<FileController>(m_document, m_dumps, *m_sessions, preferences, *m_messages,
                                         FileController::Pages{*m_startPage, *m_failurePage},
                                         FileController::FarSide{m_machines, m_background}, *this);
    connect(m_files.get(), &FileController::elsewhereWanted, m_farAway.get(),
            &RemoteController::askForFile);
    connect(m_farAway.get(), &RemoteController::chosen, m_files.get(),
            [this](const QString& address) { m_files->open(address); });
    m_files->addRecentTo(m_actions);
    const auto model = [this] { return m_deploying->deployment().options().model; };
    m_imports =
        std::make_unique<ImportController>(m_document, m_background, *m_messages, model, *this);
    m_scaleExport =
        std::make_unique<ScaleExport>(m_document, m_sessions->keeper(), *m_messages, model, *this);
    connect(m_imports.get(), &ImportController::fileThereWanted, m_farAway.get(), [this] {
        m_farAway->askForBeside(m_document.path(), tr("Import scales"),
                                [this](const QString& address) { m_imports->open(address); });
    });
}

void MainWindow::refreshEndShares()
{
    constexpr auto step = Deployment::Step::Shares;
    const Deployment& deployment = m_deploying->deployment();
    const bool hasFailed = deployment.failedStep() == step && !deployment.problem().isEmpty();
    m_graphPage->setEndShares(deployment.endShares(),
                              hasFailed ? deployment.problem() : deployment.obstacle(step));
}

void MainWindow::followDocument()
{
    connect(m_workspaces, &WorkspaceTabs::chosen, this, &MainWindow::showWorkspace);
    connect(m_comparing.get(), &CompareController::pageWanted, this,
            [this] { showWorkspace(Workspace::Compare); });
    connect(&m_deploying->page(), &DeployPage::recipeRequested, m_decisions.get(),
            &DecisionController::acceptByRecipe);
    connect(&m_deploying->improvePage(), &ImprovePage::recipeRequested, m_decisions.get(),
            &DecisionController::acceptByRecipe);
    const auto browse = [this](int tensor) {
        showWorkspace(Workspace::Browse);
        m_tensorList->goTo(tensor);
    };
    connect(m_workspaces, &WorkspaceTabs::tensorChosen, this, browse);
    const TensorPanel& list = m_tensorList->panel();
    const auto followFilter = [this, &list] {
        m_calibratorsPage->setListed(
            list.query().isEmpty() ? std::nullopt : std::optional(list.shown().shownTensors()));
    };
    connect(&list.shown(), &TensorFilterModel::rowsChanged, this, followFilter);
    connect(&list.shown(), &QAbstractItemModel::modelReset, this, followFilter);
    connect(m_layersPage, &LayersPage::deployRequested, this,
            [this] { showWorkspace(Workspace::Deploy); });
    connect(m_layersPage, &LayersPage::relationFound, this,
            [this](const QString& sentence) { m_messages->say(sentence); });
    const auto improveModel = [this] {
        if (m_deploying->askForModel())
            showWorkspace(Workspace::Improve);
    };
    connect(m_layersPage, &LayersPage::modelRequested, this, improveModel);
    connect(m_graphPage, &GraphPage::modelRequested, this, improveModel);
    connect(&m_deploying->page(), &DeployPage::candidatesRequested, this,
            [this](int tensor, bool isOfItself) {
                m_tensorWorkspace = Workspace::Layers;
                m_document.select(tensor);
                showWorkspace(Workspace::Layers);
                m_layersPage->showCandidates(tensor, isOfItself);
            });
    connect(&m_deploying->deployment(), &Deployment::changed, this, [this] {
        m_preferences->stored().setRunner(m_deploying->deployment().options().runner);
        m_layersPage->offerCheck(m_deploying->deployment().canCheckAgain());
        m_graphPage->setRunning(m_deploying->page().runningDb());
        refreshEndShares();
    });
    connect(m_graphPage, &GraphPage::endSharesAsked, this, &MainWindow::refreshEndShares);
    connect(m_graphPage, &GraphPage::endSharesWanted, this,
            [this] { m_deploying->deployment().start(Deployment::Step::Shares); });
    connect(&m_deploying->improvePage().budget(), &BudgetView::accepted, m_decisions.get(),
            &DecisionController::sayAccepted);
    connect(&m_deploying->improvePage(), &ImprovePage::runRequested, this, [this] {
        showWorkspace(Workspace::Deploy);
        m_deploying->page().form().run().edit();
    });
    connect(&m_deploying->improvePage(), &ImprovePage::sessionRequested, this, [this] {
        m_sessions->save();
        if (m_sessions->keeper().isBusy())
            connect(&m_sessions->keeper(), &SessionKeeper::saved, &m_deploying->improvePage(),
                    &ImprovePage::copyCommand, Qt::SingleShotConnection);
    });
    connect(&m_deploying->deployment(), &Deployment::improvedWritten, this,
            [this](const QString& path) {
                if (path.endsWith(QStringLiteral(".onnx")))
                    return m_messages->say(tr("Model written to %1.").arg(path), {},
                                           MessageBar::Kind::Success);
                m_messages->say(
                    tr("Remedies written to %1. Page Deploy writes the model with them.").arg(path),
                    {{tr("Page Deploy"), [this] { showWorkspace(Workspace::Deploy); }}},
                    MessageBar::Kind::Success);
            });
    connect(m_layersPage, &LayersPage::checkRequested, this, [this] {
        showWorkspace(Workspace::Deploy);
        m_deploying->deployment().checkAgain();
    });
    connect(m_browsePage, &BrowsePage::valuesWanted, this,
            [this](const MarkedValues& marked, const QString& words) {
                showWorkspace(Workspace::Slice);
                m_slicePage->showValues(marked, words);
            });
    connect(m_comparing.get(), &CompareController::listTitled, &m_panels->tensorDock(),
            &QWidget::setWindowTitle);
    connect(m_files.get(), &FileController::secondDropped, m_comparing.get(),
            [this](const QString& path) {
                path.isEmpty() ? m_comparing->close() : m_comparing->open(path);
            });
    connect(m_files.get(), &FileController::modelGiven, m_deploying.get(),
            &DeployController::setModel);
    connect(m_files.get(), &FileController::scalesDropped, m_imports.get(),
            &ImportController::open);
    connect(m_sessions.get(), &SessionController::layoutTaken, this, &MainWindow::takeLayout);
    connect(&m_document, &Document::dumpChanged, this, &MainWindow::showDumpState);
    connect(&m_document, &Document::selectionChanged, this, &MainWindow::showSelection);

    const auto refresh = [this] { m_actions.refresh(); };
    connect(&m_document, &Document::selectionChanged, this, refresh);
    connect(&m_document, &Document::changed, this, [refresh](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Workbench | DocumentChange::Undoable))
            refresh();
    });
    connect(&m_comparison, &Comparison::stateChanged, this, refresh);
    connect(&m_dumps, &WindowDumps::changed, this, refresh);
    connect(m_files.get(), &FileController::followingChanged, this, refresh);
    connect(m_calibrators.get(), &CalibratorController::changed, this, refresh);
    connect(m_panels.get(), &LayoutController::changed, this, refresh);
    connect(&m_tensorList->panel(), &TensorPanel::sortingChanged, this, refresh);
}

const QWidget& MainWindow::shownPage() const
{
    const QWidget* page = m_pages->currentWidget();
    return page == m_workspaces ? *m_workspaces->currentPage() : *page;
}

void MainWindow::showDumpState()
{
    const Document::DumpState state = m_document.dumpState();
    if (state == Document::DumpState::Opening && !isVisible()) {
        m_files->sayOpening();  // nobody is to see the start page pass by
        m_pages->setCurrentWidget(m_failurePage);
    }
    if (state == Document::DumpState::Opening || m_dumps.isGoingBack())
        return;  // what was shown stays until there is something else
    m_isDumpShown = state == Document::DumpState::Open;
    m_hasFile = !m_document.path().isEmpty();
    m_lastTensor = -1;
    m_files->showFollowing();
    m_actions.refresh();
    m_panels->setShown(m_isDumpShown);
    if (m_isDumpShown) {
        if (m_tensorWorkspace == Workspace::Layers && !hasGraph(m_document.tensors()))
            m_tensorWorkspace = Workspace::Browse;  // what it was for another dump
        showSelection();
        if (!m_files->isFollowing())
            m_tensorList->panel().focusList();  // its keys, and letters of actions, work at once
        m_files->remember(m_document.path());
        m_messages->hide();
    } else if (state == Document::DumpState::Failed) {
        m_files->sayFailed();
        m_pages->setCurrentWidget(m_failurePage);
    } else {
        m_pages->setCurrentWidget(m_startPage);
    }
}

void MainWindow::showSelection()
{
    const int selected = m_document.selected();
    m_tensorList->panel().setSelected(selected);
    const TensorInfo* tensor = m_document.selectedTensor();
    m_panels->setInspected(tensor ? QString::fromStdString(tensor->name) : QString(),
                           m_document.neededParts());
    if (selected >= 0)
        m_lastTensor = selected;
    const Workspace wanted = selected >= 0 ? m_tensorWorkspace : Workspace::Summary;
    m_workspaces->show(m_workspaces->has(wanted) ? wanted : Workspace::Browse);
    m_pages->setCurrentWidget(m_workspaces);
    m_actions.refresh();
    m_comparing->showList();
}

void MainWindow::showWorkspace(Workspace workspace)
{
    if (m_document.dumpState() != Document::DumpState::Open || !m_workspaces->has(workspace))
        return;
    if (workspace == Workspace::Summary)
        return m_document.select(-1);
    m_tensorWorkspace = workspace;
    if (workspace != Workspace::Compare)  // there is no second dump at the next start
        m_preferences->stored().setWorkspace(workspaceId(workspace));
    if (m_document.selected() < 0)
        m_tensorList->goTo(m_lastTensor >= 0 ? m_lastTensor : firstToShow(m_document.tensors()));
    else
        showSelection();
}

/// Only Browse asks whether a guess is right.
void MainWindow::showGuess(int tensor)
{
    if (tensor < 0)
        return;
    m_tensorWorkspace = Workspace::Browse;
    m_document.select(tensor);
}

/// From pane to pane: the list, the page, the cards.
void MainWindow::focusPane(int step)
{
    const auto focusList = [this] {
        if (!m_panels->raise(Panel::Tensors))
            return false;
        if (!m_comparing->focusPairs())
            m_tensorList->panel().focusList();
        return true;
    };
    const auto focusPage = [this] {
        m_workspaces->takeFocus(Qt::TabFocusReason);
        return true;
    };
    const auto focusCards = [this] {
        return m_panels->raise(Panel::Inspector) && m_inspector->focusCards();
    };
    const std::array<std::function<bool()>, 3> panes = {focusList, focusPage, focusCards};
    setAttribute(Qt::WA_KeyboardFocusChange);  // as Tab does: rings are drawn
    const QWidget* focused = focusWidget();
    const auto isIn = [focused](const QWidget& pane) {
        return focused && pane.isAncestorOf(focused);
    };
    const int from = isIn(m_panels->tensorDock()) ? 0 : isIn(*m_inspector) ? 2 : 1;
    const int count = static_cast<int>(panes.size());
    for (int tried = 1; tried < count; ++tried) {
        const int next = (from + step * tried + count * tried) % count;
        if (panes[static_cast<std::size_t>(next)]())
            return;
    }
}

void MainWindow::showAllTensors()
{
    showWorkspace(Workspace::Calibrators);
    m_calibratorsPage->showView(CalibratorsPage::View::AllTensors);
    m_document.questions().startMatrix(false);
}

void MainWindow::showOutliers()
{
    showWorkspace(Workspace::Channels);
    m_channelsPage->chooseOutliers();
}

void MainWindow::showWhereValuesLie()
{
    if (m_workspaces->current() != Workspace::Browse)
        showWorkspace(Workspace::Browse);
    m_browsePage->showWhereValuesLie();
}

void MainWindow::copyData()
{
    if (m_workspaces->current() == Workspace::Browse)
        m_browsePage->copyFacts();
    else if (const PlotView* plot = m_workspaces->currentPlot())
        plot->copyData();
    else if (m_calibratorsPage->matrix().isVisible())
        m_calibratorsPage->matrix().copyTable();
}

void MainWindow::goToSomewhere()
{
    std::vector<Destination> destinations;
    for (const ActionSpec& spec : actionTable())
        if (QAction& action = m_actions[spec.id];
            action.isEnabled() && spec.id != QStringLiteral("edit.go-to"))
            destinations.push_back({.text = withoutMnemonic(action.text()),
                                    .kind = withoutMnemonic(menuSpec(spec.menu).title),
                                    .detail = action.shortcut().toString(QKeySequence::NativeText),
                                    .isFirst = true,
                                    .go = [&action] { action.trigger(); }});
    if (m_document.dumpState() == Document::DumpState::Open)
        for (const WorkspaceTabs::PageView& view : m_workspaces->pageViews())
            if (const QString text = withoutMnemonic(view.text);
                std::ranges::find(destinations, text, &Destination::text) == destinations.end())
                destinations.push_back({.text = text,
                                        .kind = workspaceTitle(view.workspace),
                                        .isFirst = true,
                                        .go = [this, view] {
                                            showWorkspace(view.workspace);
                                            view.choose();
                                        }});
    for (const Recipe& recipe : recipes())
        destinations.push_back({.text = tr("Recipe: %1").arg(QString::fromStdString(recipe.title)),
                                .kind = {},
                                .detail = QString::fromStdString(recipe.id),
                                .isFirst = true,
                                .go = [this, &recipe] {
                                    edits::chooseRecipe(m_document,
                                                        QString::fromStdString(recipe.id));
                                }});
    const std::vector<TensorInfo>& tensors = m_document.tensors();
    for (std::size_t place = 0; place < tensors.size(); ++place)
        destinations.push_back(
            {.text = QString::fromStdString(tensors[place].name),
             .kind = roleTitle(tensors[place].role),
             .detail = shapeLabel(tensors[place]),
             .go = [this, place] { m_tensorList->goTo(static_cast<int>(place)); }});
    const GoToDialog::Words words{.title = tr("Go to"),
                                  .placeholder = tr("Search tensors and actions")};
    (new GoToDialog(words, std::move(destinations), this))->open();
}

void MainWindow::open(const QString& path, const Document::OpenOptions& options)
{
    m_files->open(path, options);
}

void MainWindow::reload()
{
    m_document.reload();
    m_comparison.reopen();
}

PictureCaption MainWindow::captionOf(const PlotView&) const
{
    const TensorInfo* tensor = m_document.selectedTensor();
    if (!tensor)
        return {};
    QStringList lines{provenanceLine({.identity = m_document.dump().identity}, *tensor)};
    if (m_workspaces->current() == Workspace::Compare && !m_comparison.path().isEmpty())
        lines += tr("B: %1").arg(QFileInfo(m_comparison.path()).fileName());
    QString how = QString::fromStdString(m_document.chosenRecipe().title);
    if (const OutcomeRow* bold = proposedRow(m_document.questions().rows()))
        how += tr("; bold: %1, %2")
                   .arg(QString::fromStdString(bold->candidate.label),
                        settingLines(bold->candidate.choice).join(QStringLiteral(", ")));
    lines += how;
    return {.title = QString::fromStdString(tensor->name), .footer = lines.join(u'\n')};
}

namespace {

/// In sessions, by CalibratorsPage::View.
constexpr std::array<const char*, 5> calibratorsViews = {"curves", "panels", "all-tensors",
                                                         "explain", "formats"};

}  // namespace

SessionLayout MainWindow::layoutNow()
{
    return {.page = workspaceId(m_tensorWorkspace).toStdString(),
            .view = calibratorsViews.at(static_cast<std::size_t>(m_calibratorsPage->shownView())),
            .docks = m_panels->state().toStdString(),
            .card = cardsOf(m_document).chosen(),
            .filter = m_tensorList->panel().query().toStdString(),
            .list = m_tensorList->panel().isTree() ? "tree" : "flat",
            .model = m_deploying->deployment().options().model.toStdString(),
            .output = m_deploying->deployment().options().output.toStdString()};
}

void MainWindow::takeLayout(const SessionLayout& layout)
{
    const auto page = parseWorkspace(QString::fromStdString(layout.page));
    m_tensorWorkspace = page.value_or(m_tensorWorkspace);
    if (const auto view = std::ranges::find(calibratorsViews, layout.view);
        view != calibratorsViews.end())
        m_calibratorsPage->showView(
            static_cast<CalibratorsPage::View>(view - calibratorsViews.begin()));
    m_panels->setState(QByteArray::fromStdString(layout.docks));
    cardsOf(m_document).choose(layout.card);
    m_tensorList->panel().setQuery(QString::fromStdString(layout.filter));
    if (!layout.list.empty())
        m_tensorList->panel().setTree(layout.list == "tree");
    // Not the runner, which is in the user's settings: a session file of somebody else must not name
    // a command that is run here.
    DeployOptions options = m_deploying->deployment().options();
    options.model = QString::fromStdString(layout.model);
    options.output = QString::fromStdString(layout.output);
    m_deploying->deployment().setOptions(options);
}

void MainWindow::reportInternalError(const QString& error)
{
    m_messages->log().add(MessageLog::Kind::Problem, tr("Internal error: %1").arg(error));
    m_sessions->keeper().autosave().keepNow();
    showInternalError(this, errorReport(error, m_messages->log().text()));
}

/// Some file systems don't tell of changes: who comes back to the window sees the present state.
void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && m_files)
        m_files->check();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_sessions->mayLose())
        return event->ignore();
    m_sessions->keeper().autosave().drop();
    m_preferences->stored().setWindow(saveGeometry(), m_panels->state());
    m_preferences->stored().setListColumns(m_tensorList->panel().columns());
    m_preferences->stored().setListTree(m_tensorList->panel().isTree());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (FileController::takes(*event))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_files->drop(*event);
}

}  // namespace calibscope
