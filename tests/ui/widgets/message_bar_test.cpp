// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "tests/support/catch.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QMainWindow>
#include <QPushButton>
#include <QStatusBar>
#include <QTreeView>
#include <QVBoxLayout>

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
        auto* middle = new QWidget(&window);
        auto* layout = new QVBoxLayout(middle);
        layout->setContentsMargins({});
        layout->setSpacing(0);
        layout->addWidget(bar);
        layout->addWidget(plot, 1);
        plot->setFocusPolicy(Qt::StrongFocus);
        window.setCentralWidget(middle);
        window.statusBar()->addWidget(new QPushButton("Cancel"));
        window.resize(800, 600);
        window.show();
        plot->setFocus();
    }
    /// Of the plot in the window.
    QRect box()
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        return {plot->mapTo(&window, QPoint()), plot->size()};
    }

    QMainWindow window;
    MessageBar* bar = new MessageBar(&window);
    QWidget* plot = new QWidget(&window);
};

}  // namespace

TEST_CASE("what went well stands in the status bar until something else is said, and moves nothing")
{
    Page page;
    const QRect before = page.box();
    bool isApplied = false;
    page.bar->say("Written to a folder with " + QString(200, u'x') + '.',
                  {{"Open folder", [&isApplied] { isApplied = true; }}}, MessageBar::Kind::Success);
    CHECK(page.box() == before);
    CHECK(page.window.width() == 800);
    CHECK(page.bar->isVisible());
    CHECK(page.window.statusBar()->isAncestorOf(page.bar));
    page.window.resize(500, 400);
    const QRect status = page.window.statusBar()->rect();
    CHECK(page.box().width() == 500);
    CHECK(status.contains(page.bar->geometry()));
    page.bar->findChild<QPushButton*>()->click();
    CHECK(isApplied);
    CHECK_FALSE(page.bar->isVisible());
}

TEST_CASE("a warning stands above the page, also after what went well, and the other way")
{
    Page page;
    const QRect before = page.box();
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    page.bar->say("Failed.", {}, MessageBar::Kind::Problem);
    CHECK(page.box().top() > before.top() + 20);
    CHECK(page.bar->mapTo(&page.window, QPoint()).y() == before.top());
    CHECK(page.bar->width() == 800);
    CHECK(page.bar->sentence() == "Failed.");
    page.bar->say("Done.", {}, MessageBar::Kind::Success);
    CHECK(page.box() == before);
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
