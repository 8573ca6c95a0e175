// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences_dialog.h"

#include "core/recipes/recipe.h"
#include "tests/support/catch.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>

namespace preferences_dialog_test {

using namespace calibscope;

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

TEST_CASE("preferences show what is set, and each change is told at once")
{
    PreferencesDialog dialog(
        {.theme = Theme::Dark, .reopensLast = true, .shortcuts = ShortcutChoice()}, true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* theme = dialog.findChild<QComboBox*>("theme");
    auto* reopens = dialog.findChild<QCheckBox*>("reopensLast");
    CHECK(theme->currentText() == "dark");
    CHECK(reopens->isChecked());

    QSignalSpy themes(&dialog, &PreferencesDialog::themeChosen);
    theme->setCurrentIndex(1);
    Q_EMIT theme->activated(1);
    REQUIRE(themes.count() == 1);
    CHECK(themes[0][0].value<Theme>() == Theme::Light);
    QSignalSpy reopening(&dialog, &PreferencesDialog::reopensLastChosen);
    reopens->setChecked(false);
    REQUIRE(reopening.count() == 1);
    CHECK_FALSE(reopening[0][0].toBool());
}

TEST_CASE("how numbers, fonts and drags are chosen is told at once, each with all others")
{
    const DisplayChoices before{.fontPoints = 11, .limits = {.poor = 15.0, .good = 25.0}};
    PreferencesDialog dialog({.display = before, .shortcuts = ShortcutChoice()}, true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* size = dialog.findChild<QSpinBox*>("fontPoints");
    auto* poor = dialog.findChild<QDoubleSpinBox*>("poorBelow");
    auto* good = dialog.findChild<QDoubleSpinBox*>("goodFrom");
    auto* digits = dialog.findChild<QSpinBox*>("digits");
    CHECK(size->value() == 11);
    CHECK(poor->value() == 15.0);
    CHECK(good->value() == 25.0);
    CHECK(digits->value() == 4);
    DisplayChoices told;
    QObject::connect(&dialog, &PreferencesDialog::displayChosen,
                     [&](const DisplayChoices& choices) { told = choices; });
    digits->setValue(6);
    CHECK(told.numbers.digits == 6);
    CHECK(told.fontPoints == 11);
    CHECK(told.limits == before.limits);
    poor->setValue(33.0);
    CHECK(told.limits == SqnrLimits{.poor = 33.0, .good = 33.0});
    dialog.findChild<QComboBox*>("drag")->setCurrentIndex(1);
    CHECK(told.drag == PlotDrag::Zoom);
    size->setValue(size->minimum());
    CHECK(told.fontPoints == 0);
}

TEST_CASE("an example shows the numbers as they are written then, and changes nothing else")
{
    PreferencesDialog dialog({.shortcuts = ShortcutChoice()}, true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* sample = dialog.findChild<QLabel*>("sample");
    CHECK(sample->text().contains("2.391"));
    dialog.findChild<QSpinBox*>("digits")->setValue(6);
    CHECK(sample->text().contains("2.39123"));
    auto* powers = dialog.findChild<QComboBox*>("plainPowers");
    powers->setCurrentIndex(powers->findData(3));
    CHECK(sample->text().contains("7.68005×10⁴"));
    CHECK(labelFormat() == LabelFormat{});
}

TEST_CASE("every recipe can be the default one, and the one that was used last")
{
    PreferencesDialog dialog({.defaultRecipe = QString::fromStdString(recipes().at(1).id),
                              .shortcuts = ShortcutChoice()},
                             true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto* choice = dialog.findChild<QComboBox*>("defaultRecipe");
    CHECK(choice->count() == static_cast<int>(recipes().size()) + 1);
    CHECK(choice->currentText() == QString::fromStdString(recipes().at(1).title));
    QSignalSpy told(&dialog, &PreferencesDialog::defaultRecipeChosen);
    choice->setCurrentIndex(0);
    REQUIRE(told.count() == 1);
    CHECK(told[0][0].toString().isEmpty());
}

TEST_CASE("keys that are chosen are told with all others")
{
    PreferencesDialog dialog({.shortcuts = ShortcutChoice()}, true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    std::optional<ShortcutChoice> told;
    QObject::connect(&dialog, &PreferencesDialog::shortcutsChosen,
                     [&](const ShortcutChoice& choice) { told = choice; });
    dialog.findChild<ShortcutEditor*>()->select("view.fit");
    dialog.findChild<QKeySequenceEdit*>()->setKeySequence(QKeySequence("Ctrl+0"));
    REQUIRE(told);
    CHECK(told->keys("view.fit") == QList{QKeySequence("Ctrl+0")});
    CHECK(told->isStandard("file.open"));
}

TEST_CASE("a fresh window says that nothing is remembered")
{
    for (const bool isRemembered : {true, false}) {
        PreferencesDialog dialog({.shortcuts = ShortcutChoice()}, isRemembered, nullptr);
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        bool says = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            says = says || label->text().contains("--fresh");
        CHECK(says != isRemembered);
    }
}

TEST_CASE("a key that is typed becomes the action's")
{
    Editor test;
    const QSignalSpy changes(&test.editor, &ShortcutEditor::choiceChanged);
    CHECK_FALSE(test.key->isEnabled());
    test.editor.select("file.open");
    CHECK(test.key->keySequence() == QKeySequence("Ctrl+O"));
    test.key->setKeySequence(QKeySequence("Ctrl+0"));
    CHECK(test.editor.choice().keys("file.open") == QList{QKeySequence("Ctrl+0")});
    CHECK(changes.count() == 1);
}

TEST_CASE("a key of another action is refused with that action's name")
{
    Editor test;
    const QSignalSpy changes(&test.editor, &ShortcutEditor::choiceChanged);
    test.editor.select("file.open");
    test.key->setKeySequence(QKeySequence("Ctrl+Q"));
    CHECK(test.says("is already assigned to \"Quit\""));
    CHECK(test.key->keySequence() == QKeySequence("Ctrl+O"));
    CHECK(changes.count() == 0);
}

TEST_CASE("an action can go without a key and get its first one back")
{
    Editor test;
    test.editor.select("file.open");
    test.press("None");
    CHECK(test.editor.choice().keys("file.open").isEmpty());
    test.press("Default");
    CHECK(test.editor.choice().isStandard("file.open"));
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

}  // namespace preferences_dialog_test
