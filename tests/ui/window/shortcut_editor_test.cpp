#include "ui/window/shortcut_editor.h"

#include "tests/support/catch.h"

#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace calibscope;

namespace {

struct Editor
{
    bool says(const QString& part) const
    {
        for (const QLabel* label : editor.findChildren<QLabel*>())
            if (label->text().contains(part))
                return true;
        return false;
    }
    void press(const QString& text)
    {
        for (QPushButton* button : editor.findChildren<QPushButton*>())
            if (button->text().remove('&') == text)
                button->click();
    }

    ShortcutEditor editor{ShortcutChoice()};
    QKeySequenceEdit* key = editor.findChild<QKeySequenceEdit*>();
};

}  // namespace

TEST_CASE("a key that is typed becomes the action's")
{
    Editor test;
    const QSignalSpy changes(&test.editor, &ShortcutEditor::choiceChanged);
    CHECK_FALSE(test.key->isEnabled());
    test.editor.select(ActionId::Open);
    CHECK(test.key->keySequence() == QKeySequence("Ctrl+O"));
    test.key->setKeySequence(QKeySequence("Ctrl+0"));
    CHECK(test.editor.choice().keys(ActionId::Open) == QList{QKeySequence("Ctrl+0")});
    CHECK(changes.count() == 1);
}

TEST_CASE("a key of another action is refused with that action's name")
{
    Editor test;
    const QSignalSpy changes(&test.editor, &ShortcutEditor::choiceChanged);
    test.editor.select(ActionId::Open);
    test.key->setKeySequence(QKeySequence("Ctrl+Q"));
    CHECK(test.says("is already assigned to \"Quit\""));
    CHECK(test.key->keySequence() == QKeySequence("Ctrl+O"));
    CHECK(changes.count() == 0);
}

TEST_CASE("an action can go without a key and get its first one back")
{
    Editor test;
    test.editor.select(ActionId::Open);
    test.press("None");
    CHECK(test.editor.choice().keys(ActionId::Open).isEmpty());
    test.press("Default");
    CHECK(test.editor.choice().isStandard(ActionId::Open));
}

TEST_CASE("the filter finds actions by text and by key")
{
    Editor test;
    auto* filter = test.editor.findChild<QLineEdit*>();
    auto* list = test.editor.findChild<QTreeWidget*>();
    const auto shownRows = [&] {
        int rows = 0;
        for (QTreeWidgetItemIterator item(list, QTreeWidgetItemIterator::NotHidden); *item; ++item)
            rows += (*item)->parent() != nullptr;
        return rows;
    };
    filter->setText("ctrl+q");
    CHECK(shownRows() == 1);
    filter->setText("quit");
    CHECK(shownRows() == 1);
    filter->clear();
    CHECK(shownRows() == static_cast<int>(actionTable().size()));
}
