// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_window.h"

#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "ui/window/help_browser.h"

#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <cstdlib>

namespace help_window_test {

using namespace calibscope;
using calibscope::test::ShownWindow;

struct Shown
{
    Shown()
    {
        help.setAttribute(Qt::WA_DeleteOnClose, false);
        help.show("tour.md");
    }
    [[nodiscard]] QStringList listed() const
    {
        QStringList titles;
        for (QTreeWidgetItemIterator item(contents, QTreeWidgetItemIterator::NotHidden); *item;
             ++item)
            if (!(*item)->parent() || !(*item)->parent()->isHidden())
                titles += (*item)->text(0);
        return titles;
    }
    [[nodiscard]] QString page() const { return help.browser().source().path(); }

    HelpWindow help;
    QTreeWidget* contents = help.findChild<QTreeWidget*>();
    QLineEdit* query = help.findChild<QLineEdit*>();
};

TEST_CASE("every link of the documentation leads to a page and heading that are there")
{
    static const QRegularExpression link(R"(\]\(([^)#:]*)(#[^)]*)?\))");
    CHECK(helpPages().size() > 20);
    CHECK(helpPages().first() == "tour.md");
    for (const QString& page : helpPages()) {
        const std::vector<HelpSection> sections = helpSections(page);
        REQUIRE_FALSE(sections.empty());
        for (const HelpSection& section : sections)
            for (auto found = link.globalMatch(section.text); found.hasNext();) {
                const QRegularExpressionMatch match = found.next();
                const QString folder = page.contains('/') ? page.section('/', 0, -2) + '/' : "";
                QString target = match.captured(1).isEmpty() ? page : folder + match.captured(1);
                if (target.startsWith("packaging/../"))
                    target = target.mid(13);
                CAPTURE(page.toStdString(), match.captured().toStdString());
                if (target.endsWith(".png"))
                    CHECK_FALSE(QImage(":/docs/" + target).isNull());
                if (!target.endsWith(".md") || target.startsWith(".."))
                    continue;
                CHECK(helpPages().contains(target));
                const QString anchor = target + match.captured(2);
                if (!match.captured(2).isEmpty())
                    CHECK(std::ranges::any_of(helpSections(target), [&](const HelpSection& other) {
                        return other.target == anchor;
                    }));
            }
    }
}

TEST_CASE("F1 has a place in the documentation for each page and dialog")
{
    QWidget window;
    const auto isThere = [](const QString& target) {
        const std::vector<HelpSection> sections = helpSections(target.section('#', 0, 0));
        return std::ranges::find(sections, target, &HelpSection::target) != sections.end();
    };
    for (const Workspace page : allWorkspaces) {
        CAPTURE(workspaceId(page).toStdString());
        CHECK(isThere(helpTarget(window, page)));
    }
    CHECK(helpTarget(window, Workspace::Deploy) == "deploy.md#in-the-window");
    CHECK(helpTarget(window, std::nullopt) == "tour.md");
}

TEST_CASE("headings have the anchors that GitHub gives them")
{
    CHECK(helpAnchor("Undo, keys and preferences") == "undo-keys-and-preferences");
    CHECK(helpAnchor("`calib names FILE MODEL.onnx`") == "calib-names-file-modelonnx");
}

TEST_CASE("a section opens with its heading at the top, a link goes on to another page and back")
{
    Shown test;
    CHECK(test.page() == "/docs/tour.md");
    CHECK(test.help.browser().verticalScrollBar()->value() == 0);
    test.help.show("tour.md#two-dumps-side-by-side");
    CHECK(test.help.browser().verticalScrollBar()->value() > 0);
    CHECK(test.help.browser().cursorRect().top() < 60);
    CHECK(test.help.browser().textCursor().block().text() == "Two dumps side by side");
    test.help.browser().setSource(QUrl("qrc:/docs/deploy.md"));
    CHECK(test.page() == "/docs/deploy.md");
    test.help.browser().backward();
    CHECK(test.page() == "/docs/tour.md");
    test.help.browser().setSource(QUrl("qrc:/docs/none.md"));
    CHECK(test.page() == "/docs/tour.md");
}

TEST_CASE("a search leaves the sections that hold all words, and Return opens the first")
{
    Shown test;
    const qsizetype pages = test.contents->topLevelItemCount();
    CHECK(pages == helpPages().size());
    test.query->setText("PERCENTILE tensorrt");
    CHECK_FALSE(test.listed().isEmpty());
    CHECK_FALSE(test.listed().contains("Slices: where in a tensor its values lie"));
    const auto isNoneSaid = [&test] {
        return std::ranges::any_of(test.help.findChildren<QLabel*>(), [](const QLabel* label) {
            return label->isVisible() && label->text() == "No section has all of these words.";
        });
    };
    CHECK_FALSE(isNoneSaid());
    test.query->setText("jackknife nowhere-to-be-found");
    CHECK(test.listed().isEmpty());
    CHECK(isNoneSaid());
    test.query->setText("held out");
    QTest::keyClick(test.query, Qt::Key_Return);
    CHECK(test.contents->currentItem() != nullptr);
    CHECK_FALSE(test.help.browser().extraSelections().isEmpty());
}

TEST_CASE("pictures are shown, as wide as the text at most")
{
    Shown test;
    test.help.resize(700, 600);
    QTest::qWait(0);
    const QVariant loaded = test.help.browser().loadResource(QTextDocument::ImageResource,
                                                             QUrl("pictures/summary.png"));
    const auto picture = loaded.value<QImage>();
    REQUIRE_FALSE(picture.isNull());
    CHECK(picture.deviceIndependentSize().width() <= test.help.browser().viewport()->width());
    CHECK(test.help.browser().horizontalScrollBar()->maximum() == 0);
}

TEST_CASE("on a dark ground pictures are the dark ones, or dimmed")
{
    Shown test;
    const auto lightnessOf = [&](const char* name) {
        const auto picture = test.help.browser()
                                 .loadResource(QTextDocument::ImageResource, QUrl(name))
                                 .value<QImage>();
        REQUIRE_FALSE(picture.isNull());
        return picture.scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
            .pixelColor(0, 0)
            .lightness();
    };
    const int light = lightnessOf("pictures/summary.png");
    CHECK(light > 200);
    QPalette dark = test.help.browser().palette();
    dark.setColor(QPalette::Base, Qt::black);
    test.help.browser().setPalette(dark);
    CHECK(lightnessOf("pictures/summary.png") < 0.75 * light);
    CHECK(lightnessOf("pictures/browse.png") < 80);  // browse-dark.png
}

TEST_CASE("F1 in the window opens its page's part, once, and in a dialog the dialog's")
{
    ShownWindow test;
    test.openSample();
    test.window->showWorkspace(Workspace::Channels);
    test.trigger("help.contents");
    auto* help = test.window->findChild<HelpWindow*>();
    REQUIRE(help);
    CHECK(help->browser().textCursor().block().text() == "Channel by channel");
    CHECK(help->browser().verticalScrollBar()->value() > 1000);
    CHECK(std::abs(help->browser().cursorRect().top()) < 60);
    test.window->showWorkspace(Workspace::Graph);
    test.trigger("help.contents");
    CHECK(test.window->findChildren<HelpWindow*>().size() == 1);
    CHECK(help->browser().source().path() == "/docs/graph.md");
    QDialog dialog(test.window.get());
    QLineEdit field(&dialog);
    dialog.show();
    dialog.activateWindow();
    field.setFocus();
    REQUIRE(QTest::qWaitForWindowActive(&dialog));
    QTest::keyClick(&field, Qt::Key_F1);
    REQUIRE(dialog.findChild<HelpWindow*>());
    CHECK(dialog.findChild<HelpWindow*>()->browser().source().path() == "/docs/tour.md");
}

}  // namespace help_window_test
