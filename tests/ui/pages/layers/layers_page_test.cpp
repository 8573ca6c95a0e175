// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/layers/layers_page.h"

#include "tests/support/layer_samples.h"
#include "ui/charts/layers_content.h"
#include "ui/charts/operand_channels_content.h"
#include "ui/charts/rate_content.h"
#include "ui/document/decisions.h"
#include "ui/pages/layers/layer_details.h"
#include "ui/pages/layers/operands_view.h"
#include "ui/plot/number_label.h"
#include "ui/widgets/state_notice.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

namespace layers_page_test {

using namespace calibscope;
using namespace calibscope::test;

struct ShownLayers : LayeredDocument
{
    ShownLayers()
    {
        page.resize(900, 640);
        page.show();
    }
    /// The layers as the plot has them.
    QStringList drawn() const
    {
        const std::optional<PlotTable> table =
            page.plot().shown().table(page.plot().shown().fullRange());
        return std::get<QStringList>(table->columns[0].cells);
    }
    QStringList listed() const
    {
        QStringList names;
        const QAbstractItemModel& rows = *page.table().model();
        for (int row = 0; row < rows.rowCount(); ++row)
            names += rows.index(row, LayerColumn::Layer).data().toString();
        return names;
    }
    LayersPage page{document};
};

TEST_CASE("the layers are looked for when the page is seen, and fill it one by one")
{
    LayeredDocument hidden;
    const LayersPage unseen(hidden.document);
    CHECK(hidden.background.layerLists.empty());
    ShownLayers test;
    CHECK(test.page.showsNotice());
    test.list();
    CHECK_FALSE(test.page.showsNotice());
    CHECK(test.page.table().model()->rowCount() == 3);
    CHECK(test.page.plot().isEmpty());
    test.answerLayer(30.0);
    CHECK(test.drawn() == QStringList{"y1"});
    CHECK_THAT(test.page.state().toStdString(),
               containsText("2 of 3 layers") && containsText("first look 1"));
    test.answerAll();
    CHECK_THAT(test.page.state().toStdString(),
               !containsText("first look") && !containsText("refined"));
}

TEST_CASE("plot and table have one order: the lowest first, or the graph's")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    CHECK(test.drawn() == QStringList{"y2", "y1"});
    CHECK(test.listed() == QStringList{"y2", "y1", "y3"});
    CHECK(test.page.table().horizontalHeader()->sortIndicatorSection() == LayerColumn::Output);
    test.page.setOrder(LayersPage::Order::Graph);
    CHECK(test.drawn() ==
          QStringList{"y1", "y2", "y3"});  // with what can't be computed, in its place
    CHECK(test.listed() == QStringList{"y1", "y2", "y3"});
    test.page.table().sortByColumn(LayerColumn::WeightDb, Qt::DescendingOrder);
    CHECK(test.drawn() == QStringList{"y1", "y2"});
}

TEST_CASE("a layer is chosen in the plot, in the table, or with its tensor")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    CHECK(test.page.layer() == "y1");  // of the selected tensor, x1
    Q_EMIT test.page.plot().partChosen(0);
    CHECK(test.page.layer() == "y2");
    CHECK(test.document.selected() == 2);  // y1, its input
    CHECK_THAT(test.page.facts().toStdString(),
               containsText("y2: From " + countLabel(4096).toStdString() + " of "));
    test.page.table().setCurrentIndex(test.page.table().model()->index(1, 0));
    CHECK(test.page.layer() == "y1");
    QTest::keyClick(&test.page.plot(), Qt::Key_Left);
    CHECK(test.page.layer() == "y2");
    QTest::keyClick(&test.page.plot(), Qt::Key_Right);
    CHECK(test.page.layer() == "y1");
    test.document.select(3);  // w2
    CHECK(test.page.layer() == "y2");
    test.document.select(2);  // y1, of y2 as well: the chosen one stays
    CHECK(test.page.layer() == "y2");
    test.page.chooseLayer("no such layer");
    CHECK(test.page.layer() == "y2");
}

