// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/channel_outlines_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"
#include "ui/plot/plot_frame.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace channel_outlines_content_test {

using namespace calibscope;
using namespace calibscope::test;

std::vector<OutlineMark> twoOutlines()
{
    return {{.label = QStringLiteral("channel 3"),
             .color = Qt::blue,
             .histogram = histogramOf(Domain::Magnitude, 0.0, 8.0, {5, 1, 0, 0})},
            {.label = QStringLiteral("channel 7"),
             .color = Qt::red,
             .histogram = histogramOf(Domain::Magnitude, 0.0, 8.0, {0, 2, 9, 0})}};
}

TEST_CASE("outlines of several channels share axes that hold all that is not empty")
{
    loadFonts();
    ChannelOutlinesContent content;
    content.setOutlines(twoOutlines());
    CHECK_FALSE(content.isEmpty());
    CHECK(content.fullRange().high == test::Approx(6.0).epsilon(0.05));
    CHECK(content.legend().size() == 2);
    FrameWish request;
    request.outer = QRectF(0.0, 0.0, 600.0, 300.0);
    request.shown = content.fullRange();
    request.font = pictureFont(13);
    const PlotFrame frame = layoutPlot(content, request);
    CHECK(recordPainting({600, 300}, [&](QPainter& painter) {
              content.paint(painter, frame);
          }).polylines == 2);
}

TEST_CASE("each channel's count under the pointer is told")
{
    ChannelOutlinesContent content;
    content.setOutlines(twoOutlines());
    CHECK(content.readout(4.5, {}).toStdString() == "|x| 4.5   channel 3: 0   channel 7: 9");
    CHECK(content.table({0.0, 8.0})->rowCount() == 8);
    CHECK_THAT(content.summary().toStdString(), containsText("channel 3, channel 7"));
}

TEST_CASE("channels without different values are a sentence")
{
    ChannelOutlinesContent content;
    CHECK(content.isEmpty());
    std::vector<OutlineMark> outlines = twoOutlines();
    for (OutlineMark& outline : outlines)
        outline.histogram.high = 0.0;
    content.setOutlines(outlines);
    CHECK(content.isEmpty());
    CHECK_FALSE(content.summary().isEmpty());
}

}  // namespace channel_outlines_content_test
