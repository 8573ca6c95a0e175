// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shortcut_choice.h"

#include "tests/support/catch.h"

namespace shortcut_choice_test {

using namespace calibscope;

const QKeySequence ctrl0("Ctrl+0");

TEST_CASE("keys are those of the table until others are chosen")
{
    ShortcutChoice choice;
    CHECK(choice.keys("file.open") == QList{QKeySequence("Ctrl+O")});
    CHECK(choice.chosen().empty());
    CHECK_FALSE(choice.assign("file.open", ctrl0));
    CHECK(choice.keys("file.open") == QList{ctrl0});
    CHECK_FALSE(choice.isStandard("file.open"));
    REQUIRE(choice.chosen().size() == 1);
    CHECK(choice.chosen().at("file.open") == QList{ctrl0});
}

TEST_CASE("a key that another action has is refused, and that one is named")
{
    ShortcutChoice choice;
    CHECK(choice.assign("file.open", QKeySequence("Ctrl+Q")) == "file.quit");
    CHECK(choice.isStandard("file.open"));
    CHECK(choice.assign("file.open", QKeySequence("Ctrl+Q, Ctrl+X")) == "file.quit");
}

TEST_CASE("two actions can swap keys, and settings bring that back")
{
    ShortcutChoice choice;
    CHECK_FALSE(choice.assign("file.open", {}));
    CHECK(choice.keys("file.open").isEmpty());
    CHECK_FALSE(choice.assign("file.quit", QKeySequence("Ctrl+O")));
    CHECK_FALSE(choice.assign("file.open", QKeySequence("Ctrl+Q")));
    const ShortcutChoice again(choice.chosen());
    CHECK(again.keys("file.open") == QList{QKeySequence("Ctrl+Q")});
    CHECK(again.keys("file.quit") == QList{QKeySequence("Ctrl+O")});
}

TEST_CASE("the standard key is refused while another action has it")
{
    ShortcutChoice choice;
    (void)choice.assign("file.open", ctrl0);
    (void)choice.assign("file.quit", QKeySequence("Ctrl+O"));
    CHECK(choice.assignStandard("file.open") == "file.quit");
    (void)choice.assignStandard("file.quit");
    CHECK_FALSE(choice.assignStandard("file.open"));
    CHECK(choice.chosen().empty());
}

TEST_CASE("settings that give a key twice, or to what is not an action, are left aside")
{
    const ShortcutChoice choice({{"file.open", {QKeySequence("Ctrl+Q")}}, {"no.such", {ctrl0}}});
    CHECK(choice.isStandard("file.open"));
    CHECK(choice.isStandard("file.quit"));
}

}  // namespace shortcut_choice_test
