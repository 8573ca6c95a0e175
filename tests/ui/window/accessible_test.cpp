// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told, on all pages.

#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "ui/plot/plot_view.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QKeySequence>
#include <QLabel>
#include <QMenuBar>
#include <QTest>

namespace accessible_test {

using namespace calibscope;
using calibscope::test::patienceMs;
using calibscope::test::ShownWindow;

QString nameOf(QWidget& widget)
{
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(&widget);
    return told ? told->text(QAccessible::Name) : QString();
}

TEST_CASE("whatever the keys reach on any page has a name, and so has every plot")
{
    ShownWindow test;
    test.openSample();
    for (const Workspace page : allWorkspaces) {
        test.window->showWorkspace(page);
        REQUIRE(QTest::qWaitFor([&] { return test.document().isIdle(); }, patienceMs));
        for (QWidget* widget : test.window->findChildren<QWidget*>()) {
            const bool isReached = (widget->focusPolicy() & Qt::TabFocus) != 0;
            const bool isPlot = qobject_cast<PlotView*>(widget) != nullptr;
            if (!widget->isVisible() || !(isReached || isPlot) || widget->focusProxy())
                continue;
            CAPTURE(workspaceId(page).toStdString(), widget->metaObject()->className(),
                    widget->objectName().toStdString(),
                    widget->parentWidget()->metaObject()->className());
            CHECK_FALSE(nameOf(*widget).isEmpty());
        }
    }
}

QString letterOf(const QString& text)
{
    return QKeySequence::mnemonic(text).toString();
}

TEST_CASE("no letter of a page is one of a menu's, which would only move the focus")
{
    ShownWindow test;
    test.openSample();
    QStringList menus;
    for (const QAction* menu : test.window->menuBar()->actions())
        menus += letterOf(menu->text());
    CHECK(menus.size() >= 7);
    for (const Workspace page : allWorkspaces)
        test.window->showWorkspace(page);
    for (const QWidget* widget : test.window->findChildren<QWidget*>()) {
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* label = qobject_cast<const QLabel*>(widget);
        const QString text = button                    ? button->text()
                             : label && label->buddy() ? label->text()
                                                       : QString();
        if (widget->window() != test.window.get() || letterOf(text).isEmpty())
            continue;
        CAPTURE(text.toStdString());
        CHECK_FALSE(menus.contains(letterOf(text)));
    }
}

TEST_CASE("a plot is a chart with its summary, its axes and the value under the pointer")
{
    ShownWindow test;
    test.openSample();
    test.window->showWorkspace(Workspace::Browse);
    REQUIRE(QTest::qWaitFor([&] { return test.document().isIdle(); }, patienceMs));
    PlotView* plot = nullptr;
    for (PlotView* shown : test.window->findChildren<PlotView*>())
        if (shown->isVisible() && shown->textSummary().startsWith("Histogram of"))
            plot = shown;
    REQUIRE(plot);
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(plot);
    REQUIRE(told);
    CHECK(told->role() == QAccessible::Chart);
    CHECK(told->childCount() == 0);
    const QString described = told->text(QAccessible::Description);
    CHECK(described.contains(plot->textSummary()));
    CAPTURE(described.toStdString());
    CHECK(described.contains("Axes: count, |x|"));
    CHECK(told->text(QAccessible::Value).isEmpty());
    QTest::mouseMove(plot, plot->rect().center());
    CHECK(QTest::qWaitFor([&] { return !told->text(QAccessible::Value).isEmpty(); }, patienceMs));
}

}  // namespace accessible_test
