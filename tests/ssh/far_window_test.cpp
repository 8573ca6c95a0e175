// Dumps on other machines in the window, with the real engine behind a stand-in of ssh.
#include "tests/ssh/fake_ssh.h"
#include "tests/support/shown_window.h"
#include "ui/document/compare_edits.h"
#include "ui/document/previews.h"
#include "ui/document/session_document.h"
#include "ui/document/session_keeper.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/message_controller.h"
#include "ui/window/remote_dialog.h"
#include "ui/window/session_controller.h"

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QTreeWidget>

#include <algorithm>
#include <filesystem>
#include <functional>

using namespace calibscope;
using namespace calibscope::test;

namespace {

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

}  // namespace

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
