// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/formats_view.h"

#include "core/formats/rate_points.h"
#include "tests/support/catch.h"
#include "tests/support/tested_document.h"
#include "ui/charts/bins_content.h"
#include "ui/charts/rate_content.h"
#include "ui/charts/slice_content.h"
#include "ui/document/decisions.h"
#include "ui/pages/calibrators/format_plots.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

namespace formats_view_test {

using namespace calibscope;
using namespace calibscope::test;

protocol::Rated ratedAs(const std::string& family, double db)
{
    protocol::RatedFormat point{.format = ratePoints(family).front().format.id, .errors = {}};
    point.errors.sums = {
        .count = 4, .sumSquares = std::pow(10.0, db / 10.0), .squaredRounding = 1.0};
    point.errors.blocks = 2;
    point.errors.effectiveBits = 4.0;
    return {.rowLength = 2, .points = {point}};
}

struct View : TestedDocument
{
    View()
    {
        openDump();
        view.resize(600, 700);
        view.show();
    }
    void answerRate(double db)
    {
        const std::string family = background.rates.front().request.family;
        FakeEngine::answer(background.rates, ratedAs(family, db));
    }
    void answerAll()
    {
        for (std::size_t i = 0; i < usualFamilies().size(); ++i)
            answerRate(10.0 + static_cast<double>(i));
    }
    void answerBlock(std::uint64_t block)
    {
        FakeEngine::answer(waited.blocks, protocol::EncodedBlock{.block = block,
                                                                 .blocks = 2,
                                                                 .indices = {0, 1},
                                                                 .values = {1.0, 2.0},
                                                                 .patterns = {1, 2},
                                                                 .decoded = {1.0, 2.0}});
    }

    FormatsView view{document};
};

TEST_CASE("families are asked for one after the other, and each is shown as it comes")
{
    View test;
    REQUIRE(test.background.rates.size() == 1);
    CHECK(test.background.rates.front().request.family == usualFamilies().front());
    CHECK(test.view.plot().isEmpty());
    test.answerRate(12.0);
    CHECK(test.view.plot().shown().marks().size() == 1);
    REQUIRE(test.background.rates.size() == 1);
    CHECK(test.background.rates.front().request.family == usualFamilies()[1]);
    for (std::size_t i = 1; i < usualFamilies().size(); ++i)
        test.answerRate(10.0);
    CHECK(test.background.rates.empty());
    CHECK(test.view.formats().model()->rowCount() == std::ssize(usualFamilies()));
    CHECK(test.view.plot().shown().marks().front().isBest);  // with the same bits, the most
    CHECK_FALSE(test.view.plot().shown().marks().back().isBest);
}

TEST_CASE("NVFP4 is the format at first, with its worst block; others are chosen in plot and table")
{
    View test;
    test.answerAll();
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.format == "nvfp4");
    CHECK_FALSE(test.waited.blocks.front().request.block);
    test.answerBlock(1);
    CHECK(test.view.block().value() == 1);
    CHECK(test.view.block().maximum() == 1);
    CHECK(test.view.values().model()->rowCount() == 2);
    Q_EMIT test.view.plot().markChosen(0);
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.format == "int4-tensor");
    CHECK(test.view.plot().shown().chosen() == 0U);
    test.answerBlock(0);
    test.view.formats().setCurrentIndex(test.view.formats().model()->index(1, 0));
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.format == "nf4-tensor");
    CHECK(test.view.plot().shown().chosen() == 1U);
    test.answerBlock(0);
    test.view.block().setValue(1);
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.block == 1U);
}

TEST_CASE("another tensor is asked for anew under the same format, a known one at once")
{
    View test;
    test.answerAll();
    test.answerBlock(1);
    test.document.select(b);
    test.view.showTensor();
    REQUIRE(test.background.rates.size() == 1);
    CHECK(test.background.rates.front().request.tensor.index == std::uint64_t(b));
    CHECK(test.view.plot().isEmpty());
    CHECK(test.view.values().model()->rowCount() == 0);
    test.document.select(a);
    test.view.showTensor();
    CHECK(test.view.plot().shown().marks().size() == usualFamilies().size());
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.tensor.index == std::uint64_t(a));
    CHECK(test.waited.blocks.front().request.format == "nvfp4");
}

TEST_CASE("a dump that is opened again is read again")
{
    View test;
    test.answerAll();
    test.answerBlock(1);
    test.openDump();
    test.view.showTensor();  // as the page does
    REQUIRE(test.background.rates.size() == 1);
    CHECK(test.background.rates.front().request.tensor.index == std::uint64_t(a));
    CHECK(test.view.plot().isEmpty());
    CHECK(test.view.formats().model()->rowCount() == 0);
}

/// Two blocks in a row, the second the worse one.
FormatMap mapOfTwo()
{
    const auto measure = [](float first, float second) {
        return BlockMeasure{.cells = {.rowCount = 1,
                                      .columnCount = 2,
                                      .rows = 1,
                                      .columns = 2,
                                      .low = {first, second},
                                      .high = {first, second},
                                      .marks = {0, 0},
                                      .clipped = {0, 0}},
                            .blocks = {0, 1}};
    };
    const auto bins = [](double low, double high, std::vector<std::uint64_t> counts) {
        return Histogram{
            .spec = {.bins = static_cast<int>(counts.size()), .domain = Domain::Signed},
            .low = low,
            .high = high,
            .counts = std::move(counts)};
    };
    std::vector<std::uint64_t> patterns(256);
    patterns[100] = 2;
    FormatMap map{.scales = bins(-0.5, 255.5, patterns),
                  .maxima = bins(-1.0, 1.0, {1, 1}),
                  .quotients = bins(-1.0, 3.0, {1, 2, 3, 4}),
                  .levels = std::vector<std::uint64_t>(16),
                  .scale = measure(-1.0F, 0.0F),
                  .sqnrDb = measure(20.0F, 10.0F),
                  .saturated = measure(0.0F, 0.1F),
                  .flushed = measure(0.0F, 0.2F)};
    map.errors.tensorScale = 2.0F / 2688.0F;
    return map;
}

