#include "ui/window/preferences.h"

#include "tests/support/catch.h"

#include <QCoreApplication>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

using namespace calibscope;
using Keeping = Preferences::Keeping;

namespace {

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

}  // namespace

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
        CHECK(preferences.keepsResults());
        preferences.setKeepsResults(false);
        preferences.setShortcuts(
            {{"view.fit", {QKeySequence("Ctrl+0"), QKeySequence("Ctrl+;")}}, {"file.open", {}}});
        preferences.setWindow("geometry", "state");
    }
    const Preferences preferences(Keeping::Remember);
    CHECK(preferences.recentFiles() == QStringList{"/a.h5"});
    CHECK(preferences.theme() == Theme::Dark);
    CHECK(preferences.recipe() == "moffett-cnn");
    CHECK(preferences.workspace() == "channels");
    CHECK(preferences.reopensLast());
    CHECK_FALSE(preferences.keepsResults());
    REQUIRE(preferences.shortcuts().size() == 2);
    CHECK(preferences.shortcuts().at("view.fit") ==
          QList{QKeySequence("Ctrl+0"), QKeySequence("Ctrl+;")});
    CHECK(preferences.shortcuts().at("file.open").isEmpty());
    CHECK(preferences.windowGeometry() == "geometry");
    CHECK(preferences.windowState() == "state");
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
