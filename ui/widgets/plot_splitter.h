// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/workbench.h"

#include <QList>
#include <QSplitter>
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

/// A splitter whose parts never vanish. They keep their usual shares of whatever room there is
/// until the user moves a handle, and can go back to them.
class PlotSplitter : public QSplitter
{
    Q_OBJECT

public:
    explicit PlotSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// One for each part, in proportion.
    void setUsualShares(const QList<int>& shares);
    /// Pixels, one for each part, that their usual sizes don't go below while the others have more
    /// than theirs: where there is little room, a plot comes before equal shares. The user may.
    void setUsualLeast(const QList<int>& pixels);
    void reset();  ///< to the usual shares

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QList<int> m_usual;
    QList<int> m_least;
    bool m_isMoved = false;  ///< by the user
};

}  // namespace calibscope
