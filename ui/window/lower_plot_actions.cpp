// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lower_plot_actions.h"

#include "ui/document/edits.h"
#include "ui/pages/browse/browse_page.h"
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
             .run = [plot = lower.plot](MainWindow& in,
                                        bool) { edits::setSecondary(in.document(), plot); },
             .isChecked =
                 [plot = lower.plot](MainWindow& in) {
                     return in.document().workbench().secondary == plot;
                 }});
    return rows;
}

}  // namespace calibscope
