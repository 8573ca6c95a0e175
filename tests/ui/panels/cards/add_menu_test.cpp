// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/add_menu.h"

#include "core/base/digest.h"
#include "core/base/hex.h"
#include "core/calibrators/calibrator.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <QApplication>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTimer>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace add_menu_test {

using namespace calibscope;
using calibscope::test::containsText;

std::vector<QAction*> entriesOf(const QMenu& menu)
{
    std::vector<QAction*> entries;
    for (QAction* action : menu.actions())
        if (action->menu())
            for (QAction* inner : entriesOf(*action->menu()))
                entries.push_back(inner);
        else if (!action->isSeparator())
            entries.push_back(action);
    return entries;
}

TEST_CASE("the menu has an entry for every calibrator and every preset, each with its own choice")
{
    AddMenu menu;
    Q_EMIT menu.aboutToShow();
    std::set<std::string> presetsChosen;
    std::set<std::string> calibratorsChosen;
    QObject::connect(&menu, &AddMenu::chosen, [&](const Choice& choice) {
        (choice.preset.empty() ? calibratorsChosen : presetsChosen)
            .insert(choice.preset.empty() ? choice.calibrator : choice.preset);
    });
    for (QAction* entry : entriesOf(menu))
        entry->trigger();
    CHECK(presetsChosen.size() == presets().size());
    CHECK(calibratorsChosen.size() == calibrators().size());
}

TEST_CASE("presets are grouped by the tool that they name, each tool in one menu")
{
    AddMenu menu;
    Q_EMIT menu.aboutToShow();
    std::map<QString, qsizetype> shown;
    for (const QAction* action : menu.actions())
        if (action->menu() && action->menu()->objectName() != "programs")
            CHECK(shown.emplace(action->text(), action->menu()->actions().size()).second);
    std::map<QString, qsizetype> expected;
    for (const Preset& preset : presets()) {
        CHECK_FALSE(preset.tool.empty());
        ++expected[QString::fromStdString(preset.tool)];
    }
    CHECK((shown == expected));
}

TEST_CASE("weights get a scale for each channel where nothing else is said")
{
    AddMenu menu;
    Q_EMIT menu.aboutToShow();
    menu.setRole(Role::Weight);
    Granularity granularity = Granularity::Tensor;
    QObject::connect(&menu, &AddMenu::chosen,
                     [&](const Choice& choice) { granularity = choice.granularity; });
    entriesOf(menu).front()->trigger();
    CHECK(granularity == Granularity::Channel);
}

/// A user whose folder of programs is empty.
struct User
{
    User() { qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(folder.path().string())); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;
    ~User() { qunsetenv("XDG_CONFIG_HOME"); }
    [[nodiscard]] std::string program(const std::string& name, const std::string& text) const
    {
        test::writeBytes(folder.file(name), text);
        return folder.file(name);
    }
    test::TemporaryFolder folder;
};

QStringList listedPrograms(AddMenu& menu)
{
    auto* programs = menu.findChild<QMenu*>("programs");
    Q_EMIT programs->aboutToShow();
    QStringList names;
    for (const QAction* action : programs->actions())
        if (!action->isSeparator())
            names += action->text();
    return names;
}

TEST_CASE("a program that is added is listed from then on, and chosen with its content")
{
    const User user;
    const std::string text = "# calibscope: input=values\n";
    const std::string path = user.program("mine.py", text);
    AddMenu menu;
    Q_EMIT menu.aboutToShow();
    std::vector<Choice> chosen;
    QObject::connect(&menu, &AddMenu::chosen,
                     [&](const Choice& choice) { chosen.push_back(choice); });
    CHECK(listedPrograms(menu) == QStringList{"Add a program..."});
    menu.takeProgram(QString::fromStdString(path));
    CHECK(listedPrograms(menu) == QStringList{"mine.py", "Add a program..."});
    menu.findChild<QMenu*>("programs")->actions().front()->trigger();
    REQUIRE(chosen.size() == 2);
    CHECK(chosen[0].isSameComputation(chosen[1]));
    CHECK(chosen[0].calibrator == "program");
    CHECK(chosen[0].settings.text("file") == "mine.py");
    CHECK(chosen[0].settings.text("sha256") == hexText(sha256(text)));
    CHECK(chosen[0].settings.text("input") == "values");

    // What the link leads to has changed: another candidate.
    static_cast<void>(user.program("mine.py", "# another rule\n"));
    menu.takeProgram(QString::fromStdString(path));
    REQUIRE(chosen.size() == 3);
    CHECK_FALSE(chosen[0].isSameComputation(chosen[2]));
}

TEST_CASE(
    "another program of the same name, and names that no choice has, are refused with a message")
{
    const User user;
    const test::TemporaryFolder elsewhere;
    AddMenu menu;
    Q_EMIT menu.aboutToShow();
    menu.takeProgram(QString::fromStdString(user.program("mine.py", "")));
    const QSignalSpy spy(&menu, &AddMenu::chosen);
    const auto messageOf = [&](const std::string& name) {
        test::writeBytes(elsewhere.file(name), "");
        QString message;
        QTimer::singleShot(0, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            REQUIRE(box != nullptr);
            message = box->text();
            box->accept();
        });
        menu.takeProgram(QString::fromStdString(elsewhere.file(name)));
        return message.toStdString();
    };
    CHECK_THAT(messageOf("mine.py"), containsText("calibscope/programs/mine.py: File exists"));
    CHECK_THAT(messageOf("a;b.py"), containsText("a;b.py: the name of a program"));
    CHECK_THAT(messageOf(".mine.py"), containsText(".mine.py: the name of a program"));
    CHECK(spy.isEmpty());
    CHECK(listedPrograms(menu) == QStringList{"mine.py", "Add a program..."});
}

}  // namespace add_menu_test
