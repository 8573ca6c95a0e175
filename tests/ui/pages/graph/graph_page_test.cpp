// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/graph/graph_page.h"

#include "tests/support/catch.h"
#include "tests/support/layer_samples.h"
#include "ui/document/previews.h"
#include "ui/plot/picture.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/theme.h"
#include "ui/widgets/state_notice.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace graph_page_test {

using namespace calibscope;
using namespace calibscope::test;

enum : int { x1, w1, y1, w2, y2, y3 };

/// x1 -> y1 -> y2 with weights w1 and w2, and y3, whose input is not in the dump.
struct ShownGraph : TestedDocument
{
    GraphPage page{document};

    explicit ShownGraph(const protocol::DumpOpened& dump = layeredDump())
    {
        loadFonts();
        page.resize(900, 700);
        page.show();
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, dump);
    }
    [[nodiscard]] const GraphContent& graph() const { return page.plot().shown(); }
    [[nodiscard]] const GraphMark& markOf(int tensor) const
    {
        return graph().markOf(*graph().hitOf(tensor));
    }
    void press(Qt::Key key) { QTest::keyClick(&page.plot(), key); }
    /// Numbers that come one by one are drawn together.
    void take(int tensor, double sqnrDb)
    {
        document.previews().take(tensor, {.sqnrDb = sqnrDb});
        REQUIRE(QTest::qWaitFor([&] { return markOf(tensor).db.has_value(); }));
    }
};

protocol::DumpOpened deepDump(int tensors)
{
    protocol::DumpOpened dump = layeredDump();
    dump.tensors.clear();
    for (int tensor = 0; tensor < tensors; ++tensor) {
        TensorInfo info = layeredDump().tensors.front();
        info.name = "net/block" + std::to_string(tensor / 10) + "/t" + std::to_string(tensor);
        info.path = "/" + info.name;
        if (tensor > 0)
            info.inputs = {dump.tensors.back().name};
        dump.tensors.push_back(info);
    }
    return dump;
}

/// No line ends within a fact.
QString stateOf(const GraphPage& page)
{
    return page.state().replace(QChar::Nbsp, u' ');
}

TEST_CASE("the graph has all activations, weights in the boxes of their ops, and broken chains")
{
    const ShownGraph test;
    CHECK_FALSE(test.page.showsNotice());
    std::vector<std::string> names;
    for (const GraphMark& mark : test.graph().marks())
        names.push_back(mark.name.toStdString());
    CHECK(names == std::vector<std::string>{"x1", "y1", "y2", "gone", "y3"});
    CHECK(test.graph().marks()[3].tensor == -1);
    REQUIRE(test.graph().marks()[1].operands.size() == 1);
    CHECK(test.graph().marks()[1].operands[0].tensor == w1);
    CHECK(test.markOf(y3).facts.contains("not in the dump: w3"));
    CHECK(stateOf(test.page) == "4 tensors   1 not in the dump");
    CHECK(test.page.state().count(u' ') == 3);  // where a line may end
    CHECK_THAT(test.page.plot().textSummary().toStdString(), containsText("5 tensors and 3 lines"));
}

TEST_CASE("a click selects a tensor or a weight, and what follows is emphasised")
{
    ShownGraph test;
    Q_EMIT test.page.plot().clicked(test.graph().boxOf(*test.graph().hitOf(y1)).center());
    CHECK(test.document.selected() == y1);
    CHECK_FALSE(test.graph().isOnPath(0));
    CHECK(test.graph().isOnPath(1));
    CHECK(test.graph().isOnPath(2));
    CHECK_FALSE(test.graph().isOnPath(4));
    Q_EMIT test.page.plot().clicked(test.graph().boxOf(*test.graph().hitOf(w2)).center());
    CHECK(test.document.selected() == w2);
    CHECK_FALSE(test.graph().isOnPath(1));
    CHECK(test.graph().isOnPath(2));
    Q_EMIT test.page.plot().clicked(test.graph().boxOf({3}).center());  // not in the dump
    Q_EMIT test.page.plot().clicked(QPointF(-5.0, -5.0));
    CHECK(test.document.selected() == w2);
}

