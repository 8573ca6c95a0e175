// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/summary_card.h"

#include "tests/support/catch.h"

namespace summary_card_test {

using namespace calibscope;

TEST_CASE("a card without lines hides, one with too many says how many more there are")
{
    QWidget window;
    SummaryCard card("Types", &window);
    CHECK(card.isHidden());
    card.setRows({{.name = "float32", .value = "3 tensors", .share = 0.5}});
    CHECK_FALSE(card.isHidden());
    CHECK(card.textSummary() == "Types\nfloat32 3 tensors");
    card.setRows(std::vector<CardRow>(10, {.name = "a", .value = "b"}), 4);
    CHECK(card.textSummary() == "Types\na b\na b\na b\nand 7 more");
    card.setRows(std::vector<CardRow>(4, {.name = "a", .value = "b"}), 4);
    CHECK_FALSE(card.textSummary().contains("more"));
    card.setRows({});
    CHECK(card.isHidden());
}

}  // namespace summary_card_test
