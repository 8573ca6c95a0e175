// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workbench.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace calibscope {

class Segments;

/// Chooses the plot below the histogram, whether the quantized histogram is drawn over it, and
/// whether the numbers stand below the plots.
class PlotSwitch : public QWidget
{
    Q_OBJECT

public:
    explicit PlotSwitch(QWidget* parent = nullptr);

    void setShown(Secondary secondary, const PlotDisplay& display);  ///< emits nothing
    /// A reason, as a sentence, why a plot would be empty: it can't be chosen. Blank: it can.
    void setReason(Secondary secondary, const QString& reason);

Q_SIGNALS:
    void secondaryChosen(calibscope::Secondary secondary);
    void quantizedToggled(bool isShown);
    void tableToggled(bool isShown);

private:
    [[nodiscard]] QToolButton* makeButton(const QString& text, const QString& help);

    Segments* m_plots;
    std::vector<QToolButton*> m_buttons;  ///< by the plot
    std::vector<QString> m_helps;         ///< likewise
    QToolButton* m_quantized = nullptr;
    QToolButton* m_table = nullptr;
};

}  // namespace calibscope
