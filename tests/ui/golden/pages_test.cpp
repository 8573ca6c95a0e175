// SPDX-License-Identifier: GPL-3.0-or-later
// The pages of the window with the bundled sample, compared with pictures of them.
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "tests/support/catch.h"
#include "tests/support/deploy_samples.h"
#include "tests/support/golden_window.h"
#include "tests/support/layer_dump.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/calibrators/format_plots.h"
#include "ui/pages/calibrators/formats_view.h"
#include "ui/pages/calibrators/matrix_view.h"
#include "ui/pages/deploy/deploy_page.h"
#include "ui/pages/graph/graph_page.h"
#include "ui/pages/improve/budget_view.h"
#include "ui/pages/improve/improve_page.h"
#include "ui/pages/layers/layers_page.h"
#include "ui/pages/slice/slice_page.h"
#include "ui/window/deploy_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/message_controller.h"

#include <QPushButton>
#include <QTableView>

#include <limits>

namespace pages_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr QSize pageSize(1160, 720);
constexpr const char* activation = "batch_norm_3.tmp_2";
constexpr const char* weight = "conv2d_169.w_0";

/// A picture of the window with the sample open, after `arrange`.
void checkPage(const QString& name, const std::function<void(GoldenWindow&)>& arrange,
               GoldenLooks looks = GoldenLooks::LightAndDark)
{
    const auto take = [&](const GoldenVariant& variant) {
        GoldenWindow window(variant, pageSize);
        window.open(sampleDumpPath(), "sample.h5");
        arrange(window);
        window.settle();
        return window.take();
    };
    checkGolden(name, take, looks);
}

CalibratorsPage& calibratorsPage(GoldenWindow& window)
{
    auto* page = window.window().findChild<CalibratorsPage*>();
    REQUIRE(page);
    return *page;
}

TEST_CASE("the summary of a dump looks as it did", "[golden]")
{
    checkPage("page-summary", [](GoldenWindow&) {});
}

TEST_CASE("an activation looks as it did when it is browsed", "[golden]")
{
    checkPage("page-browse-activation",
              [](GoldenWindow& window) { window.show(activation, Workspace::Browse); });
}

TEST_CASE("a weight looks as it did when it is browsed", "[golden]")
{
    checkPage("page-browse-weight",
              [](GoldenWindow& window) { window.show(weight, Workspace::Browse); });
}

TEST_CASE("the error below a histogram looks as it did", "[golden]")
{
    checkPage("page-browse-error", [](GoldenWindow& window) {
        edits::setSecondary(window.document(), Secondary::ErrorPerBin);
        window.show(activation, Workspace::Browse);
    });
}

TEST_CASE("the batches below a histogram look as they did", "[golden]")
{
    checkPage("page-browse-batches", [](GoldenWindow& window) {
        edits::setSecondary(window.document(), Secondary::Batches);
        window.show(activation, Workspace::Browse);
    });
}

TEST_CASE("the curves of the calibrators look as they did", "[golden]")
{
    checkPage(
        "page-calibrators",
        [](GoldenWindow& window) { window.show(activation, Workspace::Calibrators); },
        GoldenLooks::LightDarkAndFine);
}

TEST_CASE("calibrators side by side look as they did", "[golden]")
{
    checkPage("page-side-by-side", [](GoldenWindow& window) {
        edits::setQuantizedShown(window.document(), true);
        window.show(activation, Workspace::Calibrators);
        calibratorsPage(window).showView(CalibratorsPage::View::SideBySide);
    });
}

TEST_CASE("all tensors by all calibrators look as they did", "[golden]")
{
    checkPage("page-matrix", [](GoldenWindow& window) {
        window.show(activation, Workspace::Calibrators);
        calibratorsPage(window).showView(CalibratorsPage::View::AllTensors);
        calibratorsPage(window).matrix().startButton().click();
        CHECK(window.document().questions().matrix().isRunning());
        window.settle();
        window.window().messages().hide();  // said if it took long
    });
}

TEST_CASE("the steps between two calibrators look as they did", "[golden]")
{
    checkPage("page-explain", [](GoldenWindow& window) {
        window.show(activation, Workspace::Calibrators);
        calibratorsPage(window).showView(CalibratorsPage::View::Explain);
    });
}

TEST_CASE("a weight under number formats looks as it did", "[golden]")
{
    checkPage("page-formats", [](GoldenWindow& window) {
        window.show(weight, Workspace::Calibrators);
        calibratorsPage(window).showView(CalibratorsPage::View::Formats);
    });
}

TEST_CASE("scales, blocks and levels of a number format look as they did", "[golden]")
{
    for (const auto& [name, plot] : {std::pair{"page-formats-scales", FormatPlots::Plot::Scales},
                                     {"page-formats-blocks", FormatPlots::Plot::Blocks},
                                     {"page-formats-levels", FormatPlots::Plot::Levels}})
        checkPage(name, [plot = plot](GoldenWindow& window) {
            window.show(weight, Workspace::Calibrators);
            calibratorsPage(window).showView(CalibratorsPage::View::Formats);
            calibratorsPage(window).formats().plots().choose(plot);
        });
}

TEST_CASE("the channels of a weight look as they did", "[golden]")
{
    checkPage("page-channels",
              [](GoldenWindow& window) { window.show(weight, Workspace::Channels); });
}

