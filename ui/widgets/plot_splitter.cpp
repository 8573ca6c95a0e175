// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_splitter.h"

#include "ui/widgets/segments.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <numeric>

namespace calibscope {

PlotSwitch::PlotSwitch(QWidget* parent) : QWidget(parent), m_plots(new Segments(this))
{
    for (const LowerPlot& lower : lowerPlots) {
        m_helps.push_back(QCoreApplication::translate("LowerPlot", lower.help));
        m_buttons.push_back(
            m_plots->add(QCoreApplication::translate("LowerPlot", lower.title), m_helps.back()));
    }
    m_quantized =
        makeButton(tr("Quantized"),
                   tr("The quantized histogram as an outline, with its levels when zoomed in"));
    m_quantized->setObjectName(QStringLiteral("quantized"));
    m_table = makeButton(tr("Table"), tr("The data of the focused plot"));
    m_table->setObjectName(QStringLiteral("table"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(0);
    layout->addWidget(m_plots);
    layout->addSpacing(12);
    layout->addWidget(m_quantized);
    layout->addSpacing(4);
    layout->addWidget(m_table);
    layout->addStretch(1);
    connect(m_plots, &Segments::chosen, this, [this](int index) {
        Q_EMIT secondaryChosen(lowerPlots.at(static_cast<std::size_t>(index)).plot);
    });
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

void PlotSwitch::setReason(Secondary secondary, const QString& reason)
{
    const auto index = static_cast<std::size_t>(secondary);
    QToolButton* button = m_buttons.at(index);
    button->setEnabled(reason.isEmpty());
    button->setToolTip(reason.isEmpty() ? m_helps.at(index) : reason);
    button->setAccessibleDescription(reason);
}

void PlotSwitch::setShown(Secondary secondary, const PlotDisplay& display)
{
    m_plots->setCurrent(static_cast<int>(secondary));
    m_quantized->setChecked(display.isQuantizedShown);
    m_table->setChecked(display.isTableShown);
}

PlotSplitter::PlotSplitter(Qt::Orientation orientation, QWidget* parent)
    : QSplitter(orientation, parent)
{
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_isMoved = true; });
}

void PlotSplitter::setUsualShares(const QList<int>& shares)
{
    m_usual = shares;
    for (int part = 0; part < count() && part < shares.size(); ++part)
        setStretchFactor(part, shares[part]);
    reset();
}

void PlotSplitter::setUsualLeast(const QList<int>& pixels)
{
    m_least = pixels;
    reset();
}

void PlotSplitter::reset()
{
    m_isMoved = false;
    const int all = std::accumulate(m_usual.begin(), m_usual.end(), 0);
    if (all <= 0)
        return;
    const int room = orientation() == Qt::Vertical ? height() : width();
    QList<int> sizes;
    for (const int share : m_usual)
        sizes += room * share / all;
    for (int part = 0; part < sizes.size() && part < m_least.size(); ++part)
        for (int other = 0; other < sizes.size() && other < m_least.size(); ++other) {
            const int given = std::clamp(m_least[part] - sizes[part], 0,
                                         std::max(sizes[other] - m_least[other], 0));
            sizes[part] += given;
            sizes[other] -= given;
        }
    setSizes(sizes);
}

void PlotSplitter::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (!m_isMoved)
        reset();
}

}  // namespace calibscope