TEST_CASE("arrows follow lines and rows, Return opens")
{
    protocol::DumpOpened dump = layeredDump();
    dump.tensors[y3].inputs.front() = "x1";  // on y1's row
    ShownGraph test(dump);
    const QSignalSpy opened(&test.page, &GraphPage::tensorChosen);
    test.press(Qt::Key_Down);  // without a selection: the first
    CHECK(test.document.selected() == x1);
    test.press(Qt::Key_Down);
    test.press(Qt::Key_Down);
    test.press(Qt::Key_Down);  // the end
    CHECK(test.document.selected() == y2);
    test.press(Qt::Key_Up);
    CHECK(test.document.selected() == y1);
    test.press(Qt::Key_Right);
    CHECK(test.document.selected() == y3);
    test.press(Qt::Key_Right);  // the last of its row
    CHECK(test.document.selected() == y3);
    test.press(Qt::Key_Up);
    CHECK(test.document.selected() == x1);
    test.press(Qt::Key_Down);  // of two at the same distance the first
    CHECK(test.document.selected() == y1);
    test.press(Qt::Key_Right);
    test.press(Qt::Key_Left);
    CHECK(test.document.selected() == y1);
    test.press(Qt::Key_Return);
    REQUIRE(opened.size() == 1);
    CHECK(opened.front().front().toInt() == y1);
}

TEST_CASE("the selected node is named with its facts and neighbours")
{
    ShownGraph test;
    CHECK(test.graph().chosenText().isEmpty());
    test.take(y1, 31.25);
    test.document.select(y1);
    CHECK(test.graph().chosenText() == "Gemm y1, SQNR 31.3 dB, reads x1, w1, read by y2");
    CHECK_THAT(test.page.plot().accessibleDescription().toStdString(),
               containsText("Selected: Gemm y1, SQNR 31.3 dB"));
}

TEST_CASE("colours tell the own SQNR, that of the layer's output, or decisions")
{
    ShownGraph test;
    test.take(y1, sqnrLimits().poor - 1.0);
    CHECK(test.markOf(y1).facts.contains(
        QString("SQNR %1 dB").arg(sqnrLimits().poor - 1.0, 0, 'f', 1)));
    CHECK_THAT(test.page.plot().textSummary().toStdString(), containsText("of y1"));
    CHECK(test.graph().legend().size() == 3);

    test.page.setColors(GraphColors::Output);
    FakeEngine::answer(test.background.layerLists, layerList());
    REQUIRE_FALSE(test.background.layers.empty());
    FakeEngine::answer(test.background.layers,
                       layerAnswer(test.background.layers.front().request, 25.0));
    REQUIRE(QTest::qWaitFor([&] { return test.markOf(y1).db == 25.0; }));
    CHECK_FALSE(test.markOf(x1).db);

    test.page.setColors(GraphColors::Decision);
    CHECK_FALSE(test.markOf(x1).isDecided);
    test.document.change("decide", [](Workbench& workbench) {
        workbench.decisions["/x1"] = {.id = "min-max", .label = "min-max"};
    });
    REQUIRE(QTest::qWaitFor([&] { return test.markOf(x1).isDecided; }));
    CHECK(test.markOf(x1).facts.contains("accepted: min-max, 8 bits"));
    CHECK(test.graph().legend().size() == 1);
}

TEST_CASE("a search emphasises names and ops, Return goes from one to the next")
{
    ShownGraph test;
    test.press(Qt::Key_Slash);
    QTest::keyClicks(&test.page.search(), "gemm");
    CHECK(stateOf(test.page) == "4 tensors   1 not in the dump   3 found");
    CHECK_FALSE(test.markOf(x1).isFound);
    for (const int found : {y1, y2, y3, y1}) {
        QTest::keyClick(&test.page.search(), Qt::Key_Return);
        CHECK(test.document.selected() == found);
    }
    QTest::keyClick(&test.page.search(), Qt::Key_Escape);
    CHECK(test.page.search().text().isEmpty());
    CHECK(test.markOf(x1).isFound);
}

TEST_CASE("a deep graph is shown closely around the selection, which stays on screen")
{
    ShownGraph test(deepDump(200));
    test.page.fold().setChecked(false);
    REQUIRE(test.page.plot().zoom().y.size() == 1);
    CHECK(test.page.plot().zoom().y.front().contains(0.0));
    CHECK(test.page.plot().zoom().y.front().width() == Approx(24.0));
    test.document.select(150);
    CHECK(test.page.plot().zoom().y.front().contains(150.0));
    test.page.plot().fit();
    CHECK(test.page.plot().zoom() == PlotZoom());
    const Range before = test.page.plot().shownRange();
    test.press(Qt::Key_Plus);  // both ways, as the axes mean nothing
    CHECK(test.page.plot().shownRange().width() < before.width());
    CHECK_FALSE(test.page.plot().zoom().y.empty());
}

TEST_CASE("Home of a deep graph leads back to the selection, then to all")
{
    ShownGraph test(deepDump(200));
    test.page.fold().setChecked(false);
    test.document.select(150);
    test.press(Qt::Key_Home);  // is there
    CHECK(test.page.plot().zoom() == PlotZoom());
    test.press(Qt::Key_Home);
    REQUIRE(test.page.plot().zoom().y.size() == 1);
    CHECK(test.page.plot().zoom().y.front().contains(150.0));
    CHECK(test.page.plot().zoom().y.front().width() == Approx(24.0));
}

