// SPDX-License-Identifier: GPL-3.0-or-later
// Where the keys go: into a text field only if the user asked for it.

#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/calibrator_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/preferences_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <array>

namespace focus_test {

using namespace calibscope;
using calibscope::test::ShownWindow;

constexpr std::array pageActions = {"view.summary",  "view.browse", "view.calibrators",
                                    "view.channels", "view.deploy", "view.layers"};

bool takesLetters(const QWidget* widget)
{
    return qobject_cast<const QLineEdit*>(widget) ||
           qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget);
}

struct FocusedWindow : ShownWindow
{
    explicit FocusedWindow(Theme theme)
    {
        window->preferences().chooseTheme(theme);
        openSample();
        window->activateWindow();
    }
    ~FocusedWindow() { applyTheme(*qApp, Theme::Light); }
    FocusedWindow(const FocusedWindow&) = delete;
    FocusedWindow& operator=(const FocusedWindow&) = delete;

    void settle()
    {
        for (int round = 0; round < 3; ++round)
            QApplication::processEvents();
    }
    [[nodiscard]] bool isInTextField() const { return takesLetters(window->focusWidget()); }
    /// All that Tab reaches on the page, one after the other.
    [[nodiscard]] QList<QWidget*> stops() const
    {
        QList<QWidget*> found;
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (widget->isVisible() && widget->isEnabled() &&
                (widget->focusPolicy() & Qt::TabFocus) && window->shownPage().isAncestorOf(widget))
                found += widget;
        return found;
    }
};

TEST_CASE("no change of page ends in a text field, whatever had the keys, in both themes")
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        FocusedWindow test(theme);
        for (const char* from : pageActions)
            for (const char* to : pageActions) {
                if (from == to)
                    continue;
                test.trigger(from);
                test.settle();
                const QList<QWidget*> stops = test.stops();
                // A field of it, if it has one: what the user typed in last.
                const auto field = std::ranges::find_if(stops, takesLetters);
                if (field != stops.end())
                    (*field)->setFocus();
                else if (!stops.isEmpty())
                    stops.front()->setFocus();
                test.trigger(to);
                test.settle();
                CAPTURE(from, to, themeText(theme).toStdString());
                CHECK_FALSE(test.isInTextField());
            }
    }
}

TEST_CASE("the first row of the list has the keys of a dump that was opened")
{
    ShownWindow test;
    test.window->open(sampleDumpPath());
    REQUIRE(test.waitForDump());
    const auto* list = qobject_cast<const QAbstractItemView*>(test.window->focusWidget());
    REQUIRE(list != nullptr);
    CHECK((list->currentIndex() == list->model()->index(0, 0)));
    CHECK(test.document().selected() == -1);
    test.trigger("panels.next");  // a key: rings are drawn from now on
    CHECK(test.window->testAttribute(Qt::WA_KeyboardFocusChange));
}

TEST_CASE("on Graph a slash begins the search, whatever has the keys, and elsewhere it does not")
{
    ShownWindow test;
    test.window->open(sampleDumpPath());
    REQUIRE(test.waitForDump());
    auto* list = test.window->findChild<QTreeView*>("tensorTree");
    const auto press = [&](const char* page) {
        test.trigger(page);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Slash);
        return qobject_cast<const QLineEdit*>(test.window->focusWidget());
    };
    const QLineEdit* field = press("view.graph");
    REQUIRE(field != nullptr);
    CHECK(field->accessibleName() == "Search in the graph");
    CHECK(press("view.browse") == nullptr);
}

TEST_CASE("a dialog that is closed gives the keys back to where they were")
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        FocusedWindow test(theme);
        for (const char* page : pageActions)
            for (const char* dialog : {"edit.preferences", "help.keys", "edit.go-to", "file.report",
                                       "help.contents", "help.about"}) {
                test.trigger(page);
                test.window->workspaces().takeFocus();
                test.settle();
                CAPTURE(page, dialog, themeText(theme).toStdString());
                const QWidget* before = test.window->focusWidget();
                test.trigger(dialog);
                test.settle();
                int closed = 0;
                for (QDialog* shown : test.window->findChildren<QDialog*>())
                    if (shown->isVisible()) {
                        shown->close();
                        ++closed;
                    }
                CHECK(closed == 1);
                test.settle();
                CHECK_FALSE(test.isInTextField());
                CHECK(test.window->focusWidget() == before);
            }
    }
}

