// SPDX-License-Identifier: GPL-3.0-or-later
// What hands do in the window: keys, panels, files that do not open, pictures, many tensors at
// once.
#include "tests/support/becomes_quiet.h"
#include "tests/support/catch.h"
#include "tests/support/shown_window.h"
#include "tests/support/two_dumps.h"
#include "ui/charts/histogram_content.h"
#include "ui/document/card_choice.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/models/card_order.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/compare/match_panel.h"
#include "ui/panels/cards/calibrator_card.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/picture.h"
#include "ui/report/report_dialog.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/compare_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <algorithm>

namespace hands_test {

using namespace calibscope;
using namespace calibscope::test;

struct HandledWindow : ShownWindow
{
    explicit HandledWindow(const QSize& size = {1280, 800}) { window->resize(size); }

    void settle()
    {
        REQUIRE(becomesQuiet(
            *window, [this] { return document().isIdle() && window->comparison().isIdle(); }));
    }
    void filter(const char* query)
    {
        window->tensorList().panel().setQuery(query);
        settle();
    }
    /// Triggers an action that asks for a remark, gives none, and returns what was asked.
    QString answered(const char* action)
    {
        QString asked;
        QTimer::singleShot(0, window.get(), [&asked] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                asked = dialog->labelText();
                dialog->accept();
            }
        });
        trigger(action);
        settle();
        return asked;
    }
    std::vector<int> dockWidths() const
    {
        std::vector<int> widths;
        for (const char* name : {"tensors", "inspector"})
            widths.push_back(window->findChild<QDockWidget*>(name)->width());
        return widths;
    }
    void resize(const QSize& size)
    {
        window->resize(size);
        settle();
    }
    QStringList barTexts() const
    {
        QStringList texts;
        for (const MessageBar* bar : window->findChildren<MessageBar*>())
            if (bar->isVisible())
                for (const QLabel* label : bar->findChildren<QLabel*>())
                    texts += label->text();
        return texts;
    }
};

TEST_CASE("a file that does not open leaves the open ones where they are")
{
    const QTemporaryDir folder;
    QFile text(folder.filePath("text.h5"));
    REQUIRE(text.open(QIODevice::WriteOnly));
    text.write("no dump at all, but a text\n");
    text.close();
    HandledWindow test;
    test.openSample();
    const int selected = test.document().selected();
    (void)acceptRecipe(test.document(), {selected});
    test.window->open(text.fileName());
    REQUIRE(QTest::qWaitFor([&] { return !test.barTexts().isEmpty(); }, patienceMs));
    test.settle();
    CHECK(test.document().dumpState() == Document::DumpState::Open);
    CHECK(test.window->windowTitle().startsWith("sample.h5"));
    CHECK(test.document().selected() == selected);
    CHECK(decisionOf(test.document(), selected));
    CHECK(test.window->dumps().count() == 1);
    CHECK(test.isWorkspaceShown());
    CHECK(test.barTexts().join(u' ').contains("text.h5 could not be opened"));
    CHECK(test.barTexts().join(u' ').contains("HDF5"));
}

TEST_CASE("pictures of plots name tensor, file, recipe and version")
{
    HandledWindow test;
    test.openSample();
    const PictureSettings settings = test.window->browsePage().histogram().pictureSettings();
    CHECK(settings.title == "batch_norm_3.tmp_2");
    CHECK(settings.footer.contains("sample.h5"));
    CHECK(settings.footer.contains("SHA-256"));
    CHECK(settings.footer.contains("/activations/batch_norm_3.tmp_2"));
    CHECK(settings.footer.contains("Rebellions, vision"));
    CHECK(settings.footer.contains("Calibscope "));
}

