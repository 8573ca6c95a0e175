#pragma once

#include "ui/workbench/workbench.h"

#include <QWidget>

#include <map>

class QToolButton;

namespace calibscope {

/// Chooses the plot below the histogram, and whether the quantized histogram is drawn over it.
class PlotSwitch : public QWidget
{
    Q_OBJECT

public:
    explicit PlotSwitch(QWidget* parent = nullptr);

    void setShown(Secondary secondary, bool isQuantizedShown);  ///< emits nothing

Q_SIGNALS:
    void secondaryChosen(calibscope::Secondary secondary);
    void quantizedToggled(bool isShown);

private:
    void addButton(Secondary secondary, const QString& text, const QString& help);

    std::map<Secondary, QToolButton*> m_buttons;
    QToolButton* m_quantized;
};

}  // namespace calibscope
