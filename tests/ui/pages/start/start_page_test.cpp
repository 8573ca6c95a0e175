// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/start_page.h"

#include "tests/support/catch.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

#include <memory>

namespace start_page_test {

using namespace calibscope;

/// The recent files' labels, by path in their tooltip.
QLabel* recentLabel(const StartPage& page, const QString& path)
{
    for (QLabel* label : page.findChildren<QLabel*>())
        if (label->toolTip() == path)
            return label;
    return nullptr;
}

TEST_CASE("recent files are links, and those that are gone are greyed")
{
    QTemporaryDir folder;
    const QString present = folder.filePath("present.h5");
    REQUIRE(QFile(present).open(QIODevice::WriteOnly));
    const QString missing = folder.filePath("missing.h5");
    StartPage page;
    page.setRecentFiles({present, missing});
    REQUIRE(QTest::qWaitFor([&] { return !recentLabel(page, missing)->isEnabled(); }, 5000));
    REQUIRE(recentLabel(page, present)->isEnabled());
    CHECK(recentLabel(page, missing)->text() == "missing.h5 (not found)");

    const QSignalSpy requests(&page, &StartPage::fileRequested);
    Q_EMIT recentLabel(page, present)->linkActivated(present);
    REQUIRE(requests.count() == 1);
    CHECK(requests[0][0].toString() == present);
}

TEST_CASE("the tabulator goes down the left column, and stops where something can be done")
{
    QTemporaryDir folder;
    QStringList recent;
    for (const char* const name : {"a.h5", "b.h5"}) {
        recent += folder.filePath(name);
        REQUIRE(QFile(recent.back()).open(QIODevice::WriteOnly));
    }
    StartPage page;
    page.setRecentFiles(recent);
    QThreadPool::globalInstance()->waitForDone();
    page.resize(1280, 800);
    page.show();
    page.activateWindow();
    REQUIRE(QTest::qWaitForWindowActive(&page));
    for (const QString& path : recent)
        REQUIRE(QTest::qWaitFor([&] { return recentLabel(page, path)->isVisible(); }, 5000));
    auto* open = page.findChild<QPushButton*>("openDump");
    open->setFocus();
    QStringList stops;
    QWidget* stop = open;
    for (int count = 0; count < 6; ++count) {
        if (auto* label = qobject_cast<QLabel*>(stop)) {
            stops += QFileInfo(label->toolTip()).fileName();
            CHECK(label->hasSelectedText());  // the link, at the first stop
        } else if (auto* button = qobject_cast<QPushButton*>(stop)) {
            stops += button->text().remove(u'&');
        } else {
            stops += QString::fromLatin1(stop->metaObject()->className());
        }
        QTest::keyClick(stop, Qt::Key_Tab);
        stop = QApplication::focusWidget();
        REQUIRE(stop != nullptr);
    }
    CHECK(stops ==
          QStringList{"Open dump...", "Open the sample dump", "a.h5", "b.h5", "QTabBar", "Copy"});

    const QSignalSpy samples(&page, &StartPage::sampleRequested);
    QTest::keyClick(page.findChild<QPushButton*>("openSample"), Qt::Key_Return);
    CHECK(samples.count() == 1);
}

TEST_CASE("a page that is gone is not told of missing files")
{
    auto gone = std::make_unique<StartPage>();
    StartPage present;
    const QSignalSpy toldGone(gone.get(), &StartPage::missingFilesFound);
    const QSignalSpy toldPresent(&present, &StartPage::missingFilesFound);
    gone->setRecentFiles({"/nowhere/a.h5"});
    present.setRecentFiles({"/nowhere/b.h5"});
    QThreadPool::globalInstance()->waitForDone();  // both answers are on their way
    gone.reset();
    REQUIRE(QTest::qWaitFor([&] { return !toldPresent.isEmpty(); }));
    CHECK(toldGone.isEmpty());
}

TEST_CASE("a name with marks of HTML is shown as it is")
{
    StartPage page;
    page.setRecentFiles({"/x/<b>&.h5"});
    CHECK(recentLabel(page, "/x/<b>&.h5")->text().contains("&lt;b&gt;&amp;.h5"));
}

TEST_CASE("first recordings are shown, copied as they are shown, and explained by the documents")
{
    StartPage page;
    auto* sources = page.findChild<QTabBar*>();
    auto* lines = page.findChild<QLabel*>("recordingLines");
    QFile documentation(CALIBSCOPE_SOURCE_DIR "/resources/docs/recording.md");
    REQUIRE(documentation.open(QIODevice::ReadOnly));
    const QString explained = QString::fromUtf8(documentation.readAll());
    QSet<QString> all;
    REQUIRE(sources->count() == 3);
    for (int source = 0; source < sources->count(); ++source) {
        sources->setCurrentIndex(source);
        all.insert(lines->text());
        CHECK(explained.contains("```python\n" + lines->text() + "\n```\n"));
        for (QPushButton* button : page.findChildren<QPushButton*>())
            if (button->text() == "Cop&y")
                button->click();
        CHECK(QApplication::clipboard()->text() == lines->text());
    }
    CHECK(all.size() == 3);
}

TEST_CASE("without the sample its button says that it is not installed")
{
    StartPage page;
    page.setSampleAvailable(false);
    auto* button = page.findChild<QPushButton*>("openSample");
    CHECK_FALSE(button->isEnabled());
    CHECK(button->toolTip().contains("not installed"));
}

}  // namespace start_page_test