TEST_CASE("all positions of the chosen layer are computed on request")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    CHECK(test.page.exactButton().isEnabled());
    test.page.exactButton().click();
    REQUIRE(test.background.layers.size() == 1);
    CHECK(test.background.layers.front().request.positions == 0);
    test.answerAll();
    CHECK_FALSE(test.page.exactButton().isEnabled());
    CHECK_THAT(test.page.facts().toStdString(),
               containsText("Exact: all " + countLabel(10000).toStdString()));
}

TEST_CASE("candidates are tried when they are looked at, and one click accepts the best pair")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    CHECK(test.background.layerTrials.empty());
    test.page.showView(LayersPage::View::Candidates);
    REQUIRE(test.background.layerTrials.size() == 1);
    const protocol::LayerTrialsRequest request = test.background.layerTrials.front().request;
    CHECK(request.layer.layer == "y1");
    CHECK(request.layer.positions == LayerReader::trialPositions);
    CHECK(std::ranges::count(request.candidates, "/x1", &protocol::ChoiceOnTensor::path) > 2);
    CHECK(std::ranges::count(request.candidates, "/w1", &protocol::ChoiceOnTensor::path) > 2);
    LayerCandidates found = layerTrials(request);
    found.decided.positions = 256;
    found.decided.of = 900;
    FakeEngine::answer(test.background.layerTrials, found);
    CHECK_THAT(test.page.details().sentence().toStdString(),
               containsText("on the input: +6.1 dB here.") && containsText("26.4 dB (+6.4)") &&
                   containsText("Computed on 256 of 900 positions."));
    test.page.details().acceptButton().click();
    REQUIRE(decisionOf(test.document, 0));
    REQUIRE(decisionOf(test.document, 1));
    CHECK(decisionOf(test.document, 0)->id == found.input[1].candidate);
    CHECK(decisionOf(test.document, 1)->id == found.weight[1].candidate);
    test.document.undo();  // one step
    CHECK_FALSE(decisionOf(test.document, 0));
    CHECK_FALSE(decisionOf(test.document, 1));
}

TEST_CASE("one candidate is accepted by a click on its word")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.page.showView(LayersPage::View::Candidates);
    const LayerCandidates found = layerTrials(test.background.layerTrials.front().request);
    FakeEngine::answer(test.background.layerTrials, found);
    QTableView& table = test.page.details().candidateTable();
    // The best first: the second of the input's candidates.
    Q_EMIT table.clicked(table.model()->index(0, LayerCandidateColumn::Candidate));
    CHECK_FALSE(decisionOf(test.document, 0));
    Q_EMIT table.clicked(table.model()->index(0, LayerCandidateColumn::Accept));
    REQUIRE(decisionOf(test.document, 0));
    CHECK(decisionOf(test.document, 0)->id == found.input[1].candidate);
    CHECK_FALSE(decisionOf(test.document, 1));
    // The layer is another now: its candidates are tried anew, and it is computed.
    CHECK(test.background.layerTrials.size() == 1);
    CHECK(test.background.layers.front().request.layer == "y1");
}

TEST_CASE("trials of a layer that is left are cancelled")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.page.showView(LayersPage::View::Candidates);
    const quint64 first = test.background.layerTrials.front().id;
    test.page.chooseLayer("y2");
    CHECK(test.background.cancelled.contains(first));
    CHECK(test.background.layerTrials.back().request.layer.layer == "y2");
    test.page.chooseLayer("y3");
    CHECK(test.page.details().notice().sentence() == "input `gone` is not in the dump");
}

TEST_CASE("the channels of the chosen layer are read when they are looked at")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.page.showView(LayersPage::View::Channels);
    REQUIRE(test.background.layers.size() == 1);
    CHECK(test.background.layers.front().request.perChannel);
    FakeEngine::answer(test.background.layers,
                       layerAnswer(test.background.layers.front().request, 30.0));
    CHECK(test.page.details().channels().isVisible());
    CHECK(test.page.details().channels().wholeTable().rowCount() == 4);
    test.page.showView(LayersPage::View::Layers);
    test.page.showView(LayersPage::View::Channels);
    CHECK(test.background.layers.empty());  // they are known
}

