// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/shown_window.h"
#include "ui/window/action_table.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <random>
#include <string>

namespace monkey_test {

using namespace calibscope;
using namespace calibscope::test;

/// Presses keys, clicks, drags, types and triggers actions at random, from a seed.
class Monkey
{
public:
    Monkey(ShownWindow& test, unsigned seed) : m_test(test), m_random(seed)
    {
        // Questions, menus and dialogs of files wait for an answer in a loop of their own.
        QObject::connect(&m_answers, &QTimer::timeout, [this] { leaveWhatWaits(); });
        m_answers.start(15);
    }

    void act()
    {
        switch (pick(8)) {
        case 0:
        case 1: return trigger();
        case 2: return pressKey();
        case 3:
        case 4: return click();
        case 5: return drag();
        case 6: return type();
        default: return selectTensor();
        }
    }
    /// What was done last.
    [[nodiscard]] std::string trace() const
    {
        std::string text;
        for (const std::string& step : m_steps)
            text += step + "\n";
        return text;
    }

private:
    int pick(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

    template <typename List>
    auto& oneOf(const List& list)
    {
        return list[static_cast<decltype(list.size())>(pick(static_cast<int>(list.size())))];
    }

    void note(const std::string& step)
    {
        UNSCOPED_INFO("now: " << step);  // of a crash on it
        m_steps.push_back(step);
        if (m_steps.size() > 25)
            m_steps.pop_front();
    }

    void leaveWhatWaits()
    {
        if (QWidget* popup = QApplication::activePopupWidget()) {
            popup->close();
            return;
        }
        QWidget* dialog = QApplication::activeModalWidget();
        if (!dialog)
            return;
        // A few keys first: a dialog has buttons, too.
        if (pick(3) == 0)
            QTest::keyClick(dialog, pick(2) == 0 ? Qt::Key_Tab : Qt::Key_Down);
        else if (auto* asked = qobject_cast<QDialog*>(dialog))
            asked->reject();
        else
            dialog->close();
    }

    void trigger()
    {
        const ActionSpec& spec = oneOf(actionTable());
        if (QString(spec.id) == "file.quit")
            return;
        QAction& action = m_test.window->actions()[spec.id];
        if (!action.isEnabled())
            return;
        note("action " + QString(spec.id).toStdString());
        action.trigger();
    }

    void pressKey()
    {
        static const std::vector<Qt::Key> keys = {
            Qt::Key_Tab,  Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape,   Qt::Key_Space,
            Qt::Key_Left, Qt::Key_Right,   Qt::Key_Up,     Qt::Key_Down,     Qt::Key_Home,
            Qt::Key_End,  Qt::Key_PageUp,  Qt::Key_Plus,   Qt::Key_PageDown, Qt::Key_Minus,
            Qt::Key_A,    Qt::Key_J,       Qt::Key_K,      Qt::Key_L,        Qt::Key_Delete,
            Qt::Key_0,    Qt::Key_1,       Qt::Key_5,      Qt::Key_F5,       Qt::Key_F6};
        static const std::vector<Qt::KeyboardModifier> modifiers = {
            Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier,
            Qt::AltModifier};
        QWidget* target = QApplication::focusWidget();
        const Qt::Key key = oneOf(keys);
        const Qt::KeyboardModifier modifier = oneOf(modifiers);
        note("key " + std::to_string(key) + " with " + std::to_string(modifier));
        QTest::keyClick(target ? target : m_test.window.get(), key, modifier);
    }

    QWidget* someWidget()
    {
        QList<QWidget*> shown;
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->isVisible())
                for (QWidget* widget : window->findChildren<QWidget*>())
                    if (widget->isVisible() && widget->isEnabled() && widget->width() > 1 &&
                        widget->height() > 1)
                        shown.append(widget);
        return shown.isEmpty() ? nullptr : oneOf(shown);
    }

    QPoint somewhereIn(const QWidget& widget)
    {
        return {pick(widget.width()), pick(widget.height())};
    }

    void click()
    {
        QWidget* widget = someWidget();
        if (!widget)
            return;
        const bool isRight = pick(6) == 0;
        const bool isDouble = pick(6) == 0;
        const QPoint at = somewhereIn(*widget);
        note(std::string(isDouble ? "double click " : "click ") + (isRight ? "right " : "") +
             widget->metaObject()->className());
        const Qt::MouseButton button = isRight ? Qt::RightButton : Qt::LeftButton;
        if (isDouble)
            QTest::mouseDClick(widget, button, Qt::NoModifier, at);
        else
            QTest::mouseClick(widget, button, Qt::NoModifier, at);
    }

