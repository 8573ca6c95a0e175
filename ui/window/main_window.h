#pragma once

#include "ui/document/comparison.h"
#include "ui/document/document.h"
#include "ui/document/message_log.h"
#include "ui/document/session_keeper.h"
#include "ui/document/window_dumps.h"
#include "ui/document/workspace.h"
#include "ui/models/tensor_model.h"
#include "ui/queries/engine_client.h"
#include "ui/queries/file_watch.h"
#include "ui/window/actions/actions.h"
#include "ui/window/preferences.h"

#include <QByteArray>
#include <QMainWindow>
#include <QString>

#include <functional>
#include <optional>

class QDockWidget;
class QStackedWidget;

namespace calibscope {

class BrowsePage;
class CalibratorsPage;
class ChannelsPage;
class ComparePage;
class DecisionExport;
class DumpChoice;
class Inspector;
class MatchPanel;
class MessageBar;
class RecipeChoice;
class ReportRun;
class StartPage;
class StateNotice;
class StatusLine;
class SummaryPage;
class TensorPanel;
class WorkspaceTabs;

struct MainWindowOptions
{
    Preferences::Keeping keeping = Preferences::Keeping::Remember;
    std::optional<Theme> theme;  ///< nothing: as remembered
    QString cacheFolder = {};    ///< for results, if the preferences want it; empty: none
};

/// The application's window: menus, docks and the page in the middle.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const MainWindowOptions& options = {});
    ~MainWindow() override;

    /// A dump, beside those that are open, or a session in place of them.
    void open(const QString& path, const Document::OpenOptions& options = {});

    /// Compares the open dump with that one, and shows the page that does.
    void openSecond(const QString& path);
    /// Its dumps in place of those that are open, if what is not saved of these may go.
    void openSession(const QString& path);

    /// The dump that was opened last, if the user wants that at a start.
    void openLast();
    /// Offers what a program left that did not end properly.
    void offerRecovery();

    [[nodiscard]] Document& session() { return m_session; }
    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] WindowDumps& dumps() { return m_dumps; }
    [[nodiscard]] SessionKeeper& keeper() { return m_keeper; }
    [[nodiscard]] const MessageBar& sessionBar() const { return *m_sessionBar; }
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    [[nodiscard]] const TensorModel& tensors() const { return m_tensors; }
    [[nodiscard]] const BrowsePage& browsePage() const { return *m_browsePage; }
    [[nodiscard]] const ChannelsPage& channelsPage() const { return *m_channelsPage; }
    [[nodiscard]] const ComparePage& comparePage() const { return *m_comparePage; }
    [[nodiscard]] MatchPanel& matchPanel() const { return *m_matchPanel; }
    [[nodiscard]] const MessageBar& messageBar() const { return *m_messageBar; }
    [[nodiscard]] const QWidget& shownPage() const;
    [[nodiscard]] const WorkspaceTabs& workspaces() const { return *m_workspaces; }
    /// Shows that page of the open dump, with the last or first tensor if none is selected.
    void showWorkspace(Workspace workspace);
    /// Says that an exception reached the event loop.
    void reportInternalError(const QString& error);
    [[nodiscard]] const MessageLog& log() const { return m_log; }

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makePages();
    void makeDocks();
    void makeToolBar();
    void connectFileActions();
    void connectViewActions();
    void connectTensorActions();
    void connectListActions();
    void connectCalibratorActions();
    void connectPanelActions();
    void connectCompareActions();
    void connectEditActions();
    void connectLog();
    void connectFileWatch();
    void connectSession();

    void connectSessionFile();
    void connectDecisions();
    void saveSession();
    void saveSessionAs();
    [[nodiscard]] bool mayLoseSession();
    void takeSession(const SessionDocument& document);
    void offerLeftovers(std::vector<Autosave::Leftover> leftovers);
    void sayDumpMissing();
    void showTitle();
    void listDumps();
    [[nodiscard]] SessionLayout layoutNow();
    [[nodiscard]] std::vector<int> filteredTensors() const;
    void settleMany(const std::vector<int>& tensors, bool byRecipe);
    void exportDecisions();
    void writeDecisions(const QString& path, const DecisionExport& job);
    void showSettling();

    void askForFile();
    void askForSecondFile();
    void showComparison();
    void stepTensor(int rows);
    void goToSomewhere();
    void editPreferences();
    void applyShortcuts();
    void applyCache();
    void logDumpState();
    void sayFileChanged(bool isGone);
    void showRecentFiles();
    void greyMissingFiles(const QStringList& missing);
    void showDumpState();
    void showSelection();
    void showReaderState();
    void showEngineDeath(const QString& sentence);
    void connectPlotActions();
    void connectBrowseActions();
    void connectDisplayActions();
    void connectHistoryActions();
    void setDisplay(const std::function<void(PlotDisplay&)>& edit);
    void showDisplay();
    void showHistory();
    void showMarks();
    void connectReportActions();
    void askForReport();
    void copyPython();
    void showTicks();
    void showBaseline();
    void chooseTheme(Theme theme);
    void setWorkspaceShown(bool isShown);
    void resetLayout();
    [[nodiscard]] QByteArray dockState() const;
    /// Nothing happens if it is empty, or of another version.
    void setDockState(const QByteArray& state);
    void goTo(int tensor);

    /// Raised when docks or tool bars come or go; layouts of another version are not restored.
    static constexpr int layoutVersion = 2;

    Preferences m_preferences;
    QString m_cacheFolder;  ///< empty: no results are cached
    EngineClient m_waited;
    EngineClient m_background;
    Document m_session;
    Comparison m_comparison;
    WindowDumps m_dumps;
    SessionKeeper m_keeper;
    TensorModel m_tensors;
    Actions m_actions;
    MessageLog m_log;
    FileWatch m_fileWatch;
    Theme m_theme;

    QStackedWidget* m_pages = nullptr;
    StartPage* m_startPage = nullptr;
    WorkspaceTabs* m_workspaces = nullptr;
    SummaryPage* m_summaryPage = nullptr;
    BrowsePage* m_browsePage = nullptr;
    CalibratorsPage* m_calibratorsPage = nullptr;
    ChannelsPage* m_channelsPage = nullptr;
    ComparePage* m_comparePage = nullptr;
    StateNotice* m_failurePage = nullptr;
    MessageBar* m_messageBar = nullptr;
    MessageBar* m_reportBar = nullptr;
    ReportRun* m_reportRun = nullptr;
    QStackedWidget* m_lists = nullptr;  ///< of the tensors: of the open dump, or of both
    TensorPanel* m_tensorPanel = nullptr;
    MatchPanel* m_matchPanel = nullptr;
    MessageBar* m_sessionBar = nullptr;
    DumpChoice* m_dumpChoice = nullptr;
    QDockWidget* m_tensorDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QDockWidget* m_logDock = nullptr;
    QToolBar* m_toolBar = nullptr;
    RecipeChoice* m_recipes = nullptr;
    QMenu* m_recentMenu = nullptr;
    QString m_titleNote;                              ///< what is odd about the dump's file
    Workspace m_tensorWorkspace = Workspace::Browse;  ///< for when a tensor is selected
    int m_lastTensor = -1;                            ///< selected before the summary was shown
    bool m_isAboutEngine = false;                     ///< what the message bar says
    bool m_isAboutDump = false;                       ///< what the session's bar says
    QByteArray m_firstLayout;  ///< of docks and tool bar, as at the first start
    QByteArray m_layout;       ///< while no dump is open, and they are hidden
    bool m_isWorkspaceShown = false;
};

}  // namespace calibscope
