// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cache_folder.h"
#include "core/recipes/recipe.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/widgets/parts_label.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_controller.h"
#include "ui/window/preferences_dialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace preferences_controller_test {

using namespace calibscope;
using calibscope::test::TemporaryFolder;
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
    CHECK(QTest::qWaitFor([&] { return texts() == before; }, patienceMs));
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
