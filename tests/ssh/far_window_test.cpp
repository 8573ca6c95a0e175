// SPDX-License-Identifier: GPL-3.0-or-later
// Dumps on other machines in the window, with the real engine behind a stand-in of ssh.
#include "tests/ssh/fake_ssh.h"
#include "tests/support/shown_window.h"
#include "ui/document/compare_edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/document/session_keeper.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/import_controller.h"
#include "ui/window/message_controller.h"
#include "ui/window/remote_dialog.h"
#include "ui/window/session_controller.h"

#include <QApplication>
#include <QCheckBox>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>

#include <algorithm>
#include <filesystem>
#include <functional>

namespace far_window_test {

using namespace calibscope;
using namespace calibscope::test;

const QString address = QString::fromStdString("ssh://farhost" + sampleDump);

/// Answers the question about a machine when it comes.
class Answering
{
public:
    explicit Answering(QMessageBox::StandardButton answer)
    {
        m_timer.setInterval(20);
        QObject::connect(&m_timer, &QTimer::timeout, [this, answer] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (!box || box->objectName() != "connect-to-machine")
                return;
            text = box->text();
            standard = box->standardButton(box->defaultButton());
            if (whenAsked)
                whenAsked();
            ++times;
            box->button(answer)->click();
        });
        m_timer.start();
    }

    int times = 0;
    QString text;
    QMessageBox::StandardButton standard = QMessageBox::NoButton;
    std::function<void()> whenAsked;

private:
    QTimer m_timer;
};

TEST_CASE("a dump on another machine is opened, shown, previewed and remembered under its address")
{
    const FakeSsh ssh;
    ShownWindow shown;
    shown.window->open(address, {.allowExternal = false, .tensor = "hardswish_30.tmp_0"});
    REQUIRE(shown.waitForDump());
    CHECK(shown.document().path() == address);
    CHECK(shown.document().tensors().size() == 30);
    REQUIRE(shown.waitForView());
    CHECK(shown.document().selectedTensor()->name == "hardswish_30.tmp_0");
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    CHECK(shown.document().previews().all().size() == 30);
    // Two engines for a machine: what is waited for, pictures among it, and the background.
    CHECK(std::ranges::count(ssh.calls(), '\n') == 2);
    CHECK_THAT(ssh.calls(), containsText("-- farhost calib serve --idle 300"));

    SECTION("a second dump here can't be compared with it")
    {
        compareWith(shown.document(), QString::fromStdString(sampleDump));
        const Comparison& comparison = shown.window->comparison();
        REQUIRE(comparison.state() == Comparison::State::Failed);
        CHECK_THAT(comparison.problem().toStdString(), containsText("different machines"));
    }
    SECTION("a session keeps the address, wherever its file goes")
    {
        const TemporaryFolder folder;
        const QString path = QString::fromStdString(folder.file("far.calsession"));
        writeSession(shown.window->sessions().keeper().session(), path);
        const SessionDocument read = readSession(path);
        REQUIRE(read.dumps.size() == 1);
        CHECK(QString::fromStdString(read.dumps[0].identity.path) == address);
    }
    SECTION("its file is looked at by the engine, and nothing is told while it is the same")
    {
        shown.window->files().check();
        QTest::qWait(300);
        CHECK_FALSE(shown.window->messages().bar().isVisible());
    }
}

TEST_CASE("a session that names a new machine: the user is asked, and nothing is started before")
{
    const FakeSsh ssh;
    ShownWindow shown;
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("far.calsession"));
    SessionDocument session = shown.window->sessions().keeper().session();
    session.dumps.push_back({.identity = {.path = "ssh://stranger" + sampleDump}});
    writeSession(session, path);
    SECTION("no")
    {
        Answering answering(QMessageBox::No);
        answering.whenAsked = [&ssh] { CHECK(ssh.calls().empty()); };
        shown.window->sessions().open(path);
        REQUIRE(QTest::qWaitFor(
            [&] { return shown.document().dumpState() == Document::DumpState::Failed; },
            patienceMs));
        CHECK(answering.times == 1);
        CHECK(answering.text.contains("stranger"));
        CHECK(answering.standard == QMessageBox::No);
        CHECK(shown.document().dumpProblem().contains("you have not allowed it"));
        CHECK(ssh.calls().empty());
    }
    SECTION("yes")
    {
        Answering answering(QMessageBox::Yes);
        answering.whenAsked = [&ssh] { CHECK(ssh.calls().empty()); };
        shown.window->sessions().open(path);
        REQUIRE(shown.waitForDump());
        CHECK(answering.times == 1);
        CHECK(ssh.calls().find("-- stranger calib") != std::string::npos);
    }
}

