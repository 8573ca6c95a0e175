// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/workspace_tabs.h"

#include "tests/support/catch.h"

#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

namespace workspace_tabs_test {

using namespace calibscope;

struct Tabs
{
    Tabs()
    {
        tabs.addPage(Workspace::Channels, new QWidget(&tabs));
        tabs.addPage(Workspace::Summary, new QWidget(&tabs));  // the tabs' order is the pages'
        tabs.show(Workspace::Summary);
    }
    WorkspaceTabs tabs;
    QTabBar* bar = tabs.findChild<QTabBar*>();
};

TEST_CASE("there is a tab for each page that was added, and for no other")
{
    Tabs test;
    CHECK(test.bar->count() == 2);
    CHECK(test.tabs.has(Workspace::Channels));
    CHECK_FALSE(test.tabs.has(Workspace::Browse));
    test.tabs.show(Workspace::Browse);
    CHECK(test.tabs.current() == Workspace::Summary);
}

TEST_CASE("a tab that is clicked asks for its page, and shows it only when told to")
{
    Tabs test;
    QSignalSpy chosen(&test.tabs, &WorkspaceTabs::chosen);
    QTest::mouseClick(test.bar, Qt::LeftButton, {}, test.bar->tabRect(1).center());
    REQUIRE(chosen.count() == 1);
    CHECK(chosen[0][0].value<Workspace>() == Workspace::Channels);
    CHECK(test.tabs.current() == Workspace::Summary);
    CHECK(test.bar->currentIndex() == 0);
    test.tabs.show(Workspace::Channels);
    CHECK(test.tabs.current() == Workspace::Channels);
    CHECK(chosen.count() == 1);
}

TEST_CASE("a page without plots has none to zoom")
{
    Tabs test;
    CHECK(test.tabs.currentPlot() == nullptr);
}

}  // namespace workspace_tabs_test
