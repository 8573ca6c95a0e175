// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences_controller.h"

#include "core/base/cache_folder.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/widgets/parts_label.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <numeric>

namespace preferences_controller_test {

using namespace calibscope;
using calibscope::test::TemporaryFolder;

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

namespace fs = std::filesystem;

constexpr int patienceMs = 60000;

/// The sample, an hour old, in a folder with a cache beside it.
struct OldSample
{
    OldSample()
    {
        fs::copy_file(CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5", path);
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }

    [[nodiscard]] MainWindowOptions options() const
    {
        return {.keeping = Preferences::Keeping::Forget,
                .cacheFolder = QString::fromStdString(cache.string())};
    }

    /// Opens it with its first tensor, and waits for all numbers.
    void show(MainWindow& window) const
    {
        window.show();
        window.open(QString::fromStdString(path));
        REQUIRE(QTest::qWaitFor(
            [&] { return window.document().dumpState() == Document::DumpState::Open; },
            patienceMs));
        window.document().select(0);
        REQUIRE(QTest::qWaitFor(
            [&] { return window.document().isIdle() && window.document().previews().left() == 0; },
            patienceMs));
    }

    TemporaryFolder home;
    std::string path = home.file("sample.h5");
    fs::path cache = home.path() / "cache";
};

TEST_CASE("a dump that is opened again shows the same numbers, all of them kept")
{
    const OldSample sample;
    std::vector<OutcomeRow> first;
    {
        MainWindow window(sample.options());
        sample.show(window);
        first = window.document().questions().rows();
    }
    const std::size_t kept = cacheFiles(sample.cache).size();
    CHECK(kept > 30);
    MainWindow window(sample.options());
    sample.show(window);
    CHECK(cacheFiles(sample.cache).size() == kept);
    const std::vector<OutcomeRow> again = window.document().questions().rows();
    REQUIRE(again.size() == first.size());
    for (std::size_t row = 0; row < first.size(); ++row) {
        REQUIRE(again[row].outcome);
        CHECK(again[row].outcome->whole.metrics == first[row].outcome->whole.metrics);
        CHECK(again[row].outcome->whole.quantizer.scale ==
              first[row].outcome->whole.quantizer.scale);
    }
}

TEST_CASE("keeping results is switched off in the preferences, and what is kept is cleared there")
{
    const OldSample sample;
    MainWindow window(sample.options());
    sample.show(window);
    REQUIRE_FALSE(cacheFiles(sample.cache).empty());
    window.actions()["edit.preferences"].trigger();
    auto* dialog = window.findChild<PreferencesDialog*>();
    REQUIRE(dialog);
    auto* keeps = dialog->findChild<QCheckBox*>("keepsResults");
    auto* clear = dialog->findChild<QPushButton*>("clearCache");
    CHECK(keeps->isChecked());
    REQUIRE(clear->isEnabled());
    keeps->setChecked(false);
    clear->click();
    CHECK(cacheFiles(sample.cache).empty());
    CHECK_FALSE(clear->isEnabled());
    window.document().select(1);
    REQUIRE(QTest::qWaitFor([&] { return window.document().isIdle(); }, patienceMs));
    CHECK(cacheFiles(sample.cache).empty());
}

TEST_CASE("what is shown follows digits, limits, font and drag at once")
{
    const OldSample sample;
    MainWindow window(sample.options());
    sample.show(window);
    const auto texts = [&window] {
        QStringList all;
        for (const ElidedLabel* label : window.findChildren<ElidedLabel*>())
            if (label->isVisible())
                all += label->text();
        for (const PartsLabel* label : window.findChildren<PartsLabel*>())
            for (const PartsLabel::Part& part : label->parts())
                all += part.text;
        return all;
    };
    const QStringList before = texts();
    const double points = QApplication::font().pointSizeF();
    PreferencesController& preferences = window.preferences();
    preferences.chooseDisplay({.numbers = {.digits = 7}});
    CHECK(QTest::qWaitFor([&] { return texts() != before; }, patienceMs));
    preferences.chooseDisplay({.limits = {.poor = 50.0, .good = 60.0}});
    CHECK(sqnrGrade(45.0) == SqnrGrade::Poor);
    // Digits are as before; of what is below the limit now the diagnosis speaks otherwise.
    const auto others = [&] {
        const QStringList now = texts();
        return now.size() == before.size()
                   ? std::inner_product(now.begin(), now.end(), before.begin(), 0, std::plus(),
                                        std::not_equal_to())
                   : -1;
    };
    CHECK(QTest::qWaitFor([&] { return others() == 1; }, patienceMs));
    preferences.chooseDisplay({.fontPoints = 14});
    CHECK(QApplication::font().pointSizeF() == 14.0);
    preferences.chooseDisplay({.drag = PlotDrag::Zoom});
    CHECK(QApplication::font().pointSizeF() == points);
    CHECK(plotDrag() == PlotDrag::Zoom);
    preferences.chooseDisplay({});
    CHECK(QTest::qWaitFor([&] { return texts() == before; }, patienceMs));
    CHECK(plotDrag() == PlotDrag::Move);
}

TEST_CASE("headings stay larger than the text when that grows")
{
    const OldSample sample;
    MainWindow window(sample.options());
    sample.show(window);
    const auto largest = [&window] {
        double points = 0.0;
        for (const ElidedLabel* label : window.findChildren<ElidedLabel*>())
            if (label->isVisible())
                points = std::max(points, label->font().pointSizeF());
        return points / QApplication::font().pointSizeF();
    };
    const double factor = largest();
    REQUIRE(factor > 1.2);
    window.preferences().chooseDisplay({.fontPoints = 18});
    CHECK(largest() == test::Approx(factor).epsilon(1e-6));
    window.preferences().chooseDisplay({});
    CHECK(largest() == test::Approx(factor).epsilon(1e-6));
}

TEST_CASE("a default recipe is chosen at once, and at the next start")
{
    const OldSample sample;
    MainWindow window(sample.options());
    sample.show(window);
    const QString other = QString::fromStdString(recipes().back().id);
    REQUIRE(window.document().chosenRecipe().id != recipes().back().id);
    window.preferences().chooseDefaultRecipe(other);
    CHECK(window.document().chosenRecipe().id == recipes().back().id);
    CHECK(window.preferences().stored().recipeAtStart() == other);
}

TEST_CASE("a window without a cache folder offers no keeping")
{
    const PreferencesDialog dialog({.shortcuts = ShortcutChoice()}, true, nullptr);
    CHECK_FALSE(dialog.findChild<QCheckBox*>("keepsResults")->isEnabled());
    CHECK_FALSE(dialog.findChild<QCheckBox*>("keepsResults")->isChecked());
    CHECK_FALSE(dialog.findChild<QPushButton*>("clearCache")->isEnabled());
}

}  // namespace preferences_controller_test