TEST_CASE("operands are tried by the chosen analysis, and a click shows a trial's factors")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    CHECK(test.background.operandTrials.empty());
    test.page.showView(LayersPage::View::Operands);
    REQUIRE(test.background.operandTrials.size() == 1);
    CHECK(test.background.operandTrials.front().request.layer.layer == "y1");
    CHECK(test.background.operandTrials.front().request.layer.decisions.empty());
    CHECK(test.background.operandTrials.front().request.analysis == "formats");
    CHECK(test.background.operandTrials.front().request.format.empty());
    OperandsView& view = test.page.details().operands();
    const quint64 first = test.background.operandTrials.front().id;
    view.analysis().setCurrentIndex(1);
    CHECK(test.background.cancelled.contains(first));
    test.background.operandTrials.pop_front();
    REQUIRE(test.background.operandTrials.size() == 1);
    CHECK(test.background.operandTrials.front().request.analysis == "smooth");
    CHECK(test.background.operandTrials.front().request.format == "int8-row");
    FakeEngine::answer(test.background.operandTrials,
                       OperandTrials{.layer = "y1",
                                     .positions = 256,
                                     .of = 900,
                                     .trials = {{.format = "int8-row", .outputSqnrDb = 20.0},
                                                {.method = "smooth",
                                                 .format = "int8-row",
                                                 .setting = 0.0,
                                                 .outputSqnrDb = 22.0,
                                                 .factors = {2.0F, 1.0F}},
                                                {.method = "smooth",
                                                 .format = "int8-row",
                                                 .setting = 0.5,
                                                 .outputSqnrDb = 30.5,
                                                 .factors = {4.0F, 0.5F},
                                                 .isBest = true}},
                                     .inputLargest = {1.0, 8.0},
                                     .weightLargest = {0.5, 0.25},
                                     .errorShares = {0.75, 0.25}});
    CHECK_THAT(view.sentence().toStdString(),
               containsText("Best: smooth, alpha 0.5, 30.5 dB; as it is 20.0 dB.") &&
                   containsText("0 (75 %), 1 (25 %)") &&
                   containsText("Computed on 256 of 900 positions."));
    CHECK(view.curve().shown().marks().size() == 2);  // what there is without is a level
    CHECK(view.curve().shown().chosen() == 1U);
    CHECK(view.channels().shown().channels().factors == std::vector<float>{4.0F, 0.5F});
    Q_EMIT view.curve().markChosen(0);
    CHECK(view.channels().shown().channels().factors == std::vector<float>{2.0F, 1.0F});
    // Decisions have no part in it, another layer has.
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(test.background.operandTrials.empty());
    test.page.chooseLayer("y2");
    REQUIRE(test.background.operandTrials.size() == 1);
    CHECK(test.background.operandTrials.front().request.layer.layer == "y2");
}

TEST_CASE("equalization is asked for once, for what is decided")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.page.showView(LayersPage::View::Equalization);
    REQUIRE(test.background.equalizations.size() == 1);
    CHECK(test.background.equalizations.front().request.decisions.size() == 4);
    FakeEngine::answer(test.background.equalizations, protocol::Equalizations{});
    CHECK_THAT(test.page.details().notice().sentence().toStdString(),
               containsText("No two recorded layers follow each other"));
    test.page.chooseLayer("y2");
    CHECK(test.background.equalizations.empty());
    (void)acceptCandidate(test.document, {0}, "min-max");
    CHECK(test.background.equalizations.size() == 1);
}

TEST_CASE("what cannot be done is told in place of the layers")
{
    ShownLayers test;
    FakeEngine::fail(test.background.layerLists, "calib quit");
    CHECK(test.page.showsNotice());
    CHECK(test.page.notice().sentence() == "calib quit");
    ShownLayers bare;
    FakeEngine::answer(bare.background.layerLists, protocol::LayerList{});
    CHECK(bare.page.showsNotice());
    CHECK_THAT(bare.page.notice().sentence().toStdString(), containsText("are not recorded"));
}

