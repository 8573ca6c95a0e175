#include "ui/window/actions/plain_keys.h"

#include "tests/support/catch.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTextEdit>
#include <QTreeView>

using namespace calibscope;

namespace {

QKeyEvent letter(QChar typed, Qt::KeyboardModifiers modifiers = {})
{
    return {QEvent::ShortcutOverride, typed.toUpper().unicode(), modifiers, typed};
}

const QKeyEvent space{QEvent::ShortcutOverride, Qt::Key_Space, {}, QStringLiteral(" ")};

}  // namespace

TEST_CASE("letters belong to fields in which they are typed")
{
    CHECK(takesPlainKey(QLineEdit(), letter('l')));
    CHECK(takesPlainKey(QSpinBox(), letter('5')));
    CHECK(takesPlainKey(QComboBox(), letter('l')));
    CHECK(takesPlainKey(QTextEdit(), letter('l')));
}

TEST_CASE("letters belong to the window where nothing is typed")
{
    CHECK_FALSE(takesPlainKey(QWidget(), letter('l')));
    CHECK_FALSE(takesPlainKey(QTreeView(), letter('l')));
    CHECK_FALSE(takesPlainKey(QCheckBox(), letter('l')));
    QTextEdit shownText;
    shownText.setReadOnly(true);
    CHECK_FALSE(takesPlainKey(shownText, letter('l')));
}

TEST_CASE("Ctrl and Alt are never a field's")
{
    CHECK_FALSE(takesPlainKey(QLineEdit(), letter('k', Qt::ControlModifier)));
    CHECK_FALSE(takesPlainKey(QLineEdit(), letter('k', Qt::AltModifier)));
}

TEST_CASE("the space bar presses buttons and ticks rows of tables, but not rows of the list")
{
    CHECK(takesPlainKey(QCheckBox(), space));
    CHECK(takesPlainKey(QTableView(), space));
    QTreeView list;
    list.setObjectName("tensorTree");
    CHECK_FALSE(takesPlainKey(list, space));
}

TEST_CASE("Home and Backspace edit a field, Esc leaves it")
{
    const QKeyEvent home{QEvent::ShortcutOverride, Qt::Key_Home, {}};
    const QKeyEvent escape{QEvent::ShortcutOverride, Qt::Key_Escape, {}, QStringLiteral("\x1b")};
    CHECK(takesPlainKey(QLineEdit(), home));
    CHECK_FALSE(takesPlainKey(QTreeView(), home));
    CHECK_FALSE(takesPlainKey(QLineEdit(), escape));
}
