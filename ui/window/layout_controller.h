// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QMainWindow>
#include <QObject>
#include <QTimer>

class QDockWidget;
class QToolBar;

namespace calibscope {

/// Panels around the page, which can be hidden.
enum class Panel { Tensors, Inspector, Log, ToolBar };

/// Docks and tool bar of a window: where they are, and what is remembered of that.
class LayoutController : public QObject
{
    Q_OBJECT

public:
    /// Contents of the docks.
    struct Contents
    {
        QWidget* tensors;
        QWidget* inspector;
        QWidget* log;
    };

    LayoutController(QMainWindow& window, const Contents& contents);

    [[nodiscard]] QDockWidget& tensorDock() const { return *m_tensors; }
    /// Its title says whose calibrators they are; empty: nothing is selected. `needs` of its name:
    /// see elidedName().
    void setInspected(const QString& tensor, const QByteArray& needs);
    [[nodiscard]] QToolBar& toolBar() const { return *m_toolBar; }
    void show(Panel panel, bool isShown);
    [[nodiscard]] bool isShown(Panel panel) const;
    /// Before others that share its place; false: it is hidden.
    bool raise(Panel panel) const;
    void showFullScreen(bool isFull);

    /// To be called when all is in its place: what reset() goes back to, and what is shown at first.
    void begin(const QByteArray& remembered);
    void reset();
    /// Docks and tool bar would be empty while no dump is open.
    void setShown(bool isShown);
    [[nodiscard]] QByteArray state() const;
    /// Nothing happens if it is empty, or of another version.
    void setState(const QByteArray& state);

Q_SIGNALS:
    void changed();  ///< a panel came or went

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static void addTitle(QDockWidget& dock);
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    [[nodiscard]] QWidget& widgetOf(Panel panel) const;
    [[nodiscard]] QAction& toggleOf(Panel panel) const;

    void fitDocks();
    void setSharing(bool isSharing);
    [[nodiscard]] bool areAtTheirSides() const;
    void noteWidths();
    void restore();
    void wantUsualWidths();

    QMainWindow& m_window;
    QDockWidget* m_tensors;
    QDockWidget* m_inspector;
    QDockWidget* m_log;
    QToolBar* m_toolBar;
    QByteArray m_first;  ///< as at the first start
    QByteArray m_kept;   ///< while they are hidden
    bool m_isShown = false;
    bool m_isFitting = false;
    bool m_isSharing = false;  ///< both docks are on the left, as the window is narrow
    QByteArray m_wide;         ///< as it was before that
    int m_tensorsWidth = 0;    ///< as the user wants it, 0: not known; it may be narrower
    int m_inspectorWidth = 0;
    bool m_areWidthsUsual = false;  ///< the user has dragged none
    QTimer m_fitting;
};

}  // namespace calibscope
