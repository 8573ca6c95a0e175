// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told, on all pages.

#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/panels/sqnr_strip.h"
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

TEST_CASE("the strip of all SQNR is a chart whose value is the bar that the arrows lead to")
{
    ShownWindow test;
    test.openSample();
    test.window->showWorkspace(Workspace::Summary);
    REQUIRE(QTest::qWaitFor([&] { return test.document().isIdle(); }, patienceMs));
    auto* strip = test.window->findChild<SqnrStrip*>();
    REQUIRE(strip);
    REQUIRE(QTest::qWaitFor([&] { return !strip->bars().empty(); }, patienceMs));
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(strip);
    REQUIRE(told);
    CHECK(told->role() == QAccessible::Chart);
    CHECK(told->text(QAccessible::Description)
              .startsWith(QString("%1 tensors, ").arg(strip->bars().size())));
    CHECK(told->text(QAccessible::Value).isEmpty());
    QTest::keyClick(strip, Qt::Key_Right);
    const auto first = static_cast<std::size_t>(strip->bars().front().tensor);
    CHECK(told->text(QAccessible::Value)
              .contains(QString::fromStdString(test.document().tensors()[first].name)));
}

TEST_CASE("the graph names the node that the keys lead to, with what it reads")
{
    ShownWindow test;
    test.openSample();
    test.window->showWorkspace(Workspace::Graph);
    REQUIRE(QTest::qWaitFor([&] { return test.document().isIdle(); }, patienceMs));
    GraphPlot& plot = test.window->graphPage().plot();
    QTest::keyClick(&plot, Qt::Key_Down);
    QTest::keyClick(&plot, Qt::Key_Down);
    const auto hit = plot.shown().hitOf(test.document().selected());
    REQUIRE(hit);
    QAccessibleInterface* told = QAccessible::queryAccessibleInterface(&plot);
    REQUIRE(told);
    CHECK(told->role() == QAccessible::Chart);
    const QString described = told->text(QAccessible::Description);
    CAPTURE(described.toStdString());
    const GraphMark& mark = plot.shown().marks()[hit->node];
    CHECK(described.contains("Selected: " + mark.op.section(' ', 0, 0) + ' ' + mark.name));
    for (const std::size_t input : plot.shown().network()->graph.inputs[hit->node])
        CHECK(described.contains(plot.shown().marks()[input].name));
}

}  // namespace accessible_test
