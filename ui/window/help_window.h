// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workspace.h"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;
class QUrl;

namespace calibscope {

class HelpBrowser;

/// A part of the documentation, from one heading to the next.
struct HelpSection
{
    QString target;  ///< of links: "tour.md", "tour.md#the-list-on-the-left"
    QString title;   ///< without marks
    int level = 1;   ///< of the heading, from 1
    QString text;    ///< Markdown, with the heading
};

/// All pages of the documentation, those of the window first, as the program holds them.
[[nodiscard]] QStringList helpPages();

/// A page from top to bottom; none of one that there is not.
[[nodiscard]] std::vector<HelpSection> helpSections(const QString& page);

/// A heading's anchor, as GitHub makes it: "Undo, keys" is "undo-keys".
[[nodiscard]] QString helpAnchor(const QString& heading);

/// What F1 opens over a window or dialog: of the main window the page's part, else the dialog's.
[[nodiscard]] QString helpTarget(const QWidget& window, std::optional<Workspace> page);

/// The documentation with its pictures, offline: contents and a search next to the text.
class HelpWindow : public QDialog
{
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);

    /// A section of helpSections(), or the link of one; any other leaves what is shown.
    void show(const QString& target);
    [[nodiscard]] HelpBrowser& browser() const { return *m_browser; }

private:
    void addPages();
    void search(const QString& words);
    void showItem(const QTreeWidgetItem* item);
    void mark();

    HelpBrowser* m_browser;
    QLineEdit* m_query;
    QTreeWidget* m_contents;
    QLabel* m_noHit;
};

/// Opens the documentation in a window of its own, at that place.
void showHelp(QWidget& parent, const QString& target = QStringLiteral("tour.md"));

}  // namespace calibscope