TEST_CASE("a report from the window has its decisions and manual ranges, and begins as filtered")
{
    HandledWindow test;
    test.openSample();
    edits::setManualRange(test.document(), 2.5, true);
    (void)acceptCandidate(test.document(), {test.document().selected()}, "manual", "by eye");
    edits::setPinned(test.document(), {1, 2}, true);
    test.filter("kind:weight");
    const ReportDialog dialog(reportSubject(test.document(), test.window->tensorList().filtered()));
    const ReportOptions options = dialog.options();
    CHECK(options.tensors.size() == 14);
    REQUIRE(options.decisions);
    protocol::DumpOpened dump = test.document().dump();
    dump.tensors = test.document().tensors();
    const std::vector<Recipe> recipes = options.decisions({&dump, 1});
    REQUIRE(recipes.size() == 2);
    CHECK(recipes[0].title == "Accepted");
    CHECK(recipes[0].rules.front().choice.note.find("by eye") != std::string::npos);
    CHECK(recipes[1].title == "Manual");
    QStringList scopes;
    for (const QComboBox* box : dialog.findChildren<QComboBox*>())
        for (int place = 0; place < box->count(); ++place)
            scopes += box->itemText(place);
    CHECK(scopes.contains("Accepted tensors (1)"));
    CHECK(scopes.contains("Pinned tensors (2)"));
}

TEST_CASE("the recipe's choice is accepted for what the filter shows")
{
    HandledWindow test;
    test.openSample();
    test.filter("kind:activation");
    CHECK(test.answered("calibrator.settle-recipe").contains("16 tensors"));
    CHECK(decidedCount(test.document()) == 16);
    test.document().undo();
    test.trigger("view.summary");  // nothing is bold there: each tensor's is the recipe's choice
    CHECK(test.answered("calibrator.settle-shown").contains("16 tensors"));
    CHECK(decidedCount(test.document()) == 16);
}

TEST_CASE("what accepting for many overwrites or lumps together is said before")
{
    HandledWindow test;
    test.openSample();
    test.trigger("calibrator.settle");
    REQUIRE(decidedCount(test.document()) == 1);
    const QString all = test.answered("calibrator.settle-shown");
    CHECK(all.contains("1 decision is replaced."));
    CHECK(all.contains("Activations and weights get the same calibrator"));
    test.document().undo();
    test.filter("kind:weight");
    const QString weights = test.answered("calibrator.settle-shown");
    CHECK_FALSE(weights.contains("replaced"));
    CHECK_FALSE(weights.contains("Activations"));
    CHECK(test.answered("calibrator.settle-recipe").isEmpty());  // none is left
}

TEST_CASE("the question before many are accepted has the number that will be, and says of the rest")
{
    HandledWindow test;
    test.openSample();
    edits::understand(test.document(), {test.document().selected()}, {.role = Role::Bias});
    test.settle();
    const QString all = test.answered("calibrator.settle-recipe");
    CHECK(all.contains("29 tensors"));
    CHECK(all.contains("1 is skipped: a bias"));
    CHECK(decidedCount(test.document()) == 29);
}

TEST_CASE("the question for a card counts the tensors that have it")
{
    HandledWindow test;
    test.openSample();
    const auto weight =
        std::ranges::find(test.document().tensors(), Role::Weight, &TensorInfo::role);
    test.document().select(static_cast<int>(weight - test.document().tensors().begin()));
    test.settle();
    const QString asked = test.answered("calibrator.settle-shown");
    const std::size_t count = decidedCount(test.document());
    CHECK(count < test.document().tensors().size());
    CHECK(asked.contains(QString::number(count) + " tensor"));
}

TEST_CASE("for each listed tensor the best is accepted where it gains enough")
{
    HandledWindow test;
    test.openSample();
    test.filter("kind:activation");
    CHECK(test.answered("calibrator.accept-best").isEmpty());  // not swept yet
    test.document().questions().startMatrix(false);
    test.settle();
    // Of the sample under rebellions-vision by `calib diagnose`: gains of 3 dB and more.
    const QString asked = test.answered("calibrator.accept-best");
    CAPTURE(asked.toStdString());
    std::size_t gaining = 0;
    for (int tensor = 0; tensor < std::ssize(test.document().tensors()); ++tensor) {
        const std::optional<BetterChoice> better = betterOn(test.document(), tensor);
        const bool isListed =
            test.document().tensors()[static_cast<std::size_t>(tensor)].role == Role::Activation;
        const bool isBest = isListed && better && better->gainDb >= 3.0;
        const Decision* decision = decisionOf(test.document(), tensor);
        CHECK((decision != nullptr) == isBest);
        if (decision && better)
            CHECK(decision->id == better->candidate.id);
        gaining += isBest ? 1 : 0;
    }
    CHECK(gaining == 10);
    CHECK(asked.startsWith("10 of 16 tensors gain at least 3.0 dB: 5.5 dB on average."));
    CHECK(asked.contains("rises from 27.2 to 33.2 dB."));
    test.document().undo();
    CHECK(decidedCount(test.document()) == 0);
}

