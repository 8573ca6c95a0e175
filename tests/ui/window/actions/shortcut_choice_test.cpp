#include "ui/window/actions/shortcut_choice.h"

#include "tests/support/catch.h"

using namespace calibscope;

namespace {

const QKeySequence ctrl0("Ctrl+0");

}  // namespace

TEST_CASE("keys are those of the table until others are chosen")
{
    ShortcutChoice choice;
    CHECK(choice.keys(ActionId::Open) == QList{QKeySequence("Ctrl+O")});
    CHECK(choice.chosen().empty());
    CHECK_FALSE(choice.assign(ActionId::Open, ctrl0));
    CHECK(choice.keys(ActionId::Open) == QList{ctrl0});
    CHECK_FALSE(choice.isStandard(ActionId::Open));
    REQUIRE(choice.chosen().size() == 1);
    CHECK(choice.chosen().at("file.open") == QList{ctrl0});
}

TEST_CASE("a key that another action has is refused, and that one is named")
{
    ShortcutChoice choice;
    CHECK(choice.assign(ActionId::Open, QKeySequence("Ctrl+Q")) == ActionId::Quit);
    CHECK(choice.isStandard(ActionId::Open));
    CHECK(choice.assign(ActionId::Open, QKeySequence("Ctrl+Q, Ctrl+X")) == ActionId::Quit);
}

TEST_CASE("two actions can swap keys, and settings bring that back")
{
    ShortcutChoice choice;
    CHECK_FALSE(choice.assign(ActionId::Open, {}));
    CHECK(choice.keys(ActionId::Open).isEmpty());
    CHECK_FALSE(choice.assign(ActionId::Quit, QKeySequence("Ctrl+O")));
    CHECK_FALSE(choice.assign(ActionId::Open, QKeySequence("Ctrl+Q")));
    const ShortcutChoice again(choice.chosen());
    CHECK(again.keys(ActionId::Open) == QList{QKeySequence("Ctrl+Q")});
    CHECK(again.keys(ActionId::Quit) == QList{QKeySequence("Ctrl+O")});
}

TEST_CASE("the standard key is refused while another action has it")
{
    ShortcutChoice choice;
    (void)choice.assign(ActionId::Open, ctrl0);
    (void)choice.assign(ActionId::Quit, QKeySequence("Ctrl+O"));
    CHECK(choice.assignStandard(ActionId::Open) == ActionId::Quit);
    (void)choice.assignStandard(ActionId::Quit);
    CHECK_FALSE(choice.assignStandard(ActionId::Open));
    CHECK(choice.chosen().empty());
}

TEST_CASE("settings that give a key twice, or to what is no action, are left aside")
{
    const ShortcutChoice choice({{"file.open", {QKeySequence("Ctrl+Q")}}, {"no.such", {ctrl0}}});
    CHECK(choice.isStandard(ActionId::Open));
    CHECK(choice.isStandard(ActionId::Quit));
}