TEST_CASE("F6 leads to what keys do something on, and to no text field")
{
    FocusedWindow test(Theme::Light);
    for (const char* page :
         {"view.summary", "view.layers", "view.graph", "view.browse", "view.calibrators",
          "view.channels", "view.compare", "view.deploy", "view.improve"}) {
        CAPTURE(page);
        test.trigger(page);
        // Layers are being read at first.
        REQUIRE(QTest::qWaitFor([&test] { return !test.stops().isEmpty(); }, 20000));
        test.window->tensorList().panel().focusList();
        test.trigger("panels.next");
        const QWidget* focused = test.window->focusWidget();
        REQUIRE(focused != nullptr);
        CHECK(focused != test.window->workspaces().currentPage());
        CHECK(test.window->workspaces().currentPage()->isAncestorOf(focused));
        CHECK(focused->isVisible());
        CHECK((focused->focusPolicy() & Qt::TabFocus) != 0);
        CHECK_FALSE(test.isInTextField());
    }
}

TEST_CASE("a page that has a notice alone gives its button the keys, where another page had them")
{
    FocusedWindow test(Theme::Light);
    for (const char* page : {"view.compare", "view.deploy", "view.improve"}) {
        CAPTURE(page);
        test.trigger("view.browse");
        test.window->workspaces().takeFocus();
        test.trigger(page);
        test.settle();
        CHECK(qobject_cast<QPushButton*>(test.window->focusWidget()) != nullptr);
        CHECK(test.window->workspaces().currentPage()->isAncestorOf(test.window->focusWidget()));
    }
}

TEST_CASE("Return presses the button that has the keys, and ticks no box")
{
    FocusedWindow test(Theme::Light);
    test.trigger("view.summary");
    test.settle();
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
        QPushButton* worst = nullptr;
        for (QPushButton* button : test.window->shownPage().findChildren<QPushButton*>())
            if (button->text().startsWith("The worst layers"))
                worst = button;
        REQUIRE(worst != nullptr);
        worst->setFocus(Qt::TabFocusReason);
        QTest::keyClick(worst, key);
        CHECK(test.window->workspaces().current() == Workspace::Layers);
        test.trigger("view.summary");
    }
    test.trigger("view.graph");
    for (QCheckBox* box : test.window->findChildren<QCheckBox*>())
        if (box->isVisible() && box->isEnabled()) {
            const bool wasTicked = box->isChecked();
            box->setFocus(Qt::TabFocusReason);
            QTest::keyClick(box, Qt::Key_Return);
            CHECK(box->isChecked() == wasTicked);
        }
}

TEST_CASE("letters after a choice of the recipe are shortcuts, and do not choose another one")
{
    FocusedWindow test(Theme::Light);
    test.trigger("view.browse");
    test.window->workspaces().takeFocus();
    test.settle();
    const QWidget* before = test.window->focusWidget();
    auto* recipes = test.window->findChild<RecipeChoice*>();
    REQUIRE(recipes != nullptr);
    QTest::mouseClick(recipes, Qt::LeftButton);
    QTest::keyClick(recipes->view(), Qt::Key_Down);
    QTest::keyClick(recipes->view(), Qt::Key_Return);
    CHECK_FALSE(recipes->view()->isVisible());
    CHECK(recipes->currentIndex() == 1);
    CHECK(test.window->focusWidget() == before);

    recipes->setFocus(Qt::TabFocusReason);
    for (const Qt::Key key : {Qt::Key_G, Qt::Key_M, Qt::Key_N, Qt::Key_Q, Qt::Key_R})
        QTest::keyClick(recipes, key);
    CHECK(recipes->currentIndex() == 1);
    QTest::keyClick(recipes, Qt::Key_Down);
    CHECK(recipes->currentIndex() == 2);
}

TEST_CASE("a click into the list and a step in it leave the keys out of every field")
{
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        FocusedWindow test(theme);
        for (const char* page : pageActions) {
            CAPTURE(page);
            test.trigger(page);
            test.trigger("tensor.next");
            test.settle();
            CHECK_FALSE(test.isInTextField());
            test.window->tensorList().panel().focusList();
            test.settle();
            CHECK_FALSE(test.isInTextField());
        }
    }
}

}  // namespace focus_test
