// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/card_choice.h"

#include "tests/support/catch.h"

#include <QSignalSpy>

namespace card_choice_test {

using namespace calibscope;

TEST_CASE("the card under the pointer goes before the open one")
{
    CardChoice cards;
    const QSignalSpy chosen(&cards, &CardChoice::chosenChanged);
    const QSignalSpy shown(&cards, &CardChoice::shownChanged);
    CHECK(cards.shown().empty());
    cards.choose("entropy");
    CHECK(cards.shown() == "entropy");
    cards.hover("mse");
    CHECK(cards.shown() == "mse");
    CHECK(cards.chosen() == "entropy");
    cards.hover({});
    CHECK(cards.shown() == "entropy");
    CHECK(chosen.count() == 1);
    CHECK(shown.count() == 3);
}

TEST_CASE("what is shown already is not news")
{
    CardChoice cards;
    cards.choose("entropy");
    const QSignalSpy chosen(&cards, &CardChoice::chosenChanged);
    const QSignalSpy shown(&cards, &CardChoice::shownChanged);
    cards.choose("entropy");
    cards.hover("entropy");
    cards.hover({});
    CHECK(chosen.count() == 0);
    CHECK(shown.count() == 0);
}

}  // namespace card_choice_test