TEST_CASE("the dialog lists folders of the machine, and opens what is chosen")
{
    const FakeSsh ssh;
    std::filesystem::create_directory(ssh.home() + "/runs");
    std::filesystem::copy_file(sampleDump, ssh.home() + "/runs/b 10.h5");
    std::filesystem::copy_file(sampleDump, ssh.home() + "/runs/b 9.h5");
    std::filesystem::copy_file(sampleDump, ssh.home() + "/runs/notes.txt");
    ShownWindow shown;
    shown.window->files().askElsewhere();
    auto* dialog = shown.window->findChild<RemoteDialog*>();
    REQUIRE(dialog);
    auto* list = dialog->findChild<QTreeWidget*>();
    const auto names = [&] {
        QStringList found;
        for (int row = 0; row < list->topLevelItemCount(); ++row)
            found += list->topLevelItem(row)->text(0);
        return found;
    };
    dialog->setMachine("-oProxyCommand=x");
    dialog->connectToMachine();
    CHECK(dialog->said().contains("begins with"));
    CHECK(ssh.calls().empty());
    dialog->setMachine("unreachable");
    dialog->connectToMachine();
    REQUIRE(QTest::qWaitFor([&] { return dialog->said().contains("no such host"); }, patienceMs));
    CHECK(dialog->said().contains("\nssh unreachable 'calib --version'"));

    dialog->setMachine("farhost");
    dialog->connectToMachine();
    REQUIRE(QTest::qWaitFor([&] { return names() == QStringList{"runs"}; }, patienceMs));
    list->setCurrentItem(list->topLevelItem(0));
    QTest::keyClick(list, Qt::Key_Return);  // and presses no button
    REQUIRE(QTest::qWaitFor(
        [&] {
            return names() == QStringList{"b 9.h5", "b 10.h5"};
        },
        patienceMs));
    Q_EMIT list->itemActivated(list->topLevelItem(1), 0);
    REQUIRE(shown.waitForDump());
    CHECK(shown.document().path() ==
          QString::fromStdString("ssh://farhost" + std::filesystem::canonical(ssh.home()).string() +
                                 "/runs/b 10.h5"));
}

TEST_CASE("the dialog chooses the first entry, the folder that was left, and says where nothing is")
{
    const FakeSsh ssh;
    for (const char* folder : {"/a", "/b", "/b/none", "/c"})
        std::filesystem::create_directory(ssh.home() + folder);
    writeBytes(ssh.home() + "/b/none/notes.txt", "x");
    ShownWindow shown;
    shown.window->files().askElsewhere();
    auto* dialog = shown.window->findChild<RemoteDialog*>();
    REQUIRE(dialog);
    auto* list = dialog->findChild<QTreeWidget*>();
    const auto chosen = [&] {
        return list->isVisible() && list->currentItem() ? list->currentItem()->text(0) : QString();
    };
    const auto waitForChosen = [&](const QString& name) {
        return QTest::qWaitFor([&] { return chosen() == name; }, patienceMs);
    };
    const auto button = [&](const QString& text) -> QPushButton* {
        for (QPushButton* one : dialog->findChildren<QPushButton*>())
            if (one->text().remove(u'&') == text)
                return one;
        return nullptr;
    };
    CHECK(dialog->said().contains("~/.ssh/config"));
    CHECK_FALSE(button("Connect")->isEnabled());
    CHECK_FALSE(button("Up")->isEnabled());
    dialog->setMachine("farhost");
    CHECK(button("Connect")->isEnabled());
    dialog->connectToMachine();
    CHECK(button("Stop")->isVisible());
    REQUIRE(waitForChosen("a"));
    CHECK(list->hasFocus());
    CHECK(dialog->said() == "3 entries");
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    REQUIRE(waitForChosen("none"));
    QTest::keyClick(list, Qt::Key_Return);
    REQUIRE(QTest::qWaitFor([&] { return dialog->said() == "All files shows its only entry."; },
                            patienceMs));
    dialog->findChild<QCheckBox*>()->setChecked(true);
    CHECK(chosen() == "notes.txt");
    CHECK(dialog->said() == "1 entry");
    button("Up")->click();
    REQUIRE(waitForChosen("none"));
    button("Up")->click();
    REQUIRE(waitForChosen("b"));
    // Another machine's name: what is shown is not of that one.
    dialog->setMachine("other");
    CHECK(chosen().isEmpty());
    CHECK(dialog->said().contains("~/.ssh/config"));
    dialog->setMachine("farhost");
    dialog->connectToMachine();
    button("Stop")->click();
    QTest::qWait(300);
    CHECK(dialog->said().contains("~/.ssh/config"));
}

