// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/results/layer_results.h"

#include "tests/support/catch.h"

namespace layer_results_test {

using namespace calibscope;

TEST_CASE("a layer is exact with numbers from all of its positions")
{
    LayerResult layer{.positions = 12, .of = 12};
    CHECK(layer.isExact());
    layer.positions = 11;
    CHECK_FALSE(layer.isExact());
    layer.positions = 12;
    layer.whyNot = "its weight is not recorded";
    CHECK_FALSE(layer.isExact());
}

TEST_CASE("an operand is decided where a candidate has a label")
{
    CHECK_FALSE(LayerOperand{.tensor = "x"}.isDecided());
    CHECK(LayerOperand{.tensor = "x", .label = "min-max"}.isDecided());
}

}  // namespace layer_results_test