TEST_CASE("scopes are folded at first, and a folded one stands for its worst tensor")
{
    ShownGraph test(deepDump(200));
    CHECK(test.page.fold().isChecked());
    CHECK(stateOf(test.page) == "20 nodes of 200");
    test.take(23, 12.0);
    test.take(27, 40.0);
    const GraphMark& mark = test.markOf(25);
    CHECK(mark.name == "net/block2");
    CHECK(mark.folded.size() == 10);
    CHECK(mark.tensor == 23);
    CHECK(mark.db == 12.0);
    Q_EMIT test.page.plot().clicked(test.graph().boxOf({2}).center());
    CHECK(test.document.selected() == 23);
    test.press(Qt::Key_Down);
    CHECK(test.document.selected() == 30);
    test.press(Qt::Key_Space);
    CHECK_FALSE(test.page.fold().isChecked());
    CHECK(stateOf(test.page) == "200 tensors");
    CHECK(test.graph().hitOf(30)->node == 30);
    CHECK_FALSE(ShownGraph().page.fold().isEnabled());  // nothing is too large
}

TEST_CASE("of nodes that lie over one another the worst is on top")
{
    ShownGraph test(deepDump(900));
    test.page.fold().setChecked(false);
    for (int tensor = 400; tensor < 410; ++tensor)
        test.document.previews().take(tensor, {.sqnrDb = 60.0});
    test.take(404, sqnrLimits().poor - 1.0);
    PictureSettings settings;
    settings.size = {300, 200};
    const QImage picture = renderContent(test.graph(), settings);
    const QColor poor = sqnrGround(sqnrLimits().poor - 1.0, 0.0, lightChartColors());
    int poorPixels = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            poorPixels += picture.pixelColor(x, y) == poor ? 1 : 0;
    CHECK(poorPixels >= 20);
}

TEST_CASE("without scopes repeated blocks are folded, with their ops and their number")
{
    protocol::DumpOpened dump = deepDump(200);
    for (std::size_t tensor = 0; tensor < dump.tensors.size(); ++tensor) {
        TensorInfo& info = dump.tensors[tensor];
        info.name = "t" + std::to_string(tensor);
        info.path = "/" + info.name;
        info.op = tensor == 0       ? "Input"
                  : tensor % 3 == 1 ? "Conv"
                  : tensor % 3 == 2 ? "Relu"
                                    : "Add";
        info.inputs.clear();
        if (tensor > 0)
            info.inputs = {dump.tensors[tensor - 1].name};
    }
    ShownGraph test(dump);
    CHECK(test.page.fold().isChecked());
    CHECK(stateOf(test.page) == "68 nodes of 200");
    test.take(8, 12.0);
    const GraphMark& mark = test.markOf(9);  // Conv 7, Relu 8, Add 9
    CHECK(mark.name == "Conv, Relu, Add");
    CHECK(mark.before == "3/66");
    CHECK(mark.op == "block 3 of 66   3 tensors");
    CHECK(mark.tensor == 8);
    CHECK(mark.db == 12.0);
    test.document.select(9);
    CHECK_THAT(test.graph().chosenText().toStdString(),
               containsText("3/66 Conv, Relu, Add, block 3 of 66   3 tensors, lowest: t8"));
    test.press(Qt::Key_Space);
    CHECK(stateOf(test.page) == "200 tensors");
    CHECK(test.markOf(9).before == "Add");
}

TEST_CASE("a picture has the graph without axes, and its table a row for each node")
{
    const ShownGraph test;
    PictureSettings settings;
    settings.size = {600, 400};
    const QByteArray svg = renderSvg(test.graph(), settings);
    CHECK(svg.startsWith("<?xml"));
    CHECK(renderContent(test.graph(), settings) != QImage());
    const PlotTable table = test.page.plot().wholeTable();
    CHECK(table.rowCount() == 5);
}

TEST_CASE("a dump without inputs says what to record")
{
    ShownGraph test(someDump());
    CHECK(test.page.showsNotice());
    CHECK_THAT(test.page.notice().sentence().toStdString(), containsText("op_type and inputs"));
    const QSignalSpy asked(&test.page, &GraphPage::modelRequested);
    REQUIRE(test.page.findChild<QPushButton*>()->isVisible());
    test.page.findChild<QPushButton*>()->click();
    CHECK(asked.size() == 1);
    CHECK(test.page.currentPlot()->textSummary().isEmpty());
    test.document.select(a);
    test.press(Qt::Key_Down);
    CHECK(test.document.selected() == a);
}

