// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/join.h"

#include "tests/support/catch.h"

#include <vector>

namespace join_test {

using namespace calibscope;

TEST_CASE("texts are joined with a separator between them")
{
    CHECK(joinedText(std::vector<std::string>{}).empty());
    CHECK(joinedText(std::vector<std::string>{"a"}) == "a");
    CHECK(joinedText(std::vector<std::string>{"a", "b"}, "; ") == "a; b");
    CHECK(joinedText(std::vector<int>{1, 2}, " ",
                     [](int number) { return std::to_string(number); }) == "1 2");
}

}  // namespace join_test
