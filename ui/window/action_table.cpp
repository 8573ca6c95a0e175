// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_table.h"

#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/output_folder.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/panels/layout_strip.h"
#include "ui/panels/tensor_panel.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/plot_view.h"
#include "ui/theme/plain_text.h"
#include "ui/window/calibrator_controller.h"
#include "ui/window/compare_controller.h"
#include "ui/window/decision_actions.h"
#include "ui/window/decision_controller.h"
#include "ui/window/deploy_controller.h"
#include "ui/window/file_controller.h"
#include "ui/window/help_dialogs.h"
#include "ui/window/help_window.h"
#include "ui/window/history_dialog.h"
#include "ui/window/import_controller.h"
#include "ui/window/layout_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/message_controller.h"
#include "ui/window/preferences_controller.h"
#include "ui/window/report_controller.h"
#include "ui/window/samples_dialog.h"
#include "ui/window/scale_export.h"
#include "ui/window/session_controller.h"
#include "ui/window/tensor_list_controller.h"

#include <QCoreApplication>
#include <QWhatsThis>

#include <algorithm>
#include <iterator>
#include <vector>

namespace calibscope {

namespace {

using Condition = ActionSpec::Condition;
using Effect = ActionSpec::Effect;

class ActionRows
{
    Q_DECLARE_TR_FUNCTIONS(Actions)

public:
    /// All but those of the plots below the histogram and of the cards.
    static std::vector<ActionSpec> all();
};

/// What an action that can be checked does, and whether it is checked.
struct Switch
{
    Effect run;
    Condition isOn;
};

template <typename... Extras>
ActionSpec row(const QString& id, Menu menu, const QString& text, const QString& shortcut,
               const QString& help, const Condition& isEnabled, const Effect& run,
               const Extras&... extras)
{
    ActionSpec spec{id, menu, text, shortcut, help, isEnabled, run};
    (extras(spec), ...);
    return spec;
}

template <typename... Extras>
ActionSpec row(const QString& id, Menu menu, const QString& text, const QString& shortcut,
               const QString& help, const Condition& isEnabled, const Switch& onOff,
               const Extras&... extras)
{
    ActionSpec spec = row(id, menu, text, shortcut, help, isEnabled, onOff.run, extras...);
    spec.isChecked = onOff.isOn;
    return spec;
}

auto inToolBar(const QString& text)
{
    return [text](ActionSpec& spec) { spec.toolBarText = text; };
}

auto withRole(QAction::MenuRole role)
{
    return [role](ActionSpec& spec) { spec.role = role; };
}

void startsGroup(ActionSpec& spec)
{
    spec.startsGroup = true;
}

// When actions are of use.
const Condition always;

bool withDump(MainWindow& in)
{
    return in.isDumpShown() && in.document().dumpState() == Document::DumpState::Open;
}

const Condition withFile = [](MainWindow& in) { return in.hasFile(); };

bool onBrowse(MainWindow& in)
{
    return withDump(in) && in.workspaces().current() == Workspace::Browse;
}

Condition withDumps(std::size_t atLeast)
{
    return [atLeast](MainWindow& in) { return in.dumps().count() >= atLeast; };
}

bool withSecondDump(MainWindow& in)
{
    return withDump(in) && in.comparison().state() != Comparison::State::None;
}

/// One may still be selected of tensors that are gone, while a dump is closed.
bool withTensor(MainWindow& in)
{
    const int selected = in.document().selected();
    return selected >= 0 && selected < std::ssize(in.document().tensors());
}

bool hasGuess(MainWindow& in)
{
    return withDump(in) && withTensor(in) && in.document().selectedTensor()->isGuess;
}

bool withMatches(MainWindow& in)
{
    return withDump(in) && in.comparison().state() == Comparison::State::Ready;
}

const Condition withCard = [](MainWindow& in) { return in.calibrators().hasOpenCard(); };

template <typename Past>
Condition may(const Past& (Document::*past)() const, bool (Past::*can)() const)
{
    return [past, can](MainWindow& in) { return ((in.document().*past)().*can)(); };
}

// What several actions do.

Effect tells(void (Document::*act)())
{
    return [act](MainWindow& in, bool) { (in.document().*act)(); };
}

Effect shows(Workspace workspace)
{
    return [workspace](MainWindow& in, bool) { in.showWorkspace(workspace); };
}

Effect onPlot(const std::function<void(PlotView&)>& act)
{
    return [act](MainWindow& in, bool) {
        if (PlotView* plot = in.workspaces().currentPlot())
            act(*plot);
    };
}

void exportPicture(MainWindow& in, bool /*isOn*/)
{
    PlotView* plot = in.workspaces().currentPlot();
    if (plot == nullptr)
        return in.messages().say(
            tr("This view has no plot to export. A right click on its table copies or saves it."));
    if (const QString path = plot->exportPicture(); !path.isEmpty())
        in.messages().say(tr("Picture written to %1.").arg(path), {}, MessageBar::Kind::Success);
}

Effect inBrowse(void (BrowsePage::*act)())
{
    return [act](MainWindow& in, bool) {
        in.showWorkspace(Workspace::Browse);
        (in.browsePage().*act)();
    };
}

Effect goesTo(int (TensorPanel::*next)(int) const)
{
    return [next](MainWindow& in, bool) {
        in.tensorList().goTo((in.tensorList().panel().*next)(in.document().selected()));
    };
}

/// In the list that is shown, of tensors or of pairs.
Effect stepsTensor(int rows)
{
    return [rows](MainWindow& in, bool) {
        if (!in.comparing().step(rows))
            in.tensorList().step(rows);
    };
}

/// By SQNR, or by drift.
void showNextWorst(MainWindow& in, bool)
{
    if (!in.comparing().showNextWorst())
        in.tensorList().goTo(in.tensorList().panel().nextWorst(in.document().selected()));
}

void changeDisplay(MainWindow& in, const std::function<void(PlotDisplay&)>& edit)
{
    PlotDisplay display = in.document().workbench().display;
    edit(display);
    edits::setDisplay(in.document(), display);
}

Switch shows(bool PlotDisplay::*part)
{
    return {[part](MainWindow& in, bool isOn) {
                changeDisplay(in, [part, isOn](PlotDisplay& display) { display.*part = isOn; });
            },
            [part](MainWindow& in) { return in.document().workbench().display.*part; }};
}

Switch showsMagnitude()
{
    return {[](MainWindow& in, bool isOn) {
                changeDisplay(in, [isOn](PlotDisplay& display) {
                    display.domain = isOn ? Domain::Magnitude : Domain::Signed;
                });
            },
            [](MainWindow& in) {
                return in.document().workbench().display.domain == Domain::Magnitude;
            }};
}

Switch shows(Quantity quantity)
{
    return {[quantity](MainWindow& in, bool) {
                changeDisplay(in,
                              [quantity](PlotDisplay& display) { display.quantity = quantity; });
            },
            [quantity](MainWindow& in) {
                return in.document().workbench().display.quantity == quantity;
            }};
}

void showNextQuantity(MainWindow& in, bool)
{
    changeDisplay(in, [](PlotDisplay& display) {
        display.quantity = display.quantity == Quantity::Count     ? Quantity::Density
                           : display.quantity == Quantity::Density ? Quantity::Cumulative
                                                                   : Quantity::Count;
    });
}

Switch chooses(Theme theme)
{
    return {[theme](MainWindow& in, bool) { in.preferences().chooseTheme(theme); },
            [theme](MainWindow& in) { return in.preferences().theme() == theme; }};
}

Switch shows(Panel panel)
{
    return {[panel](MainWindow& in, bool isOn) { in.panels().show(panel, isOn); },
            [panel](MainWindow& in) { return in.panels().isShown(panel); }};
}

Switch lists(void (TensorPanel::*set)(bool), bool (TensorPanel::*isSet)() const)
{
    return {[set](MainWindow& in, bool isOn) { (in.tensorList().panel().*set)(isOn); },
            [isSet](MainWindow& in) { return (in.tensorList().panel().*isSet)(); }};
}

Switch marks(void (TensorListController::*mark)(bool), bool (*isMarked)(const Document&, int))
{
    return {[mark](MainWindow& in, bool isOn) { (in.tensorList().*mark)(isOn); },
            [isMarked](MainWindow& in) {
                return withTensor(in) && isMarked(in.document(), in.document().selected());
            }};
}

void askForReport(MainWindow& in, bool)
{
    in.reports().askForReport(in.tensorList().filtered(), in.tensorList().selected(),
                              outputFolder(in.sessions().keeper().path(), in.document().path()));
}

void showKeys(MainWindow& in, bool)
{
    showShortcuts(in, in.preferences().shortcuts(),
                  withDump(in) ? std::optional(in.workspaces().current()) : std::nullopt);
}

void showHelpOfPage(MainWindow& in, bool)
{
    showHelp(
        in, helpTarget(in, withDump(in) ? std::optional(in.workspaces().current()) : std::nullopt));
}

/// "Undo: Log x axis".
auto namesStep(const QString& word, QString (History::*step)() const)
{
    return [word, step](ActionSpec& spec) {
        spec.label = [word, step](MainWindow& in) {
            const QString name = (in.document().history().*step)();
            const QFontMetrics metrics = in.fontMetrics();
            const int most = 60 * metrics.averageCharWidth();  // a tensor's name may be long
            return name.isEmpty()
                       ? word
                       : QStringLiteral("%1: %2").arg(
                             word, menuText(metrics.elidedText(name, Qt::ElideMiddle, most)));
        };
    };
}

std::vector<ActionSpec> ActionRows::all()
{
    return {
        row(
            "file.open", Menu::File, tr("&Open..."), "Ctrl+O", tr("Opens a dump or a model."),
            always, [](MainWindow& in, bool) { in.files().askForFile(); },
            inToolBar(tr("Open..."))),
        row("file.open-folder", Menu::File, tr("Open &folder..."), "Ctrl+Alt+F",
            tr("Opens a folder of NumPy, raw or safetensors files."), always,
            [](MainWindow& in, bool) { in.files().askForFolder(); }),
        row(
            "file.open-sample", Menu::File, tr("Open &sample"), "Ctrl+Alt+M",
            tr("Opens the recording that comes with Calibscope."),
            [](MainWindow& in) { return in.files().hasSample(); },
            [](MainWindow& in, bool) { in.files().openSample(); }),
        row("file.open-remote", Menu::File, tr("Open on another mac&hine..."), "Ctrl+Alt+H",
            tr("Opens a dump of a machine that ssh reaches."), always,
            [](MainWindow& in, bool) { in.files().askElsewhere(); }),
        row(
            "file.reload", Menu::File, tr("&Reload"), "F5", tr("Reads the dump again."), withFile,
            [](MainWindow& in, bool) { in.reload(); }, inToolBar(tr("Reload"))),
        row("file.follow", Menu::File, tr("Follo&w recording"), "Ctrl+Alt+W",
            tr("Shows each batch of a recording that is still running."), withDump,
            Switch{[](MainWindow& in, bool isOn) { in.files().setFollowing(isOn); },
                   [](MainWindow& in) { return in.files().isFollowing(); }}),
        row("file.next-dump", Menu::Dumps, tr("&Next"), "Ctrl+PgDown; Ctrl+Tab",
            tr("Shows the next dump of this window."), withDumps(2),
            [](MainWindow& in, bool) { in.dumps().step(1); }),
        row("file.previous-dump", Menu::Dumps, tr("&Previous"), "Ctrl+PgUp; Ctrl+Shift+Tab",
            tr("Shows the previous dump of this window."), withDumps(2),
            [](MainWindow& in, bool) { in.dumps().step(-1); }),
        row(
            "file.open-session", Menu::File, tr("Open sess&ion..."), "Ctrl+Alt+O",
            tr("Opens dumps together with the decisions on them."), always,
            [](MainWindow& in, bool) { in.sessions().askForFile(); }, startsGroup),
        row("file.save-session", Menu::File, tr("Sa&ve session"), "Ctrl+S",
            tr("Saves the names of the open dumps and the decisions on them."), withDumps(1),
            [](MainWindow& in, bool) { in.sessions().save(); }),
        row("file.save-session-as", Menu::File, tr("Save session &as..."), "Ctrl+Shift+S",
            tr("Saves the session to another file."), withDumps(1),
            [](MainWindow& in, bool) { in.sessions().saveAs(); }),
        row("file.export-plot", Menu::File, tr("&Export picture..."), "Ctrl+E",
            tr("Writes the plot as PNG, SVG or PDF."), withDump, exportPicture, startsGroup),
        row("file.report", Menu::File, tr("Re&port..."), "Ctrl+Shift+E",
            tr("Writes pages, tables and pictures into a folder."), withDump, askForReport),
        row(
            "file.open-report", Menu::File, tr("Open last repor&t"), "Ctrl+Alt+E",
            tr("Opens the report that was written last."),
            [](MainWindow& in) { return in.reports().hasReport(); },
            [](MainWindow& in, bool) { in.reports().openLast(); }),
        row("file.export-decisions", Menu::File, tr("Export &decisions..."), "Ctrl+Shift+D",
            tr("Writes the accepted scales as CSV or JSON."), withDump,
            [](MainWindow& in, bool) { in.decisions().exportAll(); }),
        row("file.export-scales", Menu::File, tr("Export sca&les to..."), "Ctrl+Alt+D",
            tr("Writes the accepted scales as a file of another tool."), withDump,
            [](MainWindow& in, bool) { in.scaleExport().ask(); }),
        row("file.import-scales", Menu::File, tr("I&mport scales..."), "Ctrl+Shift+I",
            tr("Shows the ranges of another tool's file beside the thresholds of the calibrators."),
            withDump, [](MainWindow& in, bool) { in.imports().askForFile(); }),
        row("file.close", Menu::File, tr("&Close"), "Ctrl+W", tr("Closes the dump."), withFile,
            [](MainWindow& in, bool) { in.files().closeShown(); }),
        row(
            "file.quit", Menu::File, tr("&Quit"), "Ctrl+Q", tr("Quits the application."), always,
            [](MainWindow& in, bool) { in.close(); }, withRole(QAction::QuitRole)),
        row("edit.undo", Menu::Edit, tr("&Undo"), "Ctrl+Z",
            tr("Undoes the last change of view or parameters."),
            may(&Document::history, &History::canUndo), tells(&Document::undo),
            namesStep(tr("&Undo"), &History::undoText)),
        row("edit.redo", Menu::Edit, tr("&Redo"), "Ctrl+Shift+Z; Ctrl+Y",
            tr("Redoes the change that was undone."), may(&Document::history, &History::canRedo),
            tells(&Document::redo), namesStep(tr("&Redo"), &History::redoText)),
        row("edit.history", Menu::Edit, tr("&History..."), "Ctrl+H",
            tr("Lists the steps that can be undone and redone, and goes to one of them."), withDump,
            [](MainWindow& in, bool) { showHistory(in.document(), in); }),
        row(
            "edit.copy-data", Menu::Edit, tr("Copy &data"), "Ctrl+C",
            tr("Copies what is at the pointer, else the plot's data."), withDump,
            [](MainWindow& in, bool) { in.copyData(); }, startsGroup),
        row("edit.copy-picture", Menu::Edit, tr("&Copy picture"), "Ctrl+Shift+C",
            tr("Copies the plot as a picture."), withDump, onPlot(&PlotView::copyPicture)),
        row("edit.copy-path", Menu::Edit, tr("Copy &tensor path"), "Ctrl+Alt+P",
            tr("Copies the path of the tensor in its file."), withDump,
            [](MainWindow& in, bool) { in.tensorList().copyPath(); }),
        row("edit.copy-python", Menu::Edit, tr("Copy as P&ython"), "Ctrl+Alt+C",
            tr("Copies the lines that read the tensor with h5py."), withDump,
            [](MainWindow& in, bool) { in.reports().copyPython(); }),
        row("edit.plot-table", Menu::Edit, tr("Plot &numbers..."), "Ctrl+T",
            tr("Shows the numbers of the plot as a table."), withDump,
            onPlot(&PlotView::showTable)),
        row(
            "edit.find", Menu::Edit, tr("&Filter..."), "Ctrl+F",
            tr("Goes to the filter of the tensor list."), withDump,
            [](MainWindow& in, bool) { in.tensorList().panel().focusFilter(); }, startsGroup),
        row(
            "edit.go-to", Menu::Edit, tr("&Go to..."), "Ctrl+K",
            tr("Finds a tensor or an action by a few letters of its name."), always,
            [](MainWindow& in, bool) { in.goToSomewhere(); }, inToolBar(tr("Go to..."))),
        row(
            "edit.preferences", Menu::Edit, tr("&Preferences..."), "Ctrl+,",
            tr("Appearance, numbers, startup and shortcuts."), always,
            [](MainWindow& in, bool) { in.preferences().edit(); }, startsGroup,
            withRole(QAction::PreferencesRole)),
        row("view.summary", Menu::View, tr("&Summary"), "S", tr("Overview of the dump."), withDump,
            shows(Workspace::Summary)),
        row("view.layers", Menu::View, tr("La&yers"), "Ctrl+1",
            tr("Where to look first: the error of each layer's output."), withDump,
            shows(Workspace::Layers)),
        row("view.graph", Menu::View, tr("Graph (&2)"), "Ctrl+2",
            tr("The network as a picture, coloured by what quantizing costs."), withDump,
            shows(Workspace::Graph)),
        row("view.browse", Menu::View, tr("&Browse"), "Ctrl+3",
            tr("The histogram of a tensor, its thresholds and curves."), withDump,
            shows(Workspace::Browse)),
        row("view.calibrators", Menu::View, tr("Calibra&tors"), "Ctrl+4",
            tr("Calibrators of a tensor, side by side."), withDump, shows(Workspace::Calibrators)),
        row("view.channels", Menu::View, tr("Cha&nnels"), "Ctrl+5",
            tr("The scales of a tensor's channels."), withDump, shows(Workspace::Channels)),
        row("view.slice", Menu::View, tr("Sl&ice, where values lie"), "Ctrl+6",
            tr("Where a tensor's values lie: two of its axes as a picture."), withDump,
            shows(Workspace::Slice)),
        row("view.compare", Menu::View, tr("&Compare"), "Ctrl+7",
            tr("A tensor beside that of a second dump."), withDump, shows(Workspace::Compare)),
        row("view.deploy", Menu::View, tr("&Deploy"), "Ctrl+8",
            tr("A quantized model from the decisions."), withDump, shows(Workspace::Deploy)),
        row("view.improve", Menu::View, tr("Improve (&9)"), "Ctrl+9",
            tr("Remedies for layers, and what they gain on samples held out."), withDump,
            shows(Workspace::Improve)),
        row("view.log-x", Menu::View, tr("Log &x"), "Shift+L",
            tr("Values on a logarithmic axis, where the plot can have one."), withDump,
            shows(&PlotDisplay::isLogX), inToolBar(tr("log x")), startsGroup),
        row("view.log-count", Menu::View, tr("&Log count"), "L",
            tr("Counts on a logarithmic axis, or on a linear one."), withDump,
            shows(&PlotDisplay::isLogCount), inToolBar(tr("log count"))),
        row("view.magnitude", Menu::View, tr("Ma&gnitude |x|"), "A",
            tr("Histogram of magnitudes, or of signed values."), withDump, showsMagnitude(),
            inToolBar(tr("|x|"))),
        row("quantity.count", Menu::Quantity, tr("&Count"), "", tr("How many values a bin holds."),
            withDump, shows(Quantity::Count)),
        row("quantity.density", Menu::Quantity, tr("&Density"), "",
            tr("Share of all values per unit of value."), withDump, shows(Quantity::Density)),
        row("quantity.cumulative", Menu::Quantity, tr("C&umulative"), "",
            tr("Cumulative share of the values."), withDump, shows(Quantity::Cumulative)),
        row("quantity.next", Menu::Quantity, tr("&Next"), "N",
            tr("Cycles through count, density and cumulative share."), withDump, showNextQuantity),
        row("lower.number-of-batches", Menu::Lower, tr("&Number of batches..."), "Shift+B",
            tr("Goes to the slider that shows only the first batches."), withDump,
            inBrowse(&BrowsePage::focusBatches)),
        row("view.quantized", Menu::View, tr("Quanti&zed histogram"), "Q",
            tr("What the quantizer makes of the histogram, as an outline, and its levels."),
            withDump, shows(&PlotDisplay::isQuantizedShown)),
        row("view.link-axes", Menu::View, tr("Link &axes"), "K",
            tr("Zooms and moves neighbouring plots together."), withDump,
            shows(&PlotDisplay::areAxesLinked)),
        row("view.table", Menu::View, tr("Table of &values"), "Shift+T",
            tr("The data of the focused plot, below the plots of Browse."), onBrowse,
            shows(&PlotDisplay::isTableShown)),
        row("view.fit", Menu::View, tr("&Fit"), "Home", tr("Shows all of the histogram."), withDump,
            onPlot(&PlotView::goHome), inToolBar(tr("Fit"))),
        row("view.zoom-in", Menu::View, tr("Zoo&m in"), "Ctrl++; Ctrl+=",
            tr("Halves the range of values shown."), withDump, onPlot(&PlotView::zoomIn)),
        row("view.zoom-out", Menu::View, tr("Zoom &out"), "Ctrl+-",
            tr("Doubles the range of values shown."), withDump, onPlot(&PlotView::zoomOut)),
        row("view.zoom-back", Menu::View, tr("Zoom bac&k"), "Backspace",
            tr("Returns to the previous zoom."), withDump, onPlot(&PlotView::zoomBack)),
        row("view.zoom-forward", Menu::View, tr("Zoom fo&rward"), "Shift+Backspace",
            tr("Returns to the zoom before going back."), withDump, onPlot(&PlotView::zoomForward)),
        row("theme.system", Menu::Theme, tr("Follow &system"), "",
            tr("Light or dark, as the desktop."), always, chooses(Theme::System)),
        row("theme.light", Menu::Theme, tr("&Light"), "", tr("Dark text on a light background."),
            always, chooses(Theme::Light)),
        row("theme.dark", Menu::Theme, tr("&Dark"), "", tr("Light text on a dark background."),
            always, chooses(Theme::Dark)),
        row("panels.next", Menu::Panels, tr("&Next pane"), "F6",
            tr("The keys go from the list to the page, to the cards, and around."), withDump,
            [](MainWindow& in, bool) { in.focusPane(1); }),
        row("panels.previous", Menu::Panels, tr("&Previous pane"), "Shift+F6",
            tr("The keys go to the pane before."), withDump,
            [](MainWindow& in, bool) { in.focusPane(-1); }),
        row("panels.tensors", Menu::Panels, tr("&Tensors"), "F7", tr("The list of tensors."),
            withDump, shows(Panel::Tensors), startsGroup),
        row("panels.calibrators", Menu::Panels, tr("&Calibrators"), "Shift+F7",
            tr("Outcomes and statistics of the tensor."), withDump, shows(Panel::Inspector)),
        row("panels.messages", Menu::Panels, tr("&Messages"), "F8", tr("Messages, with the time."),
            always, shows(Panel::Log)),
        row("panels.tool-bar", Menu::Panels, tr("Tool &bar"), "F9",
            tr("The tool bar under the menus."), withDump, shows(Panel::ToolBar)),
        row("view.reset-layout", Menu::View, tr("R&eset layout"), "",
            tr("Restores the default positions of panels and tool bar."), always,
            [](MainWindow& in, bool) { in.panels().reset(); }),
        row("view.full-screen", Menu::View, tr("F&ull screen"), "F11",
            tr("The window fills the screen."), always,
            Switch{[](MainWindow& in, bool isOn) { in.panels().showFullScreen(isOn); },
                   [](MainWindow& in) { return in.isFullScreen(); }}),
        row("tensor.first", Menu::Tensor, tr("F&irst"), "Ctrl+Home",
            tr("The first tensor that can be shown."), withDump,
            [](MainWindow& in, bool) { in.tensorList().goToFirst(); }),
        row("tensor.previous", Menu::Tensor, tr("&Previous"), "Ctrl+Up",
            tr("The tensor above in the list."), withDump, stepsTensor(-1),
            inToolBar(QStringLiteral("▲")), startsGroup),
        row("tensor.next", Menu::Tensor, tr("&Next"), "Ctrl+Down",
            tr("The tensor below in the list."), withDump, stepsTensor(1),
            inToolBar(QStringLiteral("▼"))),
        row("tensor.back", Menu::Tensor, tr("&Back"), "Alt+Left",
            tr("The tensor that was shown before this one."),
            may(&Document::navigation, &Navigation::canGoBack), tells(&Document::goBack),
            inToolBar(QStringLiteral("←")), startsGroup),
        row("tensor.forward", Menu::Tensor, tr("F&orward"), "Alt+Right",
            tr("The tensor shown before going back."),
            may(&Document::navigation, &Navigation::canGoForward), tells(&Document::goForward),
            inToolBar(QStringLiteral("→"))),
        row("tensor.next-worst", Menu::Tensor, tr("Next &worst"), "W",
            tr("The tensor with the next higher SQNR; of two dumps, the pair that is next worst."),
            withDump, showNextWorst, startsGroup),
        row("tensor.next-flagged", Menu::Tensor, tr("Next &flagged"), "F",
            tr("The next tensor with a warning."), withDump, goesTo(&TensorPanel::nextFlagged)),
        row("tensor.next-guess", Menu::Tensor, tr("Next &guess"), "G",
            tr("The next tensor whose role or axes are an unconfirmed guess."), withDump,
            [](MainWindow& in, bool) {
                in.showGuess(in.tensorList().panel().nextGuess(in.document().selected()));
            }),
        row("tensor.confirm-guess", Menu::Tensor, tr("&Confirm guess"), "Shift+G",
            tr("Confirms the guessed role and axes of this tensor."), hasGuess,
            [](MainWindow& in, bool) { (void)confirmGuess(in.document(), false); }),
        row("tensor.confirm-alike", Menu::Tensor, tr("Confirm all si&milar"), "Ctrl+Shift+G",
            tr("Confirms the guesses of all tensors like this one, and goes to the next kind."),
            hasGuess, [](MainWindow& in, bool) { (void)confirmGuess(in.document(), true); }),
        row("tensor.worst-first", Menu::Tensor, tr("Wors&t first"), "Shift+W",
            tr("Sorts the list by SQNR, the lowest first, or as in the file."), withDump,
            lists(&TensorPanel::setWorstFirst, &TensorPanel::isWorstFirst)),
        row("tensor.tree", Menu::Tensor, tr("List as a t&ree"), "P",
            tr("The list as a tree by the parts of the names, or one tensor after another."),
            withDump, lists(&TensorPanel::setTree, &TensorPanel::isTree)),
        row("tensor.pin", Menu::Tensor, tr("Pin in &list"), "Space",
            tr("Pins the tensor at the end of the list, regardless of the filter."), withDump,
            marks(&TensorListController::pin, &edits::isPinned), startsGroup),
        row("tensor.exclude", Menu::Tensor, tr("E&xclude"), "Del",
            tr("Next worst and Next flagged skip the tensor."), withDump,
            marks(&TensorListController::exclude, &edits::isExcluded)),
        row("tensor.understanding", Menu::Tensor, tr("Set role and &axes..."), "R",
            tr("Overrides the layout of this tensor, or of all like it."), withDump,
            inBrowse(&BrowsePage::editLayoutOverride)),
        row("tensor.channel", Menu::Tensor, tr("C&hannel..."), "H",
            tr("Goes to the channel selector."), withDump, inBrowse(&BrowsePage::focusChannel)),
        row("tensor.outliers", Menu::Tensor, tr("Compare o&utliers"), "O",
            tr("Overlays the histograms of the outlier channels."), withDump,
            [](MainWindow& in, bool) { in.showOutliers(); }),
        row("tensor.where", Menu::Tensor, tr("Where these &values lie"), "V",
            tr("Shows the values of the bin under the pointer, or of the last one, as a picture."),
            withTensor, [](MainWindow& in, bool) { in.showWhereValuesLie(); }),
        row("tensor.samples", Menu::Tensor, tr("Sampl&es that set ranges..."), "Ctrl+Alt+R",
            tr("Lists the samples that reach farthest, and the ranges without them."), withDump,
            [](MainWindow& in, bool) { showSamples(in.document(), in); }),
        row("tensor.stop", Menu::Tensor, tr("&Stop reading"), "Esc", tr("Stops reading."), withDump,
            [](MainWindow& in, bool) { in.document().questions().stopReading(); }),
        row("calibrator.recipe", Menu::Calibrator, tr("&Recipe..."), "Ctrl+Shift+R",
            tr("Goes to the recipe selector."), withDump,
            [](MainWindow& in, bool) { in.calibrators().focusRecipes(); }),
        row("calibrator.threshold", Menu::Calibrator, tr("Manual &threshold..."), "T",
            tr("Goes to the manual threshold field."), withDump,
            inBrowse(&BrowsePage::focusThreshold)),
        row("calibrator.all-tensors", Menu::Calibrator, tr("Sweep &all tensors"), "Ctrl+R",
            tr("Computes the calibrators on all tensors, as a heatmap."), withDump,
            [](MainWindow& in, bool) { in.showAllTensors(); }),
        row("calibrator.baseline", Menu::Calibrator, tr("&Baseline"), "Ctrl+B",
            tr("Compares the other calibrators with the one whose card is open."), withCard,
            Switch{[](MainWindow& in, bool isOn) { in.calibrators().setBaseline(isOn); },
                   [](MainWindow& in) { return in.calibrators().isBaselineOpen(); }}),
        row("compare.open", Menu::Compare, tr("&Open second dump..."), "Ctrl+Shift+O",
            tr("Compares the open dump with another one."), withDump,
            [](MainWindow& in, bool) { in.comparing().askForFile(); }),
        row("compare.swap", Menu::Compare, tr("&Swap"), "X",
            tr("Swaps the open dump and the second one."), withSecondDump,
            [](MainWindow& in, bool) { in.comparing().swap(); }),
        row("compare.mode", Menu::Compare, tr("&Mode"), "D",
            tr("Cycles through overlay, side by side and difference."), withSecondDump,
            [](MainWindow& in, bool) { in.comparing().showNextMode(); }),
        row("compare.match", Menu::Compare, tr("Ma&tch..."), "M",
            tr("Chooses the tensor of the other dump that matches this one."), withMatches,
            [](MainWindow& in, bool) { in.comparing().askForMatch(); }),
        row(
            "compare.close", Menu::Compare, tr("&Close second dump"), "Ctrl+Shift+W",
            tr("Ends the comparison."), withSecondDump,
            [](MainWindow& in, bool) { in.comparing().close(); }, startsGroup),
        row("help.contents", Menu::Help, tr("&Contents"), "F1",
            tr("The documentation, opened at the page that is shown."), always, showHelpOfPage),
        row("help.glossary", Menu::Help, tr("&Terms"), "Ctrl+F1",
            tr("The words of window and reports, and what they mean."), always,
            [](MainWindow& in, bool) { showHelp(in, QStringLiteral("glossary.md")); }),
        row("help.keys", Menu::Help, tr("&Keyboard shortcuts"), "?",
            tr("Lists all keyboard shortcuts."), always, showKeys),
        row("help.what-is-this", Menu::Help, tr("&What is this?"), "Shift+F1",
            tr("Explains the next item clicked."), always,
            [](MainWindow&, bool) { QWhatsThis::enterWhatsThisMode(); }),
        row(
            "help.about", Menu::Help, tr("&About Calibscope"), "", tr("Versions and licences."),
            always, [](MainWindow& in, bool) { showAbout(in); }, withRole(QAction::AboutRole)),
    };
}
}  // namespace

std::span<const ActionSpec> actionTable()
{
    static const std::vector<ActionSpec> table = [] {
        std::vector<ActionSpec> rows = ActionRows::all();
        const std::vector<ActionSpec> lower = lowerPlotActions();
        const auto place = std::ranges::find(rows, Menu::Lower, &ActionSpec::menu);
        rows.insert(place, lower.begin(), lower.end());
        for (const std::vector<ActionSpec>& more : {decisionActions(), cardActions()})
            rows.insert(std::ranges::find(rows, Menu::Compare, &ActionSpec::menu), more.begin(),
                        more.end());
        return rows;
    }();
    return table;
}

const ActionSpec& actionSpec(const QString& id)
{
    return *std::ranges::find(actionTable(), id, &ActionSpec::id);
}

}  // namespace calibscope
