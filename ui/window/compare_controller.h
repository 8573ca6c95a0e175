// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/document/window_dumps.h"

#include <QObject>
#include <QString>

class QStackedWidget;

namespace calibscope {

class ComparePage;
class MatchPanel;
class WorkspaceTabs;

/// Compares the shown dump with a second one: its page, and the list of pairs in place of the
/// list of tensors while that page is shown.
class CompareController : public QObject
{
    Q_OBJECT

public:
    /// Adds its page to `pages`. All must outlive this.
    CompareController(Comparison& comparison, WindowDumps& dumps, WorkspaceTabs& pages);
    /// Adds the list of pairs behind the list of tensors.
    void addPairs(QStackedWidget& lists);

    [[nodiscard]] ComparePage& page() const { return *m_page; }
    [[nodiscard]] MatchPanel& pairs() const { return *m_pairs; }

    void askForFile();
    /// Compares the shown dump with that one, and shows the page that does.
    void open(const QString& path);
    void close();
    void swap();
    /// Overlay, side by side and difference in turn.
    void showNextMode();
    void askForMatch();
    /// While the pairs are listed; else nothing happens and it returns false.
    bool step(int rows);
    /// The pair that has drifted next furthest; likewise.
    bool showNextWorst();
    /// The keys go to the list of pairs; likewise.
    bool focusPairs();
    /// The list that belongs to the page.
    void showList();

Q_SIGNALS:
    void pageWanted();
    /// The rows listed now.
    void listTitled(const QString& title);

private:
    Comparison& m_comparison;
    Document& m_document;
    WindowDumps& m_dumps;
    WorkspaceTabs& m_pages;
    ComparePage* m_page;
    MatchPanel* m_pairs = nullptr;
    QStackedWidget* m_lists = nullptr;
};

}  // namespace calibscope
