// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/add_menu.h"

#include "core/calibrators/calibrator.h"
#include "tests/support/catch.h"

#include <QSignalSpy>

#include <map>
#include <set>

namespace add_menu_test {

using namespace calibscope;

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
    const AddMenu menu;
    std::map<QString, qsizetype> shown;
    for (const QAction* action : menu.actions())
        if (action->menu())
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
    menu.setRole(Role::Weight);
    Granularity granularity = Granularity::Tensor;
    QObject::connect(&menu, &AddMenu::chosen,
                     [&](const Choice& choice) { granularity = choice.granularity; });
    entriesOf(menu).front()->trigger();
    CHECK(granularity == Granularity::Channel);
}

}  // namespace add_menu_test