    void drag()
    {
        const QPointer<QWidget> widget = someWidget();
        if (!widget)
            return;
        note(std::string("drag ") + widget->metaObject()->className());
        QTest::mousePress(widget, Qt::LeftButton, Qt::NoModifier, somewhereIn(*widget));
        for (int move = 0; move < 3 && widget; ++move)
            QTest::mouseMove(widget, somewhereIn(*widget));
        if (widget)
            QTest::mouseRelease(widget, Qt::LeftButton, Qt::NoModifier, somewhereIn(*widget));
    }

    void type()
    {
        static const QStringList texts = {
            "conv", "sqnr<30", "kind:weight (",      "1e308", "-0",
            "\"",   "nan",     "role:activation or", "<b>",   "９ä😀 \u202e",
            ""};
        QWidgetList edits;
        for (auto* edit : m_test.window->findChildren<QLineEdit*>())
            if (edit->isVisible() && edit->isEnabled() && !edit->isReadOnly())
                edits.append(edit);
        if (edits.isEmpty())
            return;
        auto* edit = static_cast<QLineEdit*>(oneOf(edits));
        note("type into " + edit->objectName().toStdString());
        edit->setFocus();
        edit->selectAll();
        const QPointer<QLineEdit> typed = edit;
        const QString text = oneOf(texts);
        if (text.isEmpty())
            QTest::keyClick(edit, Qt::Key_Delete);
        else
            typeAll(typed, text);
        if (typed && pick(2) == 0)
            QTest::keyClick(typed, Qt::Key_Return);
    }

    /// QTest::keyClicks() takes Latin-1 alone.
    static void typeAll(const QPointer<QLineEdit>& edit, const QString& text)
    {
        for (const QChar character : text)
            for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
                QKeyEvent key(type, Qt::Key_unknown, Qt::NoModifier, QString(character));
                if (edit)
                    QApplication::sendEvent(edit, &key);
            }
    }

    void selectTensor()
    {
        Document& document = m_test.document();
        if (document.dumpState() != Document::DumpState::Open || document.tensors().empty())
            return;
        const int tensor = pick(static_cast<int>(document.tensors().size()));
        note("select " + std::to_string(tensor));
        document.select(tensor);
    }

    ShownWindow& m_test;
    std::mt19937 m_random;
    QTimer m_answers;
    std::deque<std::string> m_steps;
};

unsigned numberOf(const char* variable, unsigned fallback)
{
    const char* text = std::getenv(variable);
    return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : fallback;
}

// CALIBSCOPE_MONKEY_ACTIONS=10000 by hand.
TEST_CASE("whatever is pressed, clicked, typed and triggered, the window goes on")
{
    const QTemporaryDir folder;
    const QString dump = folder.filePath("sample.h5");
    REQUIRE(QFile::copy(sampleDumpPath(), dump));
    const auto formerFolder = std::filesystem::current_path();
    std::filesystem::current_path(folder.path().toStdString());

    ShownWindow test;
    test.window->resize(1200, 800);
    test.window->open(dump);
    REQUIRE(test.waitForDump());
    const unsigned actions = numberOf("CALIBSCOPE_MONKEY_ACTIONS", 500);
    Monkey monkey(test, numberOf("CALIBSCOPE_MONKEY_SEED", 15));
    for (unsigned action = 0; action < actions; ++action) {
        INFO("after " << action << " actions:\n" << monkey.trace());
        REQUIRE_NOTHROW(monkey.act());
        QApplication::processEvents(QEventLoop::AllEvents, 5);
        if (!test.window->isVisible())
            test.window->show();
        const bool hasDump = test.document().dumpState() != Document::DumpState::None;
        if (!hasDump && action % 20 == 0)
            test.window->open(dump);
        REQUIRE(test.window->findChild<QDialog*>("internalError") == nullptr);
    }
    INFO(monkey.trace());
    // It still opens a dump and shows a tensor of it.
    test.window->open(dump);
    QTest::qWait(50);
    REQUIRE(test.waitForDump());
    test.document().select(0);
    CHECK(test.waitForView());
    std::filesystem::current_path(formerFolder);
}

}  // namespace monkey_test
