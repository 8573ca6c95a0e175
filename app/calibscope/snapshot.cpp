// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/application.h"
#include "app/calibscope/subcommands.h"
#include "core/base/error.h"
#include "core/base/location.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"
#include "core/recipes/recipe.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "ui/document/compare_edits.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/document/session_document.h"
#include "ui/document/workspace.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/calibrators/format_plots.h"
#include "ui/pages/calibrators/formats_view.h"
#include "ui/pages/improve/improve_page.h"
#include "ui/pages/layers/layers_page.h"
#include "ui/pages/slice/slice_page.h"
#include "ui/plot/picture.h"
#include "ui/queries/addresses.h"
#include "ui/queries/dump_requests.h"
#include "ui/window/compare_controller.h"
#include "ui/window/deploy_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/session_controller.h"

#include <QEventLoop>
#include <QFile>
#include <QPixmap>
#include <QRegularExpression>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::window {

namespace {

struct SnapshotOptions
{
    std::string file;
    std::string second;
    std::string session;
    std::string view;
    std::string tensor;
    std::string recipe;
    std::string lower = "curve";
    std::string quantity = "count";
    std::string compare = "overlay";
    std::string model;
    std::string plan;
    std::string checked;
    std::string improved;
    std::string rungs;
    std::string budget;
    std::string layer;
    std::string layerView = "layers";
    std::string calibratorsView = "curves";
    std::string axes;
    std::string at;
    bool isSigned = false;
    bool isLogX = false;
    bool isLinear = false;
    bool isQuantized = false;
    std::string size = "1600x1000";
    int scale = 1;
    std::string theme = "light";
    bool allowExternal = false;
    int mostSilentSeconds = defaultSilentSeconds;
    std::string output;
};

QSize parseSize(const std::string& text)
{
    static const QRegularExpression form("^(\\d{2,5})x(\\d{2,5})$");
    const auto match = form.match(QString::fromStdString(text));
    constexpr int most = 8192;  // pixels along a side
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (!match.hasMatch() || size.width() > most || size.height() > most)
        throw Error(Fault::Usage,
                    "--size {}: is not a width and height of 10 to 8192 pixels, as in 1600x1000",
                    text);
    return size;
}

std::optional<Workspace> workspaceOf(const SnapshotOptions& options)
{
    return parseWorkspace(QString::fromStdString(options.view));
}

/// What the session says of this is left as it is, where nothing is asked for.
bool asksForPlots(const SnapshotOptions& options)
{
    const SnapshotOptions standard;
    return options.lower != standard.lower || options.quantity != standard.quantity ||
           options.isSigned || options.isLogX || options.isLinear || options.isQuantized;
}

void check(const SnapshotOptions& options)
{
    for (const std::string& file : {options.file, options.second})
        (void)parseLocation(file);  // throws for an address that is none
    if (options.view.empty())
        return;
    if (options.view != "start" && !workspaceOf(options))
        throw Error(Fault::Usage,
                    "there is no view {}; available: start, summary, browse, calibrators, "
                    "channels, compare, deploy, layers, slice, graph and improve",
                    options.view);
    if (options.view != "start" && options.file.empty() && options.session.empty())
        throw Error(Fault::Usage,
                    "the view {} needs a dump; name one, as in calibscope snapshot a.h5 -o a.png",
                    options.view);
    if (!options.recipe.empty())
        (void)recipe(options.recipe);  // throws for an unknown one
}

/// Lets the window work until it reads nothing and waits for nothing.
void waitUntilIdle(MainWindow& window)
{
    Document& document = window.document();
    const Comparison& comparison = window.comparison();
    QEventLoop loop;
    QObject::connect(&document, &Document::idle, &loop, &QEventLoop::quit);
    QObject::connect(&comparison, &Comparison::idle, &loop, &QEventLoop::quit);
    // Nobody is here to be asked whether to wait.
    QObject::connect(&document.questions(), &Questions::engineStalled, &loop,
                     [&] { document.questions().restartEngine(); });
    while (!document.isIdle() || !comparison.isIdle())
        loop.exec();
}

void selectTensor(Document& document, const std::string& nameOrPath)
{
    const int tensor = nameOrPath.empty() ? firstToShow(document.tensors())
                                          : placeOf(document.tensors(), nameOrPath);
    if (tensor < 0 && !nameOrPath.empty())
        throw Error(Fault::Usage, "{}: there is no tensor {}; calib info lists them",
                    document.path().toStdString(), nameOrPath);
    document.select(tensor);
}

/// What the window's buttons choose.
void choosePlots(Document& document, const SnapshotOptions& options)
{
    static const std::map<std::string, Quantity> quantities = {
        {"count", Quantity::Count},
        {"density", Quantity::Density},
        {"cumulative", Quantity::Cumulative}};
    for (const LowerPlot& lower : lowerPlots)
        if (options.lower == lower.word)
            edits::setSecondary(document, lower.plot);
    edits::setDisplay(document, {.isLogCount = !options.isLinear,
                                 .isLogX = options.isLogX,
                                 .domain = options.isSigned ? Domain::Signed : Domain::Magnitude,
                                 .quantity = quantities.at(options.quantity),
                                 .isQuantizedShown = options.isQuantized});
}

/// The dump to compare with, if there is one.
void openSecond(MainWindow& mainWindow, const SnapshotOptions& options)
{
    static const std::map<std::string, CompareMode> modes = {
        {"overlay", CompareMode::Overlay},
        {"side-by-side", CompareMode::SideBySide},
        {"difference", CompareMode::Difference}};
    if (options.second.empty())
        return;
    mainWindow.comparing().open(QString::fromLocal8Bit(options.second.c_str()));
    setCompareMode(mainWindow.document(), modes.at(options.compare));
}

/// Why the dump or its selected tensor is not shown; empty: it is.
QString problemOf(MainWindow& window)
{
    const Document& document = window.document();
    if (document.dumpState() == Document::DumpState::Failed)
        return document.dumpProblem();
    if (window.comparison().state() == Comparison::State::Failed)
        return window.comparison().problem();
    const TensorInfo* tensor = document.selectedTensor();
    if (tensor && !tensor->isReadable())
        return QString::fromStdString(tensor->path + ": " + tensor->unreadable.sentence);
    return document.questions().reader().problem();
}

void showDump(MainWindow& mainWindow, const SnapshotOptions& options)
{
    Document& document = mainWindow.document();
    if (!options.recipe.empty())
        edits::chooseRecipe(document, QString::fromStdString(options.recipe));
    choosePlots(document, options);
    if (options.view == "start")
        return;
    mainWindow.open(QString::fromLocal8Bit(options.file.c_str()),
                    {.allowExternal = options.allowExternal});
    waitUntilIdle(mainWindow);
    openSecond(mainWindow, options);
    if (document.dumpState() == Document::DumpState::Open && options.view != "summary")
        selectTensor(document, options.tensor);
    mainWindow.showWorkspace(*workspaceOf(options));
    waitUntilIdle(mainWindow);
    if (options.tensor.empty() || document.dumpState() != Document::DumpState::Open)
        return;
    selectTensor(document, options.tensor);  // Compare went to the worst pair when all were read
    waitUntilIdle(mainWindow);
}

/// Nobody is here to be asked whether to connect to a machine that only a session names.
void refuseMachines(const std::string& file)
{
    const SessionDocument session = readSession(QFile::decodeName(file.c_str()));
    for (const SessionDump& dump : session.dumps)
        if (const QString path = QString::fromStdString(dump.identity.path); isFarAway(path))
            throw Error(Fault::Usage,
                        "{}: its dump lies on {}, and a session connects to nothing by itself; "
                        "name the dump instead: calibscope snapshot {} -o FILE",
                        file, machineOf(path).toStdString(), dump.identity.path);
}

/// Throws Error(Input) where it can't be read.
void openSession(MainWindow& mainWindow, const std::string& file)
{
    QEventLoop loop;
    QString failure;
    QObject::connect(&mainWindow.sessions().keeper(), &SessionKeeper::failed, &loop,
                     [&](const QString& sentence) {
                         failure = sentence;
                         loop.quit();
                     });
    QObject::connect(&mainWindow.sessions().keeper(), &SessionKeeper::opened, &loop,
                     &QEventLoop::quit);
    mainWindow.sessions().open(QString::fromLocal8Bit(file.c_str()));
    loop.exec();
    if (!failure.isEmpty())
        throw Error(Fault::Input, failure.toStdString());
}

/// As it was saved, but for what is asked for.
void showSession(MainWindow& mainWindow, const SnapshotOptions& options)
{
    Document& document = mainWindow.document();
    refuseMachines(options.session);
    openSession(mainWindow, options.session);
    if (options.allowExternal)
        document.reloadWithExternal();
    waitUntilIdle(mainWindow);
    if (!options.recipe.empty())
        edits::chooseRecipe(document, QString::fromStdString(options.recipe));
    if (asksForPlots(options))
        choosePlots(document, options);
    if (!options.tensor.empty())
        selectTensor(document, options.tensor);
    if (!options.view.empty())
        mainWindow.showWorkspace(*workspaceOf(options));
    waitUntilIdle(mainWindow);
}

/// What calib said of the model that is to be written.
void showDeployment(MainWindow& mainWindow, const SnapshotOptions& options)
{
    DeployController& deploying = mainWindow.deploying();
    if (!options.model.empty())
        deploying.setModel(QFile::decodeName(options.model.c_str()));
    if (!options.plan.empty())
        deploying.deployment().showPlan(parseDeployPlan(readWholeFile(options.plan), options.plan));
    if (!options.checked.empty())
        deploying.deployment().showReport(
            parseCheckReport(readWholeFile(options.checked), options.checked));
    if (!options.improved.empty())
        deploying.deployment().showImprovements(
            parseImprovementRows(readWholeFile(options.improved), options.improved));
    if (!options.rungs.empty())
        deploying.deployment().showLadder(
            parseLadderRows(readWholeFile(options.rungs), options.rungs), {});
    if (!options.budget.empty()) {
        deploying.deployment().showBudget(
            parseBudgetRows(readWholeFile(options.budget), options.budget));
        deploying.improvePage().showView(ImprovePage::View::Budget);
    }
}

/// One of the layers, and what is shown of it.
void showLayer(MainWindow& mainWindow, const SnapshotOptions& options)
{
    static const std::map<std::string, LayersPage::View> views = {
        {"layers", LayersPage::View::Layers},
        {"candidates", LayersPage::View::Candidates},
        {"channels", LayersPage::View::Channels},
        {"operands", LayersPage::View::Operands},
        {"equalization", LayersPage::View::Equalization}};
    LayersPage& page = mainWindow.layersPage();
    if (!options.layer.empty())
        page.chooseLayer(options.layer);
    if (!options.layer.empty() && page.layer() != options.layer)
        throw Error(Fault::Usage, "{}: there is no layer {}; calib layers lists them",
                    mainWindow.document().path().toStdString(), options.layer);
    page.showView(views.at(options.layerView));
    waitUntilIdle(mainWindow);
}

void showCalibrators(MainWindow& mainWindow, const SnapshotOptions& options)
{
    using View = CalibratorsPage::View;
    static const std::map<std::string, View> views = {
        {"curves", View::Curves},          {"panels", View::SideBySide},
        {"all-tensors", View::AllTensors}, {"explain", View::Explain},
        {"formats", View::Formats},        {"formats-scales", View::Formats},
        {"formats-blocks", View::Formats}, {"formats-levels", View::Formats}};
    static const std::map<std::string, FormatPlots::Plot> plots = {
        {"formats-scales", FormatPlots::Plot::Scales},
        {"formats-blocks", FormatPlots::Plot::Blocks},
        {"formats-levels", FormatPlots::Plot::Levels}};
    if (options.calibratorsView == SnapshotOptions().calibratorsView)
        return;
    CalibratorsPage& page = mainWindow.calibratorsPage();
    page.showView(views.at(options.calibratorsView));
    if (const auto plot = plots.find(options.calibratorsView); plot != plots.end()) {
        waitUntilIdle(mainWindow);
        page.formats().plots().choose(plot->second);
    }
    waitUntilIdle(mainWindow);
}

/// Whole numbers with commas between them. Throws Error(Usage) for anything else.
std::vector<std::uint64_t> parseIndex(const std::string& option, const std::string& text)
{
    std::vector<std::uint64_t> index;
    for (const QString& word : QString::fromStdString(text).split(u',')) {
        bool isNumber = false;
        index.push_back(word.toULongLong(&isNumber));
        if (!isNumber)
            throw Error(Fault::Usage, "{} {}: is not a list of whole numbers, as in 2,3", option,
                        text);
    }
    return index;
}

/// Which plane of the tensor, and which of its values is chosen.
void showSlice(MainWindow& mainWindow, const SnapshotOptions& options)
{
    const TensorInfo* tensor = mainWindow.document().selectedTensor();
    if ((options.axes.empty() && options.at.empty()) || !tensor)
        return;
    SlicePage& page = mainWindow.slicePage();
    SliceAxes axes = page.axes();
    const std::vector<std::uint64_t>& shape = tensor->shape;
    if (!options.axes.empty()) {
        const std::vector<std::uint64_t> shown = parseIndex("--axes", options.axes);
        const bool areAxes =
            std::ranges::all_of(shown, [&](std::uint64_t axis) { return axis < shape.size(); });
        if (shown.size() != 2 || !areAxes || shown[0] == shown[1])
            throw Error(Fault::Usage, "--axes {}: has to be two of the {} axes of {}", options.axes,
                        shape.size(), tensor->name);
        axes.row = shown[0];
        axes.column = shown[1];
    }
    if (!options.at.empty()) {
        axes.at = parseIndex("--at", options.at);
        if (axes.at.size() != shape.size() || !std::ranges::equal(axes.at, shape, std::less{}))
            throw Error(Fault::Usage, "--at {}: is not an index of {}, which is {}", options.at,
                        tensor->name, shapeText(shape));
    }
    page.setAxes(axes);
    waitUntilIdle(mainWindow);
}

/// Qt would write under another name.
void requireUtf8(const std::string& path)
{
    if (validUtf8(path) != path)
        throw Error(Fault::Usage, "{}: a picture's name has to be UTF-8; choose another one", path);
}

int takeSnapshot(const SnapshotOptions& options)
{
    check(options);
    requireUtf8(options.output);
    const QSize size = parseSize(options.size);
    qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
    const auto application = makeApplication(Display::None);
    MainWindow mainWindow({.keeping = Preferences::Keeping::Forget,
                           .theme = parseTheme(QString::fromStdString(options.theme)),
                           .mostSilentSeconds = options.mostSilentSeconds});
    mainWindow.resize(size);
    mainWindow.show();
    if (!options.session.empty())
        showSession(mainWindow, options);
    else
        showDump(mainWindow, options);
    showDeployment(mainWindow, options);
    showLayer(mainWindow, options);
    showCalibrators(mainWindow, options);
    if (options.view == "slice")
        showSlice(mainWindow, options);
    // Layouts that the last answer changed; what they start is done in the round after.
    for (int round = 0; round < 3; ++round)
        QApplication::processEvents();
    savePicture(mainWindow.grab().toImage(), QFile::decodeName(options.output.c_str()));
    const QString problem = problemOf(mainWindow);
    if (options.view == "start" || problem.isEmpty())
        return 0;
    sayOnStderr("calibscope: " + problem.toStdString());
    return exitCode(Fault::Input);
}

}  // namespace

