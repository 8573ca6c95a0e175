// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/layout.h"
#include "tests/support/catch.h"
#include "tests/support/file_bytes.h"

#include <string>

namespace layout_rules_page_test {

using namespace calibscope;

TEST_CASE("the page on dumps has a row for each layout rule, in their order")
{
    const std::string page =
        test::readBytes(std::string(CALIBSCOPE_SOURCE_DIR) + "/resources/docs/dump-format.md");
    std::size_t place = 0;
    for (const LayoutRule& rule : layoutRules()) {
        const std::string guesses(rule.guesses.empty() ? "no" : rule.guesses);
        const std::string row = "| `" + std::string(rule.id) + "` | " + std::string(rule.looksFor) +
                                " | " + std::string(rule.makes) + " | " + guesses + " |\n";
        CAPTURE(row);
        place = page.find(row, place);
        REQUIRE(place != std::string::npos);
    }
}

}  // namespace layout_rules_page_test
