// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QTest>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace message_bar_test {

using namespace calibscope;

namespace {

QPushButton* button(const MessageList& list, const QString& text)
{
    for (QPushButton* found : list.findChildren<QPushButton*>())
        if (found->text().remove('&') == text)
            return found;
    return nullptr;
}

}  // namespace

TEST_CASE("without a selection all messages are copied, else the selected ones")
{
    MessageLog log;
    const MessageList list(log);
    log.add(MessageLog::Kind::Note, "one");
    log.add(MessageLog::Kind::Note, "two");
    button(list, "Copy")->click();
    CHECK(QApplication::clipboard()->text() == log.text());
    list.findChild<QTreeView*>()->setCurrentIndex(log.index(1, 0));
    button(list, "Copy")->click();
    CHECK(QApplication::clipboard()->text() == log.text({1}));
    button(list, "Clear")->click();
    CHECK(log.rowCount() == 0);
}

TEST_CASE("a bar that is shown takes on the theme that is chosen")
{
    applyTheme(*qApp, Theme::Light);
    QWidget window;
    MessageBar bar(&window);
    window.show();
    const QColor light = bar.palette().color(QPalette::Window);
    applyTheme(*qApp, Theme::Dark);
    QCoreApplication::processEvents();
    CHECK(bar.palette().color(QPalette::Window).lightness() < light.lightness());
    CHECK(bar.palette().color(QPalette::WindowText).lightness() >
          bar.palette().color(QPalette::Window).lightness());
    applyTheme(*qApp, Theme::Light);
    QCoreApplication::processEvents();
    CHECK(bar.palette().color(QPalette::Window) == light);
}

namespace {

/// A page with a bar above it, as in the window.
struct Page
{
    Page()
    {
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins({});
        layout->setSpacing(0);
        layout->addWidget(bar);
        layout->addWidget(plot, 1);
        plot->setFocusPolicy(Qt::StrongFocus);
        window.resize(800, 600);
        window.show();
        plot->setFocus();
    }
    int top()
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        window.layout()->activate();
        return plot->y();
    }

    QWidget window;
    MessageBar* bar = new MessageBar(&window);
    QWidget* plot = new QWidget(&window);
};

}  // namespace

TEST_CASE("what went well floats in a corner and leaves the page where it is")
{
    Page page;
    REQUIRE(page.top() == 0);
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    CHECK(page.top() == 0);
    CHECK(page.bar->isVisible());
    CHECK(page.bar->geometry().right() > 700);
    CHECK(page.bar->geometry().bottom() > 500);
    CHECK(page.window.rect().contains(page.bar->geometry()));
    page.window.resize(1000, 400);
    CHECK(page.top() == 0);
    CHECK(page.window.rect().contains(page.bar->geometry()));
}

TEST_CASE("what went well is narrow, with its buttons below where they have no room beside it")
{
    Page page;
    page.bar->say("The report of 32 tensors was written to a folder with a long name.",
                  {{"Open folder", [] {}}, {"Copy path", [] {}}}, MessageBar::Kind::Success);
    CHECK(page.bar->width() <= 340);
    const auto* label = page.bar->findChildren<QLabel*>().at(1);
    CHECK(label->height() >= label->heightForWidth(label->width()));
    for (const QPushButton* button : page.bar->findChildren<QPushButton*>())
        CHECK(button->y() > label->geometry().bottom());
}

TEST_CASE("what went well begins to leave when somebody is there")
{
    Page page;
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    const auto isLeaving = [&] {
        const auto timers = page.bar->findChildren<QTimer*>();
        return std::ranges::any_of(timers, &QTimer::isActive);
    };
    QTest::qWait(50);
    CHECK_FALSE(isLeaving());
    QTest::keyClick(page.plot, Qt::Key_Shift);
    CHECK(isLeaving());
    CHECK(page.bar->isVisible());
}

TEST_CASE("a warning stands above the page, also after something that floated, and the other way")
{
    Page page;
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    page.bar->say("Failed.", {}, MessageBar::Kind::Problem);
    CHECK(page.top() > 20);
    CHECK(page.bar->y() == 0);
    CHECK(page.bar->width() == 800);
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    CHECK(page.top() == 0);
}

TEST_CASE("kinds differ in their ground, and words can be read on each in both themes")
{
    using Kind = MessageBar::Kind;
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        applyTheme(*qApp, theme);
        MessageBar bar;
        std::set<QRgb> grounds;
        for (const Kind kind : {Kind::Note, Kind::Success, Kind::Warning, Kind::Problem}) {
            bar.say("Something.", {}, kind);
            const QColor ground = bar.palette().color(QPalette::Window);
            CHECK(contrastRatio(ground, bar.palette().color(QPalette::WindowText)) >= 7.0);
            grounds.insert(ground.rgb());
        }
        CHECK(grounds.size() == 4);
    }
    applyTheme(*qApp, Theme::Light);
}

TEST_CASE("a remedy gives the keys back to what had them")
{
    Page page;
    bool isApplied = false;
    page.bar->say("Failed.", {{"&Again", [&isApplied] { isApplied = true; }}},
                  MessageBar::Kind::Problem);
    CHECK(page.window.focusWidget() == page.plot);
    auto* again = page.bar->findChild<QPushButton*>();
    REQUIRE(again);
    again->setFocus();
    again->click();
    CHECK(isApplied);
    CHECK_FALSE(page.bar->isVisible());
    CHECK(page.window.focusWidget() == page.plot);
}

}  // namespace message_bar_test
