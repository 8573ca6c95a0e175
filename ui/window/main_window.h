// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/document/document.h"
#include "ui/document/session_document.h"
#include "ui/document/window_dumps.h"
#include "ui/document/workspace.h"
#include "ui/plot/plot_view.h"
#include "ui/queries/engine_router.h"
#include "ui/queries/remote_machines.h"
#include "ui/window/actions.h"
#include "ui/window/preferences.h"

#include <QMainWindow>
#include <QString>

#include <memory>
#include <optional>

class QStackedWidget;

namespace calibscope {

class BrowsePage;
class CalibratorController;
class CalibratorsPage;
class ChannelsPage;
class CompareController;
class DecisionController;
class DeployController;
class FileController;
class ImportController;
class ScaleExport;
class GraphPage;
class Inspector;
class LayersPage;
class LayoutController;
class MessageController;
class PreferencesController;
class RemoteController;
class ReportController;
class SessionController;
class SlicePage;
class StartPage;
class StateNotice;
class TensorListController;
class WorkspaceTabs;

struct MainWindowOptions
{
    Preferences::Keeping keeping = Preferences::Keeping::Remember;
    std::optional<Theme> theme;  ///< nothing: as remembered
    QString cacheFolder = {};    ///< for results, if the preferences want it; empty: none
    int mostSilentSeconds = 0;   ///< as EngineProgram's, where nobody sees the window
};

/// Size of the first window on a screen with that much room; later it is as it was left.
[[nodiscard]] QSize firstWindowSize(const QSize& available);

/// The application's window. It makes the document, the pages and the controllers, and shows the
/// page that belongs to the state of the dump.
class MainWindow : public QMainWindow, public PictureSource
{
    Q_OBJECT

public:
    explicit MainWindow(const MainWindowOptions& options = {});
    ~MainWindow() override;

    /// A dump, beside those that are open, or a session in place of them.
    void open(const QString& path, const Document::OpenOptions& options = {});
    /// Reads the shown dump anew, and the one it is compared with.
    void reload();
    [[nodiscard]] PictureCaption captionOf(const PlotView& plot) const override;

    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Comparison& comparison() { return m_comparison; }
    [[nodiscard]] WindowDumps& dumps() { return m_dumps; }

    [[nodiscard]] Actions& actions() { return m_actions; }
    [[nodiscard]] CalibratorController& calibrators() const { return *m_calibrators; }
    [[nodiscard]] CompareController& comparing() const { return *m_comparing; }
    [[nodiscard]] DecisionController& decisions() const { return *m_decisions; }
    [[nodiscard]] DeployController& deploying() const { return *m_deploying; }
    [[nodiscard]] FileController& files() const { return *m_files; }
    [[nodiscard]] ImportController& imports() const { return *m_imports; }
    [[nodiscard]] ScaleExport& scaleExport() const { return *m_scaleExport; }
    [[nodiscard]] LayoutController& panels() const { return *m_panels; }
    [[nodiscard]] MessageController& messages() const { return *m_messages; }
    [[nodiscard]] PreferencesController& preferences() const { return *m_preferences; }
    [[nodiscard]] ReportController& reports() const { return *m_reports; }
    [[nodiscard]] SessionController& sessions() const { return *m_sessions; }
    [[nodiscard]] TensorListController& tensorList() const { return *m_tensorList; }

    [[nodiscard]] BrowsePage& browsePage() const { return *m_browsePage; }
    [[nodiscard]] GraphPage& graphPage() const { return *m_graphPage; }
    [[nodiscard]] CalibratorsPage& calibratorsPage() const { return *m_calibratorsPage; }
    [[nodiscard]] LayersPage& layersPage() const { return *m_layersPage; }
    [[nodiscard]] SlicePage& slicePage() const { return *m_slicePage; }
    [[nodiscard]] WorkspaceTabs& workspaces() const { return *m_workspaces; }
    [[nodiscard]] const QWidget& shownPage() const;
    /// Shows that page of the open dump, with the last or first tensor if none is selected.
    void showWorkspace(Workspace workspace);
    void showAllTensors();
    void showOutliers();
    /// Where the values of the histogram's bin under the pointer, or of its last one, lie.
    void showWhereValuesLie();
    /// On the page that asks whether it is right; -1: nothing happens.
    void showGuess(int tensor);
    /// The keys go to the next pane, or to the one before for a negative step.
    void focusPane(int step);
    /// True while a dump is shown, or once a file was requested; kept until the next request.
    [[nodiscard]] bool isDumpShown() const { return m_isDumpShown; }
    [[nodiscard]] bool hasFile() const { return m_hasFile; }
    /// To a tensor or an action by letters of its name.
    void goToSomewhere();
    /// Text for the place under the pointer, else the numbers of the plot.
    void copyData();
    /// Says that an exception reached the event loop.
    void reportInternalError(const QString& error);

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void makeServices(const MainWindowOptions& options);
    void makePages();
    void makePanels();
    void followDocument();
    void refreshEndShares();
    void showDumpState();
    void showSelection();
    [[nodiscard]] SessionLayout layoutNow();
    void takeLayout(const SessionLayout& layout);

    RemoteMachines m_machines;
    EngineRouter m_waited;
    EngineRouter m_background;
    EngineRouter m_pictures;  ///< of dumps elsewhere they come from the first
    Document m_document;
    Comparison m_comparison;
    WindowDumps m_dumps;
    Actions m_actions;

    std::unique_ptr<PreferencesController> m_preferences;
    std::unique_ptr<MessageController> m_messages;
    std::unique_ptr<SessionController> m_sessions;
    std::unique_ptr<RemoteController> m_farAway;
    std::unique_ptr<ReportController> m_reports;
    std::unique_ptr<FileController> m_files;
    std::unique_ptr<CompareController> m_comparing;
    std::unique_ptr<DeployController> m_deploying;
    std::unique_ptr<TensorListController> m_tensorList;
    std::unique_ptr<LayoutController> m_panels;
    std::unique_ptr<CalibratorController> m_calibrators;
    std::unique_ptr<DecisionController> m_decisions;
    std::unique_ptr<ImportController> m_imports;
    std::unique_ptr<ScaleExport> m_scaleExport;

    QStackedWidget* m_pages = nullptr;
    StartPage* m_startPage = nullptr;
    StateNotice* m_failurePage = nullptr;
    WorkspaceTabs* m_workspaces = nullptr;
    Inspector* m_inspector = nullptr;
    BrowsePage* m_browsePage = nullptr;
    CalibratorsPage* m_calibratorsPage = nullptr;
    ChannelsPage* m_channelsPage = nullptr;
    GraphPage* m_graphPage = nullptr;
    LayersPage* m_layersPage = nullptr;
    SlicePage* m_slicePage = nullptr;

    Workspace m_tensorWorkspace = Workspace::Browse;  ///< for when a tensor is selected
    int m_lastTensor = -1;                            ///< selected before the summary was shown
    bool m_isDumpShown = false;
    bool m_hasFile = false;
};

}  // namespace calibscope
