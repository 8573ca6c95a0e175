// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/operand_channels_content.h"

#include "tests/support/catch.h"

namespace operand_channels_content_test {

using namespace calibscope;

TEST_CASE("channels stand by the magnitude of the input, with their factors in the readout")
{
    OperandChannelsContent content;
    CHECK(content.isEmpty());
    content.setChannels(
        {.input = {1.0, 8.0, 0.0}, .weight = {0.5, 0.25, 2.0}, .factors = {0.5F, 4.0F, 1.0F}});
    REQUIRE(content.count() == 3);
    const PlotFrame frame;
    CHECK(content.readout(0.0, frame).toStdString() ==
          "channel 1: input 8, weight 0.25; with s = 4: 2 and 1");
    CHECK(content.readout(3.0, frame).isEmpty());
    const auto table = content.table(content.fullRange());
    REQUIRE(table);
    CHECK(table->rowCount() == 3);
    CHECK(content.legend().front().text == "input / s");
    CHECK_THAT(content.summary().toStdString(), test::containsText("3 channels"));
    content.setEmpty("none");
    CHECK(content.isEmpty());
}

TEST_CASE("operands of zeros have an axis")
{
    OperandChannelsContent content;
    content.setChannels({.input = {0.0, 0.0}, .weight = {0.0, 0.0}});
    const QFont font;
    const std::vector<YAxis> axes = content.yAxes(
        {.x = AxisScale(), .size = QSizeF(100.0, 100.0), .metrics = QFontMetricsF(font)});
    REQUIRE(axes.size() == 1);
    CHECK(axes.front().values.low > 0.0);
    CHECK(axes.front().values.high > axes.front().values.low);
}

}  // namespace operand_channels_content_test
