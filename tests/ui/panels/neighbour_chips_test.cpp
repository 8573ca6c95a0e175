// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/neighbour_chips.h"

#include "tests/support/layer_samples.h"

#include <QLabel>
#include <QToolButton>

namespace neighbour_chips_test {

using namespace calibscope;
using namespace calibscope::test;

/// x1 -> y1 -> y2, with the weights w1 and w2.
struct ShownChips : LayeredDocument
{
    ShownChips()
    {
        chips.resize(600, 24);
        chips.show();
    }
    [[nodiscard]] QStringList names() const
    {
        QStringList names;
        for (const QToolButton* chip : chips.shownChips())
            names += chip->accessibleName();
        return names;
    }
    NeighbourChips chips{document};
};

TEST_CASE("neighbours in the graph are chips: what an op takes, then who takes its output")
{
    ShownChips test;
    test.document.select(2);  // y1
    REQUIRE(test.chips.isVisible());
    CHECK(test.names() == QStringList{"x1", "w1", "y2"});
    CHECK_FALSE(test.chips.moreButton().isVisible());
    test.chips.shownChips()[2]->click();
    CHECK(test.document.selected() == 4);
    CHECK(test.names() == QStringList{"y1", "w2"});
    test.document.select(1);  // w1: the output of its op
    CHECK(test.names() == QStringList{"y1"});
    test.document.select(5);  // what y3 is made of is not in the dump
    CHECK_FALSE(test.chips.isVisible());
    test.document.select(-1);
    CHECK_FALSE(test.chips.isVisible());
}

TEST_CASE("what has no room is counted, and each side has the first of it")
{
    ShownChips test;
    test.document.select(2);
    while (!test.chips.moreButton().isVisible() && test.chips.width() > 60)
        test.chips.resize(test.chips.width() - 1, 24);
    CHECK(test.names() == QStringList{"x1", "y2"});
    CHECK(test.chips.moreButton().text() == "+1");
    for (const QToolButton* chip : test.chips.shownChips())
        CHECK(chip->geometry().right() < test.chips.width());
    // A side without a chip has no title, either.
    test.chips.resize(60, 24);
    CHECK(test.names().isEmpty());
    CHECK(test.chips.moreButton().text() == "+3");
    for (const QLabel* title : test.chips.findChildren<QLabel*>())
        CHECK(title->isHidden());
}

TEST_CASE("a dump without a graph has no chips")
{
    TestedDocument test;
    test.openDump();
    NeighbourChips chips(test.document);
    test.document.select(a);
    CHECK(chips.isHidden());
}

}  // namespace neighbour_chips_test
