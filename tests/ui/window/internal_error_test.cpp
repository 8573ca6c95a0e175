// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/internal_error.h"

#include "tests/support/catch.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QWidget>

#include <stdexcept>

namespace internal_error_test {

using namespace calibscope;

TEST_CASE("work that succeeds is not reported")
{
    QStringList reports;
    CHECK(guarded([] { return true; }, [&](const QString& text) { reports += text; }));
    CHECK(reports.isEmpty());
}

TEST_CASE("an exception that nobody caught is reported, whatever it is")
{
    QStringList reports;
    const auto report = [&](const QString& text) { reports += text; };
    CHECK_FALSE(guarded([]() -> bool { throw std::runtime_error("bin 7"); }, report));
    CHECK(guarded([]() -> bool { throw 7; }, report, true));
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] == "bin 7");
    CHECK_FALSE(reports[1].isEmpty());
}

TEST_CASE("a report names versions, error and messages")
{
    const QString report = errorReport("bin 7", "12:00 opened");
    CHECK(report.startsWith("Calibscope "));
    CHECK(report.contains(qVersion()));
    CHECK(report.contains("bin 7"));
    CHECK(report.contains("12:00 opened"));
}

TEST_CASE("the dialog's text can be copied, a second error joins the first, and one goes on")
{
    QWidget window;
    window.show();
    showInternalError(&window, "first");
    showInternalError(&window, "second");
    const auto dialogs = window.findChildren<QDialog*>("internalError");
    REQUIRE(dialogs.size() == 1);
    const QPointer<QDialog> dialog = dialogs.front();
    CHECK(dialog->findChild<QPlainTextEdit*>()->isReadOnly());
    const QList<QPushButton*> buttons = dialog->findChildren<QPushButton*>();
    REQUIRE(buttons.size() == 2);
    for (QPushButton* button : buttons)
        if (button->text() == "&Copy")
            button->click();
    CHECK(QApplication::clipboard()->text() == "first\nsecond");
    for (QPushButton* button : buttons)
        if (button->text() == "C&ontinue")
            button->click();
    CHECK(QTest::qWaitFor([&] { return dialog.isNull(); }, 2000));
}

}  // namespace internal_error_test
