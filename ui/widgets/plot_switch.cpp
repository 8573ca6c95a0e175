#include "ui/widgets/plot_switch.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace calibscope {

PlotSwitch::PlotSwitch(QWidget* parent) : QWidget(parent), m_quantized(new QToolButton(this))
{
    addButton(Secondary::Curve, tr("Curve"), tr("What was searched, against the threshold"));
    addButton(Secondary::ErrorPerBin, tr("Error by bin"),
              tr("Squared error by bin, rounding and clipping apart"));
    addButton(Secondary::Batches, tr("Batches"), tr("Batch by batch, and what was known then"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    auto* group = new QButtonGroup(this);
    for (const auto& [secondary, button] : m_buttons) {
        button->setAutoRaise(true);  // the chosen one alone has a frame
        group->addButton(button);
        layout->addWidget(button);
    }
    layout->addSpacing(8);
    m_quantized->setObjectName(QStringLiteral("quantized"));
    m_quantized->setText(tr("Quantized"));
    m_quantized->setCheckable(true);
    m_quantized->setAutoRaise(true);
    m_quantized->setToolTip(
        tr("The quantized histogram as an outline, and the levels where they are apart"));
    layout->addWidget(m_quantized);
    layout->addStretch(1);
    setShown(Secondary::Curve, false);
    connect(m_quantized, &QToolButton::clicked, this, &PlotSwitch::quantizedToggled);
}

void PlotSwitch::addButton(Secondary secondary, const QString& text, const QString& help)
{
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setCheckable(true);
    button->setToolTip(help);
    connect(button, &QToolButton::clicked, this,
            [this, secondary] { Q_EMIT secondaryChosen(secondary); });
    m_buttons.emplace(secondary, button);
}

void PlotSwitch::setShown(Secondary secondary, bool isQuantizedShown)
{
    m_buttons.at(secondary)->setChecked(true);
    m_quantized->setChecked(isQuantizedShown);
}

}  // namespace calibscope