TEST_CASE("a page without decisions looks as it did", "[golden]")
{
    checkPage(
        "page-deploy-empty",
        [](GoldenWindow& window) { window.show(activation, Workspace::Deploy); },
        GoldenLooks::Light);
}

TEST_CASE("what is to be written looks as it did", "[golden]")
{
    checkPage("page-deploy-plan", [](GoldenWindow& window) {
        window.show(activation, Workspace::Deploy);
        (void)acceptRecipe(window.document(), {0, 1, 20});
        const std::vector<TensorInfo>& tensors = window.document().tensors();
        DeployPlan plan = somePlan();
        plan.integers[0].tensor = plan.integers[0].dumpTensor = tensors[20].name;
        plan.integers[1].tensor = plan.integers[1].dumpTensor = tensors[0].name;
        plan.lints[0].subject = plan.lints[1].subject = tensors[0].name;
        DeployController& deploying = window.window().deploying();
        deploying.setModel("/models/rec.onnx");
        deploying.deployment().showPlan(plan);
    });
}

TEST_CASE("the result of a check looks as it did", "[golden]")
{
    checkPage("page-deploy-result", [](GoldenWindow& window) {
        window.show(activation, Workspace::Deploy);
        (void)acceptRecipe(window.document(), {0, 1, 20});
        DeployController& deploying = window.window().deploying();
        deploying.setModel("/models/rec.onnx");
        deploying.deployment().showReport(someCheck());
    });
}

TEST_CASE("remedies look as they did, and their ladder", "[golden]")
{
    using View = ImprovePage::View;
    const auto check = [](const QString& name, View view) {
        checkPage(name, [view](GoldenWindow& window) {
            window.show(activation, Workspace::Improve);
            (void)acceptRecipe(window.document(), {0, 1, 20});
            DeployController& deploying = window.window().deploying();
            deploying.setModel("/models/rec.onnx");
            deploying.deployment().showImprovements(
                parseImprovementRows(improvedJson(), "improved"));
            edits::setLeftOut(window.document(), "y:bias", true);
            deploying.improvePage().layers().selectRow(1);
            if (view == View::Ladder)
                deploying.deployment().showLadder(parseLadderRows(rungsJson(), "rungs"),
                                                  "At z, on 8 samples held out: it climbs.");
            if (view != View::Budget)
                return;
            deploying.deployment().showBudget(
                {{.cost = 1.0, .predictedDb = 17.4, .lowDb = 14.8, .highDb = 19.9},
                 {.cost = 1.003,
                  .predictedDb = 28.4,
                  .lowDb = 26.9,
                  .highDb = 29.9,
                  .int16 = {"y"}},
                 {.cost = 1.16,
                  .predictedDb = 33.6,
                  .lowDb = 32.1,
                  .highDb = 35.1,
                  .inFloat = {"z"}},
                 {.cost = 4.0, .predictedDb = std::numeric_limits<double>::infinity()}});
            deploying.improvePage().showView(view);
            Q_EMIT deploying.improvePage().budget().plot().pointChosen(1);
        });
    };
    check("page-improve", View::Layers);
    check("page-improve-ladder", View::Ladder);
    check("page-improve-budget", View::Budget);
}

TEST_CASE("the layers look as they did, in order and closely", "[golden]")
{
    H5File file;
    writeLayers(file);
    const auto check = [&file](const QString& name, LayersPage::View view, GoldenLooks looks) {
        const auto take = [&](const GoldenVariant& variant) {
            GoldenWindow window(variant, pageSize);
            window.open(QString::fromStdString(file.path()), "layers.h5");
            window.show("y1", Workspace::Layers);
            window.window().layersPage().showView(view);
            window.settle();
            return window.take();
        };
        checkGolden(name, take, looks);
    };
    check("page-layers", LayersPage::View::Layers, GoldenLooks::LightAndDark);
    check("page-layers-candidates", LayersPage::View::Candidates, GoldenLooks::Light);
    check("page-layers-channels", LayersPage::View::Channels, GoldenLooks::Light);
}

TEST_CASE("where values lie looks as it did, and those of a bin", "[golden]")
{
    checkPage("page-slice",
              [](GoldenWindow& window) { window.show("swish_13.tmp_0", Workspace::Slice); });
    checkPage(
        "page-slice-values",
        [](GoldenWindow& window) {
            window.show("swish_13.tmp_0", Workspace::Slice);
            window.window().slicePage().showValues({.domain = Domain::Signed, .range = {1.0, 1.25}},
                                                   "x from 1 to 1.25");
        },
        GoldenLooks::Light);
}

TEST_CASE("the graph looks as it did", "[golden]")
{
    checkPage("page-graph",
              [](GoldenWindow& window) { window.show("batch_norm_3.tmp_2", Workspace::Graph); });
    H5File file;
    writeLayers(file);
    const auto take = [&file](const GoldenVariant& variant) {
        GoldenWindow window(variant, pageSize);
        window.open(QString::fromStdString(file.path()), "layers.h5");
        window.show("y1", Workspace::Graph);
        window.window().graphPage().setColors(GraphColors::Output);
        window.settle();
        return window.take();
    };
    checkGolden("page-graph-outputs", take, GoldenLooks::Light);
}

TEST_CASE("whether samples are enough looks as it did", "[golden]")
{
    checkPage("page-browse-samples", [](GoldenWindow& window) {
        edits::setSecondary(window.document(), Secondary::Samples);
        window.show(activation, Workspace::Browse);
    });
}

}  // namespace pages_test
