// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences.h"

#include "tests/support/catch.h"

#include <QCoreApplication>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

namespace preferences_test {

using namespace calibscope;
using Keeping = Preferences::Keeping;

/// Settings in a folder of the test's own.
struct OwnSettings
{
    OwnSettings() { QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path()); }

    QString file() const
    {
        return folder.filePath(QCoreApplication::organizationName() + "/" +
                               QCoreApplication::applicationName() + ".ini");
    }

    QTemporaryDir folder;
};

TEST_CASE("what was remembered is there at the next start")
{
    const OwnSettings settings;
    {
        Preferences preferences(Keeping::Remember);
        preferences.addRecentFile("/a.h5");
        preferences.setTheme(Theme::Dark);
        preferences.setRecipe("moffett-cnn");
        preferences.setWorkspace("channels");
        preferences.setReopensLast(true);
        preferences.setDefaultRecipe("tensorrt-7");
        preferences.setDisplay({.fontPoints = 13,
                                .limits = {.poor = 12.5, .good = 41.0},
                                .numbers = {.digits = 7, .plainPowers = 9},
                                .drag = PlotDrag::Zoom});
        CHECK(preferences.keepsResults());
        preferences.setKeepsResults(false);
        preferences.setShortcuts(
            {{"view.fit", {QKeySequence("Ctrl+0"), QKeySequence("Ctrl+;")}}, {"file.open", {}}});
        preferences.setWindow("geometry", "state");
        preferences.setRunner("python3 runner.py");
    }
    const Preferences preferences(Keeping::Remember);
    CHECK(preferences.recentFiles() == QStringList{"/a.h5"});
    CHECK(preferences.theme() == Theme::Dark);
    CHECK(preferences.recipe() == "moffett-cnn");
    CHECK(preferences.workspace() == "channels");
    CHECK(preferences.reopensLast());
    CHECK(preferences.defaultRecipe() == "tensorrt-7");
    CHECK(preferences.recipeAtStart() == "tensorrt-7");
    CHECK(preferences.display() == DisplayChoices{.fontPoints = 13,
                                                  .limits = {.poor = 12.5, .good = 41.0},
                                                  .numbers = {.digits = 7, .plainPowers = 9},
                                                  .drag = PlotDrag::Zoom});
    CHECK_FALSE(preferences.keepsResults());
    REQUIRE(preferences.shortcuts().size() == 2);
    CHECK(preferences.shortcuts().at("view.fit") ==
          QList{QKeySequence("Ctrl+0"), QKeySequence("Ctrl+;")});
    CHECK(preferences.shortcuts().at("file.open").isEmpty());
    CHECK(preferences.windowGeometry() == "geometry");
    CHECK(preferences.windowState() == "state");
    CHECK(preferences.runner() == "python3 runner.py");
}

TEST_CASE("without a default recipe a start begins with the one that was used last")
{
    const OwnSettings settings;
    Preferences preferences(Keeping::Remember);
    CHECK(preferences.recipeAtStart().isEmpty());
    preferences.setRecipe("moffett-cnn");
    CHECK(preferences.recipeAtStart() == "moffett-cnn");
}

TEST_CASE("numbers in the file that make no sense are as if they were not there")
{
    const OwnSettings settings;
    {
        (void)Preferences(Keeping::Remember);
        QSettings file(settings.file(), QSettings::IniFormat);
        file.setValue("display/font-points", 900);
        file.setValue("display/sqnr-poor", "nan");
        file.setValue("display/sqnr-good", -3);
        file.setValue("display/digits", "four");
        file.setValue("display/plain-powers", 1e9);
        file.setValue("display/drag-zooms", "perhaps");
    }
    const DisplayChoices read = Preferences(Keeping::Remember).display();
    CHECK(read.fontPoints == 0);
    CHECK(read.limits == SqnrLimits{});
    CHECK(read.numbers == LabelFormat{});
}

TEST_CASE("limits in the wrong order in the file are put in order")
{
    const OwnSettings settings;
    Preferences(Keeping::Remember).setDisplay({.limits = {.poor = 40.0, .good = 10.0}});
    const SqnrLimits read = Preferences(Keeping::Remember).display().limits;
    CHECK(read == SqnrLimits{.poor = 40.0, .good = 40.0});
}

TEST_CASE("a fresh start neither reads nor writes")
{
    const OwnSettings settings;
    {
        Preferences(Keeping::Remember).addRecentFile("/a.h5");
    }
    {
        Preferences fresh(Keeping::Forget);
        CHECK(fresh.recentFiles().isEmpty());
        fresh.addRecentFile("/b.h5");
        CHECK(fresh.recentFiles() == QStringList{"/b.h5"});
        fresh.setWindow("geometry", "state");
        CHECK(fresh.windowGeometry().isEmpty());
    }
    CHECK(Preferences(Keeping::Remember).recentFiles() == QStringList{"/a.h5"});
}

TEST_CASE("a fresh start leaves no file")
{
    const OwnSettings settings;
    {
        Preferences(Keeping::Forget).setTheme(Theme::Dark);
    }
    CHECK_FALSE(QFile::exists(settings.file()));
}

TEST_CASE("keys that were given back are forgotten")
{
    const OwnSettings settings;
    Preferences(Keeping::Remember).setShortcuts({{"view.fit", {QKeySequence("Ctrl+0")}}});
    Preferences(Keeping::Remember).setShortcuts({});
    CHECK(Preferences(Keeping::Remember).shortcuts().empty());
}

TEST_CASE("the newest of recent files is first, once, and there are twelve at most")
{
    Preferences preferences(Keeping::Forget);
    for (int number = 0; number < 14; ++number)
        preferences.addRecentFile(QString::number(number));
    preferences.addRecentFile("5");
    CHECK(preferences.recentFiles().size() == Preferences::recentFileLimit);
    CHECK(preferences.recentFiles().first() == "5");
    CHECK(preferences.recentFiles().count("5") == 1);
    preferences.clearRecentFiles();
    CHECK(preferences.recentFiles().isEmpty());
}

TEST_CASE("settings of another version, and words that are not known, are left aside")
{
    const OwnSettings settings;
    {
        QSettings file(settings.file(), QSettings::IniFormat);
        file.setValue("version", 99);
        file.setValue("recent", QStringList{"/a.h5"});
    }
    CHECK(Preferences(Keeping::Remember).recentFiles().isEmpty());
    {
        QSettings file(settings.file(), QSettings::IniFormat);
        file.setValue("theme", "purple");
    }
    CHECK(Preferences(Keeping::Remember).theme() == Theme::System);
}

}  // namespace preferences_test