Command snapshotCommand()
{
    const auto options = std::make_shared<SnapshotOptions>();
    Command command{.name = "snapshot",
                    .help = "Picture of a view of the window, without a display"};
    const auto addText = [&command](const char* names, std::string& value, const char* help,
                                    const char* type, std::vector<std::string> words = {}) {
        command.add({.names = names,
                     .target = &value,
                     .help = help,
                     .type = type,
                     .words = std::move(words)});
    };
    const auto addFlag = [&command](const char* names, bool& value, const char* help) {
        command.add({.names = names, .target = &value, .help = help});
    };
    addText("FILE", options->file, "HDF5 dump; not needed for the view start", "");
    addText("SECOND", options->second, "dump to compare it with, for the view compare", "");
    addText("--compare", options->compare,
            "two dumps: overlay (default), side-by-side or difference", "MODE",
            {"overlay", "side-by-side", "difference"});
    command.add({.names = "--session",
                 .target = &options->session,
                 .help = "session to show as it was saved, in place of a dump",
                 .type = "FILE",
                 .excludes = "FILE"});
    addText("--view", options->view,
            "start, summary, browse (default), calibrators, channels, compare, deploy, layers, "
            "slice, graph or improve",
            "VIEW");
    addText("--model", options->model, "for the view deploy: the model's path", "FILE");
    addText("--plan", options->plan, "for the view deploy: output of calib materialize --plan",
            "FILE");
    addText("--check", options->checked, "for the view deploy: what calib check --format json said",
            "FILE");
    addText("--improved", options->improved,
            "for the view improve: output of calib improve --format json", "FILE");
    addText("--rungs", options->rungs,
            "for the view improve: output of calib improve --ladder --format json", "FILE");
    addText("--budget", options->budget,
            "for the view improve: output of calib improve --budget --format json", "FILE");
    addText("--layer", options->layer, "for the view layers: the layer that is chosen", "NAME");
    addText("--layer-view", options->layerView,
            "for the view layers: layers (default), candidates, channels, operands or equalization",
            "VIEW", {"layers", "candidates", "channels", "operands", "equalization"});
    addText(
        "--calibrators-view", options->calibratorsView,
        "for the view calibrators: curves (default), panels, all-tensors, explain, formats or one "
        "of its plots, formats-scales, formats-blocks, formats-levels",
        "VIEW",
        {"curves", "panels", "all-tensors", "explain", "formats", "formats-scales",
         "formats-blocks", "formats-levels"});
    addText("--axes", options->axes,
            "for the view slice: the axes that are shown, down and across, from 0 on", "I,J");
    addText("--at", options->at, "for the view slice: index of the chosen value", "I,J,...");
    addText("--tensor", options->tensor, "name (default: as in the window, the first)", "NAME");
    addText("--recipe", options->recipe, "recipe whose choices are emphasised", "ID");
    addText("--lower", options->lower,
            "below the histogram: curve (default), error, batches or samples", "PLOT",
            lowerPlotWords());
    addText("--quantity", options->quantity,
            "of the histogram: count (default), density or cumulative", "QUANTITY",
            {"count", "density", "cumulative"});
    addFlag("--signed", options->isSigned, "histogram of x, not of |x|");
    addFlag("--log-x", options->isLogX, "logarithmic axis of values");
    addFlag("--linear-count", options->isLinear, "linear axis of counts");
    addFlag("--quantized", options->isQuantized, "the quantized histogram over it");
    addText("--size", options->size, "of the window (default 1600x1000)", "WxH");
    command.add({.names = "--scale",
                 .target = &options->scale,
                 .help = "pixels for each of the window's, 1 or 2",
                 .type = "N",
                 .words = {"1", "2"}});
    addText("--theme", options->theme, "light (default) or dark", "THEME", {"light", "dark"});
    addFlag("--allow-external", options->allowExternal, "follow links and raw data in other files");
    command.add(silenceOption(options->mostSilentSeconds));
    command.add({.names = "-o,--output",
                 .target = &options->output,
                 .help = "PNG file to write",
                 .type = "FILE",
                 .isRequired = true});
    command.run = [options] {
        if (options->view.empty() && options->session.empty())
            options->view = "browse";
        return takeSnapshot(*options);
    };
    return command;
}

}  // namespace calibscope::window
