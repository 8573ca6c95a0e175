#include "ui/window/preferences_dialog.h"

#include "tests/support/catch.h"
#include "ui/window/shortcut_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QSignalSpy>

using namespace calibscope;

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

TEST_CASE("keys that are chosen are told with all others")
{
    PreferencesDialog dialog({.shortcuts = ShortcutChoice()}, true, nullptr);
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    std::optional<ShortcutChoice> told;
    QObject::connect(&dialog, &PreferencesDialog::shortcutsChosen,
                     [&](const ShortcutChoice& choice) { told = choice; });
    dialog.findChild<ShortcutEditor*>()->select(ActionId::Fit);
    dialog.findChild<QKeySequenceEdit*>()->setKeySequence(QKeySequence("Ctrl+0"));
    REQUIRE(told);
    CHECK(told->keys(ActionId::Fit) == QList{QKeySequence("Ctrl+0")});
    CHECK(told->isStandard(ActionId::Open));
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