TEST_CASE("nodes are coloured by the running SQNR of a check, and by the bits of what was accepted")
{
    ShownGraph test;
    test.page.setColors(GraphColors::Running);
    CHECK_FALSE(test.markOf(y2).db);
    std::vector<std::optional<double>> running(6);
    running[y2] = 12.5;
    test.page.setRunning(running);
    CHECK(test.markOf(y2).db == 12.5);
    CHECK_FALSE(test.markOf(y1).db);
    test.page.setRunning({});
    CHECK_FALSE(test.markOf(y2).db);
    test.page.setColors(GraphColors::Precision);
    CHECK(test.markOf(y1).bits == 0);
    Decision decision;
    decision.choice.scheme.bits = 4;
    test.document.change("Accept",
                         [&](Workbench& workbench) { workbench.decisions["/y1"] = decision; });
    REQUIRE(QTest::qWaitFor([&] { return test.markOf(y1).bits == 4; }));
    CHECK(test.graph().legend().size() == 3);
}

TEST_CASE("nodes are coloured by their share of the noise at the end; without a table the reason "
          "is shown")
{
    ShownGraph test(deepDump(200));
    const QSignalSpy wanted(&test.page, &GraphPage::endSharesWanted);
    const auto item = [&test] {
        return test.page.colorChoice().model()->index(static_cast<int>(GraphColors::EndShare), 0);
    };
    test.page.setEndShares({}, "There is no table.");
    CHECK_FALSE(item().flags().testFlag(Qt::ItemIsEnabled));
    CHECK(item().data(Qt::ToolTipRole) == "There is no table.");
    test.page.setEndShares({}, {});
    CHECK(item().flags().testFlag(Qt::ItemIsEnabled));
    CHECK(wanted.isEmpty());
    test.page.setColors(GraphColors::EndShare);
    CHECK(wanted.size() == 1);
    CHECK_THAT(test.page.state().toStdString(), containsText("shares not read yet"));
    test.page.setEndShares({}, {});  // cancelled
    CHECK(wanted.size() == 1);

    std::vector<std::optional<double>> shares(200);
    shares[23] = 0.1;
    shares[27] = 0.6;
    shares[50] = 0.001;
    test.page.setEndShares(shares, {});
    const GraphMark folded = test.markOf(25);  // with the sum of its tensors, for the largest
    CHECK(folded.endShare.value_or(0.0) == Approx(0.7));
    CHECK(folded.tensor == 27);
    CHECK_FALSE(test.markOf(0).endShare);
    CHECK_THAT(test.page.plot().textSummary().toStdString(),
               containsText("The largest share of the noise at the end, 70.0 %, is of net/block2"));
    test.page.fold().setChecked(false);
    CHECK(test.markOf(27).endShare == 0.6);
    CHECK(test.markOf(27).facts.contains("60.0 % of the noise at the end"));
    for (const bool isDark : {false, true}) {  // more is farther from the ground
        const ChartColors& colors = isDark ? darkChartColors() : lightChartColors();
        double before = 1.0;
        for (const LegendEntry& entry : test.graph().legend()) {
            const double far =
                contrastRatio(isDark ? entry.colorOnDark : entry.color, colors.background);
            CHECK(far > before);
            before = far;
        }
    }
    test.page.setEndShares({}, {});  // another decision
    CHECK(wanted.size() == 2);
    test.page.setEndShares({}, "There is no table.");
    CHECK_FALSE(test.markOf(27).endShare);
    CHECK_THAT(test.page.state().toStdString(), containsText("There is no table."));
}

TEST_CASE("a line is that of the tensor that is taken, wherever it is pointed at")
{
    ShownGraph test;
    test.document.previews().take(y1, {.sparkline = {1.0, 3.0, 2.0}});
    REQUIRE(QTest::qWaitFor([&] { return !test.markOf(y1).counts.isEmpty(); }));
    const GraphContent& graph = test.graph();
    const QRectF from = graph.boxOf(*graph.hitOf(y1));
    const QRectF to = graph.boxOf(*graph.hitOf(y2));
    CAPTURE(from.center().x(), from.center().y(), to.center().x(), to.center().y());
    REQUIRE(from.bottom() < to.top());
    const QPointF between((from.center().x() + to.center().x()) / 2.0,
                          (from.bottom() + to.top()) / 2.0);
    REQUIRE_FALSE(graph.at(between).has_value());
    REQUIRE(graph.wireAt(between));
    REQUIRE(graph.markAt(between));
    CHECK(graph.markAt(between)->tensor == y1);
    CHECK(graph.markAt(between)->counts.size() == 3);
    CHECK_FALSE(graph.wireAt(between + QPointF(0.4, 0.0)));
    CHECK(graph.markAt(between + QPointF(0.4, 0.0)) == nullptr);
}

}  // namespace graph_page_test
