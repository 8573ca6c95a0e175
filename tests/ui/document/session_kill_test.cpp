// SPDX-License-Identifier: GPL-3.0-or-later
// A program with a session is killed; another one goes on. Each runs in a process of its own: the
// hidden tests below, which the others start.
#include "core/recipes/choice_edit.h"
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "ui/document/card_choice.h"
#include "ui/document/decision_export.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/result_model.h"
#include "ui/panels/cards/card_list.h"
#include "ui/queries/dump_requests.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/file_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/session_controller.h"

#include <QApplication>
#include <QEventLoop>
#include <QFile>
#include <QImage>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <cstdlib>
#include <memory>

namespace session_kill_test {

using namespace calibscope;

constexpr int patienceMs = 180000;
constexpr const char* folderVariable = "CALIBSCOPE_TEST_FOLDER";

/// Whoever runs all tests, hidden ones too, means the other ones.
bool isChild()
{
    return qEnvironmentVariableIsSet(folderVariable);
}

/// The folder that the processes of a test share.
QString shared(const QString& name)
{
    return qEnvironmentVariable(folderVariable) + u'/' + name;
}

struct Desk
{
    Desk()
    {
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, shared("config"));
        window = std::make_unique<MainWindow>(MainWindowOptions{.theme = Theme::Light});
        window->resize(1100, 700);
        window->show();
    }
    Document& document() const { return window->document(); }
    void settle() const
    {
        REQUIRE(QTest::qWaitFor([this] { return document().isIdle(); }, patienceMs));
        REQUIRE(document().dumpState() == Document::DumpState::Open);
    }
    void open(const QString& path) const
    {
        window->open(path);
        settle();
    }
    void select(const std::string& tensor) const
    {
        document().select(placeOf(document().tensors(), tensor));
        settle();
    }
    void openSession() const
    {
        window->sessions().open(shared("s.calsession"));
        REQUIRE(
            QTest::qWaitFor([this] { return !window->sessions().keeper().isBusy(); }, patienceMs));
        settle();
    }
    /// What is on screen, and what would be exported. How far the cards are scrolled is in no
    /// session.
    void record(const QString& name) const
    {
        REQUIRE(test::becomesQuiet(*window));  // layouts and texts that the last answer changed
        window->findChild<CardList*>()->verticalScrollBar()->setValue(0);
        REQUIRE(window->grab().toImage().save(shared(name + ".png")));
        ResultModel table(
            [this]() -> const std::vector<OutcomeRow>& { return document().questions().rows(); });
        table.refresh();
        test::writeBytes(shared(name + ".tsv").toStdString(), table.tabSeparated().toStdString());
        EngineClient engine;
        DecisionExport decisions(engine, window->sessions().keeper().session());
        QEventLoop loop;
        QObject::connect(&decisions, &DecisionExport::finished, &loop, &QEventLoop::quit);
        decisions.start();
        loop.exec();
        CHECK(decisions.problems().isEmpty());
        test::writeBytes(shared(name + ".csv").toStdString(),
                         decisionTable(decisions.rows(), TableFormat::Csv));
    }

    std::unique_ptr<MainWindow> window;
};

void change(Document& document, const std::string& label, const char* setting, const char* value)
{
    for (const OutcomeRow& row : document.questions().rows())
        if (row.candidate.id == label)
            return edits::editChoice(document, label,
                                     withSetting(row.candidate.choice, setting, value));
    FAIL("no calibrator " << label);
}

/// Three dumps, pins, manual thresholds, two calibrators with changed parameters, decisions, zoom.
void workHard(const Desk& desk)
{
    Document& document = desk.document();
    for (const char* name : {"one.h5", "two.h5", "three.h5"}) {
        REQUIRE(QFile::copy(sampleDumpPath(), shared(name)));
        desk.open(shared(name));
        desk.select("swish_13.tmp_0");
        edits::setPinned(document, {document.selected()}, true);
        edits::setManualRange(document, name == std::string("two.h5") ? 1.1 : 3.0, true);
        (void)acceptCandidate(document, {document.selected()}, manualId, name);
        desk.select("batch_norm_3.tmp_2");
    }
    change(document, "percentile", "alpha", "99.5");
    change(document, "entropy", "bits", "7");
    (void)acceptCandidate(document, {document.selected()}, "entropy", "seven bits");
    (void)acceptRecipe(document, {document.selected() + 1, document.selected() + 2});
    edits::setDisplay(document, {.isLogX = true});
    edits::setZoom(document, "browse", {.x = Range{0.01, 2.0}, .y = {}});
    cardsOf(document).choose("entropy");
    desk.window->showWorkspace(Workspace::Browse);
    desk.settle();
    for (const int step : {1, -1}) {  // where Back leads is not saved
        desk.window->dumps().step(step);
        desk.settle();
    }
}

/// A process that is started in the folder and does one of the hidden tests.
struct Program
{
    Program(const QTemporaryDir& folder, const QString& title)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(folderVariable, folder.path());
        environment.insert("XDG_DATA_HOME", folder.filePath("data"));
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.start(QCoreApplication::applicationFilePath(), {title});
    }
    ~Program()
    {
        process.kill();
        process.waitForFinished();
    }
    QProcess process;
};

