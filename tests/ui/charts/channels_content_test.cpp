#include "ui/charts/channels_content.h"

#include "tests/support/catch.h"
#include "tests/support/chart_samples.h"
#include "tests/support/recorded_painting.h"
#include "ui/charts/plot_frame.h"
#include "ui/charts/plot_painter.h"
#include "ui/theme/fonts.h"

#include <QPainter>

#include <limits>

using namespace calibscope;
using namespace calibscope::test;

namespace {

ChannelScales scalesOf(std::vector<double> scales)
{
    return {.scales = std::move(scales),
            .tensorScale = std::nullopt,
            .label = QStringLiteral("min-max"),
            .color = QColor(0x0072b2)};
}

RecordedPainting paintingOf(const ChannelScales& channels)
{
    loadFonts();
    ChannelsContent content;
    content.setScales(channels);
    FrameWish wish;
    wish.outer = QRectF(0.0, 0.0, 900.0, 420.0);
    wish.shown = content.fullRange();
    wish.font = pictureFont(13);
    const PlotFrame frame = layoutPlot(content, wish);
    return recordPainting({900, 420}, [&](QPainter& painter) { content.paint(painter, frame); });
}

}  // namespace

TEST_CASE("each channel is a dot, those without a positive scale are left out")
{
    CHECK(paintingOf(scalesOf({0.1, 0.2, 0.3})).ellipses == 3);
    CHECK(paintingOf(scalesOf({0.1, 0.0, std::numeric_limits<double>::infinity(), 0.3})).ellipses ==
          2);
}

TEST_CASE("more channels than pixels are bars from least to greatest in each pixel column")
{
    std::vector<double> scales(8000, 0.01);
    scales[4321] = 1.0;
    const RecordedPainting painting = paintingOf(scalesOf(scales));
    CHECK(painting.ellipses == 0);
    CHECK(painting.rects.size() > 700);
    CHECK(painting.rects.size() <= 900);
    const auto tall = std::ranges::count_if(
        painting.rects, [](const DrawnRect& drawn) { return drawn.rect.height() > 100.0; });
    CHECK(tall == 1);
}

TEST_CASE("without a scale there is a sentence")
{
    ChannelsContent content;
    CHECK(content.isEmpty());
    content.setScales(scalesOf({0.0}));
    CHECK(content.isEmpty());
    CHECK(content.emptyText().toStdString() == "There are no scales per channel to show.");
}

TEST_CASE("the axis holds all scales and the tensor's own")
{
    loadFonts();
    ChannelScales channels = scalesOf({0.01, 0.1});
    channels.tensorScale = 1.0;
    ChannelsContent content;
    content.setScales(channels);
    const auto axes = content.yAxes(linearX({0, 1}), {800, 400}, QFontMetricsF(pictureFont(13)));
    REQUIRE(axes.size() == 1);
    CHECK(axes[0].values.low < 0.01);
    CHECK(axes[0].values.high > 1.0);
    CHECK(content.legend().size() == 2);
}

TEST_CASE("readout and summary of channels")
{
    ChannelsContent content;
    content.setScales(scalesOf({0.25, 0.5, 1.0}));
    CHECK(content.readout(1.2, {}).toStdString() == "channel 1   scale 0.5");
    CHECK(content.readout(-0.6, {}).isEmpty());
    CHECK(content.readout(2.6, {}).isEmpty());
    CHECK(content.summary().toStdString() ==
          "Scales of min-max for 3 channels, from 0.25 to 1, a spread of 2 bits.");
}
