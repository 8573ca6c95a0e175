#pragma once

#include "ui/actions.h"
#include "ui/engine_client.h"
#include "ui/models/tensor_model.h"
#include "ui/preferences.h"
#include "ui/session.h"

#include <QByteArray>
#include <QMainWindow>
#include <QString>

#include <optional>

class QDockWidget;
class QStackedWidget;

namespace calibscope {

class BrowsePage;
class Inspector;
class MessageBar;
class StartPage;
class StateNotice;
class StatusLine;
class SummaryPage;
class TensorPanel;

struct MainWindowOptions
{
    Preferences::Keeping keeping = Preferences::Keeping::Remember;
    std::optional<Theme> theme;  ///< nothing: as remembered
};

/// The application's window: menus, docks and the page in the middle.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(const MainWindowOptions& options = {});
    ~MainWindow() override;

    void open(const QString& path, const Session::OpenOptions& options = {});

    [[nodiscard]] Session& session() { return m_session; }
    [[nodiscard]] const Actions& actions() const { return m_actions; }
    [[nodiscard]] const TensorModel& tensors() const { return m_tensors; }
    [[nodiscard]] const BrowsePage& browsePage() const { return *m_browsePage; }
    [[nodiscard]] const MessageBar& messageBar() const { return *m_messageBar; }
    [[nodiscard]] const QWidget& shownPage() const;

protected:
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
    void connectSession();

    void askForFile();
    void showRecentFiles();
    void showDumpState();
    void showSelection();
    void showReaderState();
    void showEngineDeath(const QString& sentence);
    void applyDisplay();
    void chooseTheme(Theme theme);
    void setWorkspaceShown(bool isShown);
    void resetLayout();
    void goTo(int tensor);

    Preferences m_preferences;
    EngineClient m_waited;
    EngineClient m_background;
    Session m_session;
    TensorModel m_tensors;
    Actions m_actions;
    Theme m_theme;

    QStackedWidget* m_pages = nullptr;
    StartPage* m_startPage = nullptr;
    SummaryPage* m_summaryPage = nullptr;
    BrowsePage* m_browsePage = nullptr;
    StateNotice* m_failurePage = nullptr;
    MessageBar* m_messageBar = nullptr;
    TensorPanel* m_tensorPanel = nullptr;
    QDockWidget* m_tensorDock = nullptr;
    QDockWidget* m_inspectorDock = nullptr;
    QMenu* m_recentMenu = nullptr;
    bool m_isAboutEngine = false;  ///< what the message bar says
    QByteArray m_firstLayout;      ///< of docks and tool bar, as at the first start
    QByteArray m_layout;           ///< while no dump is open, and they are hidden
    bool m_isWorkspaceShown = false;
};

}  // namespace calibscope