TEST_CASE("the page leads to Deploy, and a row to its operands")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    const QSignalSpy deploy(&test.page, &LayersPage::deployRequested);
    const QSignalSpy chosen(&test.page, &LayersPage::tensorChosen);
    for (QLabel* label : test.page.findChildren<QLabel*>())
        if (label->text().contains("check it"))
            Q_EMIT label->linkActivated("deploy");
    CHECK(deploy.count() == 1);
    const QAbstractItemModel& rows = *test.page.table().model();
    Q_EMIT test.page.table().activated(rows.index(1, LayerColumn::Layer));
    Q_EMIT test.page.table().activated(rows.index(1, LayerColumn::WeightDb));
    REQUIRE(chosen.count() == 2);
    CHECK(chosen.at(0).at(0).toInt() == 0);
    CHECK(chosen.at(1).at(0).toInt() == 1);
}

TEST_CASE("another dump is looked at anew while the page is seen")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.document.open("/somewhere/b.h5");
    FakeEngine::answer(test.waited.opens, layeredDump());
    CHECK(test.page.showsNotice());
    REQUIRE(test.background.layerLists.size() == 1);
    CHECK(test.background.layerLists.front().request.path == "/somewhere/b.h5");
}

TEST_CASE("the candidates of a tensor's layer are shown once the layers are listed")
{
    ShownLayers test;
    test.page.showCandidates(4, false);  // y2: by the layer that makes it
    test.list();
    test.answerAll();
    CHECK(test.page.layer() == "y2");
    CHECK(test.document.selected() == 2);  // its input
    CHECK(test.page.details().isVisible());
    test.page.showCandidates(2, false);  // y1: likewise
    CHECK(test.page.layer() == "y1");
    test.page.showCandidates(2, true);  // y1 as the input of the next one
    CHECK(test.page.layer() == "y2");
    test.page.showCandidates(0, false);  // x1 is made by none: the layer that takes it
    CHECK(test.page.layer() == "y1");
}

TEST_CASE("a tensor that follows from a layer by other ops says so")
{
    ShownLayers test;
    test.list();
    test.answerAll();
    test.document.open("/somewhere/b.h5");
    protocol::DumpOpened dump = layeredDump();
    TensorInfo scaled = dump.tensors[4];
    scaled.name = "scaled";
    scaled.path = "/scaled";
    scaled.op = "Mul";
    scaled.inputs = {"y2"};
    dump.tensors.push_back(scaled);
    FakeEngine::answer(test.waited.opens, dump);
    test.list();
    test.answerAll();
    const QSignalSpy said(&test.page, &LayersPage::relationFound);
    test.page.showCandidates(static_cast<int>(dump.tensors.size()) - 1, false);
    CHECK(test.page.layer() == "y2");
    REQUIRE(said.count() == 1);
    CHECK(said[0][0].toString() == "scaled is no layer's output: it follows from y2, whose own "
                                   "output has 20.0 dB.");
    test.page.showCandidates(4, false);  // y2 itself
    CHECK(said.count() == 1);
}

TEST_CASE("a check again is offered where there is one")
{
    ShownLayers test;
    test.list();
    CHECK_FALSE(test.page.checkButton().isVisible());
    test.page.offerCheck(true);
    REQUIRE(test.page.checkButton().isVisible());
    const QSignalSpy wanted(&test.page, &LayersPage::checkRequested);
    test.page.checkButton().click();
    CHECK(wanted.count() == 1);
}

TEST_CASE("a dump that records no layer has a button for the model that has them")
{
    ShownLayers test;
    FakeEngine::answer(test.background.layerLists, protocol::LayerList{});
    REQUIRE(test.page.showsNotice());
    CHECK_THAT(test.page.notice().sentence().toStdString(), containsText("page Improve"));
    QSignalSpy asked(&test.page, &LayersPage::modelRequested);
    const QList<QPushButton*> buttons = test.page.notice().findChildren<QPushButton*>();
    const auto choose = std::ranges::find(buttons, QString("Choose ONNX &model..."),
                                          [](const QPushButton* button) { return button->text(); });
    REQUIRE(choose != buttons.end());
    CHECK((*choose)->isVisible());
    (*choose)->click();
    CHECK(asked.count() == 1);
}

}  // namespace layers_page_test
