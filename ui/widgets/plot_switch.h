#pragma once

#include "ui/document/workbench.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace calibscope {

/// Chooses the plot below the histogram, whether the quantized histogram is drawn over it, and
/// whether the numbers stand below the plots.
class PlotSwitch : public QWidget
{
    Q_OBJECT

public:
    explicit PlotSwitch(QWidget* parent = nullptr);

    void setShown(Secondary secondary, const PlotDisplay& display);  ///< emits nothing

Q_SIGNALS:
    void secondaryChosen(calibscope::Secondary secondary);
    void quantizedToggled(bool isShown);
    void tableToggled(bool isShown);

private:
    [[nodiscard]] QToolButton* makeButton(const QString& text, const QString& help);
    void addButton(const LowerPlot& lower);

    std::map<Secondary, QToolButton*> m_buttons;
    QToolButton* m_quantized = nullptr;
    QToolButton* m_table = nullptr;
};

}  // namespace calibscope
