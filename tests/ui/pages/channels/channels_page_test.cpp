// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/channels/channels_page.h"

#include "tests/support/catch.h"
#include "tests/support/channel_answers.h"
#include "tests/support/recorded_painting.h"
#include "tests/support/tested_document.h"
#include "ui/pages/channels/channel_controls.h"
#include "ui/pages/channels/channel_plots.h"
#include "ui/pages/channels/channel_side.h"
#include "ui/theme/theme.h"
#include "ui/widgets/state_notice.h"

#include <QCoreApplication>
#include <QTest>

#include <numeric>

namespace channels_channels_page_test {

using namespace calibscope;
using namespace calibscope::test;
using Channels = std::vector<std::size_t>;

/// The page on the weight w (4 channels) of a dump that a fake engine holds.
struct TestedPage : TestedDocument
{
    ChannelsPage page{document};

    explicit TestedPage(int tensor = weight)
    {
        loadFonts();
        openDump();
        document.select(tensor);
        while (!waited.views.empty())
            answerView();
        page.resize(1200, 800);
        page.show();
    }
    void answer(const std::vector<double>& absMax)
    {
        while (!waited.views.empty())
            FakeEngine::answer(waited.views, channelsView(waited.views.front().request, absMax));
        while (!waited.strips.empty())
            FakeEngine::answer(waited.strips,
                               evenStrip(waited.strips.front().request, absMax.size()));
    }
};

TEST_CASE("the page reads nothing before it is shown")
{
    TestedDocument tested;
    const ChannelsPage page(tested.document);
    tested.openDump();
    tested.document.select(weight);
    while (!tested.waited.views.empty())
        tested.answerView();
    CHECK(tested.waited.views.empty());
    CHECK(tested.waited.strips.empty());
}

TEST_CASE("scales, strip and gains of a weight are read and shown")
{
    TestedPage tested;
    CHECK(tested.waited.views.size() == 2);
    CHECK(tested.waited.strips.size() == 1);
    CHECK_FALSE(tested.document.isIdle());
    tested.answer({1.0, 9.0, 1.1, 0.0});
    CHECK_FALSE(tested.page.showsNotice());
    CHECK_FALSE(tested.page.plots().scalesPlot().shown().isEmpty());
    CHECK_FALSE(tested.page.plots().heatPlot().shown().isEmpty());
    CHECK(tested.page.side().channels().rowCount() == 4);
    CHECK(tested.page.side().channels().countOf(ChannelFilter::Outliers) == 1);
    CHECK(tested.page.side().channels().countOf(ChannelFilter::Dead) == 1);
}

TEST_CASE("the scales have the channels' numbers where there is no map of them below")
{
    TestedPage tested;
    const QList<PlotView*> plots = tested.page.findChildren<PlotView*>();
    PlotView& scales = **std::ranges::find(plots, &tested.page.plots().scalesPlot());
    const auto isNumbered = [&scales] {
        const RecordedPainting painting = recordPainting(
            scales.size(), [&scales](QPainter& painter) { scales.render(&painter); });
        return std::ranges::any_of(painting.texts,
                                   [](const DrawnText& drawn) { return drawn.text == "channel"; });
    };
    FakeEngine::fail(tested.waited.strips, "a profile holds no values");
    tested.answer({1.0, 9.0, 1.1, 0.0});
    QCoreApplication::processEvents();  // lays the body out, which is shown for the first time
    CHECK(isNumbered());
    // Nor histograms of one or several of them, in place of which the sentence stands.
    const auto saysWhy = [&tested] {
        const RecordedPainting painting = recordPainting(
            tested.page.size(), [&tested](QPainter& painter) { tested.page.render(&painter); });
        return std::ranges::count_if(painting.texts, [](const DrawnText& drawn) {
            return drawn.text.contains("holds no values");
        });
    };
    CHECK(saysWhy() == 2);
    tested.page.chooseOutliers();
    CHECK(saysWhy() == 2);
    tested.document.select(a);
    tested.document.select(weight);
    tested.answer({1.0, 9.0, 1.1, 0.0});
    CHECK_FALSE(isNumbered());
}

TEST_CASE("outliers are chosen as soon as they are known, the farthest first")
{
    TestedPage tested;
    tested.page.chooseOutliers();
    CHECK(tested.page.chosenChannels().empty());
    tested.answer({1.0, 1.2, 1.1, 30.0});
    REQUIRE(tested.page.chosenChannels() == Channels{3});
    tested.answer({1.0, 1.2, 1.1, 30.0});
    tested.page.chooseOutliers();
    CHECK(tested.page.chosenChannels().front() == 3);
    CHECK(tested.page.side().channels().rowCount() ==
          static_cast<int>(tested.page.chosenChannels().size()));
}

TEST_CASE("another order and another calibrator take effect, only the latter is read")
{
    TestedPage tested;
    tested.answer({4.0, 2.0, 1.0, 3.0});
    CHECK(tested.page.plots().scalesPlot().shown().channelAt(0.0) == 0U);
    tested.page.chooseOrder(ChannelOrder::Scale);
    CHECK(tested.waited.views.empty());
    CHECK(tested.page.plots().scalesPlot().shown().channelAt(0.0) == 2U);
    tested.page.chooseCalibrators({"min-max", "entropy"});
    REQUIRE(tested.waited.views.size() == 1);
    CHECK(tested.waited.views[0].request.choices[0].calibrator == "entropy");
}

TEST_CASE("order and calibrators of the channels are steps that can be undone")
{
    TestedPage tested;
    tested.answer({4.0, 2.0, 1.0, 3.0});
    tested.page.chooseOrder(ChannelOrder::Scale);
    tested.page.chooseCalibrators({"min-max", ""});
    CHECK(tested.page.controls().calibrators()[1].empty());
    tested.document.undo();
    CHECK(tested.page.controls().calibrators()[1] == "l2");
    tested.document.undo();
    CHECK(tested.page.plots().scalesPlot().shown().channelAt(0.0) == 0U);
    tested.document.redo();
    CHECK(tested.page.plots().scalesPlot().shown().channelAt(0.0) == 2U);
}

TEST_CASE("a tensor without a channel axis has words and a way to say which it is")
{
    TestedPage tested(a);
    CHECK(tested.page.showsNotice());
    CHECK_THAT(tested.page.notice().sentence().toStdString(), containsText("8 × 4"));
    CHECK(tested.waited.strips.empty());
}

TEST_CASE("a tensor of zeros has words in place of plots")
{
    TestedPage tested;
    tested.answer({0.0, 0.0, 0.0, 0.0});
    CHECK(tested.page.showsNotice());
    CHECK_THAT(tested.page.notice().sentence().toStdString(), containsText("are zero"));
}

TEST_CASE("an unreadable tensor is told as such, and the next one is read")
{
    TestedPage tested(odd);
    CHECK(tested.page.notice().sentence().toStdString() == "no plugin");
    tested.document.select(weight);
    while (!tested.waited.views.empty())
        tested.answer({1.0, 1.0, 1.0, 1.0});
    tested.answer({1.0, 1.0, 1.0, 1.0});
    CHECK_FALSE(tested.page.showsNotice());
}

TEST_CASE("pointing at a channel shows its histogram, leaving shows the chosen one again")
{
    TestedPage tested;
    tested.answer({4.0, 2.0, 1.0, 3.0});
    auto& plots = const_cast<ChannelPlots&>(tested.page.plots());
    Q_EMIT plots.clicked(2, false);
    CHECK(tested.page.chosenChannels() == Channels{2});
    CHECK(plots.shownChannels() == Channels{2});
    Q_EMIT plots.hovered(1);
    CHECK(plots.shownChannels() == Channels{1});
    CHECK_THAT(plots.histogramPlot().textSummary().toStdString(),
               containsText("1\u202f024 values"));
    Q_EMIT plots.hovered(std::nullopt);
    CHECK(plots.shownChannels() == Channels{2});
    Q_EMIT plots.clicked(3, true);
    CHECK(tested.page.chosenChannels() == Channels{2, 3});
}

TEST_CASE("several channels are read in full one after another, and drawn in the same bins")
{
    TestedPage tested;
    tested.answer({4.0, 2.0, 1.0, 3.0});
    auto& plots = const_cast<ChannelPlots&>(tested.page.plots());
    const auto drawn = [&plots] {
        const auto table = plots.outlinesPlot().shown().table({0.0, 100.0});
        return table ? table->rowCount() : std::size_t{0};
    };
    Q_EMIT plots.clicked(2, false);
    Q_EMIT plots.clicked(3, true);
    const std::size_t rows = drawn();
    CHECK(rows > 0);
    for (const std::uint64_t channel : {2U, 3U}) {
        const auto isAsked = [&tested] {
            while (!tested.waited.views.empty() &&
                   !tested.waited.views.front().request.choices.empty())
                tested.answerView();  // to the session, for the other pages
            return !tested.waited.views.empty();
        };
        REQUIRE(QTest::qWaitFor(isAsked, 20000));
        const protocol::ViewRequest request = tested.waited.views.front().request;
        REQUIRE(request.tensor.part.channel == channel);
        CHECK(drawn() == rows);
        protocol::TensorView view;
        view.profile.histograms = {{.spec = request.histograms.at(0),
                                    .high = static_cast<double>(channel),
                                    .counts = std::vector<std::uint64_t>(2048, channel),
                                    .notes = {}}};
        FakeEngine::answer(tested.waited.views, view);
    }
    CHECK(drawn() == 2 * 256);
    CHECK_THAT(plots.outlinesPlot().shown().readout(1.0, {}).toStdString(),
               containsText("channel 2: 24") && containsText("channel 3: 24"));
}

TEST_CASE("the page gives way to the panels beside it")
{
    TestedPage tested;
    tested.answer({4.0, 2.0, 1.0, 3.0});
    const QSize least = tested.page.minimumSizeHint();
    CAPTURE(least.width(), least.height());
    // In DejaVu Sans; how wide a text is depends on the system's fonts, by some percent.
    CHECK(least.width() <= 545);
    CHECK(least.height() <= 430);
    CHECK(tested.page.side().minimumSizeHint().width() <= 250);
}

}  // namespace channels_channels_page_test