TEST_CASE("scales for a dump on another machine are chosen there; a file of this one is refused")
{
    const FakeSsh ssh;
    std::filesystem::copy_file(sampleDump, ssh.home() + "/a.h5");
    writeBytes(ssh.home() + "/a.cache",
               "TRT-8601-EntropyCalibration2\nhardswish_30.tmp_0: 3c010a14\n");
    const std::string home = std::filesystem::canonical(ssh.home()).string();
    ShownWindow shown;
    shown.window->open(QString::fromStdString("ssh://farhost" + home + "/a.h5"));
    REQUIRE(shown.waitForDump());
    shown.window->imports().open("/data/here.cache");
    CHECK(shown.window->messages().bar().sentence().contains(
        "here.cache is on this machine and the dump on farhost; copy it to farhost first, for "
        "example"));
    shown.trigger("file.import-scales");
    auto* dialog = shown.window->findChild<RemoteDialog*>();
    REQUIRE(dialog);
    CHECK(dialog->windowTitle() == "Import scales");
    auto* list = dialog->findChild<QTreeWidget*>();
    REQUIRE(QTest::qWaitFor([&] { return list->topLevelItemCount() == 2; }, patienceMs));
    CHECK(list->topLevelItem(0)->text(0) == "a.cache");
    Q_EMIT list->itemActivated(list->topLevelItem(0), 0);
    REQUIRE(QTest::qWaitFor([&] { return shown.window->findChild<ImportDialog*>() != nullptr; },
                            patienceMs));
    shown.window->findChild<ImportDialog*>()->accept();
    const auto& imported = shown.document().workbench().imported;
    REQUIRE(imported.size() == 1);
    CHECK_THAT(imported.first().source, containsText("a.cache, line 2"));
}

TEST_CASE(
    "a line that is silent is told of with the offer to connect again, and what is read goes on")
{
    const FakeSsh ssh;
    ShownWindow shown;
    shown.window->open(address);
    REQUIRE(shown.waitForDump());
    REQUIRE(QTest::qWaitFor([&] { return shown.document().isIdle(); }, patienceMs));
    MessageBar& bar = shown.window->messages().bar();
    Q_EMIT shown.document().questions().engineStalled("Nothing has come from farhost for 10 s.");
    REQUIRE(bar.isVisible());
    CHECK(bar.sentence() == "Nothing has come from farhost for 10 s.");
    QStringList offered;
    for (QPushButton* button : bar.findChildren<QPushButton*>())
        if (button->isVisible())
            offered += button->text().remove(u'&');
    CHECK(offered.contains("Connect again"));
    CHECK(offered.contains("Wait"));
}

TEST_CASE("an address that is none fails with a sentence")
{
    const FakeSsh ssh;
    ShownWindow shown;
    shown.window->open("ssh://-oProxyCommand=x/a.h5");
    REQUIRE(QTest::qWaitFor(
        [&] { return shown.document().dumpState() == Document::DumpState::Failed; }, patienceMs));
    CHECK(shown.document().dumpProblem().contains("begins with"));
    CHECK(ssh.calls().empty());
}

}  // namespace far_window_test