TEST_CASE("the block is copied as a program in Python, where there is one")
{
    View test;
    test.answerAll();
    CHECK_FALSE(test.view.pythonButton().isEnabled());
    test.answerBlock(1);
    REQUIRE(test.view.pythonButton().isEnabled());
    test.view.pythonButton().click();
    const QString code = QGuiApplication::clipboard()->text();
    CHECK(code.contains("# Number format nvfp4, block 1\n"));
    CHECK(code.contains("FILE = \"/somewhere/a.h5\""));
}

TEST_CASE("scales, blocks and levels are asked for when they are shown")
{
    View test;
    test.answerAll();
    test.answerBlock(1);
    CHECK(test.waited.formatMaps.empty());
    FormatPlots& plots = test.view.plots();
    plots.choose(FormatPlots::Plot::Blocks);
    REQUIRE(test.waited.formatMaps.size() == 1);
    CHECK(test.waited.formatMaps.front().request.format == "nvfp4");
    CHECK(plots.blocks().isEmpty());
    FakeEngine::answer(test.waited.formatMaps, mapOfTwo());
    CHECK_FALSE(plots.blocks().isEmpty());
    CHECK_FALSE(plots.levels().isEmpty());
    plots.choose(FormatPlots::Plot::Levels);
    CHECK(test.waited.formatMaps.empty());  // it is known
    Q_EMIT test.view.plot().markChosen(0);
    REQUIRE(test.waited.formatMaps.size() == 1);
    CHECK(test.waited.formatMaps.front().request.format == "int4-tensor");
    CHECK(plots.levels().isEmpty());
    FakeEngine::fail(test.waited.formatMaps, "chunk 3 is damaged");
    CHECK(plots.levels().textSummary().contains("chunk 3"));
}

TEST_CASE("a click into the map shows that block, and arrows go on from the one that is shown")
{
    View test;
    test.answerAll();
    test.answerBlock(0);
    FormatPlots& plots = test.view.plots();
    plots.choose(FormatPlots::Plot::Blocks);
    FakeEngine::answer(test.waited.formatMaps, mapOfTwo());
    Q_EMIT plots.blocks().chosen(0, 1);
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.block == 1U);
    test.answerBlock(1);
    QTest::keyClick(&plots.blocks(), Qt::Key_Left);
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.block == 0U);
}

TEST_CASE("the maximum is moved: the share outside at once, the format under it at the end")
{
    View test;
    test.answerAll();
    test.answerBlock(0);
    FormatPlots& plots = test.view.plots();
    plots.choose(FormatPlots::Plot::Scales);
    FakeEngine::answer(test.waited.formatMaps, mapOfTwo());
    CHECK(plots.facts().contains("; 0 % of the blocks lie outside"));
    CHECK_FALSE(plots.ownMaximum().isVisible());
    Q_EMIT plots.maxima().handleMoved(maximumId, -1.0, false);
    CHECK(plots.facts().contains("; 50 % of the blocks lie outside"));
    CHECK(test.waited.formatMaps.empty());
    Q_EMIT plots.maxima().handleMoved(maximumId, -1.0, true);
    REQUIRE(test.waited.formatMaps.size() == 1);
    CHECK(test.waited.formatMaps.front().request.format == "nvfp4:tensor-maximum=0.5");
    CHECK_FALSE(plots.scales().isEmpty());  // the former ones stay
    FakeEngine::answer(test.waited.formatMaps, mapOfTwo());
    test.answerBlock(0);
    REQUIRE(plots.ownMaximum().isVisible());
    plots.ownMaximum().click();
    CHECK(test.waited.formatMaps.empty());  // it is known
    CHECK_FALSE(plots.ownMaximum().isVisible());
    REQUIRE(test.waited.blocks.size() == 1);
    CHECK(test.waited.blocks.front().request.format == "nvfp4");
}

TEST_CASE("a tensor that can't be read is reported in the view")
{
    View test;
    FakeEngine::fail(test.background.rates, "chunk 3 is damaged");
    CHECK(test.view.state().contains("chunk 3"));
    CHECK(test.background.rates.empty());
}

TEST_CASE(
    "a format that can be decided on is accepted for the tensor; of another the reason is there")
{
    View test;
    test.answerAll();
    test.answerBlock(1);
    QPushButton& accept = test.view.acceptButton();
    CHECK_FALSE(accept.isEnabled());
    CHECK(test.view.state().contains("nvfp4 has elements fp4-e2m1"));
    test.view.accept();
    CHECK_FALSE(decisionOf(test.document, a));
    Q_EMIT test.view.plot().markChosen(0);
    CHECK_FALSE(test.view.state().contains("Not to be accepted"));
    REQUIRE(accept.isEnabled());
    accept.click();
    REQUIRE(decisionOf(test.document, a));
    CHECK(decisionOf(test.document, a)->label == "int4-tensor");
    CHECK(accept.text() == "✓ Accepted");
    CHECK_FALSE(accept.isEnabled());
    const QModelIndex current = test.view.formats().currentIndex();
    CHECK(current.siblingAtColumn(0).data().toString() == "✓ int4-tensor");
    test.document.undo();
    CHECK(accept.isEnabled());
    CHECK(test.view.formats().currentIndex().siblingAtColumn(0).data().toString() == "int4-tensor");
}

}  // namespace formats_view_test
