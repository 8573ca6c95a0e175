// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.h"

#include "tests/support/catch.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QTest>
#include <QTreeWidget>
#include <QWidget>

namespace help_dialogs_test {

using namespace calibscope;

struct Sheet
{
    explicit Sheet(std::optional<Workspace> page = {},
                   const ShortcutChoice& shortcuts = ShortcutChoice())
        : sheet(shortcuts, page, nullptr)
    {
        sheet.setAttribute(Qt::WA_DeleteOnClose, false);
    }
    /// "action|keys" of the rows that are shown.
    [[nodiscard]] QStringList rows() const
    {
        QStringList found;
        for (QTreeWidgetItemIterator item(list, QTreeWidgetItemIterator::NotHidden); *item; ++item)
            if ((*item)->parent() && !(*item)->parent()->isHidden())
                found += (*item)->text(0) + u'|' + (*item)->text(1);
        return found;
    }
    [[nodiscard]] QStringList groups() const
    {
        QStringList found;
        for (int place = 0; place < list->topLevelItemCount(); ++place)
            if (!list->topLevelItem(place)->isHidden())
                found += list->topLevelItem(place)->text(0);
        return found;
    }

    CheatSheet sheet;
    QTreeWidget* list = sheet.findChild<QTreeWidget*>();
    QLineEdit* query = sheet.findChild<QLineEdit*>();
    QCheckBox* all = sheet.findChild<QCheckBox*>();
};

TEST_CASE("the sheet shows the keys that hold, not those of the table")
{
    ShortcutChoice shortcuts;
    (void)shortcuts.assign("file.open", QKeySequence("Ctrl+0"));
    CHECK(Sheet().rows().contains("Open|Ctrl+O"));
    CHECK_FALSE(Sheet({}, shortcuts).rows().contains("Open|Ctrl+O"));
    CHECK(Sheet({}, shortcuts).rows().contains("Open|Ctrl+0"));
}

TEST_CASE("an action without a key is listed with the letters of its menus")
{
    CHECK(Sheet().rows().contains("Light|Alt+V, H, L"));  // View, Theme, Light
    ShortcutChoice shortcuts;
    (void)shortcuts.assign("file.open", {});
    CHECK(Sheet({}, shortcuts).rows().contains("Open|Alt+F, O"));
}

TEST_CASE("the sheet of a page begins with that page's actions alone")
{
    const Sheet sheet(Workspace::Compare);
    CHECK(sheet.groups() == QStringList{"Compare", "In a plot"});
    CHECK(sheet.rows().contains("Swap|X"));
    CHECK(sheet.rows().contains("Zoom into a box|Ctrl+drag"));
    for (const QString& row : sheet.rows())
        CHECK_FALSE(row.startsWith("Quit"));
    sheet.all->setChecked(true);
    CHECK(sheet.rows().contains("Quit|Ctrl+Q"));
    CHECK(sheet.rows().contains("Swap|X"));
}

TEST_CASE("no page's sheet is empty: one without keys of its own shows all actions")
{
    for (const Workspace page : {Workspace::Summary, Workspace::Deploy}) {
        const Sheet sheet(page);
        CHECK(sheet.rows().contains("Quit|Ctrl+Q"));
        CHECK_FALSE(sheet.all->isEnabled());
    }
    for (const Workspace page : {Workspace::Layers, Workspace::Graph, Workspace::Browse,
                                 Workspace::Channels, Workspace::Slice, Workspace::Improve})
        CHECK_FALSE(Sheet(page).rows().isEmpty());
}

TEST_CASE("what is searched for is found among all actions, by name and by key")
{
    const Sheet sheet(Workspace::Summary);
    sheet.query->setText("swap");
    CHECK(sheet.rows() == QStringList{"Swap|X"});
    sheet.query->setText("ctrl+q");
    CHECK(sheet.rows() == QStringList{"Quit|Ctrl+Q"});
    sheet.query->setText("no such thing");
    CHECK(sheet.rows().isEmpty());
}

TEST_CASE("every action is in the sheet once, whatever the page")
{
    for (const Workspace page : allWorkspaces) {
        const Sheet sheet(page);
        sheet.all->setChecked(true);
        const int gestures = 8;
        CHECK(sheet.rows().size() ==
              static_cast<qsizetype>(actionTable().size()) +
                  (page == Workspace::Summary || page == Workspace::Deploy ? 0 : gestures));
    }
}

TEST_CASE("the sheet opens with the keys in its search field, and Esc closes it")
{
    Sheet sheet(Workspace::Browse);
    sheet.sheet.show();
    CHECK(sheet.sheet.focusWidget() == sheet.query);
    QTest::keyClick(sheet.query, Qt::Key_Escape);
    CHECK_FALSE(sheet.sheet.isVisible());
}

TEST_CASE("the About box tells the guards around the engine")
{
    QWidget parent;
    showAbout(parent);
    const auto* box = parent.findChild<QMessageBox*>();
    REQUIRE(box);
    REQUIRE(QTest::qWaitFor([box] { return !box->detailedText().isEmpty(); }, 10000));
    for (const char* guard : {"files", "system calls", "memory", "privileges"})
        CHECK(box->detailedText().contains(guard));
}

TEST_CASE("About may be closed before the engine has told of its guards")
{
    QWidget parent;
    showAbout(parent);
    auto* shown = parent.findChild<QMessageBox*>();
    REQUIRE(shown);
    REQUIRE(shown->findChild<QProcess*>());
    delete shown;
    CHECK_FALSE(parent.findChild<QMessageBox*>());
}

}  // namespace help_dialogs_test