TEST_CASE("Summary takes the best of each in one step, and tells before what that gains")
{
    HandledWindow test;
    test.openSample();
    test.trigger("view.summary");
    auto* take = test.window->findChild<QPushButton*>("takeBest");
    const auto* text = test.window->findChild<QLabel*>("bestText");
    REQUIRE(take);
    REQUIRE(text);
    CHECK(QTest::qWaitFor([&] { return take->text() == "Compute all calibrators"; }, 10000));
    take->click();
    test.settle();
    const QString sentence = "tensors gain at least 3.0 dB: ";
    CHECK(QTest::qWaitFor([&] { return text->text().contains(sentence); }, 20000));
    const std::size_t told = text->text().section(' ', 0, 0).toULongLong();
    CHECK(told >= 10);
    CHECK(decidedCount(test.document()) == 0);
    take->click();
    test.settle();
    CHECK(decidedCount(test.document()) == told);
    CHECK(QTest::qWaitFor([&] { return text->text() == "No tensor gains 3.0 dB."; }, 20000));
    CHECK_FALSE(take->isEnabled());
    test.document().undo();
    CHECK(decidedCount(test.document()) == 0);
    CHECK(QTest::qWaitFor([&] { return text->text().contains(sentence); }, 20000));
}

TEST_CASE("several rows can be chosen, and what is done with all listed is done with those")
{
    HandledWindow test;
    test.openSample();
    auto* tree = test.window->findChild<QTreeView*>("tensorTree");
    const QModelIndex first = tree->currentIndex();
    for (const int row : {1, 2})
        tree->selectionModel()->select(first.siblingAtRow(first.row() + row),
                                       QItemSelectionModel::Select | QItemSelectionModel::Rows);
    CHECK(test.answered("calibrator.settle-shown").contains("3 tensors"));
    CHECK(decidedCount(test.document()) == 3);
    test.trigger("tensor.pin");
    CHECK(test.document().workbench().pins.size() == 3);
}

TEST_CASE("Ctrl+Shift+S saves as, F6 goes from pane to pane, Alt and a digit open a card")
{
    HandledWindow test;
    test.openSample();
    CHECK(test.window->actions()["file.save-session-as"].shortcut() ==
          QKeySequence("Ctrl+Shift+S"));
    auto* tree = test.window->findChild<QTreeView*>("tensorTree");
    tree->setFocus();
    const auto press = [&](Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        REQUIRE(QTest::qWaitForWindowActive(test.window.get()));
        QTest::keyClick(test.window.get(), key, modifiers);
        QCoreApplication::processEvents();
    };
    press(Qt::Key_F6);
    CHECK(test.window->focusWidget() == &test.window->browsePage().histogram());
    press(Qt::Key_F6);
    CHECK(qobject_cast<CalibratorCard*>(test.window->focusWidget()));
    press(Qt::Key_F6);
    CHECK(test.window->focusWidget() == tree);
    press(Qt::Key_F6, Qt::ShiftModifier);
    CHECK(qobject_cast<CalibratorCard*>(test.window->focusWidget()));
    const std::vector<OutcomeRow> rows = test.document().questions().rows();
    press(Qt::Key_3, Qt::AltModifier);
    CHECK(cardsOf(test.document()).chosen() == rows[cardOrder(rows)[2]].candidate.id);
    press(Qt::Key_3, Qt::AltModifier);
    CHECK(cardsOf(test.document()).chosen().empty());
}

