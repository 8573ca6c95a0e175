// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/element_type.h"

#include "tests/support/catch.h"

#include <string>

namespace element_type_test {

using namespace calibscope;

TEST_CASE("every kind of element is found by its name, and no two share one")
{
    REQUIRE(elementKinds().size() == 18);
    for (const ElementType::Kind kind : elementKinds())
        CHECK(elementKind(ElementType{.kind = kind}.text()) == kind);
    CHECK_FALSE(elementKind("float"));
    CHECK_FALSE(elementKind(""));
    CHECK_FALSE(elementKind("bool"));
}

TEST_CASE("an element's name ends with its bits, or begins with them for 8-bit floats")
{
    for (const ElementType::Kind kind : elementKinds()) {
        const ElementType type{.kind = kind};
        const std::string text(type.text());
        const std::string bits = std::to_string(8 * type.bytes());
        CHECK((text.ends_with("t" + bits) || text.starts_with("float" + bits + "_")));
        CHECK(type.isInteger() == (text.find("int") != std::string::npos));
    }
}

TEST_CASE("a loss is told for float64 and the whole numbers that float32 does not hold")
{
    for (const ElementType::Kind kind : elementKinds()) {
        const ElementType type{.kind = kind};
        const bool isLossy =
            kind == ElementType::Kind::Float64 || (type.isInteger() && type.bytes() > 2);
        CHECK(type.loss().empty() != isLossy);
    }
    CHECK(ElementType{.kind = ElementType::Kind::Int64}.loss() ==
          "whole numbers beyond 16777216 are rounded to the nearest float32");
}

}  // namespace element_type_test
