// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/dump_choice.h"

#include "tests/support/catch.h"

#include <QComboBox>
#include <QSignalSpy>

namespace dump_choice_test {

using namespace calibscope;

TEST_CASE("one dump needs no choice, of two the shown one is named")
{
    DumpChoice choice;
    choice.setDumps({"/x/a.h5"}, 0);
    CHECK(choice.isHidden());
    choice.setDumps({"/x/a.h5", "/x/b.h5"}, 1);
    CHECK_FALSE(choice.isHidden());
    CHECK(choice.findChild<QComboBox*>()->currentText() == "b.h5");
    CHECK(choice.findChild<QComboBox*>()->toolTip() == "/x/b.h5");
}

TEST_CASE("dumps of the same name are told by their folders")
{
    DumpChoice choice;
    choice.setDumps({"/fp32/acts.h5", "/int8/acts.h5", "/int8/other.h5"}, 0);
    const auto* box = choice.findChild<QComboBox*>();
    CHECK(box->itemText(0) == "fp32/acts.h5");
    CHECK(box->itemText(1) == "int8/acts.h5");
    CHECK(box->itemText(2) == "other.h5");
}

TEST_CASE("a choice by the user is told, one by the program is not")
{
    DumpChoice choice;
    const QSignalSpy chosen(&choice, &DumpChoice::chosen);
    choice.setDumps({"/x/a.h5", "/x/b.h5"}, 1);
    CHECK(chosen.count() == 0);
    Q_EMIT choice.findChild<QComboBox*>()->activated(0);
    REQUIRE(chosen.count() == 1);
    CHECK(chosen.front().front().toInt() == 0);
}

}  // namespace dump_choice_test