QByteArray bytesOf(const QTemporaryDir& folder, const QString& name)
{
    QFile file(folder.filePath(name));
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

/// Runs the hidden test that ends in waiting, until it waits, and kills it.
void runAndKill(const QTemporaryDir& folder, const QString& title)
{
    Program program(folder, title);
    REQUIRE(QTest::qWaitFor(
        [&] {
            return QFile::exists(folder.filePath("ready")) ||
                   program.process.state() == QProcess::NotRunning;
        },
        patienceMs));
    REQUIRE(program.process.state() == QProcess::Running);
    ::kill(static_cast<pid_t>(program.process.processId()), SIGKILL);
    program.process.waitForFinished();
}

int run(const QTemporaryDir& folder, const QString& title)
{
    Program program(folder, title);
    REQUIRE(program.process.waitForFinished(patienceMs));
    return program.process.exitCode();
}

[[noreturn]] void waitToBeKilled()
{
    test::writeBytes(shared("ready").toStdString(), "");
    QEventLoop endless;
    endless.exec();
    std::abort();
}

TEST_CASE("child: works and saves and goes on", "[.child]")
{
    if (!isChild())
        return;
    const Desk desk;
    workHard(desk);
    desk.window->sessions().keeper().save(shared("s.calsession"));
    desk.window->sessions().keeper().finish();
    desk.settle();
    desk.record("before");
    bool isKept = false;
    QObject::connect(&desk.window->sessions().keeper().autosave(), &Autosave::kept,
                     desk.window.get(), [&isKept] { isKept = true; });
    edits::setExcluded(desk.document(), {desk.document().selected()}, true);
    REQUIRE(QTest::qWaitFor([&isKept] { return isKept; }, patienceMs));
    waitToBeKilled();
}

TEST_CASE("child: opens the saved session", "[.child]")
{
    if (!isChild())
        return;
    const Desk desk;
    desk.openSession();
    desk.record("after");
}

TEST_CASE("child: takes what was left over", "[.child]")
{
    if (!isChild())
        return;
    const Desk desk;
    desk.window->sessions().offerRecovery();
    REQUIRE(QTest::qWaitFor([&] { return !desk.window->sessions().bar().sentence().isEmpty(); },
                            patienceMs));
    const MessageBar& bar = desk.window->sessions().bar();
    CHECK(bar.sentence().startsWith("Calibscope quit unexpectedly."));
    const auto press = [&bar](const QString& text) {
        for (QPushButton* button : bar.findChildren<QPushButton*>())
            if (!button->isHidden() && button->text().remove(u'&') == text)
                return button->click();
        FAIL(text.toStdString());
    };
    // A slip: the question that follows is answered with Cancel, and all is as before.
    QString question;
    QTimer::singleShot(0, qApp, [&question] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            question = box->text() + box->informativeText();
            box->button(QMessageBox::Cancel)->click();
        }
    });
    const QString offer = bar.sentence();
    press("Discard");
    CHECK(question.contains("decision"));
    CHECK(bar.sentence() == offer);
    press("Restore");
    desk.settle();
    const Document& document = desk.document();
    CHECK(desk.window->dumps().count() == 3);
    CHECK(desk.window->sessions().keeper().path() == shared("s.calsession"));
    CHECK(desk.window->sessions().keeper().isModified());
    CHECK(edits::isExcluded(document, document.selected()));
    CHECK(decisionOf(document, document.selected())->remark == "seven bits");
    desk.window->sessions().keeper().autosave().drop();
    desk.window->sessions().keeper().finish();
}

TEST_CASE("child: finds nothing left over", "[.child]")
{
    if (!isChild())
        return;
    const Desk desk;
    bool isFound = false;
    desk.window->sessions().keeper().autosave().findLeftovers(
        [&isFound](const auto&) { isFound = true; });
    desk.window->sessions().keeper().finish();
    CHECK_FALSE(isFound);
}

TEST_CASE("a saved session outlives a kill: the same picture and the same tables")
{
    const QTemporaryDir folder;
    runAndKill(folder, "child: works and saves and goes on");
    REQUIRE(run(folder, "child: opens the saved session") == 0);
    CHECK(bytesOf(folder, "before.csv") == bytesOf(folder, "after.csv"));
    CHECK(bytesOf(folder, "before.tsv") == bytesOf(folder, "after.tsv"));
    CHECK(bytesOf(folder, "before.csv").count('\n') > 5);
    const QImage before(folder.filePath("before.png"));
    CHECK(before.size() == QSize(1100, 700));
    const bool isSamePicture = before == QImage(folder.filePath("after.png"));
    CHECK(isSamePicture);
    if (!isSamePicture)
        for (const char* name : {"before.png", "after.png"})
            QFile::copy(folder.filePath(name), QString("kill_%1").arg(name));

    // What was done after saving was autosaved, and is offered once.
    CHECK(run(folder, "child: takes what was left over") == 0);
    CHECK(run(folder, "child: finds nothing left over") == 0);
}

}  // namespace session_kill_test
