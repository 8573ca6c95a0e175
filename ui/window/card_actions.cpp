// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/card_actions.h"

#include "ui/window/calibrator_controller.h"
#include "ui/window/main_window.h"

#include <QCoreApplication>

namespace calibscope {

namespace {

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

}  // namespace

std::vector<ActionSpec> cardActions()
{
    std::vector<ActionSpec> rows;
    for (int place = 0; place < keyedCards; ++place)
        rows.push_back(CardRows::tick(place));
    for (int place = 0; place < keyedCards; ++place)
        rows.push_back(CardRows::open(place));
    return rows;
}

}  // namespace calibscope
