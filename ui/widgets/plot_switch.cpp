// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_switch.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QToolButton>

namespace calibscope {

PlotSwitch::PlotSwitch(QWidget* parent) : QWidget(parent)
{
    for (const LowerPlot& lower : lowerPlots)
        addButton(lower);
    m_quantized =
        makeButton(tr("Quantized"),
                   tr("The quantized histogram as an outline, with its levels when zoomed in"));
    m_quantized->setObjectName(QStringLiteral("quantized"));
    m_table = makeButton(tr("Table"), tr("The data of the focused plot"));
    m_table->setObjectName(QStringLiteral("table"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    auto* group = new QButtonGroup(this);
    for (const auto& [secondary, button] : m_buttons) {
        group->addButton(button);
        layout->addWidget(button);
        button->setProperty("segment", &button == &m_buttons.begin()->second ? "first" : "middle");
    }
    m_buttons.rbegin()->second->setProperty("segment", "last");
    layout->addSpacing(12);
    layout->addWidget(m_quantized);
    layout->addSpacing(4);
    layout->addWidget(m_table);
    layout->addStretch(1);
    setShown(Secondary::Curve, {});
    connect(m_quantized, &QToolButton::clicked, this, &PlotSwitch::quantizedToggled);
    connect(m_table, &QToolButton::clicked, this, &PlotSwitch::tableToggled);
}

QToolButton* PlotSwitch::makeButton(const QString& text, const QString& help)
{
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setCheckable(true);
    button->setToolTip(help);
    return button;
}

void PlotSwitch::addButton(const LowerPlot& lower)
{
    QToolButton* button = makeButton(QCoreApplication::translate("LowerPlot", lower.title),
                                     QCoreApplication::translate("LowerPlot", lower.help));
    connect(button, &QToolButton::clicked, this,
            [this, plot = lower.plot] { Q_EMIT secondaryChosen(plot); });
    m_buttons.emplace(lower.plot, button);
    m_helps.emplace(lower.plot, button->toolTip());
}

void PlotSwitch::setReason(Secondary secondary, const QString& reason)
{
    QToolButton* button = m_buttons.at(secondary);
    button->setEnabled(reason.isEmpty());
    button->setToolTip(reason.isEmpty() ? m_helps.at(secondary) : reason);
    button->setAccessibleDescription(reason);
}

void PlotSwitch::setShown(Secondary secondary, const PlotDisplay& display)
{
    m_buttons.at(secondary)->setChecked(true);
    m_quantized->setChecked(display.isQuantizedShown);
    m_table->setChecked(display.isTableShown);
}

}  // namespace calibscope
