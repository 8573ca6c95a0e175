// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/card_choice.h"

#include "tests/support/catch.h"

#include <QSignalSpy>

namespace card_choice_test {

using namespace calibscope;

TEST_CASE("a card is closed when the document moves on, but for the one that was accepted")
{
    CardChoice cards;
    const QSignalSpy chosen(&cards, &CardChoice::chosenChanged);
    cards.choose("entropy");
    cards.moveOn("entropy");
    CHECK(cards.chosen() == "entropy");
    cards.moveOn("mse");
    CHECK(cards.chosen().empty());
    cards.choose("entropy");
    cards.moveOn();
    CHECK(cards.chosen().empty());
    CHECK(chosen.count() == 2);
}

TEST_CASE("the pointer is on no card after the document moved on")
{
    CardChoice cards;
    const QSignalSpy hovered(&cards, &CardChoice::hoveredChanged);
    cards.hover("mse");
    cards.hover("mse");
    CHECK(cards.hovered() == "mse");
    CHECK(hovered.count() == 1);
    cards.moveOn();
    CHECK(cards.hovered().empty());
    cards.hover("mse");
    CHECK(hovered.count() == 2);
}

}  // namespace card_choice_test
