// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/decision_actions.h"

#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/pages/calibrators/calibrators_page.h"
#include "ui/pages/calibrators/formats_view.h"
#include "ui/panels/curves_view.h"
#include "ui/window/calibrator_controller.h"
#include "ui/window/decision_controller.h"
#include "ui/window/main_window.h"

#include <QCoreApplication>

namespace calibscope {

namespace {

/// A plot that would be empty is not.
bool isOffered(MainWindow& in, Secondary plot)
{
    return in.isDumpShown() && in.document().dumpState() == Document::DumpState::Open &&
           in.browsePage().reasonAgainst(plot).isEmpty();
}

/// On the page that is shown, where it has such a plot, else on Browse.
void showLower(MainWindow& in, Secondary plot)
{
    const auto* page = qobject_cast<const CalibratorsPage*>(&in.shownPage());
    if (page && plot == Secondary::Curve)
        return page->curves().chooseLower(CurvesView::Lower::Curve);
    if (page && plot == Secondary::ErrorPerBin)
        return page->curves().chooseLower(CurvesView::Lower::Error);
    edits::setSecondary(in.document(), plot);
    in.showWorkspace(Workspace::Browse);
}

constexpr int keyedCards = 9;  // 1 to 9

class CardRows
{
    Q_DECLARE_TR_FUNCTIONS(Actions)

public:
    static ActionSpec tick(int place);
    static ActionSpec open(int place);
};

ActionSpec CardRows::tick(int place)
{
    const QString number = QString::number(place + 1);
    return {.id = "calibrator.tick-" + number,
            .menu = Menu::Ticks,
            .text = tr("Calibrator &%1").arg(number),
            .shortcut = number,
            .help =
                tr("Draws the calibrator of card %1, counted from the top, or not.").arg(number),
            .isEnabled = [place](MainWindow& in) { return in.calibrators().isListed(place); },
            .run = [place](MainWindow& in, bool isOn) { in.calibrators().tick(place, isOn); },
            .isChecked = [place](MainWindow& in) { return in.calibrators().isTicked(place); },
            .label = [place](MainWindow& in) { return in.calibrators().tickLabel(place); },
            .isHiddenIfDisabled = true};
}

ActionSpec CardRows::open(int place)
{
    const QString number = QString::number(place + 1);
    return {.id = "calibrator.open-" + number,
            .menu = Menu::Cards,
            .text = tr("Card &%1").arg(number),
            .shortcut = "Alt+" + number,
            .help = tr("Opens or closes card %1, counted from the top.").arg(number),
            .isEnabled = [place](MainWindow& in) { return in.calibrators().isListed(place); },
            .run = [place](MainWindow& in, bool isOn) { in.calibrators().open(place, isOn); },
            .isChecked = [place](MainWindow& in) { return in.calibrators().isOpen(place); },
            .label = [place](MainWindow& in) { return in.calibrators().tickLabel(place); },
            .isHiddenIfDisabled = true};
}

class DecisionRows
{
    Q_DECLARE_TR_FUNCTIONS(Actions)

public:
    static std::vector<ActionSpec> all();
};

bool hasDump(MainWindow& in)
{
    return in.isDumpShown() && in.document().dumpState() == Document::DumpState::Open;
}

/// One may still be selected of tensors that are gone, while a dump is closed.
bool hasTensor(MainWindow& in)
{
    const int selected = in.document().selected();
    return selected >= 0 && selected < std::ssize(in.document().tensors());
}

bool hasDecision(MainWindow& in)
{
    return hasTensor(in) && decisionOf(in.document(), in.document().selected());
}

/// Of the view Formats the chosen format, else what the inspector proposes.
void acceptShownChoice(MainWindow& in, bool)
{
    const auto* page = qobject_cast<const CalibratorsPage*>(&in.shownPage());
    if (page && page->shownView() == CalibratorsPage::View::Formats)
        return page->formats().accept();
    in.decisions().acceptSelected();
}

ActionSpec::Effect does(void (DecisionController::*act)())
{
    return [act](MainWindow& in, bool) { (in.decisions().*act)(); };
}

std::vector<ActionSpec> DecisionRows::all()
{
    return {
        {.id = "calibrator.settle",
         .menu = Menu::Accept,
         .text = tr("&This calibrator"),
         .shortcut = "Ctrl+Return; Ctrl+Enter",
         .help = tr("Accepts what is bold: the open card, the decision or the recipe's choice; in "
                    "the view Formats the chosen format."),
         .isEnabled = hasTensor,
         .run = acceptShownChoice},
        {.id = "calibrator.settle-better",
         .menu = Menu::Accept,
         .text = tr("What &gains most"),
         .shortcut = "Alt+Return; Alt+Enter",
         .help = tr("Accepts the calibrator with the highest SQNR, of several rows each its own."),
         .isEnabled = hasTensor,
         .run = does(&DecisionController::acceptBetter)},
        {.id = "calibrator.accept-best",
         .menu = Menu::Accept,
         .text = tr("What gains most for each &of the listed..."),
         .shortcut = "Ctrl+Alt+Shift+Return; Ctrl+Alt+Shift+Enter",
         .help = tr("Accepts for each selected or listed tensor the calibrator with the highest "
                    "SQNR, where it gains enough."),
         .isEnabled = hasDump,
         .run = does(&DecisionController::acceptBestOfListed)},
        {.id = "calibrator.settle-shown",
         .menu = Menu::Accept,
         .text = tr("For all &listed tensors..."),
         .shortcut = "Ctrl+Shift+Return; Ctrl+Shift+Enter",
         .help = tr("Accepts this calibrator for all selected rows, or all that are listed."),
         .isEnabled = hasDump,
         .run = does(&DecisionController::acceptShown)},
        {.id = "calibrator.settle-recipe",
         .menu = Menu::Accept,
         .text = tr("&Recipe where nothing is accepted..."),
         .shortcut = "Ctrl+Alt+Return; Ctrl+Alt+Enter",
         .help = tr(
             "Accepts the recipe's choice for all selected or listed tensors without a decision."),
         .isEnabled = hasDump,
         .run = does(&DecisionController::acceptListedByRecipe)},
        {.id = "calibrator.unsettle",
         .menu = Menu::Accept,
         .text = tr("&Clear decision"),
         .shortcut = "Ctrl+Backspace",
         .help = tr("Removes the tensor's decision."),
         .isEnabled = hasDecision,
         .run = does(&DecisionController::clearSelected),
         .startsGroup = true},
        {.id = "calibrator.unsettle-shown",
         .menu = Menu::Accept,
         .text = tr("Cl&ear decisions of listed tensors"),
         .shortcut = "Ctrl+Shift+Backspace",
         .help = tr("Removes the decisions of all selected or listed tensors."),
         .isEnabled = hasDump,
         .run = does(&DecisionController::clearShown)},
    };
}

}  // namespace

std::vector<ActionSpec> lowerPlotActions()
{
    const auto text = [](const char* source) {
        return QCoreApplication::translate("LowerPlot", source);
    };
    std::vector<ActionSpec> rows;
    for (const LowerPlot& lower : lowerPlots)
        rows.push_back(
            {.id = QStringLiteral("lower.") + lower.word,
             .menu = Menu::Lower,
             .text = text(lower.menuTitle),
             .shortcut = lower.shortcut,
             .help = text(lower.menuHelp),
             .isEnabled = [plot = lower.plot](MainWindow& in) { return isOffered(in, plot); },
             .run = [plot = lower.plot](MainWindow& in, bool) { showLower(in, plot); },
             .isChecked =
                 [plot = lower.plot](MainWindow& in) {
                     return in.document().workbench().secondary == plot;
                 }});
    return rows;
}

std::vector<ActionSpec> cardActions()
{
    std::vector<ActionSpec> rows;
    for (int place = 0; place < keyedCards; ++place)
        rows.push_back(CardRows::tick(place));
    for (int place = 0; place < keyedCards; ++place)
        rows.push_back(CardRows::open(place));
    return rows;
}

std::vector<ActionSpec> decisionActions()
{
    return DecisionRows::all();
}

}  // namespace calibscope
