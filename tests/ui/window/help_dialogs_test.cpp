// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialogs.h"

#include "tests/support/catch.h"

#include <QMessageBox>
#include <QProcess>
#include <QTest>
#include <QTextBrowser>
#include <QWidget>

namespace help_dialogs_test {

using namespace calibscope;

TEST_CASE("the help is tour and sessions without pictures and links that lead nowhere")
{
    const QString text = helpText();
    CHECK(text.startsWith("# "));
    CHECK(text.contains("## The list on the left"));
    CHECK(text.contains("\n# Sessions\n"));
    CHECK_FALSE(text.contains("!["));
    CHECK_FALSE(text.contains("]("));
}

TEST_CASE("the help opens in a window of its own and shows all sections")
{
    QWidget parent;
    showHelp(parent);
    const auto* shown = parent.findChild<QTextBrowser*>("help");
    REQUIRE(shown);
    CHECK(shown->window() != &parent);
    CHECK(shown->isVisible());
    for (const QString& line : helpText().split('\n'))
        if (line.startsWith("## ")) {
            CAPTURE(line.toStdString());
            CHECK(shown->toPlainText().contains(line.mid(3)));
        }
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
