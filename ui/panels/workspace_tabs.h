// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workspace.h"

#include <QFont>
#include <QHash>
#include <QTabBar>
#include <QWidget>

#include <functional>
#include <vector>

class QPainter;
class QStackedWidget;

namespace calibscope {

/// Tabs without boxes: the current one is bold and underlined.
class UnderlinedTabBar : public QTabBar
{
    Q_OBJECT

public:
    explicit UnderlinedTabBar(QWidget* parent = nullptr);

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintTab(QPainter& painter, int index) const;
    /// On both sides of a text: less where all tabs would not fit.
    [[nodiscard]] int padding() const;
    /// Width of a tab's bold text, measured once: the size of a tab depends on all of them.
    [[nodiscard]] int textWidth(int index) const;

    mutable QHash<QString, int> m_widths;  ///< by text, in the font below
    mutable QFont m_measured;
};

class PlotView;
class WorkspacePage;

/// The workspaces of an open dump, one shown at a time, with a tab for each that was added.
class WorkspaceTabs : public QWidget
{
    Q_OBJECT

public:
    explicit WorkspaceTabs(QWidget* parent = nullptr);

    void add(Workspace workspace, WorkspacePage* page);
    /// A page without plots.
    void addPage(Workspace workspace, QWidget* page);

    [[nodiscard]] bool has(Workspace workspace) const { return placeOf(workspace) >= 0; }
    /// Without a page for it nothing happens.
    void show(Workspace workspace);
    /// The keys go to the page's plot, or else to the page; for the Tab key's reason, which shows
    /// where they are, and on a page that has a notice alone, to the first button, tab or table.
    void takeFocus(Qt::FocusReason reason = Qt::OtherFocusReason);
    using QWidget::show;
    [[nodiscard]] Workspace current() const;
    [[nodiscard]] QWidget* currentPage() const;
    [[nodiscard]] PlotView* currentPlot() const;

    /// A view within a page: the text of its tab.
    struct PageView
    {
        QString text;  ///< with its mnemonic
        Workspace workspace;
        std::function<void()> choose;  ///< once the page is shown
    };
    [[nodiscard]] std::vector<PageView> pageViews() const;

Q_SIGNALS:
    /// The user wants this one; it is not shown yet.
    void chosen(calibscope::Workspace workspace);
    /// Readout under the pointer, of whichever page.
    void readoutChanged(const QString& text);
    /// Of whichever page that tensor wants to be looked at closely.
    void tensorChosen(int tensor);

private:
    [[nodiscard]] int placeOf(Workspace workspace) const;  ///< -1: no such page
    void choose(int place);

    QTabBar* m_tabs;
    QStackedWidget* m_stack;
    std::vector<Workspace> m_pages;
};

}  // namespace calibscope