TEST_CASE("Space on a card ticks it, in the list it pins the tensor")
{
    HandledWindow test;
    test.openSample();
    REQUIRE(QTest::qWaitForWindowActive(test.window.get()));
    test.trigger("panels.next");
    test.trigger("panels.next");
    auto* card = qobject_cast<CalibratorCard*>(test.window->focusWidget());
    REQUIRE(card);
    const auto ticked = [&test] {
        return std::ranges::count(test.document().questions().rows(), true, &OutcomeRow::isTicked);
    };
    const auto before = ticked();
    QTest::keyClick(card, Qt::Key_Space);
    CHECK(ticked() != before);
    CHECK(test.document().workbench().pins.empty());
    test.window->tensorList().panel().focusList();
    QTest::keyClick(test.window->focusWidget(), Qt::Key_Space);
    CHECK(test.document().workbench().pins.size() == 1);
}

TEST_CASE("a guess is shown where it can be confirmed")
{
    H5File file;
    file.write("first/output", {8, 16}, recordedValues(1.0F));
    file.write("second/output", {8, 16}, recordedValues(2.0F));
    HandledWindow test;
    test.window->open(QString::fromStdString(file.path()));
    REQUIRE(test.waitForDump());
    test.settle();
    test.window->showWorkspace(Workspace::Channels);
    test.trigger("view.summary");
    test.window->findChild<QPushButton*>("showFirstGuess")->click();
    test.settle();
    CHECK(&test.window->shownPage() == &test.window->browsePage());
    test.window->showWorkspace(Workspace::Channels);
    test.trigger("tensor.next-guess");
    CHECK(&test.window->shownPage() == &test.window->browsePage());
}

TEST_CASE("the panels come back from a small window")
{
    HandledWindow test({1440, 900});
    test.openSample();
    test.settle();
    const std::vector<int> wide = test.dockWidths();
    test.resize({800, 600});
    CAPTURE(test.window->centralWidget()->minimumSizeHint().width());
    CHECK(test.dockWidths().front() >= 260);
    test.resize({720, 700});
    test.resize({1440, 900});
    CHECK(test.dockWidths() == wide);
}

TEST_CASE("in a narrow window the panels share one side, and the page has the most room")
{
    HandledWindow test({800, 600});
    test.openSample();
    for (const Workspace workspace :
         {Workspace::Browse, Workspace::Calibrators, Workspace::Channels, Workspace::Deploy}) {
        test.window->showWorkspace(workspace);
        test.resize({800, 600});
        CAPTURE(workspaceId(workspace));
        CHECK(test.window->size() == QSize(800, 600));
        CHECK(test.window->workspaces().width() >= 440);
        CHECK(test.window->findChild<QDockWidget*>("tensors")->width() >= 260);
    }
    test.resize({1280, 800});
    const auto* tensors = test.window->findChild<QDockWidget*>("tensors");
    const auto* inspector = test.window->findChild<QDockWidget*>("inspector");
    CHECK(tensors->isVisible());
    CHECK(inspector->isVisible());
    CHECK(inspector->x() > test.window->workspaces().mapTo(test.window.get(), QPoint()).x());
    CHECK(inspector->width() >= 300);
}

TEST_CASE("Compare opens on the pair that has drifted furthest, and W goes on from there")
{
    TwoDumps dumps;
    dumps.b.write("/activations/conv4", {8, 256}, recordedValues(1.5F));
    dumps.a.write("/activations/conv4", {8, 256}, recordedValues(1.0F));
    HandledWindow test;
    test.window->open(QString::fromStdString(dumps.a.path()));
    test.window->comparing().open(QString::fromStdString(dumps.b.path()));
    test.settle();
    test.settle();
    REQUIRE(test.document().selectedTensor());
    CHECK(test.document().selectedTensor()->name == "conv2");
    test.trigger("tensor.next-worst");
    test.settle();
    CHECK(test.document().selectedTensor()->name == "conv4");
    const auto* tree = test.window->findChild<QTreeView*>("matchTree");
    const int end = tree->header()->sectionViewportPosition(MatchModel::LossDb) +
                    tree->header()->sectionSize(MatchModel::LossDb);
    CHECK(end <= tree->viewport()->width());
}

}  // namespace hands_test
