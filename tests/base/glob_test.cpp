// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/glob.h"

#include "tests/support/catch.h"

namespace glob_test {

using calibscope::matchesGlob;

TEST_CASE("a star stands for any text and a question mark for one byte")
{
    CHECK(matchesGlob("layer1.conv", "layer*"));
    CHECK(matchesGlob("layer1.conv", "*conv"));
    CHECK(matchesGlob("layer1.conv", "l*1*v"));
    CHECK(matchesGlob("layer1.conv", "layer?.conv"));
    CHECK(matchesGlob("", "*"));
    CHECK(matchesGlob("aab", "*ab"));
    CHECK_FALSE(matchesGlob("layer1.conv", "layer"));
    CHECK_FALSE(matchesGlob("layer1.conv", "layer?conv"));
    CHECK_FALSE(matchesGlob("", "?"));
    CHECK_FALSE(matchesGlob("a", ""));
}

TEST_CASE("brackets and colons in tensor names stand for themselves")
{
    CHECK(matchesGlob("(Unnamed Layer* 22) [Constant]_output",
                      "(Unnamed Layer* 22) [Constant]_output"));
    CHECK(matchesGlob("onnx::Conv_[3]", "onnx::*[3]"));
    CHECK_FALSE(matchesGlob("onnx::Conv_3", "onnx::Conv_[3]"));
}

}  // namespace glob_test
